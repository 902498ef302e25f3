"""`python -m bench.offline HOME [QUERIES.jsonl]`: size of the packs, and how far their first three hits are the server's.

The questions are those of `bench` that some rule answers; QUERIES are others, one JSON object a line with `query` and `game`.
`RULESTONE_MODEL=static` is what is compared with.
"""

import json
import os
import statistics
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from api.web.offline.packs import Packs
from bench.offline.node import asked
from rulestone import Library
from search.searcher import Request, Searcher

ASKED = Path(__file__).parents[1] / "search"
Question = tuple[str, list[str]]
_FIRST = 3


def main() -> None:
    """Prints the figures."""
    os.environ["RULESTONE_MODEL"] = "static"
    with Library.open(sys.argv[1], create=False) as library:
        packs = {part.name: library.pack(part.name) for part in library.packs()}
        made = Packs(library).listed()["parts"]
        sizes = {part["name"]: part["size"] for part in made}
        print(f"packs: {sum(sizes.values()) / 1e6:.2f} MB in Brotli, of which the model {sizes['model'] / 1e6:.2f} MB")
        questions = list(_given(Path(sys.argv[2])) if len(sys.argv) > 2 else _own())
        body = asked({name: data.decode() for name, data in packs.items()}, [], questions)
        searcher = library._bundle().searcher
        served = [_served(searcher, question) for question in questions]
    _tell(body, served)


def _own() -> Iterator[Question]:
    for name in ("judge_questions.toml", "forum_questions.toml"):
        yield from ((question["query"], []) for question in tomllib.loads((ASKED / name).read_text("utf-8"))["question"])
    yield from ((question["query"], []) for question in tomllib.loads((ASKED / "abstention.toml").read_text("utf-8"))["answerable"])


def _given(file: Path) -> Iterator[Question]:
    rows = (json.loads(line) for line in file.read_text("utf-8").splitlines())
    yield from ((row["query"], [row["game"]] if row["game"] else []) for row in rows if row.get("relevant", True))


def _served(searcher: Searcher, question: Question) -> list[str]:
    request = Request(question[0], tuple(question[1]))
    hits = searcher.ranked(searcher.understood(request), request).hits
    return [searcher.index.rules[hit.place].iri.split("/id/", 1)[1] for hit in hits]


def _tell(body: dict[str, object], served: Sequence[Sequence[str]]) -> None:
    answers = body["questions"]
    assert isinstance(answers, list)
    shared = [len({*answer["hits"][:_FIRST]} & {*other[:_FIRST]}) for answer, other in zip(answers, served, strict=True)]
    first = [answer["hits"][:1] == list(other[:1]) for answer, other in zip(answers, served, strict=True)]
    took = sorted(answer["took"] for answer in answers)
    print(f"{len(shared)} questions: of the server's first three {statistics.fmean(shared) / _FIRST:.3f} are in its own")
    print(
        f"all three {statistics.fmean(common == _FIRST for common in shared):.3f}, the first the same {statistics.fmean(first):.3f}"
    )
    late = took[len(took) * 95 // 100]
    print(f"index made in {body['built']:.0f} ms; a search {statistics.median(took):.1f} ms, 95 % within {late:.1f} ms")


if __name__ == "__main__":
    main()
