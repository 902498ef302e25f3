"""The application of a home with an additional constant route: python -m bench.speed.server HOME PORT."""

import sys
from pathlib import Path

import uvicorn

from api.http.app import create_app
from rulestone import Library

CONSTANT_PATH = "/bench/constant"


def main(home: Path, port: int) -> None:
    """Serves until it is terminated."""
    app = create_app(Library.open(home, create=False))

    @app.get(CONSTANT_PATH)
    async def constant_answer() -> dict[str, str]:
        return {"answer": "constant"}

    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
