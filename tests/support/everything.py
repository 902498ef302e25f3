"""A home with everything that a user can give, and what it answers."""

import json
from functools import partial
from pathlib import Path

from corpus.address import EditionKey, concept_iri
from corpus.store.home import Home
from ontology.translation.checked_alignments import AlignmentRow, AlignmentSheet, CheckedVerdict
from ontology.translation.glossary import CuratedLabel
from rulestone import Library
from rulestone.writing.alignments import apply_alignment_sheet
from rulestone.writing.curating import apply_decisions
from tests.support.ferrymen import HUNDREDS_EN, HUNDREDS_JA
from tests.support.texts import ROOT
from tests.support.translated import NEWER, OLDER, put

SUPPORT = ROOT / "tests" / "support"
CHECKED = [AlignmentRow(CheckedVerdict.YES, "101.1", "202.1"), AlignmentRow(CheckedVerdict.NO, "102.1", "201.1")]
LABEL = CuratedLabel(concept_iri("ferry/graveyard"), "en", "the pit", "preferred", "ada", date="2026-11-28")


def give_everything(home: Path) -> None:
    """Books of known and unknown games, one replaced and one removed in part, rulings, cards, verdicts, alignments, labels."""
    put(home)
    files = home.parent / "given"
    files.mkdir()
    texts = {"gulls.en.txt": HUNDREDS_EN, "gulls.ja.txt": HUNDREDS_JA, "old.txt": HUNDREDS_EN.replace("ferry", "raft")}
    for name, text in texts.items():
        (files / name).write_text(text, encoding="utf-8")
    verdicts = files / "verdicts.tsv"
    with Library.open(home) as library:
        add = partial(library.add, game="gulls", title="The Game of Gulls", alias="Gulls, Möwen", book="cr")
        add([files / "old.txt"], edition="2019-01-01")
        add([files / "gulls.en.txt"], edition="2019-01-01", replace=True)
        add([files / "gulls.ja.txt", files / "gulls.en.txt"], edition="2019-01-01", replace=True)
        add([files / "old.txt"], edition="2018-01-01", authority="community")
        library.remove("gulls/cr/2019-01-01", lang="ja")
        library.add(SUPPORT / "rulings" / "ferrymen.en.json", game="ferry", source="desk", authority="official")
        library.add(SUPPORT / "rulings" / "ferrymen.ja.csv", game="ferry", source="pier", lang="ja")
        library.add_cards(SUPPORT / "cards" / "ferry.csv", game="ferry")
        ruling = library.rulings("", source="desk")["rulings"][0]["iri"]
        rule = f"ferry/cr/{NEWER}/202.1"
        verdicts.write_text(f"ruling\trule\tverdict\twho\n{ruling}\t{rule}\tyes\tada\n", encoding="utf-8")
        library.judge(verdicts)
    apply_alignment_sheet(Home(home), AlignmentSheet(EditionKey("ferry", "cr", OLDER), EditionKey("ferry", "cr", NEWER), CHECKED))
    apply_decisions(Home(home), [LABEL], [])


def everything(home: Path) -> dict[str, str]:
    """What a home answers, by question. Raises what the library raises."""
    with Library.open(home) as library:
        answers: dict[str, object] = {
            "editions": library.editions(),
            "jsonl": b"".join(library.export("jsonl")).decode(),
            "nquads": b"".join(library.export("nquads")).decode(),
            "search": library.search("ferry"),
            "rulings": library.rulings("", source="desk"),
            "card": library.cards("Fog"),
            "labels": library.curated_table().decode(),
            "align": library.align(f"ferry/cr/{OLDER}:ja", f"ferry/cr/{NEWER}:en"),
            "title": library.title_of("gulls"),
        }
    return {name: json.dumps(answer, ensure_ascii=False, sort_keys=True, default=str) for name, answer in answers.items()}
