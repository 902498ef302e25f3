"""Checks the citations inside a book or a set of rulings."""

from collections import Counter
from typing import TYPE_CHECKING

from corpus.address import RULINGS, EditionKey, citation_of, split_rule
from corpus.errors import InputError
from corpus.reference import fold_number
from rulestone.editions import language_of_text, parse_edition, parse_loaded_game
from rulestone.languages import language_option
from rulestone.library.base import LibraryBase
from rulestone.limits import FINDINGS, page_of
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus import contract
    from corpus.editions.cross_references.check import ReferenceFinding
    from ontology.knowledge import Knowledge


class CrossReferencesMixin(LibraryBase):
    """Checks the citations inside a book or a set of rulings."""

    @in_readers_script
    def check_references(
        self,
        book: str,
        *,
        kinds: "Sequence[str]" = (),
        book_lang: str | None = None,
        lang: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> "contract.ReferenceCheck":
        """The wrong citations inside a book or a set of rulings: to no rule, or to another than is meant, with the probable one.

        `book` is `GAME[/BOOK][/EDITION]`, by default the newest edition, or `GAME/rulings/SOURCE`; `book_lang` limits the check to
        one language of it and `kinds` to some kinds of findings. Messages are in `lang`. Raises InputError, NotFoundError.
        """
        from corpus.editions.cross_references.check import FindingKind

        answer, knowledge = self._answer_language(lang), self._bundle().knowledge
        if unknown := [kind for kind in kinds if kind not in set(FindingKind)]:
            raise InputError(
                "{given!r} is not a kind of finding; expected some of {known}", given=unknown[0][:40], known=", ".join(FindingKind)
            )
        if key := _rulings_named(knowledge, book):
            citations, findings = _check_rulings(knowledge, key, language_option(book_lang, "in"), answer)
        else:
            key = parse_edition(knowledge, book)
            langs = [language_of_text(knowledge, key, book_lang)] if book_lang else knowledge.manifest.editions[key].languages
            results = [_check(knowledge, key, text_lang) for text_lang in langs]
            citations = sum(count for count, _ in results)
            findings = [_finding_body(finding, answer) for _, own in results for finding in own]
        of_kinds = [finding for finding in findings if not kinds or finding["kind"] in kinds]
        counts = Counter(finding["kind"] for finding in of_kinds)
        return {
            "ref": str(key),
            "game": key.game,
            "book": key.book,
            "edition": key.edition,
            "lang": answer,
            "citations": citations,
            "total": len(of_kinds),
            "counts": {kind.value: counts[kind.value] for kind in FindingKind if kind.value in counts},
            "findings": list(page_of(of_kinds, limit, offset, FINDINGS)),
        }


def _rulings_named(knowledge: "Knowledge", path: str) -> EditionKey | None:
    """The set of rulings that `GAME/rulings/SOURCE` names, its source as the edition; None for any other path."""
    name, book, source = (*path.strip("/").split("/", 2), "", "")[:3]
    if book != RULINGS:
        return None
    key = EditionKey(parse_loaded_game(knowledge, name), RULINGS, source)
    names = [entry.name for entry in knowledge.manifest.rulings]
    if str(key) not in names:
        raise InputError(
            "{path!r} is not a loaded book; expected game/book or game/book/edition of {known}",
            path=path[:80],
            known=", ".join(names) or "-",
        )
    return key


def _check_rulings(
    knowledge: "Knowledge", key: EditionKey, only_lang: str | None, lang: str
) -> "tuple[int, list[contract.ReferenceFinding]]":
    """The number of citations in the valid rulings of a source, and the wrong ones.

    Each is checked in the edition of the date of its ruling. `only_lang` is the only language that is checked, if not None.
    """
    from corpus.editions.moment import DateOrigin, Scope
    from corpus.editions.verify.verify import verify

    count = 0
    findings: list[contract.ReferenceFinding] = []
    for ruling in knowledge.rulings.all_rulings(key.game):
        if ruling["source"] != key.edition or ruling["version"] is not None or ruling["withdrawn"]:
            continue
        scope = Scope(DateOrigin.AS_OF, ruling["date"]) if ruling["date"] else Scope()
        for part, texts in (("question", ruling["question"]), ("answer", ruling["answer"])):
            for text_lang, text in texts.items():
                if only_lang in (None, text_lang):
                    citations = verify(knowledge, text, key.game, scope, lang)["citations"]
                    count += len(citations)
                    place = _ruling_place(ruling, part, text)
                    findings += filter(None, (_ruling_finding(knowledge, place, text_lang, citation) for citation in citations))
    return count, findings


def _ruling_place(ruling: "contract.Ruling", part: str, text: str) -> "contract.DriftPlace":
    return {
        "iri": ruling["iri"],
        "number": None,
        "locator": ruling["id"],
        "part": part,
        "nth": 1,
        "text": text,
        "spans": [],
        "file": None,
    }


def _ruling_finding(
    knowledge: "Knowledge", place: "contract.DriftPlace", lang: str, citation: "contract.VerifiedCitation"
) -> "contract.ReferenceFinding | None":
    """A citation of a ruling whose rule is missing, has moved or gone since, or is not the subject of the words around it."""
    kind, target = _ruling_kind(citation)
    if kind is None:
        return None
    record = knowledge.by_iri([target]).get(target) if target else None
    number = split_rule(citation["rule"]).locator if citation["rule"] else fold_number(citation["surface"])
    return {
        "kind": kind,
        "said": citation["note"] or "",
        "lang": lang,
        "place": {**place, "spans": [[citation["start"], citation["end"]]]},
        "surface": citation["surface"],
        "locator": number,
        "cited": citation["rule"],
        "title": None,
        "meant": _meant_body(record, lang) if record else None,
    }


def _ruling_kind(citation: "contract.VerifiedCitation") -> tuple[str | None, str | None]:
    """The kind of finding about a citation of a ruling, if it is wrong, and the address of the rule that is probably meant."""
    status, now = citation["status"], citation["now"]
    if citation["fit"] == "doubtful":
        return "title", citation["fits_better"]
    if status == "not_found":
        return ("removed" if citation["rule"] else "dangling"), None
    return (("moved" if now else "removed"), now) if status in ("moved", "reused") else (None, None)


def _check(knowledge: "Knowledge", key: "EditionKey", lang: str) -> "tuple[int, Sequence[ReferenceFinding]]":
    """The number of citations in one language, and the wrong ones."""

    def check() -> "tuple[int, Sequence[ReferenceFinding]]":
        from corpus.editions.cross_references.check import CrossReferences

        references = CrossReferences(knowledge, key, lang)
        return sum(1 for _ in references.citations()), tuple(references.findings())

    result: tuple[int, Sequence[ReferenceFinding]] = knowledge.cached(("references", key, lang), check)
    return result


def _finding_body(finding: "ReferenceFinding", lang: str) -> "contract.ReferenceFinding":
    part, cite, probable_rule = finding.place, finding.cite, finding.meant
    record = part.record
    return {
        "kind": finding.kind.value,
        "said": finding.message.in_language(lang),
        "lang": part.lang,
        "place": {
            "iri": record["iri"],
            "number": record["number"],
            "locator": record["locator"],
            "part": part.part,
            "nth": part.nth,
            "text": part.text,
            "spans": [[cite["start"], cite["end"]]],
            "file": next((source for source in record["sources"] if source["lang"] == part.lang), None),
        },
        "surface": cite["text"],
        "locator": cite["locator"],
        "cited": cite["target"],
        "title": finding.title,
        "meant": _meant_body(probable_rule, part.lang) if probable_rule else None,
    }


def _meant_body(rule: "contract.RuleRecord", lang: str) -> "contract.MeantRule":
    return {
        "iri": rule["iri"],
        "number": rule["number"],
        "locator": rule["locator"],
        "ref": citation_of(rule["iri"]),
        "text": rule["texts"][lang]["text"] if lang in rule["texts"] else "",
    }
