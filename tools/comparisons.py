#!/usr/bin/env python
"""Writes the comparisons of claims ("By the claims: …") into the comments of the curated mappings."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from ontology import sssom
from ontology.comparison import with_comparisons
from ontology.shipped import shipped_claims

MAPPING_FOLDER = Path(__file__).parents[1] / "ontology" / "data" / "mappings"


def main() -> None:
    """Rewrites every file in place."""
    claims = shipped_claims()
    for file in sorted(MAPPING_FOLDER.iterdir()):
        rows = with_comparisons(sssom.read_mappings(file.read_text(encoding="utf-8"), file.name), claims)
        file.write_text(sssom.write_mappings(rows, f"mappings/{file.name.split('.')[0]}"), encoding="utf-8")


if __name__ == "__main__":
    main()
