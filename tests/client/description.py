"""Fetches the description of the API and checks it against OpenAPI 3.1: ADDRESS FILE. Run by tests/client/run."""

import json
import sys
from pathlib import Path
from urllib.request import urlopen

from openapi_spec_validator import OpenAPIV31SpecValidator


def main(address: str, file: Path) -> None:
    """Writes the description to a file if it is valid."""
    with urlopen(f"{address}/openapi.json", timeout=300) as answer:
        description = json.load(answer)
    OpenAPIV31SpecValidator(description).validate()
    file.write_text(json.dumps(description), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
