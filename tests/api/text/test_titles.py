"""A heading takes one line: the text of a rule that serves as heading is cut, everywhere alike."""

import json
import subprocess

import pytest

from api.labels import title_line, title_path
from api.web.static import FOLDER
from tests.support.node import node

SENTENCE = "A player whose ferry waits may in this step do any number of the following things in any order, as often as wanted."
TITLES = [
    ("Zones", "Zones"),
    ("Boats\n and oars", "Boats and oars"),
    (SENTENCE, "A player whose ferry waits may in this step do …"),
    (
        "渡し守はこの段階で次の行動を好きな順番で何回でも行えます。",
        "渡し守はこの段階で次の行動を好きな順番で何回でも…",
    ),
    ("x" * 60, "x" * 48 + "…"),
    ("x" * 48, "x" * 48),
]


@pytest.mark.parametrize(("title", "line"), TITLES)
def test_a_title_is_one_line(title: str, line: str) -> None:
    assert title_line(title) == line


def test_a_path_of_titles() -> None:
    assert title_path(["7. Crossing", SENTENCE]) == "7. Crossing › A player whose ferry waits may in this step do …"


def test_the_offline_page_cuts_titles_alike() -> None:
    if (program := node()) is None:
        pytest.skip("no Node.js here: install nodejs, or pip install --group browser")
    script = (FOLDER / "offline" / "rules.js").read_text("utf-8")
    function = script[script.index("const TITLE") : script.index("const titlesOf")]
    calls = "".join(f"console.log(JSON.stringify(titleLine({json.dumps(title)})));" for title, _ in TITLES)
    ended = subprocess.run([program, "--input-type=module", "-e", function + calls], capture_output=True, check=True)
    assert [json.loads(line) for line in ended.stdout.splitlines()] == [line for _, line in TITLES]
