"""The digest beside the real rulebooks: rules glossed, hashes, copied runs, terms: `python -m bench.digest`."""

import sys
from collections import Counter
from pathlib import Path

from bench.digest.copies import CJK, CJK_RUN, WORD_RUN, cjk, is_words, is_written_in_cjk, without_lists, words
from bench.measure import books, texts
from corpus.address import EditionKey
from corpus.digest import GLOSSES, Digest, Gloss, digests
from corpus.errors import InputError
from corpus.model import Kind, Node
from corpus.words.text import fold_hash
from ingest.merge import wording
from ingest.pipeline import parse_file
from ingest.read.document import read
from ontology.checks.terminology import deviations
from ontology.shipped import shipped_store

Nodes = dict[tuple[EditionKey, str], dict[str, Node]]
"""Edition and language → the nodes of its text by locator."""


def main() -> int:
    """Prints a row for each book; 0 if no hash differs, nothing is copied and every term is named alike."""
    files = [Path(name) for name in books(texts())]
    readings = loaded(files)
    known, told = digests(every=True), set()
    print(f"{'book':<28}{'rules':>8}{'glossed':>9}{'questions':>11}{'hash differs':>14}")
    differs = 0
    for key, lang in dict.fromkeys((digest.key, digest.lang) for digest in known):
        own = [gloss for digest in known if digest.key == key for gloss in digest.glosses if not gloss.heading]
        nodes = readings.get((key, lang), {})
        rules = [node for node in nodes.values() if node.kind not in (Kind.CHAPTER, Kind.SECTION)]
        wrong = [gloss for gloss in own if gloss.locator in nodes and _differs(gloss, nodes[gloss.locator])]
        asked = sum(len(questions) for gloss in own for questions in gloss.asked.values())
        print(f"{key!s:<28}{len(rules):>8}{len(own):>9}{asked:>11}{len(wrong):>14}")
        differs += len(wrong)
        told.add(key)
    copied, strays = _copied(files, known), _strays(known)
    print(f"runs of {CJK_RUN} characters or {WORD_RUN} words in common with a rulebook: {sum(copied.values())}")
    print(f"glosses that name a zone in one language and not in another: {strays}")
    return int(bool(differs or copied or strays))


def _differs(gloss: Gloss, node: Node) -> bool:
    return gloss.sha256 != fold_hash(node.text) or gloss.wording != wording(node)


def loaded(files: list[Path]) -> Nodes:
    """The rulebooks in some files; other files are left out."""
    nodes: Nodes = {}
    for file in files:
        try:
            readings = parse_file(file)
        except InputError:
            continue
        for reading in readings:
            nodes.setdefault((reading.key, reading.lang), {}).update({node.locator: node for node in reading.nodes})
    return nodes


def _said(digest: Digest, gloss: Gloss) -> list[str]:
    questions = [question for lang in GLOSSES for question in gloss.asked.get(lang, ())]
    return [*gloss.words.values(), *gloss.example.values(), *questions]


def _copied(files: list[Path], known: tuple[Digest, ...]) -> Counter[str]:
    """Locator → runs of real rulebooks in what is said of it."""
    plain = [read(file).text for file in files]
    runs = {run[i : i + CJK_RUN] for run in map(cjk, plain) if CJK.search(run) for i in range(len(run) - CJK_RUN + 1)}
    phrases = {tuple(run[i : i + WORD_RUN]) for run in map(words, plain) for i in range(len(run) - WORD_RUN + 1)}
    shared_runs: Counter[str] = Counter()
    for digest in known:
        for gloss in digest.glosses:
            for text in _said(digest, gloss) if not gloss.heading else ():
                letters, said = cjk(without_lists(text)), words(without_lists(text))
                own = (letters[i : i + CJK_RUN] for i in range(len(letters) - CJK_RUN + 1))
                shared_runs[gloss.locator] += sum(run in runs and is_written_in_cjk(run) for run in own)
                quoted = (tuple(said[i : i + WORD_RUN]) for i in range(len(said) - WORD_RUN + 1))
                shared_runs[gloss.locator] += sum(run in phrases and is_words(run) for run in quoted)
    return +shared_runs


def _strays(known: tuple[Digest, ...]) -> int:
    return len(list(deviations(shipped_store(), known)))


if __name__ == "__main__":
    sys.exit(main())
