"""Threads: which rule of one edition is which of the next, in three languages, by numbers, bullets and headings."""

from dataclasses import replace

import pytest

from bench.threads import FILES, edition
from corpus.address import EditionKey
from corpus.editions.threads.pair import propose_steps, steps
from corpus.store.threads.recorded import join_pairs
from corpus.store.threads.rule import NUMBER_MASK, StoredRule, words_for_matching
from corpus.store.threads.step import StepKind, pack_steps, unpack_steps
from corpus.words.text import fold_text

A, B, C = (EditionKey("ferry", "cr", edition) for edition in ("2020-01-01", "2021-01-01", "2022-01-01"))


def book(*rules: str, lang: str = "en") -> list[StoredRule]:
    """Rules written as `locator text`; a parent is the longest locator that another one begins with."""
    texts: dict[str, str] = dict((rule + " ").split(" ", 1) for rule in rules)
    return [rule_of(locator, text.strip(), order, texts, lang) for order, (locator, text) in enumerate(texts.items())]


def rule_of(locator: str, text: str, order: int, texts: dict[str, str], lang: str) -> StoredRule:
    above = [other for other in texts if other != locator and locator.startswith(other)]
    cites = tuple(word.strip(".,") for word in text.split() if word[0].isdigit())
    plain = text
    for cite in cites:
        plain = plain.replace(cite, NUMBER_MASK)
    return StoredRule(
        locator, order, max(above, key=len, default=None), lang, plain, fold_text(text), fold_text(plain),
        words_for_matching(plain), cites, not text.endswith((".", "。")),
    )  # fmt: skip


OLD = book(
    "1 Ferries",
    "1.1 A ferry carries up to six travellers across the river.",
    "1.2 The ferryman decides who boards first.",
    "1.3 A traveller who cannot pay the toll waits on the pier. See rule 1.2.",
    "2 Tolls",
    "2.1 Each traveller pays one copper coin before boarding.",
    "2.2 A goat counts as two travellers. A horse counts as four travellers.",
    "2.3 No toll is paid by a monk.",
)
NEW = book(
    "1 Ferries",
    "1.1 A ferry carries up to six travellers across the river.",
    "1.2 A ferry that leaks carries nobody.",
    "1.3 The ferryman decides who boards first.",
    "1.4 A traveller who cannot pay the toll waits on the pier. See rule 1.3.",
    "2 Tolls",
    "2.1 Each traveller pays two copper coins before boarding.",
    "2.2 A goat counts as two travellers.",
    "2.3 A horse counts as four travellers.",
)


LIT = book(
    "4 Lanterns",
    "4.1 A lantern is carried by the guard of a boat.",
    "4.2 A lantern must be lit before a boat is moved.",
    "4.6 A lantern that falls into the water is out for the turn.",
    "4.7 A guard may carry a horn.",
)
JOINED = "4.2 A lantern must be lit before a boat is moved{} lantern that falls into the water is out for the turn."


@pytest.mark.parametrize("joint", [", and a", "; a", ". A", ": a"])
def test_a_rule_that_becomes_a_clause_of_another_is_merged(joint: str) -> None:
    after = [rule for rule in LIT if rule.locator not in ("4.2", "4.6")]
    later = [*after, *book("4 Lanterns", JOINED.format(joint))[1:]]
    assert differences(LIT, later) == {("merged", "4.2", "4.2"), ("merged", "4.6", "4.2")}
    assert differences(later, LIT) == {("split", "4.2", "4.2"), ("split", "4.2", "4.6")}


def test_words_inside_a_clause_are_no_merged_rule() -> None:
    later = [rule for rule in LIT if rule.locator not in ("4.6", "4.7")]
    later += book("4 Lanterns", "4.7 A guard may carry a horn where a lantern that falls into the water is out for the turn.")[1:]
    assert ("removed", "4.7", None) in differences(LIT, later)


def differences(old: list[StoredRule], new: list[StoredRule]) -> set[tuple[str, str | None, str | None]]:
    return {(step.kind.value, step.old, step.new) for step in steps(old, new) if step.kind is not StepKind.SAME}


COUNTER = (
    "A ferryman who counters a toll cancels it, and nobody pays.",
    "The traveller whose toll was countered gets no coin back.",
)
CAST = ("To cast off is to untie the ferry from its pier.", "Nobody boards a ferry that was cast off.")


def keywords(*entries: tuple[str, tuple[str, str]]) -> list[StoredRule]:
    """A section of keywords as Magic prints them: each a numbered title with lettered rules."""
    rules = ["7 Additional", "701 Keywords", "701.3 Attach", "701.3a To attach a rope is to tie it."]
    for number, (title, (first, second)) in enumerate(entries, 4):
        rules += [f"701.{number} {title}", f"701.{number}a {first}", f"701.{number}b {second}"]
    return book(*rules)


def test_a_new_keyword_moves_those_behind_it() -> None:
    old = keywords(("Board", ("To board is to step on.", "A goat boards last.")), ("Counter", COUNTER))
    new = keywords(("Board", ("To board is to step on.", "A goat boards last.")), ("Cast Off", CAST), ("Counter", COUNTER))
    assert differences(old, new) == {
        *((("moved", f"701.5{letter}", f"701.6{letter}")) for letter in ("", "a", "b")),
        *((("added", None, f"701.5{letter}")) for letter in ("", "a", "b")),
    }


@pytest.mark.real
def test_magic_of_2022_and_2025() -> None:
    went = {step.old: (step.kind.value, step.new) for step in steps(edition(FILES[0])[1], edition(FILES[2])[1])}
    assert went["103.4"] == ("moved", "103.5")
    assert went["712.4d"] == ("moved-edited", "712.8e")
    assert went["700.2a"] == ("same", "700.2a")


def test_each_kind_of_step() -> None:
    assert differences(OLD, NEW) == {
        ("added", None, "1.2"),
        ("moved", "1.2", "1.3"),
        ("moved-edited", "1.3", "1.4"),
        ("edited", "2.1", "2.1"),
        ("split", "2.2", "2.2"),
        ("split", "2.2", "2.3"),
        ("removed", "2.3", None),
    }


def test_merging_is_splitting_the_other_way_round() -> None:
    assert {row for row in differences(NEW, OLD) if row[0] == "merged"} == {("merged", "2.2", "2.2"), ("merged", "2.3", "2.2")}


@pytest.mark.parametrize(("cited", "follows"), [("1.3", True), ("1.1", False)])
def test_a_reference_that_follows_its_rule_is_no_other_change(cited: str, follows: bool) -> None:
    [last] = book(f"1.4 A traveller who cannot pay the toll waits on the pier. See rule {cited}.")
    new = [*NEW[:4], replace(last, parent="1", order=4), *NEW[5:]]
    [step] = [step for step in steps(OLD, new) if step.new == "1.4"]
    assert (step.kind, step.only_references) == (StepKind.MOVED_EDITED, follows)


def test_nothing_is_told_of_an_edition_and_itself() -> None:
    assert not differences(OLD, OLD)


@pytest.mark.parametrize(
    ("lang", "old", "new", "kind"),
    [
        ("ja", "渡し船は旅人を六人まで運ぶ。", "渡し船は旅人を八人まで運ぶ。", "edited"),
        ("zh-Hans", "渡船最多可载六名旅客过河。", "渡船最多可载八名旅客过河。", "edited"),
        ("ja", "山羊は旅人二人と数える。", "船が沈んだら漕ぎ手が責めを負う。", None),
    ],
)
def test_other_scripts(lang: str, old: str, new: str, kind: str | None) -> None:
    steps_told = differences(book("1 船", f"1.1 {old}", lang=lang), book("1 船", f"1.1 {new}", lang=lang))
    assert steps_told == ({(kind, "1.1", "1.1")} if kind else {("added", None, "1.1"), ("removed", "1.1", None)})


def test_bullets_move_with_those_above_them() -> None:
    old = book("3 Goats", "3~1 A goat boards last.", "3~2 A goat eats what it finds.")
    new = book("3 Goats", "3~1 A goat is not a horse at all.", "3~2 A goat boards last.", "3~3 A goat eats what it finds.")
    assert differences(old, new) == {("added", None, "3~1"), ("moved", "3~1", "3~2"), ("moved", "3~2", "3~3")}


def test_rules_of_the_same_words_go_with_their_sections() -> None:
    old = book("1 Boats", "1.1 It floats.", "2 Rafts", "2.1 It floats.")
    new = book("1 Piers", "1.1 A pier stands still.", "3 Boats", "3.1 It floats.", "4 Rafts", "4.1 It floats.")
    assert {("moved", "1.1", "3.1"), ("moved", "2.1", "4.1")} <= differences(old, new)


def test_rules_outside_one_edition_are_neither_added_nor_removed() -> None:
    part = [rule for rule in OLD if rule.locator.startswith("1")]
    whole = [*OLD, *book("3 Piers", "3.1 A pier stands still.")]
    assert not differences(part, whole)
    pair = unpack_steps(A, B, pack_steps(steps(part, whole), part, whole))
    assert pair.steps_to(f"{B.iri}/2.1") == ()
    assert pair.steps_to(f"{B.iri}/1.1")[0].old == f"{A.iri}/1.1"


def test_steps_across_languages_are_marked_as_proposed() -> None:
    old = book("3 Zones", "3~1 A pier is where the tokens of a ferryman wait.", "3~2 The river is shared by everyone.", lang="")
    new = book("30 Zones", "30.1 A pier is the place where tokens of a ferryman wait.", "30.2 Goats board last.", lang="")
    proposed = propose_steps(old, new)
    assert [(step.kind, step.old, step.new, step.proposed) for step in proposed if step.old != "3"] == [
        (StepKind.MOVED_EDITED, "3~1", "30.1", True)
    ]
    twice = [*new, *book("31 Piers", "31.1 A pier is the place where tokens of a ferryman wait.", lang="")]
    assert "3~1" not in [step.old for step in propose_steps(old, twice)]
    pair = unpack_steps(A, B, pack_steps(proposed, old, new))
    assert (pair.steps_from(f"{A.iri}/3~2"), pair.steps_to(f"{B.iri}/30.2")) == ((), ())


def test_joined_pairs_equal_a_comparison_of_the_ends() -> None:
    last = [rule for rule in NEW if rule.locator not in ("1.2", "2.1")]
    pairs = [unpack_steps(A, B, pack_steps(steps(OLD, NEW), OLD, NEW)), unpack_steps(B, C, pack_steps(steps(NEW, last), NEW, last))]
    through = {(step.kind.value, at(A, step.old), at(C, step.new)) for step in join_pairs(pairs).steps()}
    assert through == differences(OLD, last)


def at(edition: EditionKey, iri: str | None) -> str | None:
    return iri and iri.removeprefix(f"{edition.iri}/")
