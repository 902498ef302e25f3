"""The translator's desk: rules and terms in the formats that translation tools read."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rulestone.languages import language_option
from rulestone.library.opened import Opened

if TYPE_CHECKING:
    from corpus import contract
    from rulestone.live import OpenBundle


class Desk(Opened):
    """Bitext and termbases."""

    def bitext(
        self,
        kind: str,
        book: str | None = None,
        *,
        edition: str | None = None,
        source: str | None = None,
        target: str | None = None,
        section: str | None = None,
    ) -> Iterator[bytes]:
        """A book in two languages, unit by unit, in `tmx` (1.4b) or `xliff` (2.1), piece by piece.

        `book` is `mtg/cr`, or a game; without it the only book that is loaded in two languages. Without an edition it is the
        newest in both; where none is, two editions that a checked alignment joins. Raises InputError for several books,
        NotFoundError where no such pair is loaded.
        """
        from ontology.translation.alignments import alignments
        from rulestone.answers.translation.bitext import bitext

        languages = language_option(source, "source"), language_option(target, "target")
        bundle = self._bundle()
        return _held(bitext(bundle.knowledge, kind, book, edition, languages, section, alignments(self._home)), bundle)

    def termbase(
        self,
        kind: str,
        *,
        games: str | Iterable[str] | None = None,
        langs: str | Iterable[str] | None = None,
        concepts: str | Iterable[str] | None = None,
        dialect: str | None = None,
        with_texts: bool = False,
    ) -> bytes:
        """The terms of some games as `tbx` (ISO 30042:2019; with `dialect="2008"` MARTIF), `csv`, `xlsx` or, of one game, `skos`.

        `games`, `langs` (in the order of the columns) and `concepts` (`zones`, `keywords`, … or a kind) limit it; each is a
        list, or words separated by commas. Uses are cited by address; `with_texts` quotes them. Raises InputError.
        """
        from rulestone.answers.translation.termbase import scope, termbase

        bundle = self._bundle()
        wanted = scope(bundle.knowledge, *map(_listed, (games, langs, concepts)), with_texts=with_texts)
        return termbase(bundle.knowledge, kind, wanted, dialect)

    def concordance(
        self,
        query: str,
        *,
        regex: bool = False,
        games: str | Iterable[str] | None = None,
        book: str | None = None,
        edition: str | None = None,
        parts: str | None = None,
        within: str | None = None,
        beside: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> "contract.Concordance":
        """Where words stand, each line with the other language beside it and the words there that answer.

        `regex` takes the query as an expression of RE2. Looked through are current editions of all games, unless `games`, `book`
        (`mtg/cr`), `edition` (`all` for every one), `parts` (`text,example,note,headword,heading`) or `within`, the books'
        language, say otherwise; `beside` is the language beside each line. Raises InputError.
        """
        from corpus.paging import Page
        from rulestone import limits
        from rulestone.answers.translation.concordance import concordance, where

        page = Page(limits.whole("offset", offset, limits.OFFSET), limits.whole("limit", limit, limits.LINES))
        other, lang = language_option(beside, "beside"), language_option(within, "in")
        bundle = self._bundle()
        wanted = where(bundle.knowledge, _listed(games), book, edition, parts, lang)
        return concordance(bundle.knowledge, query, wanted, page, other, regular=regex)

    def table_of(self, body: "contract.Concordance", kind: str) -> bytes:
        """The lines of a concordance as a table: `csv` or `tsv`, in UTF-8."""
        from rulestone.formats.lines import as_table

        return as_table(body, kind)

    def termbase_games(self, lang: str | None = None) -> list[str]:
        """The games that have terms, in a language where one is named, in the catalogue's order. Raises InputError."""
        from corpus.address import game_of
        from corpus.languages import label_language
        from ontology.concepts.names import place

        asked = language_option(lang, "lang")
        wanted = label_language(asked) if asked else None
        labels = self._bundle().knowledge.names.labels.items()
        named = (
            concept for concept, some in labels if wanted is None or any(label_language(label.lang) == wanted for label in some)
        )
        return list(dict.fromkeys(game for concept in sorted(named, key=place) if (game := game_of(concept))))


def _listed(given: str | Iterable[str] | None) -> list[str]:
    return given.split(",") if isinstance(given, str) else list(given or ())


def _held(pieces: Iterator[bytes], _: "OpenBundle") -> Iterator[bytes]:
    """The pieces of a document; the bundle stays open as long as they are read."""
    yield from pieces
