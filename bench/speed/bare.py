"""The baseline of a server: a FastAPI application with one route, whose answer has the requested length."""

from fastapi import FastAPI


def create_app() -> FastAPI:
    """The application."""
    app = FastAPI()

    @app.get("/bare")
    async def bare_answer(size: int = 0) -> dict[str, str]:
        return {"answer": "x" * size}

    return app
