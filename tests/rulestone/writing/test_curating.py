"""Files of proposals as a spreadsheet saves them: the decisions are the same in every encoding and with every separator."""

import csv
from io import StringIO

import pytest

from corpus.address import concept_iri
from corpus.errors import InputError
from ingest.read.document import decode
from ontology.translation.glossary import STATUSES, CuratedLabel
from rulestone.writing.curating import TAKE, decisions_csv, read_decisions

YARD = concept_iri("mtg/graveyard")
NAMES = {"gb18030": ("zh-Hans", "坟场"), "cp932": ("ja", "捨て場"), "utf-16": ("zh-Hant", "墳場")}
LABELS = [
    *(
        CuratedLabel(YARD, lang, f"{name}{number}", status, "Anna", f"{name}; {status}\t!", date="2026-11-29")
        for lang, name in NAMES.values()
        for number, status in enumerate(STATUSES)
    ),
    CuratedLabel(YARD, "en", "=yard", "deprecated", "Anna", "", date="2026-11-29"),
]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", list(NAMES))
def test_decisions_are_the_same_in_every_encoding(encoding: str, separator: str) -> None:
    labels = [label for label in LABELS if label.lang in ("en", NAMES[encoding][0])]
    rows = list(csv.reader(StringIO(decisions_csv(labels).decode("utf-8-sig"))))
    saved = StringIO()
    csv.writer(saved, delimiter=separator).writerows(rows)
    decisions, dropped = read_decisions(
        decode(saved.getvalue().encode(encoding), "saved.csv")[0], "saved.csv", "Bob", [YARD], ["mtg"]
    )
    assert (decisions, dropped) == (labels, [])


def test_an_unknown_status_is_refused_and_never_preferred() -> None:
    table = f"decision;concept;lang;label;status\n{TAKE};{YARD};en;yard;legalTerm\n"
    with pytest.raises(InputError, match="line 2: status 'legalTerm'"):
        read_decisions(table, "saved.csv", "Bob", [YARD], ["mtg"])
