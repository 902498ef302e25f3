"""Rules by reference with citations and counterparts; editions; the contents and text of books."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from corpus.address import EditionKey, citation_of
from corpus.catalogue import RULES
from corpus.chronology import is_partial_date
from corpus.errors import UnknownAddressError
from corpus.languages import choose
from rulestone.languages import language_option
from rulestone.library.base import LibraryBase
from rulestone.limits import OFFSETS, OUTLINE_DEPTHS, SECTION_TOKENS, parse_int
from rulestone.references import parse_reference_of_game
from rulestone.traditional import in_readers_script

if TYPE_CHECKING:
    from corpus import contract
    from ontology.knowledge import Knowledge


class RulesMixin(LibraryBase):
    """Looks up rules and editions."""

    @in_readers_script
    def rules(
        self,
        ref: str,
        *,
        game: str | None = None,
        lang: str | None = None,
        book_lang: str | None = None,
        as_of: str | None = None,
    ) -> "contract.Rules":
        """The rules that a reference names, those of current editions first, each with the texts of its children.

        `ref` is `400.3b`, `dm:400.3b`, `mtg:2024-06-07:400.7`, `MTG CR 400.7d` or an address; with `game` the rest of a path:
        `cr/2024-06-07/400.7`. Answered in `lang`, else in `book_lang`, as of `as_of` (a date, month, year or edition): each rule
        then states how certain it is that it was in force. Raises NotFoundError.
        """
        answer, bundle = self._answer_language(lang, book_lang), self._bundle()
        name, reference = parse_reference_of_game(ref, game, bundle.knowledge)
        knowledge = bundle.as_of_date(as_of)
        records = knowledge.rules(reference, language_option(book_lang, "in"))
        day = as_of or (reference.edition if is_partial_date(reference.edition) else None)
        return {"ref": name, "rules": [rule_body(knowledge, record, answer, day) for record in records]}

    def has_rule(self, iri: str) -> bool:
        """Whether the library has the rule at an address. Claims also name rules of editions that are not loaded."""
        return self._bundle().knowledge.records.has_rule(iri)

    def cites(
        self, ref: str, *, game: str | None = None, book_lang: str | None = None, as_of: str | None = None
    ) -> "contract.Cites":
        """The citations of the first rule that a reference names, and the rules that cite it. Raises NotFoundError."""
        bundle = self._bundle()
        name, reference = parse_reference_of_game(ref, game, bundle.knowledge)
        first = bundle.as_of_date(as_of).rules(reference, language_option(book_lang, "in"))[0]
        return {
            "rule": {
                "ref": name,
                "iri": first["iri"],
                "game": first["game"],
                "book": first["book"],
                "edition": first["edition"],
                "current": first["current"],
                "number": first["number"],
                "locator": first["locator"],
            },
            "cites": [*first["cites"], *_citations_in_asides(first)],
            "cited_by": first["cited_by"],
        }

    @in_readers_script
    def section(
        self,
        ref: str,
        *,
        game: str | None = None,
        lang: str | None = None,
        book_lang: str | None = None,
        as_of: str | None = None,
        tokens: int | str | None = None,
        cursor: str | None = None,
        offset: int | None = None,
        examples: bool = False,
        shown_as: "Callable[[contract.ReadRule], object]" = lambda rule: rule,
    ) -> "contract.SectionText":
        """The section of the first rule that a reference names, or everything below a heading, with the sections beside it.

        `tokens` bounds its size, `cursor` continues after the rules of an earlier answer, `offset` skips a number of rules.
        Without `examples`, only the first sentence of each example and note is returned. `shown_as` gives the form of a rule
        whose size counts; see `rulestone.brief`. Raises NotFoundError.
        """
        from corpus.editions.section_reading import read_section

        answer, bundle = self._answer_language(lang, book_lang), self._bundle()
        book = language_option(book_lang, "in")
        _, reference = parse_reference_of_game(ref, game, bundle.knowledge)
        knowledge = bundle.as_of_date(as_of)
        return read_section(
            knowledge,
            knowledge.rules(reference, book)[0],
            answer,
            tokens=parse_int("tokens", tokens, SECTION_TOKENS),
            cursor=cursor,
            start=parse_int("offset", offset, OFFSETS),
            book_lang=book,
            examples=examples,
            shown_as=shown_as,
        )

    @in_readers_script
    def outline(self, book: str, *, lang: str | None = None, depth: int | str | None = None) -> "contract.Outline":
        """The headings of the newest edition of `game/book`, or of `game/book/edition`, down to a depth. Raises InputError."""
        from corpus.editions.outline import outline
        from rulestone.editions import parse_edition

        bundle = self._bundle()
        key = parse_edition(bundle.knowledge, book, loaded_only=False)
        return outline(bundle.knowledge, key, self._answer_language(lang), parse_int("depth", depth, OUTLINE_DEPTHS))

    def editions(self) -> "contract.Editions":
        """Every edition that is loaded or in the digest, and the sources of rulings."""
        bundle = self._bundle()
        return {"editions": bundle.knowledge.editions(), "rulings": bundle.knowledge.ruling_sources()}

    @in_readers_script
    def contents(self, path: str, *, lang: str | None = None) -> "contract.Contents":
        """The table of contents of the edition `game/book/edition`. Raises NotFoundError."""
        from corpus.editions.outline import contents

        bundle = self._bundle()
        return contents(bundle.knowledge, _edition_key(path), self._answer_language(lang))

    @in_readers_script
    def reading(self, path: str, locator: str, *, lang: str | None = None) -> "contract.Reading":
        """Everything under a heading of the edition `game/book/edition`, in document order. Raises NotFoundError."""
        from corpus.editions.outline import reading

        bundle = self._bundle()
        return reading(bundle.knowledge, _edition_key(path), locator, self._answer_language(lang))


def rule_body(knowledge: "Knowledge", record: "contract.RuleRecord", lang: str, as_of: str | None = None) -> "contract.Rule":
    """A rule as returned: the record with its children's texts, and fields that depend on `lang`, `as_of` and other rules.

    `counterparts` are the rules of the other games that answer the same question, proposed ones last; `concepts` those that it
    defines and mentions.
    """
    from corpus.editions.history import history, is_threaded
    from ontology.labels import concepts_of_rule
    from ontology.mappings import every_counterpart

    children = [{**child, "ref": citation_of(child["iri"])} for child in knowledge.children_of(record)]
    beside = {"parent_ref": record["parent"], "previous_ref": record["previous"], "next_ref": record["next"]}
    refs = {name: citation_of(iri) if iri else None for name, iri in beside.items()}
    rule = cast("contract.Rule", {"ref": citation_of(record["iri"]), **record, **refs, "children": children})
    rule["heading"] = _heading(record, lang)
    rule["lang"] = choose(lang, {*record["texts"], *record["digest"]}) or lang
    rule["counterparts"] = every_counterpart(knowledge, record["iri"], lang)
    rule["concepts"] = concepts_of_rule(knowledge.store, record, lang)
    if (document := knowledge.document(record["game"], record["book"])) != RULES:
        rule["document"] = document
    if as_of:
        from corpus.editions.moment import rule_on_day

        if day := rule_on_day(knowledge, record, as_of, lang):
            rule["as_of"] = day
    if not record["current"]:
        from ontology.successor import successor_of

        rule["successor"] = successor_of(knowledge, record)
    if is_threaded(knowledge, record):
        rule["history"] = history(knowledge, record)
    if knowledge.manifest.rulings:
        from corpus.editions.rulings import ruling_briefs

        if rulings := ruling_briefs(knowledge, record["iri"], lang):
            rule["rulings"] = rulings
    return rule


def _heading(record: "contract.RuleRecord", lang: str) -> list[str]:
    headings = record.get("headings", {})
    text_lang = choose(lang, headings)
    return headings[text_lang] if text_lang else record["heading"]


def _citations_in_asides(record: "contract.RuleRecord") -> "Iterator[contract.RuleCitation]":
    """The citations in the examples and notes of a rule."""
    for within, asides in (("example", record["examples"]), ("note", record["notes"])):
        for aside in asides:
            yield from (cast("contract.RuleCitation", {**cite, "within": within}) for cite in aside.get("cites", ()))


def _edition_key(path: str) -> EditionKey:
    parts = path.split("/")
    if len(parts) != 3:
        raise UnknownAddressError("nothing has the address {iri}", iri=path, listing="/v1/editions")
    return EditionKey(*parts)
