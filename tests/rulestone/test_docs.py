"""The examples of docs/library.md, run as they stand there."""

import doctest
import re
from pathlib import Path

import pytest

from tests.support.ferrymen import HUNDREDS_EN

PAGE = Path(__file__).parents[2] / "docs" / "library.md"


@pytest.mark.slow
def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ferrymen.txt").write_text(HUNDREDS_EN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    output: list[str] = []
    doctest.DocTestRunner().run(example, out=output.append)
    assert (len(example.examples) > 20, "".join(output)) == (True, "")
