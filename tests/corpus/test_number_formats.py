"""Number formats in the catalogue: a symbol that the reader does not know is refused, not dropped."""

import re
from pathlib import Path

import pytest

import corpus
from corpus.catalogue import parse
from corpus.errors import InputError

CATALOGUE = (Path(corpus.__file__).parent / "data" / "catalogue.toml").read_text("utf-8")


@pytest.mark.parametrize("wrong", ["9:9:9", "9/9", "A.9", "9.9 a", ""])
@pytest.mark.parametrize("field", ['format = "9-9"', 'also = ["9.9"]'])
def test_an_unknown_symbol_is_refused(field: str, wrong: str) -> None:
    changed = CATALOGUE.replace(field, re.sub(r'"[^"]*"', f'"{wrong}"', field), 1)
    assert changed != CATALOGUE
    with pytest.raises(InputError, match=re.escape(f"grammar dashed: format {wrong!r}: expected only 9, 999, 900, a")):
        parse(changed)
