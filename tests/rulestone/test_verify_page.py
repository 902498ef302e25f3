"""The examples of docs/verify.md, run as they stand there."""

import doctest
import re
from pathlib import Path

from rulestone import Library

PAGE = Path(__file__).parents[2] / "docs" / "verify.md"


def test_the_examples_of_the_page_run(crossings: Library) -> None:
    page = PAGE.read_text("utf-8").replace('Library.open("home")', "crossings")
    blocks = re.findall(r"```python\n(.*?)```", page, re.S)
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {"crossings": crossings}, PAGE.name, str(PAGE), 0)
    output: list[str] = []
    doctest.DocTestRunner().run(example, out=output.append)
    assert (len(example.examples) > 8, "".join(output)) == (True, "")
