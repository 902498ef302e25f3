#!/usr/bin/env python
"""Writes `wording` into the rows of the digest: the hash of each glossed text without the numbers it cites.

Needs the glossed rulebooks (RULESTONE_TEXTS); rows without a text remain unchanged.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.digest.glossed import all_nodes
from corpus.digest import parse
from ingest.merge import wording

DIGEST_FOLDER = Path(__file__).parents[1] / "corpus" / "data" / "digest"
WORDING_ROW = re.compile(
    r'^(?P<head>locator = "(?P<locator>[^"]+)"\n(?:[a-z]+ = .*\n)*?sha256 = .*\n)(?:wording = .*\n)?', re.MULTILINE
)


def main() -> None:
    """Rewrites every file of the digest in place."""
    nodes = all_nodes()
    for file in sorted(DIGEST_FOLDER.glob("*.toml")):
        text = file.read_text(encoding="utf-8")
        digest = parse(text, file.name)
        wordings = {locator: wording(node) for locator, node in nodes.get((digest.key, digest.lang), {}).items()}

        def replace_row(match: re.Match[str], wordings: dict[str, str] = wordings) -> str:
            if match["locator"] not in wordings:
                return match[0]
            masked = wordings[match["locator"]]
            own = f'wording = "{masked}"\n' if masked else ""
            return match["head"] + own

        file.write_text(WORDING_ROW.sub(replace_row, text), encoding="utf-8")


if __name__ == "__main__":
    main()
