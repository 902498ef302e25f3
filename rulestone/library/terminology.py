"""Terminology work: termbases, concordances, and glossaries whose labels a person accepts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from corpus.address import game_of as game_of_concept
from corpus.errors import InputError, NotFoundError
from corpus.languages import LANGUAGES, label_language
from corpus.limits import Page
from rulestone import games as game_names
from rulestone import limits
from rulestone.faults import os_faults
from rulestone.languages import language_option
from rulestone.library.base import LibraryBase, PathName
from rulestone.library.concepts import games_with_terms
from rulestone.limits import parse_int

if TYPE_CHECKING:
    from corpus import contract
    from ontology.knowledge import Knowledge
    from ontology.translation.concordance import ConcordanceScope
    from ontology.translation.glossary import CuratedLabel, Proposal
    from ontology.translation.termbase import TermbaseEntry

KINDS = ("tbx", "csv", "xlsx", "skos")
"""Formats of a termbase."""
DIALECTS = ("2019", "2008")
"""Dialects of TBX, the default first."""


class TermsProposed(NamedTuple):
    """The proposals for a glossary, and how many of its entries have terms in each language that is not read."""

    proposals: "list[Proposal]"
    skipped: Mapping[str, int]


class TermsApplied(NamedTuple):
    """The labels that an edited file of proposals added and refused."""

    taken: "list[CuratedLabel]"
    dropped: "list[CuratedLabel]"


class TerminologyMixin(LibraryBase):
    """Writes termbases and concordances, and adds labels from glossaries."""

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
        list, or words separated by commas. Uses are cited by address; `with_texts` quotes them. Raises InputError for an unknown
        kind, dialect, game or language, NotFoundError if no concept is left.
        """
        from ontology.translation.glossary import curated_labels
        from ontology.translation.termbase import TermbaseScope, entries

        bundle = self._bundle()
        titles = game_names.with_titles(games_with_terms(bundle.knowledge), bundle.knowledge.manifest)
        chosen_games = game_names.parse_games(_split_list(games), titles, game_names.NO_TERMS)
        languages = tuple(dict.fromkeys(language_option(lang.strip(), "lang") or "" for lang in _split_list(langs) if lang.strip()))
        groups = tuple(concept.strip() for concept in _split_list(concepts) if concept.strip())
        _check_format(kind, dialect)
        termbase_entries = entries(
            bundle.knowledge, TermbaseScope(chosen_games, languages, groups, with_texts), curated_labels(bundle.path)
        )
        if not termbase_entries:
            raise NotFoundError("no concept of these games, languages and groups is known; leave some of them out")
        own = game_names.own_names(bundle.knowledge.manifest)
        names = {entry.game: own.get(entry.game) or game_names.shipped_name(entry.game) or entry.game for entry in termbase_entries}
        return _termbase_bytes(kind, termbase_entries, languages, dialect or DIALECTS[0], names)

    def termbase_games(self, lang: str | None = None) -> list[str]:
        """The games that have terms, in a language if one is named, in the catalogue's order. Raises InputError."""
        from ontology.concepts.names import concept_order

        tag = language_option(lang, "lang")
        wanted_lang = label_language(tag) if tag else None
        bundle = self._bundle()
        labels = bundle.knowledge.names.labels.items()
        concepts = (
            concept
            for concept, some in labels
            if wanted_lang is None or any(label_language(label.lang) == wanted_lang for label in some)
        )
        return list(dict.fromkeys(game for concept in sorted(concepts, key=concept_order) if (game := game_of_concept(concept))))

    def concordance(
        self,
        query: str,
        *,
        regex: bool = False,
        games: str | Iterable[str] | None = None,
        book: str | None = None,
        edition: str | None = None,
        parts: str | None = None,
        book_lang: str | None = None,
        beside: str | None = None,
        renderings: bool = False,
        limit: int | None = None,
        offset: int | None = None,
    ) -> "contract.Concordance":
        """Occurrences of words, each line with the other language beside it and the corresponding words marked.

        `renderings` also counts the words of the other language that render them.

        `regex` treats the query as a regular expression of RE2. The current editions of all games are searched, unless `games`,
        `book` (`mtg/cr`), `edition` (`all` for every one), `parts` (`text,example,note,headword,heading`) or `book_lang`, the
        books' language, specify otherwise; `beside` is the language beside each line. If no current edition of a book has that
        language and another one, the newest edition that has both is searched, and `superseded` names it. Raises InputError.
        """
        from ontology.translation.concordance import find_occurrences, parse_pattern, superseded_editions
        from ontology.translation.concordance_lines import concordance_lines, form_counts, place_counts
        from ontology.translation.rendering_counts import rendering_counts

        page = Page(parse_int("offset", offset, limits.OFFSETS), parse_int("limit", limit, limits.LINE_LIMITS))
        other, lang = language_option(beside, "beside"), language_option(book_lang, "in")
        bundle = self._bundle()
        scope = replace(_search_scope(bundle.knowledge, _split_list(games), book, edition, parts, lang), beside=other or "")
        occurrences = find_occurrences(bundle.knowledge, parse_pattern(query, regular=regex), scope)
        return {
            "query": query,
            "regex": regex,
            "total": len(occurrences),
            "rules": occurrences.rule_count(),
            "offset": page.offset,
            "limit": page.limit,
            "superseded": [str(key) for key in superseded_editions(bundle.knowledge, scope)],
            "forms": form_counts(occurrences),
            "places": place_counts(occurrences),
            "renderings": rendering_counts(bundle.knowledge, occurrences, other) if renderings else [],
            "lines": concordance_lines(bundle.knowledge, occurrences, page, other),
        }

    def concordance_file(self, body: "contract.Concordance", kind: str, *, renderings: bool = False) -> bytes:
        """The lines of a concordance, or its renderings, as a table: `csv` or `tsv`, in UTF-8."""
        from rulestone.formats.termbase import concordance_table, renderings_table

        return renderings_table(body, kind) if renderings else concordance_table(body, kind)

    def propose_terms(
        self,
        path: PathName,
        *,
        game: str | None = None,
        source: str | None = None,
        target: str | None = None,
        keys: str | None = None,
    ) -> TermsProposed:
        """The changes that a glossary (CSV, TSV, TBX, Qt's .ts, JSON) would make: a proposal for each term. Changes nothing.

        `game` is the game of its terms; `source` and `target` are the languages of such columns, `keys` (`en=name,zh=cn`) the
        languages of the keys of a JSON list. Raises InputError.
        """
        from ingest.glossary import read
        from ontology.translation.glossary import curated_labels, known_games, propose

        file = Path(path)
        languages = language_option(source, "source"), language_option(target, "target")
        rows, other_languages = read(_read_bytes(file), file.name, languages, _parse_keys(keys))
        if game is None and not all(row.concept for row in rows):
            raise InputError("{file} does not state its concepts; name its game with --game", file=file.name)
        bundle = self._bundle()
        titles = game_names.with_titles(known_games(bundle.knowledge), bundle.knowledge.manifest)
        game_slug = game_names.parse_game(game, titles, game_names.NO_TERMS) if game else None
        return TermsProposed(propose(bundle.knowledge, rows, game_slug, curated_labels(bundle.path)), other_languages)

    def proposals_table(self, proposals: "list[Proposal]") -> bytes:
        """Proposals as CSV, to be edited: `take` or `drop` in the first column."""
        from rulestone.writing.curating import proposals_csv

        return proposals_csv(proposals)

    def apply_terms(self, path: PathName, *, by: str = "curator") -> TermsApplied:
        """Adds the labels marked `take` in an edited file of proposals. Later builds keep them.

        Raises InputError with the unusable line; then nothing changes.
        """
        from ontology.translation.glossary import known_games
        from rulestone.writing.curating import apply_decisions, read_decisions

        self.ensure_built()
        file = Path(path)
        knowledge = self._bundle().knowledge
        new_labels, dropped_labels = read_decisions(_read_text(file), file.name, by, knowledge.names.labels, known_games(knowledge))
        if new_labels or dropped_labels:
            apply_decisions(self._home, new_labels, dropped_labels)
            self._current.expire()
        return TermsApplied(new_labels, dropped_labels)

    def curated_terms(self) -> "list[CuratedLabel]":
        """Every label added by a person."""
        from ontology.translation.glossary import curated_labels

        return curated_labels(self._bundle().path)

    def curated_table(self) -> bytes:
        """The labels added by persons as CSV, which `apply_terms` adds to another knowledge base as they are."""
        from rulestone.writing.curating import decisions_csv

        return decisions_csv(self.curated_terms())

    def term_records(self) -> "list[contract.TermRecord]":
        """A person's decision for each concept and language, with the other names and the evidence."""
        from ontology.translation.glossary import term_records

        return term_records(self._bundle().knowledge, self.curated_terms())


def _parse_keys(text: str | None) -> dict[str, str]:
    """The pairs of `en=name,zh=cn`. Raises InputError."""
    pairs = [pair.partition("=") for pair in (text or "").split(",") if pair.strip()]
    if wrong := next((name for name, _, key in pairs if not (name.strip() and key.strip())), None):
        raise InputError("{given!r}: expected language=key, e.g. en=name,zh=cn", given=wrong[:40])
    return {name.strip(): key.strip() for name, _, key in pairs}


def _split_list(values: str | Iterable[str] | None) -> list[str]:
    return values.split(",") if isinstance(values, str) else list(values or ())


def _check_format(kind: str, dialect: str | None) -> None:
    if kind not in KINDS:
        raise InputError("{given!r} is not a termbase format; expected {kinds}", given=kind[:40], kinds=", ".join(KINDS))
    if dialect is not None and kind != "tbx":
        raise InputError("export {kind} does not accept {given}; try again without", kind=kind, given="--dialect")
    if dialect not in (None, *DIALECTS):
        raise InputError("dialect {given!r}: expected one of {known}", given=(dialect or "")[:40], known=", ".join(DIALECTS))


def _termbase_bytes(
    kind: str, entries: "Sequence[TermbaseEntry]", languages: Sequence[str], dialect: str, names: "Mapping[str, str]"
) -> bytes:
    from ontology.translation.termbase import games_of_entries
    from rulestone.formats.termbase import csv_bytes, skos_document, tbx_2008_document, tbx_document, xlsx_bytes

    columns = languages or [lang for lang in LANGUAGES if any(term.lang == lang for entry in entries for term in entry.terms)]
    games = games_of_entries(entries)
    if kind in ("csv", "xlsx"):
        return csv_bytes(entries, columns) if kind == "csv" else xlsx_bytes(entries, columns)
    if kind == "skos":
        if len(games) > 1:
            raise InputError("SKOS is written for one game at a time; name one of {games}", games=", ".join(games))
        return skos_document(games[0], entries, names)
    return (tbx_document if dialect == "2019" else tbx_2008_document)(entries, names)


def _search_scope(
    knowledge: "Knowledge", games: Iterable[str], book: str | None, edition: str | None, parts: str | None, lang: str | None
) -> "ConcordanceScope":
    """The texts to search. Raises InputError for an unknown game, book, edition or part."""
    from ontology.translation.concordance import ALL_EDITIONS, ConcordanceScope
    from ontology.translation.passages import PASSAGE_PARTS

    loaded_keys = [key for key, entry in knowledge.manifest.editions.items() if entry.languages]
    game, _, slug = (book or "").rpartition("/")
    titles = game_names.with_titles({key.game for key in loaded_keys}, knowledge.manifest)
    chosen_games = game_names.parse_games([*games, game], titles, game_names.NO_RULES)
    inside = [key for key in loaded_keys if not chosen_games or key.game in chosen_games]
    _check_known("book", slug, {key.book for key in inside})
    _check_known("edition", edition, {ALL_EDITIONS, *(key.edition for key in inside if slug in ("", key.book))})
    part_names = tuple(name.strip() for name in (parts or "").split(",") if name.strip())
    for part in part_names:
        _check_known("part", part, PASSAGE_PARTS)
    return ConcordanceScope(chosen_games, slug, edition or "", part_names, lang or "")


def _check_known(name: str, value: str | None, allowed_values: Iterable[str]) -> None:
    if value and value not in allowed_values:
        raise InputError(
            "{name} {given!r}: expected one of {known}", name=name, given=value[:40], known=", ".join(sorted(allowed_values))
        )


def _read_text(path: Path) -> str:
    """An edited file of proposals, in any encoding that `add` reads. Raises InputError if there is none, or if it is no text."""
    from ingest.read.document import decode

    return decode(_read_bytes(path), path.name)[0]


def _read_bytes(path: Path) -> bytes:
    from ingest.glossary import MAX_BYTES

    if not path.is_file():
        raise InputError("there is no file {file}; expected a glossary, or a file of proposals", file=path)
    with os_faults(f"read {path}"), path.open("rb") as file:
        return file.read(MAX_BYTES + 1)
