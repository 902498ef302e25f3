"""Labels of games, languages, and the values of the contract, on pages and on the terminal."""

import re
from calendar import month_abbr
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar

from corpus.catalogue import DOCUMENT_SLUGS, PENALTIES, TOURNAMENT, catalogue
from corpus.languages import choose
from corpus.messages import Message, message
from corpus.words.text import CJK
from corpus.words.traditional import traditional

SHORT_LANGUAGE: Mapping[str, str] = {"ja": "日", "zh-Hans": "简", "zh-Hant": "繁", "en": "EN"}
AUTHORITY_LABELS: Mapping[str, Message] = {
    "official": message("official text"),
    "translation": message("translation"),
    "community": message("community text"),
    "editorial": message("editor’s note"),
}
AUTHORITY_ORDER: Mapping[str, Message] = {
    "official": message("official"),
    "translation": message("translation"),
    "community": message("community"),
    "editorial": message("editorial"),
}
"""Labels of authorities in a line with other facts."""
ROLE_LABELS: Mapping[str, Message] = {
    "definition": message("definition"),
    "rule": message("rule"),
    "exception": message("exception"),
}
"""The part of a claim in an answer."""
_DATE = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")
_UNDATED_NAMES = "undated"
"""Prefix of the slugs of editions without a date: `undated`, `undated-2`."""
_LONGEST_ABBREVIATION = 4  # characters
NO_LANGUAGE = "und"
"""The BCP 47 tag of an unknown language."""


_GAME_NAMES: ContextVar[Callable[[], Mapping[str, str]]] = ContextVar("names of games from users and books", default=dict)


def name_games(names: Callable[[], Mapping[str, str]]) -> None:
    """Uses these names, in this request or command, for games that the catalogue does not describe."""
    _GAME_NAMES.set(names)


_MAX_TITLE, _MAX_CJK_TITLE = 48, 24
"""Number of characters of a heading on one line."""
_CJK_LETTER = re.compile(f"[{CJK}]")


def title_line(title: str) -> str:
    """A heading on one line; the text of a rule that serves as heading is cut."""
    line = " ".join(title.split())
    most = _MAX_CJK_TITLE if _CJK_LETTER.search(line) else _MAX_TITLE
    if len(line) <= most:
        return line
    words = "" if most == _MAX_CJK_TITLE else line[: most + 1].rpartition(" ")[0]
    return f"{words} …" if words else f"{line[:most]}…"


def title_path(titles: Iterable[str]) -> str:
    """The headings above a rule on one line, from the outermost."""
    return " › ".join(map(title_line, titles))


def game_name(slug: str, lang: str) -> str:
    """A game's name in a language; its slug without one."""
    names = _catalogue_names(slug)
    name_lang = choose(lang, _languages(names))
    if name_lang is None:
        return _GAME_NAMES.get()().get(slug, slug)
    return names[name_lang] if name_lang in names else traditional(names["zh-Hans"])


def _catalogue_names(slug: str) -> Mapping[str, str]:
    """A game's names by language, unless the user named it."""
    game_entry = catalogue().game(slug)
    is_named_by_user = slug not in catalogue().games and slug in _GAME_NAMES.get()()
    return game_entry.names if game_entry and not is_named_by_user else {}


def _languages(names: Mapping[str, str]) -> set[str]:
    """The languages of a game's names; a simplified name is converted into traditional characters."""
    return {*names, "zh-Hant"} if "zh-Hans" in names else {*names}


DOCUMENT_LABELS: Mapping[str, Message] = {TOURNAMENT: message("Tournament rules"), PENALTIES: message("Penalty guide")}
"""Kinds of books, which name those that have no title."""


def book_name(game_slug: str, slug: str, lang: str, document: str = "") -> str:
    """A book's title without the name of its game: `Comprehensive Rules`; its kind or slug if it has no title."""
    book_entry = catalogue().books.get(f"{game_slug}/{slug}")
    if book_entry is None:
        kind = document or next((kind for kind, usual in DOCUMENT_SLUGS.items() if usual == slug), "")
        return DOCUMENT_LABELS[kind].in_language(lang) if kind in DOCUMENT_LABELS else slug.upper()
    game_entry = catalogue().game(game_slug)
    names = game_entry.names.values() if game_entry else ()
    return next(
        (short for name in names if (short := book_entry.title.removeprefix(name).strip()) != book_entry.title), book_entry.title
    )


def edition_date(edition: str, lang: str) -> str:
    """An edition's date in words, `7 Feb 2025`, or a note that it has none; other editions under their own names."""
    if not (date := _DATE.fullmatch(edition)):
        return _undated(edition, lang) if edition.startswith(_UNDATED_NAMES) else edition
    year, month, day_ = (int(part) if part else None for part in date.groups())
    if lang == "en":
        return " ".join(str(part) for part in (day_, month_abbr[month or 0], year) if part)
    return f"{year}年{month}月" + (f"{day_}日" if day_ else "")


def _undated(edition: str, lang: str) -> str:
    """`undated`, and the second one of a book as `undated (2)`."""
    word, further = message("undated").in_language(lang), edition.removeprefix(_UNDATED_NAMES).removeprefix("-")
    return f"{word} ({further})" if further else word


def edition_name(rule: Mapping[str, object], lang: str) -> str:
    """A book and its edition: `Comprehensive Rules, 7 Feb 2025`."""
    title = book_name(str(rule["game"]), str(rule["book"]), lang, str(rule.get("document", "")))
    return f"{title}, {edition_date(str(rule['edition']), lang)}"


def game_language(slug: str, lang: str) -> str:
    """The language in which `game_name` returns its name."""
    return choose(lang, _languages(_catalogue_names(slug))) or NO_LANGUAGE


def game_tag(slug: str) -> str:
    """The short name of a game: `MTG`, or the words of its English name that are its slug, `One Piece`."""
    if len(slug) <= _LONGEST_ABBREVIATION:
        return slug.upper()
    letters = r"\W?".join(re.escape(letter) for letter in slug.replace("-", ""))
    words = re.search(rf"\b{letters}\b", game_name(slug, "en"), re.IGNORECASE)
    return words[0] if words else slug


def rule_number(rule: Mapping[str, object]) -> str:
    """A rule's number without the final dot; its locator if it has none."""
    return str(rule.get("number") or rule["locator"]).rstrip(".")


_GLOSSARY = "glossary/"


def rule_place(locator: str, lang: str) -> str:
    """A rule's place in its book: `400.7`, and of a glossary's entry `Glossary: summoning sickness`."""
    if not locator.startswith(_GLOSSARY):
        return locator
    return message("Glossary: {word}", word=locator.removeprefix(_GLOSSARY).replace("-", " ")).in_language(lang)


def rule_citation(rule: Mapping[str, object]) -> str:
    """A rule with its edition, as in citations: `MTG CR 400.7 (2025-02-07)`."""
    return f"{game_tag(str(rule['game']))} {str(rule['book']).upper()} {rule_number(rule)} ({rule['edition']})"


STEP_LABELS: Mapping[str, Message] = {
    "first": message("first known"),
    "same": message("unchanged"),
    "edited": message("reworded"),
    "moved": message("moved"),
    "moved-edited": message("moved and reworded"),
    "split": message("split"),
    "merged": message("merged"),
    "added": message("new"),
    "removed": message("removed"),
    "only_references": message("only renumbered references"),
    "reused": message("number reused"),
}
"""The kinds of change of a rule between editions, and the other categories in which changes are counted."""
KIND_LABELS: Mapping[str, Message] = {
    "zone": message("zone"),
    "sub-zone": message("part of a zone"),
    "composite": message("collective name of zones"),
    "not-a-zone": message("not a zone"),
    "characteristic": message("characteristic"),
    "state": message("state"),
    "principle": message("principle"),
    "role": message("role"),
    "deck": message("deck"),
    "type": message("kind of card"),
    "position": message("position"),
    "keyword-ability": message("keyword ability"),
    "keyword-action": message("keyword action"),
    "turn-part": message("part of a turn"),
    "rules-term": message("term of the rules"),
    "idea": message("what games have in common"),
    "book-term": message("term of the book"),
    "proposed-term": message("proposed term, defined in no loaded book"),
}
"""The kinds of concepts."""
SORT_LABELS: Mapping[str, Message] = {
    "preferred": message("preferred name"),
    "alternative": message("another name"),
    "slang": message("slang"),
    "forbidden": message("must not be used"),
}
CLAIM_LABELS: Mapping[str, Message] = {
    "accepted": message("supported"),
    "proposed": message("proposed, not checked"),
    "disputed": message("sources disagree"),
    "superseded": message("out of date"),
}
_VERY_LIKELY, _LIKELY = 0.9, 0.8
"""Minimum probabilities."""
PROBABILITY_LABELS: Mapping[str, Message] = {
    "very-likely": message("very likely"),
    "likely": message("likely"),
    "possible": message("possibly"),
}
STATUS_LABELS: Mapping[str, Message] = {
    "verified": message("verified"),
    "exists": message("number exists"),
    "edited": message("reworded since"),
    "moved": message("moved since"),
    "reused": message("number reused"),
    "misquoted": message("misquoted"),
    "not_found": message("not found"),
    "ambiguous": message("ambiguous"),
    "unchecked": message("not checked: text not loaded"),
}
"""The statuses of citations."""
VERDICT_LABELS: Mapping[str, Message] = {
    "proven": message("proven"),
    "unproven": message("unproven"),
    "uncited": message("nothing cited"),
}
"""The verdict on a text."""
MATCH_LABELS: Mapping[str, Message] = {
    "skos:exactMatch": message("the same"),
    "skos:closeMatch": message("counterpart"),
    "skos:broadMatch": message("more general"),
    "skos:narrowMatch": message("a special case"),
    "skos:relatedMatch": message("related"),
}


def probability(share: float) -> str:
    """The key of `PROBABILITY_LABELS` for the probability of a proposal."""
    return "very-likely" if share >= _VERY_LIKELY else "likely" if share >= _LIKELY else "possible"
