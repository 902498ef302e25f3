"""Query understanding: from the text of a question to its terms, concepts, games, rule numbers and language."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from corpus.languages import language_of
from corpus.ordinals import FoundPath, fold_path, path_in, paths_in
from corpus.reference import FoundNumber, Titles, numbers_in
from corpus.words.kana import TO_KATAKANA
from corpus.words.lexicon import LabelMatch, Lexicon
from corpus.words.text import to_half_width
from corpus.words.tokens import Token, terms, without_accents, words
from search.index.bm25 import Vocabulary
from search.index.concept_tokens import (
    CONCEPT,
    find_concepts,
    game_term_shares,
    games_with_label,
    label_languages,
    named_games,
    other_senses,
    unknown_games,
)
from search.index.definitions import name_key
from search.index.spelling import Correction, is_likely, is_unambiguous
from search.query.cards import EMPTY_CARD_INDEX, CardIndex, NamedCard
from search.query.out_of_scope_examples import out_of_scope_words
from search.settings import DATA, SEARCH, SearchSettings

if TYPE_CHECKING:
    from opencc import OpenCC

_RULE_CONCEPT = "floor floor/rule"
"""The token of words for a rule; beside a number they add nothing."""
_PART_WORD = re.compile(r"(?:\b(?:section|chapter)|セクション|§)\s*$", re.IGNORECASE)
"""Matches a word for a part of the rules at the end of some words."""
_COMPARISON_CONCEPTS = frozenset(("floor floor/difference", "floor floor/likeness"))
"""The tokens of 違い, みたいなの, 区别 and difference: they ask for a comparison, and no rule contains them."""
_EXISTENCE = "existence"
_MIN_CORRECTED = 4
"""Minimum number of letters of a word that is corrected; shorter words resemble too many others."""
_LABEL_WORDS = 5
"""Number of words beside a mistyped one that may belong to one label with it."""
_PUNCTUATION = " \t?？!！.。、，,:：~〜～…\"“”「」『』《》‘’'"
_HIRAGANA_RUN = re.compile("[\u3041-\u3096\u30fc]{3,}")
_MIN_KATAKANA, _LONG_KATAKANA = 3, 5
"""Minimum number of characters of a label in katakana that may be typed in hiragana: shorter ones resemble endings; from the
second number on, a label counts with or without a particle behind it."""
_PARTICLE = "から|まで|って|[はがをにでとのもへ]"
_LEADING_PARTICLE = re.compile(_PARTICLE)
_AFTER_LABEL = re.compile(f"(?:{_PARTICLE}){{0,2}}")
"""The particles behind a label; two for には and とは."""
_FORM_OF_SURU = re.compile("する|すれ|した|して|しな|しま|しよ|しろ|され|させ")
_LONG_VOWEL = "ー"
_KANA = re.compile("[\u3041-\u309f\u30a1-\u30fa\uff66-\uff9d]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SCRIPT_CODECS = {"zh-Hans": "gb2312", "ja": "shift_jis", "zh-Hant": "big5hkscs"}
"""Codecs whose characters each script uses; if several fit, the first is preferred."""

Located = Callable[[str], Iterable[str]]
"""A number, or a path of ordinals (第2章第3条) → the locators of the rules that it cites."""
Corrections = Mapping[Token, Sequence[Correction]]
"""Mistyped word → its correction."""


class DefinitionTarget(NamedTuple):
    """A concept, or the key of a name, whose definition a question asks for, and the games that use the name for it; none: any."""

    concept: str
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A question as understood by search."""

    text: str  # labels that were typed in hiragana are in katakana; offsets are those of the question
    lang: str
    games: tuple[str, ...]  # games to search; none: all
    unknown_games: tuple[str, ...]  # names of games without any data
    numbers: tuple[str, ...]  # rule numbers
    terms: Mapping[str, float]  # term → weight
    concepts: tuple[str, ...]
    corrected: Mapping[str, str]  # mistyped word → its corrections, joined by " / "
    words: tuple[Token, ...]  # as typed
    numbers_only: bool = False  # it only asks for rules by number
    named_numbers: tuple[str, ...] = ()  # all if `numbers_only`, else those behind a word for a rule (what does rule 514 say?)
    game_only: bool = False  # it only names games
    compares: bool = False  # it asks for a difference or an equivalent
    encoder_text: str = ""  # the text for the encoders: without names of games
    definition_targets: tuple[DefinitionTarget, ...] = ()  # if it only asks for a definition
    compared_targets: tuple[tuple[DefinitionTarget, ...], ...] = ()  # of each of the two things whose difference it asks for
    game_term_shares: Mapping[str, float] = field(default_factory=dict)  # game → number of its own terms in the query
    cards: tuple[NamedCard, ...] = ()  # the cards that it names
    terms_without_cards: Mapping[str, float] = field(default_factory=dict)  # empty if it names no card
    text_without_cards: str = ""  # `encoder_text` without the texts of cards
    titles: Titles = field(default_factory=dict)  # the titles of the loaded books of each game

    @property
    def literal_terms(self) -> Mapping[str, float]:
        """The terms with the names of cards as ordinary words: rulings, unlike rules, mention single cards."""
        if not self.cards:
            return self.terms
        names = (self.words[card.mention.first : card.mention.last] for card in self.cards)
        return {**dict.fromkeys((term for name in names for term in terms(name)), 1.0), **self.terms_without_cards}

    @property
    def in_own_words(self) -> "Query":
        """The same question without the additions from the texts of its cards."""
        if not self.cards:
            return self
        return replace(self, terms=self.terms_without_cards, encoder_text=self.text_without_cards, cards=(), terms_without_cards={})

    @property
    def word_count(self) -> float:
        """Its number of words, without the names of cards; a CJK character is half a word."""
        names = {place for card in self.cards for place in range(card.mention.first, card.mention.last)}
        return sum(0.5 if token.cjk else 1.0 for place, token in enumerate(self.words) if place not in names)

    @property
    def required_terms(self) -> Mapping[str, float]:
        """The terms that a rule must contain to answer: those of card names are excluded."""
        return self.terms_without_cards or self.terms


def understand(
    text: str,
    lexicon: Lexicon,
    vocabulary: Vocabulary,
    games: Sequence[str] = (),
    settings: SearchSettings = SEARCH,
    card_index: CardIndex = EMPTY_CARD_INDEX,
    defined_terms: Container[str] = (),
    locate: Located = lambda _: (),
) -> Query:
    """Understands a question; one that only asks what a rule says, by its number, is understood as that number.

    `defined_terms` contains the keys of defined names, see `name_key`; `locate` looks up numbers and articles (第3条).
    """
    in_katakana: dict[str, str] = {}
    for start, label in list(hiragana_labels(text, lexicon)):
        end = start + len(label)
        in_katakana[text[start:end]] = label
        text = text[:start] + label + text[end:]
    tokens = words(text)
    labels = list(lexicon.find(tokens))
    games_in_text = _distinct(game for label in labels for game in named_games(label))
    cards = tuple(card_index.find(text, tokens, labels, lexicon, vocabulary, tuple(games) or games_in_text))
    in_cards = {place for card in cards for place in range(card.mention.first, card.mention.last)}
    matches = [label for label in labels if in_cards.isdisjoint(range(label.first, label.last))]
    games_in_text = _distinct(game for match in matches for game in named_games(match))
    existence = list(_existence_lexicon().find(tokens)) if games_in_text else []
    searched_games = tuple(games) or games_in_text or card_index.game_of_cards(cards)
    content = _without_game_names(tokens, matches, existence)
    outside_cards = [token for token in content if not in_cards or tokens.index(token) not in in_cards]
    corrections = _corrections(text, outside_cards, matches, lexicon, vocabulary)
    spelling = [_correct_token(token, corrections) for token in outside_cards]
    corrected_terms = (correction.term for some in corrections.values() for correction in some)
    weights = dict.fromkeys(terms(spelling), 1.0) | dict.fromkeys(corrected_terms, settings.typo_weight)
    concepts = _named_concepts(text, spelling, lexicon, searched_games)
    weights |= {CONCEPT + concept: settings.concept_weight for concept in concepts if settings.concept_weight}
    articles = {path: tuple(locate(fold_path(path.path))) for path in _named_articles(text)}
    found_numbers = _numbers_in(text, locate)
    numbers = _distinct(
        (
            *(found.number for found in found_numbers),
            *(number for path, some in articles.items() for number in some or _unknown_article(path)),
        )
    )
    asking = _content_words(tokens, matches)
    question = _omit_tokens(text, tokens, content, corrections)
    numbers_only = bool(numbers) and _are_numbers(asking, (*found_numbers, *articles))
    if numbers and not numbers_only and (subject := _numbers_in_question(question, lexicon, locate)):
        only = understand(subject, lexicon, vocabulary, searched_games, settings, card_index, defined_terms, locate)
        return replace(only, lang=query_language(text, matches))
    return Query(
        text=text,
        lang=query_language(text, matches),
        games=searched_games,
        unknown_games=_distinct(name for match in matches for name in unknown_games(match)[:1]),
        numbers=numbers,
        terms=card_index.expand_terms(weights, cards, tokens, vocabulary),
        concepts=concepts,
        corrected=in_katakana
        | {_typed_word(text, token): " / ".join(one.word for one in some) for token, some in corrections.items()},
        words=tuple(tokens),
        numbers_only=numbers_only,
        named_numbers=numbers if numbers_only else _distinct(_named_numbers(text, tokens, matches, found_numbers)),
        game_only=bool(games_in_text) and not games and not asking,
        compares=bool(existence) or any(map(_is_comparison, matches)),
        encoder_text=card_index.add_card_texts(question, text, cards),
        text_without_cards=question if cards else "",
        definition_targets=() if cards else tuple(_definition_targets(question, lexicon, searched_games, defined_terms)),
        compared_targets=() if cards else _compared_targets(_without_games(text, tokens, matches), lexicon, searched_games),
        game_term_shares=game_term_shares(matches),
        cards=cards,
        terms_without_cards=weights if cards else {},
    )


def hiragana_labels(text: str, lexicon: Lexicon) -> Iterator[tuple[int, str]]:
    """The labels in katakana that are typed in hiragana (しーるど), each with the code point where it begins.

    A short label must fill its run of hiragana with the particles around it, or be a verb with する: おこすとどうなる does not name
    コスト, さいどする (again) does not name サイド. After a kanji, the run begins with the ending of a word (起こすと).
    """
    for run in _HIRAGANA_RUN.finditer(text):
        katakana = run[0].translate(TO_KATAKANA)
        as_typed = {place for match in lexicon.find(words(run[0])) for place in range(match.start, match.end)}
        is_ending = bool(_HAN.match(text[run.start() - 1 : run.start()]))
        particle = _LEADING_PARTICLE.match(run[0])
        labels = _labels_at(run[0], 0, lexicon, as_typed, min_length=_LONG_KATAKANA if is_ending else _MIN_KATAKANA)
        if not labels and particle:
            labels = _labels_at(run[0], particle.end(), lexicon, as_typed)
        yield from ((run.start() + start, katakana[start:end]) for start, end in labels)


def _labels_at(
    run: str, start: int, lexicon: Lexicon, as_typed: Container[int], min_length: int = _MIN_KATAKANA
) -> list[tuple[int, int]]:
    """The spans of the labels in katakana in a run of hiragana, the first at `start` and others behind particles."""
    match = next(lexicon.find(words(run[start:].translate(TO_KATAKANA))), None)
    if match is None or match.start or match.end < min_length or not _is_concept(match):
        return []
    end = start + match.end
    if any(place in as_typed for place in range(start, end)):
        return []
    particles = _AFTER_LABEL.match(run, end)
    after = particles.end() if particles else end
    others = _labels_at(run, after, lexicon, as_typed) if after > end else []
    is_verb = _FORM_OF_SURU.match(run, end) is not None and _may_be_verb(run[start:end], lexicon)
    is_certain = match.end >= _LONG_KATAKANA or after == len(run) or is_verb
    return [(start, end), *others] if others or is_certain else []


def _may_be_verb(word: str, lexicon: Lexicon) -> bool:
    """Whether a name in hiragana may precede する: by its long vowel it is no Japanese word, or a label has both (タップする)."""
    verb = words(f"{word.translate(TO_KATAKANA)}する")
    return _LONG_VOWEL in word or any(match.last - match.first == len(verb) for match in lexicon.find(verb))


def _named_concepts(text: str, tokens: Sequence[Token], lexicon: Lexicon, games: Sequence[str]) -> tuple[str, ...]:
    """The concepts that a question names, each word in the sense of its form: a spell that is countered is no counter."""
    matches = (
        (other_senses().get(text[match.start : match.end].lower(), ()), some)
        for match, some in find_concepts(tokens, lexicon, games)
    )
    return _distinct(concept for others, some in matches for concept in some if concept not in others)


def _named_articles(text: str) -> list[FoundPath]:
    """The articles that a question names: 第3条, 第2章第3条; `3条2項` only if the question contains nothing else."""
    plain = to_half_width(text)
    whole = path_in(plain)
    return [FoundPath(0, len(plain), whole)] if whole else list(paths_in(plain))


def _unknown_article(article: FoundPath) -> Iterator[str]:
    """The number of an article that no book has; chapters and parts are mentioned for other reasons."""
    if any(step.unit == "条" for step in article.path):
        yield fold_path(article.path)


def _numbers_in(text: str, locate: Located) -> tuple[FoundNumber, ...]:
    return tuple(numbers_in(text, lambda number: any(True for _ in locate(number))))


def _are_numbers(tokens: Iterable[Token], numbers: Sequence[FoundNumber | FoundPath]) -> bool:
    """Whether all words are numbers or belong to one."""
    return all(token.norm[0].isdigit() or any(number.start <= token.start < number.end for number in numbers) for token in tokens)


def _numbers_in_question(text: str, lexicon: Lexicon, locate: Located) -> str | None:
    """The numbers in a text, without names of games, that asks what their rules are or say (what does 514 say?); else None."""
    for subject in subjects(text, (*_patterns(), *_patterns("numbers"))):
        tokens = words(subject)
        numbers: list[FoundNumber | FoundPath] = [*_numbers_in(subject, locate), *_named_articles(subject)]
        if numbers and _are_numbers(_content_words(tokens, list(lexicon.find(tokens))), numbers):
            return subject
    return None


def _distinct(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _content_words(tokens: Sequence[Token], matches: Sequence[LabelMatch]) -> list[Token]:
    """The words, except names of games and words for a rule."""
    places = {
        place
        for match in matches
        if named_games(match) or _RULE_CONCEPT in match.values
        for place in range(match.first, match.last)
    }
    return [token for place, token in enumerate(tokens) if place not in places]


def _named_numbers(
    text: str, tokens: Sequence[Token], matches: Sequence[LabelMatch], numbers: Iterable[FoundNumber]
) -> Iterator[str]:
    """The numbers directly behind a word for a rule or a part of the rules: rule 514, section 5.1."""
    behind_rule = {match.last for match in matches if _RULE_CONCEPT in match.values}
    numbers_by_start = {found.start: found.number for found in numbers}
    for place, token in enumerate(tokens):
        is_named = place in behind_rule or _PART_WORD.search(text[: token.start])
        if is_named and token.start in numbers_by_start:
            yield numbers_by_start[token.start]


def _without_game_names(tokens: Sequence[Token], matches: Sequence[LabelMatch], others: Sequence[LabelMatch]) -> list[Token]:
    """The words, except those that only name a game or ask for a comparison, and `others`; all words if nothing else remains.

    A name that is a concept too (Digimon) is that of the game if the question names several.
    """
    several = len({game for match in matches for game in named_games(match)}) > 1
    spans = (match for match in matches if (named_games(match) and (several or not _is_concept(match))) or _is_comparison(match))
    places = {place for match in (*spans, *others) for place in range(match.first, match.last)}
    return [token for place, token in enumerate(tokens) if place not in places] or list(tokens)


def _without_games(text: str, tokens: Sequence[Token], matches: Sequence[LabelMatch]) -> str:
    """The text without the names of games that are no concepts."""
    names = (match for match in matches if named_games(match) and not _is_concept(match))
    places = {place for match in names for place in range(match.first, match.last)}
    return _omit_tokens(text, tokens, [token for place, token in enumerate(tokens) if place not in places], {})


def _is_comparison(match: LabelMatch) -> bool:
    return not _COMPARISON_CONCEPTS.isdisjoint(match.values)


@cache
def _existence_lexicon() -> Lexicon:
    """The words that ask whether a game has a thing."""
    return Lexicon((word, _EXISTENCE) for word in tomllib.loads((DATA / "existence.toml").read_text(encoding="utf-8"))["words"])


def _is_concept(match: LabelMatch) -> bool:
    return any(" " in value for value in match.values)


def _omit_tokens(text: str, tokens: Sequence[Token], tokens_to_keep: Sequence[Token], corrections: Corrections) -> str:
    """The text without the omitted tokens, and with corrections."""
    rest, starts = text, {token.start for token in tokens_to_keep}
    for token in reversed(tokens):
        instead = corrections[token][0].word if token in corrections else None if token.start in starts else " "
        rest = rest if instead is None else rest[: token.start] + instead + rest[token.end :]
    return " ".join(rest.split())


def _corrections(
    text: str, tokens: Sequence[Token], matches: Sequence[LabelMatch], lexicon: Lexicon, vocabulary: Vocabulary
) -> Corrections:
    """The mistyped words among some tokens, each with its correction, or with two if either may be meant.

    A correction that makes a label with the words beside it is certain: *legned rule* is the legend rule. A word in a label is
    never treated as mistyped, and a capitalised word inside a sentence is a name.
    """
    spelling, corrections = list(tokens), {}
    label_ranges = [range(match.start, match.end) for match in matches]
    for place, token in enumerate(tokens):
        if not _is_unknown(token, vocabulary) or any(token.start in label for label in label_ranges):
            continue
        some = vocabulary.spelling.corrections(_typed_word(text, token))
        in_label = next((one for one in some if _completes_label(one, spelling, place, lexicon)), None)
        likely = [] if _is_name(text, token) else [one for one in some if is_likely(_typed_word(text, token), one)]
        if not in_label and not likely:
            continue
        corrections[token] = [in_label] if in_label else likely[: 1 if is_unambiguous(likely) else 2]
        spelling[place] = token._replace(norm=corrections[token][0].term)
    return corrections


def _typed_word(text: str, token: Token) -> str:
    return without_accents(text[token.start : token.end])


def _is_unknown(token: Token, vocabulary: Vocabulary) -> bool:
    """Whether a token is a Latin word that is long enough to be corrected and occurs in no passage and no out-of-scope example."""
    return (
        not token.cjk
        and token.norm.isalpha()
        and token.end - token.start >= _MIN_CORRECTED
        and token.norm not in vocabulary.terms
        and token.norm not in out_of_scope_words()
    )


def _completes_label(correction: Correction, tokens: Sequence[Token], place: int, lexicon: Lexicon) -> bool:
    """Whether a correction, with the words beside it, is the label of a concept."""
    around = [*tokens[max(0, place - _LABEL_WORDS) : place + _LABEL_WORDS]]
    at = min(place, _LABEL_WORDS)
    around[at] = around[at]._replace(norm=correction.term)
    return any(match.first <= at < match.last > match.first + 1 and _is_concept(match) for match in lexicon.find(around))


def _is_name(text: str, token: Token) -> bool:
    """Whether a word is capitalised, unless it is the first word or every other word is capitalised."""
    rest = text[: token.start] + text[token.end :]
    return text[token.start].isupper() and any(letter.islower() for letter in rest) and bool(text[: token.start].strip())


def _correct_token(token: Token, corrections: Corrections) -> Token:
    return token._replace(norm=corrections[token][0].term) if token in corrections else token


def needs_no_correction(query: Query, vocabulary: Vocabulary) -> bool:
    """Whether no word of a query is mistyped, according to both its own vocabulary and another one."""
    return not query.corrected and not any(_is_unknown(token, vocabulary) for token in query.words)


def _definition_targets(text: str, lexicon: Lexicon, games: Sequence[str], defined_terms: Container[str]) -> list[DefinitionTarget]:
    """The concepts that the subject of a definition question names as a whole, and its name if it has a definition."""
    for subject in subjects(text):
        tokens = words(subject)
        key = name_key(token.norm for token in tokens)
        if targets := [*_whole_concepts(tokens, lexicon, games), *([DefinitionTarget(key)] if key in defined_terms else ())]:
            return targets
    return []


def _compared_targets(text: str, lexicon: Lexicon, games: Sequence[str]) -> tuple[tuple[DefinitionTarget, ...], ...]:
    """For each of the two things whose difference a question asks for, the concepts that its words name as a whole."""
    question = text.strip(_PUNCTUATION)
    for match in filter(None, (pattern.match(question) for pattern in _patterns("compares"))):
        names = (words(match[group].strip(_PUNCTUATION)) for group in ("term", "other"))
        sides = tuple(tuple(_whole_concepts(name, lexicon, games)) for name in names)
        if all(sides):
            return sides
    return ()


def _whole_concepts(tokens: Sequence[Token], lexicon: Lexicon, games: Sequence[str]) -> list[DefinitionTarget]:
    """The concepts that all these words together name, each with those of the searched games that use the words for it."""
    for match, concepts in find_concepts(tokens, lexicon, games):
        if match.last - match.first == len(tokens):
            callers = [(concept, games_with_label(match, concept)) for concept in _not_in_parts(concepts, tokens, lexicon)]
            return [
                DefinitionTarget(concept, tuple(game for game in calling if not games or game in games))
                for concept, calling in callers
            ]
    return []


def _not_in_parts(concepts: Sequence[str], tokens: Sequence[Token], lexicon: Lexicon) -> list[str]:
    """The concepts of a name without those that a part of it names: a stun counter is not another kind of counter."""
    parts = (part for part in (tokens[:-1], tokens[1:]) if not (len(part) == 1 and part[0].cjk))
    in_parts = {concept for part in parts for _, some in find_concepts(part, lexicon) for concept in some}
    return [concept for concept in concepts if concept not in in_parts] or list(concepts)


def subjects(text: str, patterns: Iterable[re.Pattern[str]] | None = None) -> Iterator[str]:
    """The names whose definition a text may ask for: the text itself, then the rest without question words, without duplicates.

    So `what does trample do?`, トランプルとは, 践踏是什么意思 and the bare name yield the name. `patterns` are those of definition
    questions by default.
    """
    distinct: set[str] = set()
    stripped_text = text.strip(_PUNCTUATION)
    terms_of_questions = (
        match["term"].strip(_PUNCTUATION) for pattern in patterns or _patterns() for match in pattern.finditer(stripped_text)
    )
    for subject in (stripped_text, *terms_of_questions):
        if subject and subject not in distinct:
            distinct.add(subject)
            yield subject


def _with_groups(pattern: str) -> str:
    return pattern.replace("{term}", "(?P<term>.+?)").replace("{other}", "(?P<other>.+?)")


def definition_patterns(kind: str = "asks") -> Sequence[str]:
    """Phrasings of definition questions, as regular expressions with the group `term`; case is ignored.

    `kind` "numbers": phrasings that ask what a rule says, by its number; "compares": that ask for the difference from `other`.
    """
    rows = tomllib.loads((DATA / "definitions.toml").read_text(encoding="utf-8")).values()
    return [
        rf"^(?:{'|'.join(row['openings'])}|){_with_groups(pattern)}(?:{'|'.join(row['endings'])}|)$"
        for row in rows
        for pattern in row[kind]
    ]


@cache
def _patterns(kind: str = "asks") -> Sequence[re.Pattern[str]]:
    return [re.compile(pattern, re.IGNORECASE) for pattern in definition_patterns(kind)]


def query_language(text: str, labels: Iterable[LabelMatch] = ()) -> str:
    """`ja`, `zh-Hans`, `zh-Hant` or `en`: by kana, by the characters of each script, and by the languages of the labels in it.

    Three words suffice.
    """
    if _KANA.search(text):
        return "ja"
    han = "".join(_HAN.findall(text))
    if not han:
        return "en"
    likely = [lang for lang, codec in _SCRIPT_CODECS.items() if _can_encode(han, codec)]
    if "ja" in likely and "zh-Hans" not in likely and _to_modern_japanese().convert(han) != han:
        likely.remove("ja")  # today, 戰 is 戦 in Japan
    characters = _label_characters(labels)
    return max(likely or ["zh-Hans"], key=lambda lang: characters[language_of(lang)])


def same_language(lang: str, other: str) -> bool:
    """Whether two language tags name one language in any script."""
    return language_of(lang) == language_of(other)


def _can_encode(han: str, codec: str) -> bool:
    try:
        han.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def _label_characters(labels: Iterable[LabelMatch]) -> Counter[str]:
    """Language → number of characters in labels of that language."""
    characters: Counter[str] = Counter()
    for match in labels:
        for lang in {language_of(tag) for tag in label_languages(match)}:
            characters[lang] += match.end - match.start
    return characters


@cache
def _to_modern_japanese() -> "OpenCC":
    """Converts old character forms to those of modern Japanese."""
    from opencc import OpenCC

    return OpenCC("t2jp")
