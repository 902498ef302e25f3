"""Claims, and what else rests on rules, that need somebody's eye, on a small invented book in two editions."""

from collections.abc import Mapping

import pytest

from corpus.address import BASE, OA, RS, EditionKey
from corpus.store.documents import NewDocuments
from corpus.store.engine import Store
from corpus.store.home.manifest import EditionEntry, Manifest
from ontology.checks.claims import MULTI_VALUED, claim_findings, verified_quads, verify_supports
from ontology.checks.finding import Finding
from ontology.knowledge import Knowledge
from ontology.sssom import SSSOM
from tests.support.records import documents

OLD, NEW = EditionKey("ferry", "cr", "2020-01-01"), EditionKey("ferry", "cr", "2021-01-01")
RULES = {
    OLD: {"1.1": "The quay is open to all.", "1.2": "The hold is closed.", "1.3": "The deck is swept."},
    NEW: {"1.1": "The quay is open to all.", "1.2": "The hold is open.", "1.4": "The deck is swept daily."},
}


def entry(key: EditionKey, lang: str) -> EditionEntry:
    return EditionEntry(
        key.game, key.book, key.edition, "dotted", 3, ("1",), ("1",), {}, {lang: "official"} if lang else {}, {}, 0, "", {}
    )


def book(loaded: Mapping[EditionKey, str]) -> NewDocuments:
    """The rules of the loaded editions."""
    return documents(
        {key: {locator: {lang: text} for locator, text in RULES[key].items()} if lang else {} for key, lang in loaded.items()}
    )


def claim(name: str, value: str, *supports: tuple[EditionKey, str, str], prop: str = "visibility", status: str = "accepted") -> str:
    """A claim about the quay with its supports (edition, locator, words) as quads."""
    lines = [f"<urn:{name}> <{RS}subject> <{BASE}id/concept/ferry/quay> <urn:claims> ."]
    lines += [f'<urn:{name}> <{RS}value> "{value}" <urn:claims> .']
    lines += [f"<urn:{name}> <{RS}{term}> <{RS}{of}> <urn:claims> ." for term, of in (("property", prop), ("status", status))]
    for place, (key, locator, words) in enumerate(supports):
        support = f"urn:{name}-{place}"
        lines += [
            f"<urn:{name}> <{RS}support> <{support}> <urn:claims> .",
            f"<{support}> <{OA}hasSource> <{key.iri}/{locator}> <urn:claims> .",
            f"<{support}> <{OA}hasSelector> <{support}-words> <urn:claims> .",
            f'<{support}-words> <{OA}exact> "{words}"@en <urn:claims> .',
        ]
    return "\n".join(lines) + "\n"


def checked(loaded: Mapping[EditionKey, str], *claims: str) -> list[Finding]:
    store = Store()
    store.load("".join(claims).encode())
    store.flush()
    manifest = Manifest(editions={key: entry(key, lang) for key, lang in loaded.items()})
    knowledge = Knowledge(store, manifest, book(loaded))
    store.load(b"".join(knowledge.unstored_quads()))
    store.flush()
    store.load(verified_quads(verify_supports(knowledge)))
    store.flush()
    return list(claim_findings(knowledge))


BOTH, OLD_ALONE, UNLOADED, OTHER_LANGUAGE = {OLD: "en", NEW: "en"}, {OLD: "en"}, {OLD: "", NEW: "en"}, {OLD: "en", NEW: "ja"}
OPEN, CLOSED, SWEPT = (OLD, "1.1", "open to all"), (OLD, "1.2", "hold is closed"), (OLD, "1.3", "deck is swept")
DAILY = (NEW, "1.4", "swept daily")


@pytest.mark.parametrize(
    ("loaded", "supports", "kinds", "words"),
    [
        (OLD_ALONE, [OPEN], [], ""),
        (OLD_ALONE, [], ["unsupported"], "no rule supports it"),
        (OLD_ALONE, [(OLD, "1.1", "shut to all")], ["unverified"], "'shut to all' are not in ferry/cr/2020-01-01/1.1"),
        (OLD_ALONE, [CLOSED], [], ""),
        (BOTH, [OPEN], [], ""),
        (BOTH, [CLOSED], ["stale"], "the current ferry/cr/2021-01-01 has other words there;"),
        (BOTH, [SWEPT], ["stale"], "the current ferry/cr/2021-01-01 has no 1.3 (the same words: 1.4)"),
        (BOTH, [CLOSED, OPEN], [], ""),
        (BOTH, [CLOSED, DAILY], [], ""),
        (UNLOADED, [CLOSED], ["stale"], "has other words there"),
        (UNLOADED, [OPEN], [], ""),
        (OTHER_LANGUAGE, [CLOSED], [], ""),
        ({OLD: "en", NEW: ""}, [DAILY], [], ""),
    ],
)
def test_a_claim_and_its_editions(
    loaded: Mapping[EditionKey, str], supports: list[tuple[EditionKey, str, str]], kinds: list[str], words: str
) -> None:
    findings = checked(loaded, claim("one", "public", *supports))
    assert [finding.kind for finding in findings] == kinds
    assert all(words in str(finding.message) for finding in findings)


def defined(*rules: str) -> str:
    """That rules of the old edition define the quay."""
    quay, graph = f"{BASE}id/concept/ferry/quay", f"{BASE}graph/concepts/ferry"
    return "".join(f"<{quay}> <{RS}definedBy> <{OLD.iri}/{rule}> <{graph}> .\n" for rule in rules)


def row(folder: str, side: str, rule: str, why: str = "ManualMappingCuration") -> str:
    """A mapping of the quay, or a counterpart, that cites a rule on one side."""
    ends = {"subject_id": f"{BASE}id/concept/ferry/quay", "object_id": f"{BASE}id/concept/river/pier", side: rule}
    ends |= {"mapping_justification": f"https://w3id.org/semapv/vocab/{why}"}
    if folder == "counterparts":
        ends |= {"subject_id": rule, "object_id": f"{BASE}id/river/cr/2020-01-01/9.9"}
    return "".join(
        f"<urn:{folder}-{side}> <{RS if name.endswith('_rule') else SSSOM}{name}> <{value}> <{BASE}graph/{folder}> .\n"
        for name, value in ends.items()
    )


@pytest.mark.parametrize(
    ("loaded", "rests", "words"),
    [
        (
            BOTH,
            defined("1.2"),
            "ferry/quay: it rests on ferry/cr/2020-01-01/1.2, but the current ferry/cr/2021-01-01 has other words",
        ),
        (BOTH, defined("1.3"), "has no 1.3; read it there and correct them"),
        (BOTH, defined("1.2", "1.1"), ""),
        (OLD_ALONE, defined("1.2"), ""),
        (OTHER_LANGUAGE, defined("1.2"), ""),
        (BOTH, row("mappings", "subject_rule", f"{OLD.iri}/1.2"), "ferry/quay ↔ river/pier: it rests on"),
        (BOTH, row("mappings", "object_rule", f"{OLD.iri}/1.3"), "ferry/quay ↔ river/pier: it rests on"),
        (BOTH, row("mappings", "object_rule", f"{OLD.iri}/1.1"), ""),
        (BOTH, row("mappings", "object_rule", f"{OLD.iri}/1.2", "MappingInversion"), ""),
        (
            BOTH,
            row("counterparts", "subject_id", f"{OLD.iri}/1.2"),
            "ferry/cr/2020-01-01/1.2 ↔ river/cr/2020-01-01/9.9: it rests on",
        ),
        (BOTH, row("counterparts", "subject_id", f"{OLD.iri}/1.2") + row("counterparts", "more", f"{NEW.iri}/1.2"), ""),
        (BOTH, defined("1.2") + row("mappings", "subject_rule", f"{OLD.iri}/1.2"), "ferry/quay, ferry/quay ↔ river/pier: it rests"),
    ],
)
def test_other_data_that_rests_on_a_rule_and_its_editions(loaded: Mapping[EditionKey, str], rests: str, words: str) -> None:
    findings = checked(loaded, rests)
    assert [(finding.kind, words in str(finding.message)) for finding in findings] == ([("stale", True)] if words else [])


def test_a_disputed_claim_of_an_old_edition_is_not_stale() -> None:
    sides = [claim("one", "public", OPEN, status="disputed"), claim("two", "hidden", CLOSED, status="disputed")]
    (finding,) = checked(BOTH, *sides)
    assert (finding.kind, finding.is_information) == ("disputed", True)
    assert str(finding.message) == "visibility: 'hidden' (ferry/cr/2020-01-01/1.2) contradicts 'public' (ferry/cr/2020-01-01/1.1)"


@pytest.mark.parametrize(
    ("prop", "status", "values", "kinds"),
    [
        ("visibility", "accepted", ("public", "hidden"), ["contradicting"]),
        ("capacity", "accepted", ("4", "5"), ["contradicting"]),
        ("visibility", "accepted", ("public", "public"), []),
        ("visibility", "proposed", ("public", "hidden"), []),
        *((prop, "accepted", ("cargo", "mail"), []) for prop in MULTI_VALUED),
    ],
)
def test_claims_that_contradict_each_other(prop: str, status: str, values: tuple[str, str], kinds: list[str]) -> None:
    sides = [claim(f"c{place}", value, OPEN, prop=prop, status=status) for place, value in enumerate(values)]
    findings = checked(OLD_ALONE, *sides)
    assert [(finding.kind, finding.is_information) for finding in findings] == [(kind, False) for kind in kinds]
