#!/usr/bin/env python
"""Draws sentences, names and translated messages at random, so that a reader can judge their language: `tools/sample.py --seed 31`.

Sentences come from docstrings, comments, docs, help and messages; names are modules, classes, functions, parameters and constants;
`ja`, `zh-Hans` and `zh-Hant` are messages with their translations. A seed draws the same rows from the same files.
"""

import argparse
import ast
import io
import random
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from babel.messages.pofile import read_po

from tools.prose import EXCLUDED_PAGES, GENERATED_MARK, prose_of

ROOT = Path(__file__).parents[1]
PACKAGES = ("corpus", "ontology", "ingest", "search", "rulestone", "api")
SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`“\"])|\n\s*\n|\n\s*(?=[-*\d#|])")
LOCALE = ROOT / "corpus" / "data" / "locale"
MESSAGES = {"ja": "ja.po", "zh-Hans": "zh_Hans.po", "zh-Hant": "zh_Hant.po"}
SIZES = {"sentences": 150, "names": 100, **dict.fromkeys(MESSAGES, 60)}


def modules() -> Iterator[tuple[str, str]]:
    """Path and source of every module of the product."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text("utf-8")


def split(place: str, text: str) -> Iterator[tuple[str, str]]:
    """The sentences of a text that have four words or more."""
    for sentence in SENTENCE.split(text):
        words = " ".join(sentence.split()).strip("#*- ")
        if len(re.findall("[A-Za-z]{2,}", words)) > 3:
            yield place, words


def sentences() -> Iterator[tuple[str, str]]:
    """Place and sentence, from code, docs and messages; help texts are among the messages."""
    for place, source in modules():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
                yield from split(f"{place}:{node.lineno}", node.value.value)
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT and not token.string.startswith("# noqa"):
                yield from split(f"{place}:{token.start[0]}", token.string)
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text("utf-8")
        if path.name not in EXCLUDED_PAGES and GENERATED_MARK not in text:
            yield from split(path.name, prose_of(text))
    yield from ((place, message) for place, message, _ in messages("ja"))


def names() -> Iterator[tuple[str, str]]:
    """Place and name: modules, classes, public functions, parameters and constants, each once in a module."""
    for place, source in modules():
        seen = {place.removesuffix(".py").removesuffix("/__init__").replace("/", "."): 0}
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.ClassDef():
                    seen.setdefault(f"class {node.name}", node.lineno)
                case ast.FunctionDef() | ast.AsyncFunctionDef() if not node.name.startswith("__"):
                    arguments = (argument.arg for argument in node.args.args if argument.arg not in {"self", "cls"})
                    seen.setdefault(f"{node.name}({', '.join(arguments)})", node.lineno)
                case ast.Assign(targets=[ast.Name(id=name)]) if name.isupper():
                    seen.setdefault(name, node.lineno)
        yield from ((f"{place}:{line}", name) for name, line in seen.items())


def messages(lang: str) -> Iterator[tuple[str, str, str]]:
    """File, English sentence and translation."""
    with (LOCALE / MESSAGES[lang]).open("rb") as file:
        for message in read_po(file, locale=Path(MESSAGES[lang]).stem):
            if message.id:
                texts = ((text,) if isinstance(text, str) else text for text in (message.id, message.string))
                yield MESSAGES[lang], *(" / ".join(text) for text in texts)


KINDS: dict[str, Callable[[], Iterator[tuple[str, ...]]]] = {
    "sentences": sentences,
    "names": names,
    **{lang: lambda lang=lang: messages(lang) for lang in MESSAGES},
}


def main() -> None:
    """Prints the rows of each kind, numbered, with their places."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--rows", type=int, help="rows of each kind; without it 150 sentences, 100 names, 60 messages")
    given = parser.parse_args()
    for kind in given.kind or KINDS:
        rows = sorted(set(KINDS[kind]()))
        drawn = random.Random(given.seed).sample(rows, min(given.rows or SIZES[kind], len(rows)))
        sys.stdout.write(f"{kind}: {len(drawn)} of {len(rows)}\n")
        sys.stdout.write("".join(f"{number:4} {'  ·  '.join(row)}\n" for number, row in enumerate(drawn, 1)))


if __name__ == "__main__":
    main()
