"""The digest compared with the real rulebooks: glossed rules, hashes, copied runs, terms: `python -m bench.digest`."""

import sys
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bench.digest.copies import CJK, CJK_RUN, WORD_RUN, cjk_text, is_words, is_written_in_cjk, without_lists, words
from bench.measure import loaded_home, rulebook_folder
from corpus.address import EditionKey
from corpus.digest import GLOSS_LANGUAGES, Digest, Gloss, digests
from corpus.errors import InputError
from corpus.model import Kind, Node, Reading
from corpus.words.text import fold_hash
from ingest.merge import wording
from ingest.pipeline import parse_file
from ingest.read.document import read
from ontology.checks.terminology import gloss_deviations
from ontology.shipped import shipped_store

Nodes = dict[tuple[EditionKey, str], dict[str, Node]]
"""Edition and language → the nodes of its text by locator."""


def main() -> int:
    """Prints the figures, with a row for each book; returns 0 if no hash differs, nothing is copied and all terms agree."""
    files = [Path(name) for name in loaded_home(rulebook_folder())]
    readings = all_nodes()
    every_digest = digests(all_games=True)
    print(f"{'book':<30}{'rules':>8}{'glossed':>9}{'questions':>11}{'hash differs':>14}")
    total: Counter[str] = Counter()
    for key, lang in dict.fromkeys((digest.key, digest.lang) for digest in every_digest):
        own = [gloss for digest in every_digest if digest.key == key for gloss in digest.glosses if not gloss.heading]
        nodes = readings.get((key, lang), {})
        rules = [node for node in nodes.values() if node.kind not in (Kind.CHAPTER, Kind.SECTION)]
        wrong = [gloss for gloss in own if gloss.locator in nodes and _differs(gloss, nodes[gloss.locator])]
        question_count = sum(len(questions) for gloss in own for questions in gloss.questions.values())
        counts = {"rules": len(rules), "glossed": len(own), "questions": question_count, "differs": len(wrong)}
        print(_figures_line(f"  {key}", counts))
        total.update(counts)
    print(_figures_line("all", total))
    copied_runs, strays = _copied_runs(files, every_digest), _deviation_count(every_digest)
    print(f"runs of {CJK_RUN} characters or {WORD_RUN} words in common with a rulebook: {sum(copied_runs.values())}")
    print(f"glosses that name a zone in one language and not in another: {strays}")
    return int(bool(total["differs"] or copied_runs or strays))


def _figures_line(name: str, counts: Mapping[str, int]) -> str:
    return f"{name:<30}{counts['rules']:>8}{counts['glossed']:>9}{counts['questions']:>11}{counts['differs']:>14}"


def _differs(gloss: Gloss, node: Node) -> bool:
    return gloss.sha256 != fold_hash(node.text) or gloss.wording != wording(node)


def all_readings() -> list[Reading]:
    """Every rulebook of the folder; other files are left out."""
    readings: list[Reading] = []
    for file in loaded_home(rulebook_folder()):
        with suppress(InputError):
            readings += parse_file(Path(file))
    return readings


def all_nodes() -> Nodes:
    """The nodes of every rulebook of the folder."""
    nodes: Nodes = {}
    for reading in all_readings():
        nodes.setdefault((reading.key, reading.lang), {}).update({node.locator: node for node in reading.nodes})
    return nodes


def _gloss_texts(digest: Digest, gloss: Gloss) -> list[str]:
    questions = [question for lang in GLOSS_LANGUAGES for question in gloss.questions.get(lang, ())]
    return [*gloss.words.values(), *gloss.example.values(), *questions]


def _copied_runs(files: list[Path], every_digest: tuple[Digest, ...]) -> Counter[str]:
    """Locator → runs of real rulebooks in its glosses and questions."""
    plain = [read(file).text for file in files]
    runs = {run[i : i + CJK_RUN] for run in map(cjk_text, plain) if CJK.search(run) for i in range(len(run) - CJK_RUN + 1)}
    phrases = {tuple(run[i : i + WORD_RUN]) for run in map(words, plain) for i in range(len(run) - WORD_RUN + 1)}
    shared_runs: Counter[str] = Counter()
    for digest in every_digest:
        for gloss in digest.glosses:
            for text in _gloss_texts(digest, gloss) if not gloss.heading else ():
                letters, gloss_words = cjk_text(without_lists(text)), words(without_lists(text))
                own = (letters[i : i + CJK_RUN] for i in range(len(letters) - CJK_RUN + 1))
                shared_runs[gloss.locator] += sum(run in runs and is_written_in_cjk(run) for run in own)
                word_runs = (tuple(gloss_words[i : i + WORD_RUN]) for i in range(len(gloss_words) - WORD_RUN + 1))
                shared_runs[gloss.locator] += sum(run in phrases and is_words(run) for run in word_runs)
    return +shared_runs


def _deviation_count(every_digest: tuple[Digest, ...]) -> int:
    return len(list(gloss_deviations(shipped_store(), every_digest)))


if __name__ == "__main__":
    sys.exit(main())
