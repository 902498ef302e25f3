"""How a text is read is chosen by what the reading loses; `--structure` overrides it, and a lossy reading warns."""

import pytest

from corpus.catalogue import catalogue
from corpus.errors import InputError
from ingest.fit import lost_numbers, measure_loss
from ingest.lines import make_layout
from ingest.pipeline import parse
from ingest.recognise import Hints
from ingest.split.plain import split_plain
from tests.support.ferrymen import document, faults

KITE = Hints(game="kite")
DEEP = "1. Kites\n1.1. Red kites\n" + "".join(
    f"1.1.{n}. A red kite flies.\n1.1.{n}.1. Player:\n1.1.{n}.1.1. The player ties it.\n" for n in range(1, 13)
)
TWO_LEVELS = "Kite Yard\n\n" + "".join(
    f"{chapter}. Kites\n" + "".join(f"{chapter}.{n} A player may fly {n} kites.\n" for n in range(1, 5)) for chapter in range(1, 5)
)
LISTS = "\nAppendix A: Flyers\n\n" + "".join(f"Flyer {name * 30}\nYard {name}\n" for name in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
PROSE = "".join(
    f"{n}. Piers\n\nA player must ring the bell before the ferry leaves, and\nnobody may row before.\n\n"
    f"{n}.1 Bells\n\nThe judge may ask for it again.\n\n"
    for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "grammar"),
    [
        (TWO_LEVELS, "dotted"),
        (DEEP, "dotted"),
        (DEEP + LISTS, "dotted"),
        ("KITE RULES\nfor all yards\n\n" + TWO_LEVELS + LISTS, "dotted"),
        (PROSE, "sections"),
    ],
    ids=["rules of two levels", "deep numbers", "a long appendix", "a title page, two levels, an appendix", "titles with prose"],
)
def test_the_reading_that_loses_least(text: str, grammar: str) -> None:
    (reading,) = parse(document(text), KITE)
    assert reading.grammar == grammar
    assert reading.notes == () or grammar == "sections" or all("no date" in str(note) for note in reading.notes)
    assert faults(text, [reading]) == []


def test_an_appendix_is_no_part_of_the_last_rule() -> None:
    (reading,) = parse(document(DEEP + LISTS), KITE)
    assert next(node.text for node in reading.nodes if node.locator == "1.1.12.1.1") == "The player ties it."


def test_losses_are_counted() -> None:
    layout = make_layout(DEEP)
    numbered, sections = (measure_loss(layout, catalogue().grammars[slug]) for slug in ("dotted", "sections"))
    assert (numbered.numbers, numbered.cut_sentences, numbered.glued_titles) == ((), 0, 0)
    assert sections.numbers[:2] == ("1.1.1.1.1", "1.1.2.1.1")
    narrow = "1. 凧\n1.1. 赤い凧\n" + "".join(f"1.1.{n}. プレイヤーは凧を一つだけ\nを揚げる。\n" for n in range(1, 9))
    assert measure_loss(make_layout(narrow), catalogue().grammars["dotted"]).total == 0
    titled = "1. Kites\n1.1. Red\n" + "".join(f"1.1.{n}. Kite\n\nIt must be tied.\n\n" for n in range(1, 9))
    assert measure_loss(make_layout(titled), catalogue().grammars["dotted"]).glued_titles == 8


def test_a_wrapped_citation_is_no_lost_number() -> None:
    text = "1. Kites\n1.1. Red kites\n1.1.1. A kite is tied, as in\nrule\n1.1.2. Then it flies.\n1.1.2. A kite flies.\n"
    layout = make_layout(text)
    assert lost_numbers(layout, split_plain(layout, catalogue().grammars["dotted"])) == ()


def test_a_lossy_structure_warns_with_the_first_three_numbers() -> None:
    (reading,) = parse(document(DEEP), Hints(game="kite", structure="sections"))
    warning = next(str(note) for note in reading.notes if "have no rule" in str(note))
    assert warning.startswith("12 of 38 numbers of the text have no rule, first 1.1.1.1.1, 1.1.2.1.1, 1.1.3.1.1; ")
    assert reading.grammar == "sections"


def test_an_unknown_structure_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"--structure 'towers': expected one of hundreds, .*dotted"):
        parse(document(DEEP), Hints(game="kite", structure="towers"))


def test_a_short_text_is_refused_with_the_requirement_and_read_with_a_structure() -> None:
    short = "1. Kites\n1.1 A kite is red.\n1.2 A kite is blue.\n"
    with pytest.raises(
        InputError, match="20 paragraphs or 4 numbered rules are needed, and it has 2 and 2 of these; --structure dotted"
    ):
        parse(document(short), KITE)
    (reading,) = parse(document(short), Hints(game="kite", structure="dotted"))
    assert [node.locator for node in reading.nodes] == ["1", "1.1", "1.2"]


def test_short_articles_are_refused_with_the_structure_that_numbers_them() -> None:
    articles = "\n".join(["第1章　総則", *(f"第{nth}条　凧は{nth}時に揚げなければならない。" for nth in range(1, 8)), ""])
    needed = "20 paragraphs below numbered headings are needed, and it has 7 below 8; --structure outline reads it nevertheless"
    with pytest.raises(InputError, match=needed):
        parse(document(articles), KITE)
    (reading,) = parse(document(articles), Hints(game="kite", structure="outline"))
    assert [node.locator for node in reading.nodes] == ["第1章", *(f"第{nth}条" for nth in range(1, 8))]
