"""Node.js for the modules of the pages: the machine's own, or the one that Playwright brings along."""

import json
import subprocess
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Any

from api.web.static import FOLDER

_SCRIPT = Path(__file__).with_name("ask.mjs")


def node() -> str | None:
    """Node.js; None where there is none."""
    package = find_spec("playwright")
    driver = Path(package.origin).parent / "driver" / "node" if package and package.origin else None
    return which("node") or (str(driver) if driver and driver.is_file() else None)


def asked(packs: dict[str, str], texts: list[str], questions: list[tuple[str, list[str]]]) -> dict[str, Any]:
    """The modules' results for some texts and questions over some packs (see ask.mjs)."""
    program = node()
    assert program is not None
    request = json.dumps({"static": str(FOLDER), "packs": packs, "texts": texts, "questions": questions})
    process = subprocess.run([program, str(_SCRIPT)], input=request, capture_output=True, text=True, check=False)
    if process.returncode:
        raise SystemExit(process.stderr)
    body: dict[str, Any] = json.loads(process.stdout)
    return body
