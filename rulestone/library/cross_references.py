"""Checks the citations inside a book."""

from collections import Counter
from typing import TYPE_CHECKING

from corpus.address import citation_of
from corpus.errors import InputError
from rulestone.library.align import language_of_text, parse_edition
from rulestone.library.base import LibraryBase
from rulestone.limits import FINDINGS, page_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus import contract
    from corpus.address import EditionKey
    from corpus.editions.cross_references.check import Finding
    from ontology.knowledge import Knowledge


class ReferenceChecks(LibraryBase):
    """Checks the citations inside a book."""

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
        """The wrong citations inside a book: to no rule, or to another rule than is meant, with the probable one.

        `book` is `GAME[/BOOK][/EDITION]`, by default the newest edition; `book_lang` limits the check to one language of it and
        `kinds` to some kinds of findings. Messages are in `lang`. Raises InputError, NotFoundError.
        """
        from corpus.editions.cross_references.check import Kind

        answer, knowledge = self._answer_language(lang), self._bundle().knowledge
        if unknown := [kind for kind in kinds if kind not in set(Kind)]:
            raise InputError(
                "{given!r} is not a kind of finding; expected some of {known}", given=unknown[0][:40], known=", ".join(Kind)
            )
        key = parse_edition(knowledge, book)
        langs = [language_of_text(knowledge, key, book_lang)] if book_lang else list(knowledge.manifest.editions[key].languages)
        checked = [_check(knowledge, key, text_lang) for text_lang in langs]
        found = [finding for _, findings in checked for finding in findings if not kinds or finding.kind in kinds]
        counts = Counter(finding.kind for finding in found)
        return {
            "ref": f"{key.game}/{key.book}/{key.edition}",
            "game": key.game,
            "book": key.book,
            "edition": key.edition,
            "lang": answer,
            "citations": sum(count for count, _ in checked),
            "total": len(found),
            "counts": {kind.value: counts[kind] for kind in Kind if kind in counts},
            "findings": [_finding_body(finding, knowledge, answer) for finding in page_of(found, limit, offset, FINDINGS)],
        }


def _check(knowledge: "Knowledge", key: "EditionKey", lang: str) -> "tuple[int, Sequence[Finding]]":
    """The number of citations in one language, and the wrong ones."""

    def check() -> "tuple[int, Sequence[Finding]]":
        from corpus.editions.cross_references.check import CrossReferences

        references = CrossReferences(knowledge, key, lang)
        return sum(1 for _ in references.citations()), tuple(references.findings())

    checked: tuple[int, Sequence[Finding]] = knowledge.cached(("references", key, lang), check)
    return checked


def _finding_body(finding: "Finding", knowledge: "Knowledge", lang: str) -> "contract.ReferenceFinding":
    part, cite, meant = finding.place, finding.cite, finding.meant
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
        "meant": {
            "iri": meant["iri"],
            "number": meant["number"],
            "locator": meant["locator"],
            "ref": citation_of(meant["iri"]),
            "text": meant["texts"][part.lang]["text"] if part.lang in meant["texts"] else "",
        }
        if meant
        else None,
    }
