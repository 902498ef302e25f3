"""What ships is in our own words: no run of 20 CJK characters or 8 English words of a real rulebook stands in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.digest.copies import CJK, CJK_RUN, WORD_RUN, cjk, is_written_in_cjk, words
from corpus.digest import digests
from ingest.read.document import decode
from ontology.shipped import mappings
from ontology.topics import topics
from tests.support.texts import TEXTS


def shipped() -> Iterator[tuple[str, str]]:
    for digest in digests(every=True):
        for gloss in digest.glosses:
            if gloss.heading:
                continue
            questions = [question for asked in gloss.asked.values() for question in asked]
            for text in (*gloss.words.values(), *gloss.example.values(), *questions):
                yield f"{digest.key}/{gloss.locator}", text
    for row in mappings("counterparts"):
        for text in (row["subject_label"], row["object_label"], row["comment"]):
            yield f"{row['subject_id']} {row['object_id']}", text
    for topic in topics():
        for said in (topic.asks, topic.differs, *(cell.says for cell in topic.cells)):
            yield from ((topic.slug, text) for text in said.values())


def texts(folder: Path) -> list[str]:
    files = [path for path in folder.rglob("*") if path.suffix in (".txt", ".md", ".rst") and path.name != "README.md"]
    return [decode(path.read_bytes(), path.name)[0] for path in files]


@pytest.mark.real
def test_no_sentence_of_a_rulebook_ships() -> None:
    books = texts(TEXTS)
    runs = {run[i : i + CJK_RUN] for run in map(cjk, books) if CJK.search(run) for i in range(len(run) - CJK_RUN + 1)}
    phrases = {tuple(run[i : i + WORD_RUN]) for run in map(words, books) for i in range(len(run) - WORD_RUN + 1)}
    hits = []
    for place, text in shipped():
        plain, said = cjk(text), words(text)
        if CJK.search(plain):
            copied = (plain[i : i + CJK_RUN] for i in range(len(plain) - CJK_RUN + 1))
            hits += [(place, run) for run in copied if run in runs and is_written_in_cjk(run)]
        quoted = (tuple(said[i : i + WORD_RUN]) for i in range(len(said) - WORD_RUN + 1))
        hits += [(place, " ".join(run)) for run in quoted if run in phrases]
    assert hits == []
