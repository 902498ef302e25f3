"""Holds mapping files against SSSOM by its own tools.

`python tests/sssom/validate.py FILE…` runs where `sssom` is installed (tests/sssom/run), not in the project's environment.
"""

import logging
import sys
from collections.abc import Sequence

from sssom.constants import SchemaValidationType
from sssom.parsers import parse_sssom_table
from sssom.validators import validate

CHECKS = [
    SchemaValidationType.JsonSchema,
    SchemaValidationType.PrefixMapCompleteness,
    SchemaValidationType.StrictCurieFormat,
]


def main(files: Sequence[str]) -> int:
    """0 if every file is sound, else 1 with what is wrong with each."""
    logging.disable(logging.WARNING)  # of columns that the file itself declares as extensions
    broken = 0
    for file in files:
        try:
            table = parse_sssom_table(file)
            validate(table, CHECKS, fail_on_error=True)
        except Exception as fault:
            print(f"{file}: {type(fault).__name__}: {str(fault).splitlines()[0]}", file=sys.stderr)
            broken += 1
        else:
            print(f"{file}: {len(table.df)} mappings, sound")
    return 1 if broken or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
