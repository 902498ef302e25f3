"""Whether a SPARQL server answers as the embedded store: python -m bench.stores QUERY [UPDATE] [--home DIR].

QUERY and UPDATE are the addresses of its endpoints, by example http://127.0.0.1:7878/query and /update of `oxigraph serve`, or
http://127.0.0.1:8890/sparql of Virtuoso. The graph is pushed to it first. Every answer is compared byte for byte, every competency
question row for row; what differs is printed.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from operator import methodcaller
from pathlib import Path

from corpus.errors import RulestoneError
from ontology.checks.questions import answer, questions
from ontology.store.remote import QUERY, UPDATE
from rulestone import Library

_RULES = 200
"""Rules that are looked up, spread over all."""
_WORDS = ("graveyard", "墓地", "坟墓场", "who may look at the deck", "手札は公開ですか")


def asked(library: Library) -> Iterator[tuple[str, Callable[[Library], object]]]:
    """Something of everything that is answered."""
    iris = [json.loads(line)["iri"] for piece in library.export("jsonl") for line in piece.splitlines()]
    for iri in iris[:: max(1, len(iris) // _RULES)]:
        yield f"rules {iri}", methodcaller("rules", iri)
        yield f"cites {iri}", methodcaller("cites", iri)
    for lang in ("ja", "zh", "en"):
        yield f"zones {lang}", methodcaller("zones", lang=lang)
        yield f"concepts {lang}", methodcaller("concepts", limit=1000, lang=lang)
        for words in _WORDS:
            yield f"term {words} {lang}", methodcaller("term", words, lang=lang)
            yield f"search {words} {lang}", methodcaller("search", words, lang=lang)
    for kind in ("jsonl", "nquads", "turtle"):
        yield f"export {kind}", methodcaller("export", kind)
    yield "check", methodcaller("check")


def answers(home: Path) -> Iterator[tuple[str, str]]:
    """What is asked, and the answer as JSON."""
    with Library.open(home) as library:
        for what, ask in asked(library):
            try:
                body = ask(library)
            except RulestoneError as fault:
                body = str(fault)
            yield what, json.dumps(body, default=lambda pieces: b"".join(pieces).decode())


def rows(home: Path) -> Iterator[tuple[str, str]]:
    """The competency questions, with the rows of their answers in order."""
    with Library.open(home) as library:
        store = library._bundle().knowledge.store
        for question in questions():
            header, *solutions = answer(store, question.query)
            yield question.slug, json.dumps([header, *sorted(solutions)])


def compared(what: str, ask: Callable[[Path], Iterator[tuple[str, str]]], home: Path, server: dict[str, str]) -> bool:
    """Prints how many answers are equal, and which are not; gives whether all are."""
    own = dict(ask(home))
    os.environ.update(server)
    begun = time.monotonic()
    theirs = dict(ask(home))
    took = time.monotonic() - begun
    for name in server:
        del os.environ[name]
    other = [name for name, answer in own.items() if theirs.get(name) != answer]
    print(f"{what}: {len(own) - len(other)} of {len(own)} equal, in {took:.1f} s of the server's")
    for name in other:
        print(f"  other: {name}")
    return not other


def main() -> bool:
    """Whether everything is equal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("query")
    parser.add_argument("update", nargs="?")
    parser.add_argument("--home", type=Path, required=True)
    given = parser.parse_args()
    server = {QUERY: given.query, UPDATE: given.update or given.query}
    with Library.open(given.home) as library:
        library.ensure()
        os.environ.update(server)
        print(f"{library.push()} quads pushed")
        for name in server:
            del os.environ[name]
    return compared("competency questions", rows, given.home, server) & compared("answers", answers, given.home, server)


if __name__ == "__main__":
    sys.exit(not main())
