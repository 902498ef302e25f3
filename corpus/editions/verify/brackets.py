"""What an editor's brackets in a quotation do to the words of a rule: “[They] draw” for “That player draws”.

Only words that add nothing may replace words of a rule: pronouns, determiners, the same words in another number, and what a pronoun
stands for. Any other words in brackets are the editor's own, and nothing is said of them.
"""

import re
from collections.abc import Callable, Sequence
from enum import Enum, IntEnum, auto

from corpus.editions.citations.phrases import alternation, compile_pattern, phrase_list, whole_words
from corpus.words.text import CJK
from corpus.words.tokens import singular
from corpus.words.tokens import words as split_words

IsTerm = Callable[[str], bool]
"""Whether some words name a concept, keyword or title of the game."""


class Standing(IntEnum):
    """How words in brackets stand for those of a rule, the worst first."""

    CHANGED = 0  # they may not
    OPEN = 1  # they are the editor's own words
    KEPT = 2  # they say the same


class Place(Enum):
    """Where brackets stand in a quotation."""

    START = auto()
    INSIDE = auto()
    END = auto()


NEGATIONS = whole_words(phrase_list("quotation", "negation"))
"""Words that reverse or limit a meaning, and digits."""
EDGE_PUNCTUATION = ".,;:!?。、，．；：！？…⋯・)( 　（）—–-"
_MODALS = whole_words(phrase_list("quotation", "modal"))
_PRONOUN = alternation(*phrase_list("quotation", "anaphor"))
_DETERMINER = alternation(*phrase_list("quotation", "determiner"))
_COPULA = alternation(*phrase_list("quotation", "copula"))
_CONTRACTED = re.compile(r"['’](?:s|re|ve)?(?![A-Za-z])", re.I)
_ONLY_PRONOUNS = compile_pattern(rf"(?:(?:{_PRONOUN}|{_DETERMINER}|{_COPULA})(?![A-Za-z])\s?)+")
_ONLY_DETERMINERS = compile_pattern(rf"(?:(?:{_DETERMINER})(?![A-Za-z])\s?)+")
_ONLY_POSSESSIVES = compile_pattern(alternation(*phrase_list("quotation", "possessive")))
_IS_POSSESSIVE = compile_pattern(rf"(?:['’]s?|の|的|(?<![A-Za-z]){_ONLY_POSSESSIVES.pattern})$")
_LAST_IS_PRONOUN = compile_pattern(rf"(?<![A-Za-z])(?:{_PRONOUN}|{_DETERMINER})(?:['’](?:s|re))?$")
_HAS_COPULA = compile_pattern(rf"(?<![A-Za-z]){_COPULA}(?![A-Za-z])")
_ENDS_WITH_PRONOUN = compile_pattern(rf"(?<![A-Za-z])(?!(?:{_DETERMINER}|{_ONLY_POSSESSIVES.pattern})$){_PRONOUN}$")
_MAY_HAVE_COPULA = compile_pattern(rf"{_HAS_COPULA.pattern}|{_CONTRACTED.pattern}")
_DEMONSTRATIVE = alternation(*phrase_list("quotation", "demonstrative"))
_POINTS_BACK = compile_pattern(rf"(?<![A-Za-z]){_DEMONSTRATIVE}(?:(?:\s[A-Za-z-]+){{1,2}}|[{CJK}]{{1,10}})$")
"""A noun that a demonstrative makes one mentioned before: that defending player, その生物."""
_ONE_POINTED_AT = compile_pattern(rf"{_DEMONSTRATIVE}(?:\s[A-Za-z-]+|[\u30a1-\u30ff]{{1,12}}|[\u3400-\u9fff]{{1,3}})")
"""The same, short enough to have no verb."""
_AGREEMENT = {form: verb for pair in phrase_list("quotation", "agreement") for form, verb in [pair.split()]}
"""The singular form of irregular verbs → the plural one."""
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)
_TOKEN = re.compile(f"[A-Za-z0-9À-ɏ]+(?:['’-][A-Za-z0-9À-ɏ]+)*|[{CJK}]")
_KANA = re.compile("[\u3041-\u30ff]")
_BETWEEN_CJK = re.compile(f"(?<=[{CJK}]) (?=[{CJK}])")
_CLAUSE_END = re.compile(r"[.,;:!?。、，．；：！？\n]")
_NEAR_TERM = 120
"""Number of characters beside a bracket in which its term is looked for."""
_FEW = 6
"""Maximum number of words, or characters of Japanese and Chinese, of a noun that a pronoun replaces."""


def standing(brackets: Sequence[str], replaced: str, before: str, following: str, is_term: IsTerm, place: Place) -> Standing:
    """How words in brackets stand for the words of a rule.

    `replaced` are those between the quoted words on both sides of them. At an edge of the quotation it is unknown how many of the
    words `before` or `following` they replace.
    """
    is_inner = place is Place.INSIDE
    clause = replaced if is_inner else "" if place is Place.END else _CLAUSE_END.split(before)[-1]
    words = " ".join(brackets)
    hides = bool(_MODALS.search(clause) or (not is_inner and has_negation(clause)))
    given, there = _without_common(_tokens(words), _tokens(clause), is_inner=is_inner)
    if is_inner and given != _tokens(words):
        brackets, replaced = [_joined(given)], _joined(there)
    if terms := [term for each in brackets if is_term(term := _ARTICLE.sub("", each))]:
        if _names_the_same(terms, replaced, before, following):
            return Standing.OPEN if hides and place is Place.START else Standing.KEPT
        is_pointed_at = _POINTS_BACK.search(clause.strip(EDGE_PUNCTUATION)) or _ONLY_DETERMINERS.fullmatch(_joined(there))
        return Standing.OPEN if is_pointed_at else Standing.CHANGED
    if hides or _MODALS.search(words) or (is_inner and _HAS_COPULA.search(words) and not _MAY_HAVE_COPULA.search(clause)):
        return Standing.OPEN
    is_owner = is_inner and bool(_IS_POSSESSIVE.search(clause.strip(EDGE_PUNCTUATION)))
    if is_owner and _ONLY_DETERMINERS.fullmatch(words):
        return Standing.KEPT
    if is_inner and not is_owner and _ONLY_POSSESSIVES.fullmatch(words):
        return Standing.OPEN
    adds_nothing = _adds_nothing(given, there, before, is_inner=is_inner) or (is_inner and _explains(words, _joined(there)))
    return Standing.KEPT if adds_nothing else Standing.OPEN


def has_negation(words: str) -> bool:
    """Whether words deny or limit something, such as “not” or “only”; bare numbers do not count."""
    return any(not match[0].isdigit() for match in NEGATIONS.finditer(words))


def agrees(verb: str, other: str) -> bool:
    """Whether two words are one verb in the singular and the plural: lose, loses."""
    forms = [_AGREEMENT.get(word.lower(), singular(word)) for word in (verb, other)]
    return forms[0] == forms[1] and not _KANA.match(verb)


def _adds_nothing(given: list[str], there: list[str], before: str, *, is_inner: bool) -> bool:
    """Whether words without terms and modal verbs may stand for those that a rule has `there`."""
    words, replaced = _joined(given), _joined(there)
    if not words:
        return not is_inner or not replaced or bool(_ONLY_PRONOUNS.fullmatch(replaced))
    if _ONLY_DETERMINERS.fullmatch(words):
        return not replaced or bool(_LAST_IS_PRONOUN.search(replaced))
    if _ONLY_PRONOUNS.fullmatch(words) or _ONE_POINTED_AT.fullmatch(words):
        return not is_inner or len(there) <= _FEW
    return is_inner and not replaced and bool(_ENDS_WITH_PRONOUN.search(before.rstrip(EDGE_PUNCTUATION)))


def _explains(words: str, pronoun: str) -> bool:
    """Whether words may stand for a pronoun: “that” beside a noun is none, except for an owner's."""
    is_pronoun = bool(re.fullmatch(_PRONOUN, pronoun, re.I))
    return is_pronoun and (not re.fullmatch(_DETERMINER, pronoun, re.I) or bool(_IS_POSSESSIVE.search(words)))


def _tokens(words: str) -> list[str]:
    """The words of a text in lower case, each character of Japanese and Chinese for itself."""
    return [match[0].lower() for match in _TOKEN.finditer(_CONTRACTED.sub("", words))]


def _joined(tokens: list[str]) -> str:
    return _BETWEEN_CJK.sub("", " ".join(tokens))


def _without_common(given: list[str], there: list[str], *, is_inner: bool) -> tuple[list[str], list[str]]:
    """Two lists of words without the words at their end that are the same in any number; if `is_inner`, at their start too."""
    at = 0
    while at < min(len(given), len(there)) and agrees(given[-1 - at], there[-1 - at]):
        at += 1
    given, there = given[: len(given) - at], there[: len(there) - at]
    at = 0
    while is_inner and at < min(len(given), len(there)) and agrees(given[at], there[at]):
        at += 1
    return given[at:], there[at:]


def _names_the_same(terms: Sequence[str], omission: str, before: str, following: str) -> bool:
    """Whether a term stands for itself, in any number and with any determiner, or a pronoun, or explains a pronoun before it."""
    forms = [form for term in terms if (form := _term_form(term))]
    insertion = omission.strip(EDGE_PUNCTUATION)
    if insertion:
        is_same = _term_form(insertion) in forms or any(_is_determined(form, insertion) for form in forms)
        return is_same or any(_explains(term, insertion) for term in terms)
    end_before, start_behind = _term_form(before[-_NEAR_TERM:]), _term_form(following[:_NEAR_TERM])
    if any(form in (end_before[-len(form) :], start_behind[: len(form)]) for form in forms):
        return True
    ending = re.search(rf"(?<![A-Za-z0-9]){_PRONOUN}$", before.rstrip(EDGE_PUNCTUATION), re.I)
    return bool(ending or re.match(rf"{_PRONOUN}(?![A-Za-z0-9])", following, re.I))


def _is_determined(form: tuple[str, ...], words: str) -> bool:
    """Whether words are a term after a determiner: that creature's."""
    first, *others = _tokens(words) or [""]
    return bool(re.fullmatch(_DETERMINER, first, re.I)) and _term_form(_joined(others)) == form


def _term_form(words: str) -> tuple[str, ...]:
    """Words as they are compared with a term: without an article, in the singular."""
    return tuple(token.norm for token in split_words(_ARTICLE.sub("", words), singular))
