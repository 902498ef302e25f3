"""What an editor's brackets in a quotation do to the words of a rule: “[They] draw” for “That player draws”.

Only words that add nothing may replace words of a rule: determiners, the same words in another number, pronouns of
the third person for a short noun phrase, and what such a pronoun stands for.
Any other words in brackets are the editor's own, and nothing is said of them.
"""

import re
from collections.abc import Callable, Sequence
from enum import Enum, IntEnum, auto

from corpus.editions.citations.phrases import alternation, compile_pattern, phrase_list, phrase_pattern, whole_words
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
_IS_PRONOUN = compile_pattern(_PRONOUN)
_ONLY_DETERMINERS = compile_pattern(rf"(?:(?:{_DETERMINER})(?![A-Za-z])\s?)+")
_ONLY_POSSESSIVES = compile_pattern(alternation(*phrase_list("quotation", "possessive")))
_IS_POSSESSIVE = compile_pattern(rf"(?:['’]s?|の|的|(?<![A-Za-z]){_ONLY_POSSESSIVES.pattern})$")
_OWNER_MARK = re.compile(r"['’]s?$|[の的]$")
_HAS_COPULA = compile_pattern(rf"(?<![A-Za-z]){_COPULA}(?![A-Za-z])")
_HAS_CONTRACTED_COPULA = compile_pattern(rf"(?<![A-Za-z]){_PRONOUN}['’](?:s|re)$")
_CONTRACTED_COPULAS = ("is", "are")
_ENDS_WITH_PRONOUN = compile_pattern(rf"(?<![A-Za-z])(?!(?:{_DETERMINER}|{_ONLY_POSSESSIVES.pattern})$){_PRONOUN}$")
_MAY_HAVE_COPULA = compile_pattern(rf"{_HAS_COPULA.pattern}|{_CONTRACTED.pattern}")
_DEMONSTRATIVE = alternation(*phrase_list("quotation", "demonstrative"))
_POINTS_BACK = compile_pattern(rf"(?<![A-Za-z]){_DEMONSTRATIVE}(?:(?:\s[A-Za-z-]+){{1,2}}|[{CJK}]{{1,10}})$")
"""A noun that a demonstrative makes one mentioned before: that defending player, その生物."""
_PERSON = whole_words(phrase_list("quotation", "person"))
_DEFINITE = alternation(*phrase_list("quotation", "definite"))
_MODIFIER = alternation(*phrase_list("quotation", "modifier"))
_LATIN_PHRASE = compile_pattern(rf"({_DEFINITE}) (?:{_MODIFIER} ){{0,2}}([a-z][a-z-]+)")
_CJK_PHRASE = compile_pattern(rf"{_DEFINITE}([\u30a1-\u30ff]{{1,12}}|[\u3400-\u9fff]{{1,3}})")
_CJK_NOUN = re.compile("[\u30a1-\u30ff]{1,12}|[\u3400-\u9fff]{1,3}")
_NO_NOUN = frozenset(phrase_list("quotation", "no_noun"))
_NO_NOUN_CHARACTERS = frozenset(phrase_pattern("quotation", "no_noun_characters"))
_AGREEMENT = {form: verb for pair in phrase_list("quotation", "agreement") for form, verb in [pair.split()]}
"""The singular form of irregular verbs → the plural one."""
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.I)
_TOKEN = re.compile(f"[A-Za-z0-9À-ɏ]+(?:['’-][A-Za-z0-9À-ɏ]+)*|[{CJK}]")
_KANA = re.compile("[\u3041-\u30ff]")
_BETWEEN_CJK = re.compile(f"(?<=[{CJK}]) (?=[{CJK}])")
_CLAUSE_END = re.compile(r"[.,;:!?。、，．；：！？\n]")
_NEAR_TERM = 120
"""Number of characters beside a bracket in which its term is looked for."""


def standing(brackets: Sequence[str], replaced: str, before: str, following: str, is_term: IsTerm, place: Place) -> Standing:
    """How words in brackets stand for the words of a rule.

    `replaced` are those between the quoted words on both sides of them. At an edge of the quotation it is unknown how many of the
    words `before` or `following` they replace.
    """
    is_inner = place is Place.INSIDE
    clause = replaced if is_inner else "" if place is Place.END else _CLAUSE_END.split(before)[-1]
    words = " ".join(brackets)
    hides = bool(_MODALS.search(clause) or (not is_inner and has_negation(clause)))
    own_words, rule_words = _without_common(_tokens(words), _tokens(clause), is_inner=is_inner)
    if place is Place.END and _is_start(own_words, _tokens(following)):
        own_words = []
    if _PERSON.search(_joined(own_words)) or (is_inner and _PERSON.search(_joined(rule_words))):
        return Standing.OPEN
    if is_inner and own_words != _tokens(words):
        brackets, replaced = [_joined(own_words)], _joined(rule_words)
    if terms := [term for each in brackets if is_term(term := _ARTICLE.sub("", each))]:
        if _names_the_same(terms, replaced, before, following):
            return Standing.OPEN if hides and place is Place.START else Standing.KEPT
        beside = (before[-_NEAR_TERM:].rstrip(EDGE_PUNCTUATION).split() or [""])[-1]
        is_pointed_at = _POINTS_BACK.search(clause.strip(EDGE_PUNCTUATION)) or _ONLY_DETERMINERS.fullmatch(_joined(rule_words))
        return Standing.OPEN if is_pointed_at or _PERSON.fullmatch(beside) else Standing.CHANGED
    if hides or _MODALS.search(words) or (is_inner and _HAS_COPULA.search(words) and not _MAY_HAVE_COPULA.search(clause)):
        return Standing.OPEN
    if place is Place.END:
        clause = _CLAUSE_END.split(following)[0]
        rule_words = _tokens(clause)
    if _is_owner(clause.strip(EDGE_PUNCTUATION)) and _is_only(words, _ONLY_DETERMINERS, _ONLY_POSSESSIVES):
        owner = _OWNER_MARK.sub("", _joined(_tokens(clause)))
        is_third = _is_only(owner, _ONLY_POSSESSIVES) or _is_only(_joined(_tokens(clause)), _ONLY_POSSESSIVES)
        return Standing.KEPT if is_third or _is_short_noun_phrase(owner) else Standing.OPEN
    is_possessive = _is_owner(words)
    adds_nothing = _adds_nothing(own_words, rule_words, clause.strip(EDGE_PUNCTUATION), before, place, is_possessive=is_possessive)
    return Standing.KEPT if adds_nothing else Standing.OPEN


def has_negation(words: str) -> bool:
    """Whether words deny or limit something, such as “not” or “only”; bare numbers do not count."""
    return any(not match[0].isdigit() for match in NEGATIONS.finditer(words))


def agrees(verb: str, other: str) -> bool:
    """Whether two words are one verb in the singular and the plural: lose, loses."""
    forms = [_AGREEMENT.get(word.lower(), singular(word)) for word in (verb, other)]
    return forms[0] == forms[1] and not _KANA.match(verb)


def _adds_nothing(
    own_words: list[str], rule_words: list[str], clause: str, before: str, place: Place, *, is_possessive: bool
) -> bool:
    """Whether an editor's words without terms and modal verbs may stand for words of a rule, at an edge for a whole clause."""
    if _HAS_CONTRACTED_COPULA.search(clause) and own_words and own_words[-1] in _CONTRACTED_COPULAS:
        own_words = own_words[:-1]
    words, replaced = _joined(own_words), _joined(rule_words)
    if not words:
        return place is not Place.INSIDE or not replaced or _is_only(replaced, _ONLY_DETERMINERS, _ONLY_POSSESSIVES)
    if not replaced:
        explains = bool(_ENDS_WITH_PRONOUN.search(before.rstrip(EDGE_PUNCTUATION))) and _is_short_noun_phrase(words)
        is_determiner = _is_only(words, _ONLY_DETERMINERS)
        return (is_determiner and place is not Place.END) or (explains and place is Place.INSIDE)
    if _is_only(words, _ONLY_DETERMINERS) and _is_only(replaced, _ONLY_DETERMINERS):
        return True
    if _is_owner(clause):
        owner = _OWNER_MARK.sub("", words)
        is_explained = place is not Place.END and _is_only(replaced, _ONLY_POSSESSIVES) and is_possessive
        return is_explained and (_is_short_noun_phrase(owner) or _is_only(owner, _CJK_NOUN))
    if _is_only(words, _ONLY_POSSESSIVES):
        return False
    if _is_only(words, _IS_PRONOUN) and words not in _NO_NOUN:
        return _is_short_noun_phrase(replaced) or _is_personal(replaced)
    return place is not Place.END and not is_possessive and _is_personal(replaced) and _is_short_noun_phrase(words)


def _is_owner(words: str) -> bool:
    """Whether some words end in an owner: the boat's, its; not: it's moved."""
    return bool(_IS_POSSESSIVE.search(words)) and not _HAS_CONTRACTED_COPULA.search(words)


def _is_only(words: str, *patterns: re.Pattern[str]) -> bool:
    return any(pattern.fullmatch(words) for pattern in patterns)


def _is_personal(words: str) -> bool:
    """Whether some words are a pronoun that is neither a determiner nor an owner."""
    return _is_only(words, _IS_PRONOUN) and words not in _NO_NOUN and not _is_only(words, _ONLY_DETERMINERS, _ONLY_POSSESSIVES)


def _is_short_noun_phrase(words: str) -> bool:
    """Whether some words are a definite determiner and a noun, at most with adjectives between: the losing boat, その船."""
    if match := _CJK_PHRASE.fullmatch(words):
        return _NO_NOUN_CHARACTERS.isdisjoint(match[1])
    match = _LATIN_PHRASE.fullmatch(words)
    if not match or not _NO_NOUN.isdisjoint((match[2].lower(), singular(match[2].lower()))):
        return False
    is_plural = singular(match[2]) != match[2]
    return match[1].lower() == "the" or is_plural is (match[1].lower() in ("these", "those"))  # not: that sinks, those sink


def _explains(words: str, pronoun: str) -> bool:
    """Whether a term may stand for a pronoun: “that” beside a noun is none, except for an owner's."""
    is_pronoun = bool(_IS_PRONOUN.fullmatch(pronoun))
    return is_pronoun and (not re.fullmatch(_DETERMINER, pronoun, re.I) or bool(_IS_POSSESSIVE.search(words)))


def _is_start(words: list[str], following: list[str]) -> bool:
    """Whether a text goes on with some words."""
    return bool(words) and words == following[: len(words)]


def _tokens(words: str) -> list[str]:
    """The words of a text in lower case, each character of Japanese and Chinese for itself."""
    return [match[0].lower() for match in _TOKEN.finditer(_CONTRACTED.sub("", words))]


def _joined(tokens: list[str]) -> str:
    return _BETWEEN_CJK.sub("", " ".join(tokens))


def _without_common(first: list[str], second: list[str], *, is_inner: bool) -> tuple[list[str], list[str]]:
    """Two lists of words without the words at their end that are the same in any number; if `is_inner`, at their start too."""
    at = 0
    while at < min(len(first), len(second)) and agrees(first[-1 - at], second[-1 - at]):
        at += 1
    first, second = first[: len(first) - at], second[: len(second) - at]
    at = 0
    while is_inner and at < min(len(first), len(second)) and agrees(first[at], second[at]):
        at += 1
    return first[at:], second[at:]


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
