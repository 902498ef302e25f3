"""Finds every occurrence of words or of a regular expression in the loaded books: the hits of a concordance and their counts."""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import accumulate, pairwise
from typing import Any

from corpus.address import EditionKey
from corpus.catalogue import game_rank
from corpus.chronology import newest_first, oldest_first
from corpus.errors import InputError
from corpus.model import Span
from corpus.words.kana import TO_KATAKANA, in_katakana
from corpus.words.text import to_half_width
from corpus.words.tokens import Token, all_forms, words
from ontology.knowledge import Knowledge
from ontology.translation.passages import ParallelPassage, passages

LONGEST_QUERY = 200
"""Characters."""
MAX_MATCHES = 200_000
"""Maximum number of matches of a regular expression."""
ALL_EDITIONS = "all"
_WORDS_ONLY = re.compile(r"[\w\s・･'’\-‐–]+")
_BETWEEN, _BETWEEN_LATIN = r"[\s・･\-‐–]*", r"[\s\-‐–]+"
_WORD_ENDINGS = (("y", "(?:y|ies)"), ("s", "s(?:es)?"), ("x", "x(?:es)?"), ("ch", "ch(?:es)?"), ("sh", "sh(?:es)?"), ("", "s?"))
"""The ending of an English singular, and a pattern for the singular and the plural."""
_MARKS = "\u0300-\u036f\u3099\u309a"
_UNEVEN = re.compile(f"[{_MARKS}\ufb00-\ufb06\uff65-\uff9f]")
_CLUSTER = re.compile(f"[\uff66-\uff9d][\uff9e\uff9f]?|.[{_MARKS}]*", re.DOTALL)
"""A character with its marks."""
_SEPARATOR, _LINE = "\x00", "\n"
"""Separators between the lines of an edition: no words match across the first, no expression across the second."""
_Range = tuple[int, int]
"""Half-open, in code points; cheaper than a Span for tens of thousands."""


@dataclass(frozen=True, slots=True)
class WordPattern:
    """Words in any case, width and script variant, including English plurals; symbols literally."""

    regex: re.Pattern[str]

    def find_occurrences(self, text: str) -> Iterator[_Range]:
        """The matches in a text that `normalise` returned, from left to right."""
        return (match.span() for match in self.regex.finditer(text))


@dataclass(frozen=True, slots=True)
class RegexPattern:
    """A regular expression of RE2, which takes time linear in the text."""

    regex: Any

    def find_occurrences(self, text: str) -> Iterator[_Range]:
        """The matches in lines of text, from left to right, none across lines. Raises InputError for more than MAX_MATCHES."""
        for count, match in enumerate(self.regex.finditer(text)):
            if count >= MAX_MATCHES:
                raise InputError("the regular expression has more than {most} matches; make it more specific", most=MAX_MATCHES)
            if match.end() > match.start():
                yield match.span()


Pattern = WordPattern | RegexPattern


def parse_pattern(query: str, *, regular: bool) -> Pattern:
    """The pattern of a query. Raises InputError for a query that is empty, too long or not a regular expression."""
    text = query.strip()
    if not text or len(text) > LONGEST_QUERY:
        raise InputError("expected words or a regular expression of 1 to {most} characters", most=LONGEST_QUERY)
    return (
        RegexPattern(_compile_expression(plain_characters(text)[0]))
        if regular
        else WordPattern(re.compile(_expression_of_text(normalise(text))))
    )


def normalise(text: str) -> str:
    """A text in lower case, plain width and composed characters, with character variants unified."""
    return _unify_forms(plain_characters(text)[0])


def _unify_forms(plain: str) -> str:
    """Lower case and one form of each character; offsets stay the same."""
    lower = plain.lower()
    return (lower if len(lower) == len(plain) else plain).translate(_form_table())


def plain_characters(text: str) -> tuple[str, Sequence[Span] | None]:
    """A text in plain width, with ligatures resolved and marks composed (NFD, half-width kana), and the places of its characters.

    The places are None if every character stays where it is.
    """
    plain = to_half_width(text)
    if not _UNEVEN.search(plain):
        return plain, None
    characters: list[str] = []
    spans: list[Span] = []
    for cluster in _CLUSTER.finditer(plain):
        character = unicodedata.normalize("NFKC", cluster[0]) if _UNEVEN.search(cluster[0]) else cluster[0]
        characters.append(character)
        spans += [Span(*cluster.span())] * len(character)
    return "".join(characters), spans


@cache
def _form_table() -> dict[int, str]:
    """Character → the form that represents all its forms."""
    return {ord(form): plain for plain, forms in all_forms().items() for form in forms if form != plain}


def _compile_expression(text: str) -> Any:  # noqa: ANN401
    """Raises InputError for an invalid regular expression, or one that matches the empty string."""
    import re2

    options = re2.Options()
    options.never_nl, options.log_errors = True, False
    try:
        expression = re2.compile(f"(?mi:{text})", options)
    except re2.error as fault:
        reason = fault.args[0].decode() if isinstance(fault.args[0], bytes) else str(fault)
        raise InputError("{given!r} is not a regular expression of RE2: {fault}", given=text[:60], fault=reason) from fault
    if expression.fullmatch(""):
        raise InputError("{given!r} matches empty text; make it more specific", given=text[:60])
    return expression


def _expression_of_text(text: str) -> str:
    tokens = words(text, str.lower)
    if not tokens or not _WORDS_ONLY.fullmatch(text):
        return r"\s+".join(map(re.escape, text.split()))
    in_hiragana_only = in_katakana(text) is not None  # a name in katakana may be typed so
    parts = [_token_expression(token, text[token.start : token.end], in_hiragana_only=in_hiragana_only) for token in tokens]
    expression = parts[0]
    for (before, token), part in zip(pairwise(tokens), parts[1:], strict=True):
        expression += (_BETWEEN if before.cjk or token.cjk else _BETWEEN_LATIN) + part
    return expression


def _token_expression(token: Token, word: str, *, in_hiragana_only: bool) -> str:
    if token.cjk:
        katakana = word.translate(TO_KATAKANA)
        return f"[{word}{katakana}]" if in_hiragana_only and katakana != word else re.escape(word)
    if token.norm[0].isdigit():
        return f"{re.escape(word)}(?<![\\d.]{re.escape(word)})(?!\\d)"
    ending, endings = next((ending, endings) for ending, endings in _WORD_ENDINGS if word.endswith(ending))
    stem = re.escape(word[: len(word) - len(ending)])
    return f"{stem}(?<![a-z]{stem}){endings}(?![a-z])"  # begins with letters, which re finds many times faster


@dataclass(frozen=True, slots=True)
class ConcordanceScope:
    """The texts to search. Empty fields do not limit anything, but without an edition only current rules are searched.

    If no current edition of a book has the language `beside` and another one, the newest edition that has both is searched.
    """

    games: tuple[str, ...] = ()
    book: str = ""  # slug
    edition: str = ""  # slug, or ALL_EDITIONS
    parts: tuple[str, ...] = ()
    lang: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class TextLine:
    """A passage in one of its languages."""

    passage: ParallelPassage
    lang: str

    @property
    def words(self) -> str:
        """The passage's words in that language."""
        return self.passage.words[self.lang]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A match in a line, in code points."""

    line: TextLine
    span: Span


class JoinedEdition:
    """The lines of an edition in one language, joined, so that one search covers all of them."""

    def __init__(self, lines: Sequence[TextLine]) -> None:
        self.lines = lines
        plain = [plain_characters(line.words) for line in lines]
        self._spans = [spans for _, spans in plain]
        self.texts = [_unify_forms(text) for text, _ in plain]
        self._text = _SEPARATOR.join(self.texts)
        self._joined_with_case = _LINE.join(text.replace(_LINE, " ") for text, _ in plain)
        self._starts = list(accumulate((len(text) + 1 for text in self.texts), initial=0))

    def find_occurrences(self, pattern: Pattern) -> Iterator["Hit"]:
        """Every match of a pattern. Raises the errors of the pattern."""
        starts, number, first, end_of_line = self._starts, -1, 0, 0
        for start, end in pattern.find_occurrences(self._text if isinstance(pattern, WordPattern) else self._joined_with_case):
            if start >= end_of_line:
                number = bisect_right(starts, start, lo=number + 1) - 1
                first, end_of_line = starts[number], starts[number + 1]
            yield self, number, start - first, end - first

    def span_in_line(self, number: int, start: int, end: int) -> Span:
        """The range of a match in the words of a line, in which it may have more or fewer characters."""
        spans = self._spans[number]
        return Span(start, end) if spans is None else Span(spans[start].start, spans[end - 1].end)


Hit = tuple[JoinedEdition, int, int, int]
"""An edition's text, the number of a line in it, and the range of a match in that line's normalised text."""


class Occurrences:
    """The matches of a pattern, game by game, the newest edition first, in document order."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._hits = hits

    def __len__(self) -> int:
        return len(self._hits)

    def occurrences_page(self, offset: int, limit: int) -> list[Occurrence]:
        """`limit` of them, after the first `offset` ones."""
        hits = self._hits[offset : offset + limit]
        return [Occurrence(text.lines[number], text.span_in_line(number, start, end)) for text, number, start, end in hits]

    def rule_count(self) -> int:
        """The number of rules that have a match."""
        return len({text.lines[number].passage.rule for text, number in {hit[:2] for hit in self._hits}})

    def count_forms(self) -> Counter[str]:
        """Matched form, as `normalise` returns it → its number of occurrences."""
        return Counter(text.texts[number][start:end] for text, number, start, end in self._hits)

    def count_places(self) -> Counter[tuple[EditionKey, str, str]]:
        """Edition, language and part → the number of matches in it."""
        counts: Counter[tuple[EditionKey, str, str]] = Counter()
        for (text, number), count in Counter(hit[:2] for hit in self._hits).items():
            line = text.lines[number]
            counts[line.passage.key, line.lang, line.passage.part] += count
        return counts


def find_occurrences(knowledge: Knowledge, pattern: Pattern, scope: ConcordanceScope) -> Occurrences:
    """Every occurrence of a pattern in a scope. Raises the errors of the pattern."""
    older = superseded_editions(knowledge, scope)

    def is_in_scope(passage: ParallelPassage) -> bool:
        return (not scope.parts or passage.part in scope.parts) and (bool(scope.edition) or passage.current or passage.key in older)

    hits = (hit for text in _edition_texts(knowledge, scope, older) for hit in text.find_occurrences(pattern))
    return Occurrences([hit for hit in hits if is_in_scope(hit[0].lines[hit[1]].passage)])


def superseded_editions(knowledge: Knowledge, scope: ConcordanceScope) -> Sequence[EditionKey]:
    """The superseded editions that a scope searches, because no current edition of the book has the language `beside`."""
    bilingual: dict[tuple[str, str], list[EditionKey]] = {}
    for key in _editions_of_books(knowledge, scope) if scope.beside and not scope.edition else ():
        languages = knowledge.manifest.editions[key].languages
        if scope.beside in languages and set(languages) - {scope.beside} and scope.lang in ("", *languages):
            bilingual.setdefault((key.game, key.book), []).append(key)
    lacking = (keys for keys in bilingual.values() if not any(map(knowledge.currency.has_current, keys)))
    return [max(keys, key=oldest_first) for keys in lacking]


def _edition_texts(knowledge: Knowledge, scope: ConcordanceScope, older: Sequence[EditionKey]) -> Iterator[JoinedEdition]:
    for key in sorted(_editions_in_scope(knowledge, scope, older), key=_edition_order):
        for lang in knowledge.manifest.editions[key].languages:
            if scope.lang in ("", lang):
                text: JoinedEdition = knowledge.cached(("lines", key, lang), partial(_edition_text, knowledge, key, lang))
                yield text


def _editions_in_scope(knowledge: Knowledge, scope: ConcordanceScope, older: Sequence[EditionKey]) -> Iterator[EditionKey]:
    yield from older
    instead = {(key.game, key.book) for key in older}
    for key in _editions_of_books(knowledge, scope):
        is_in_scope = scope.edition in (key.edition, ALL_EDITIONS) if scope.edition else knowledge.currency.has_current(key)
        if is_in_scope and (key.game, key.book) not in instead:
            yield key


def _editions_of_books(knowledge: Knowledge, scope: ConcordanceScope) -> Iterator[EditionKey]:
    for key in knowledge.manifest.editions:
        if (not scope.games or key.game in scope.games) and scope.book in ("", key.book):
            yield key


def _edition_text(knowledge: Knowledge, key: EditionKey, lang: str) -> JoinedEdition:
    return JoinedEdition([TextLine(passage, lang) for passage in passages(knowledge, key) if lang in passage.words])


def _edition_order(key: EditionKey) -> tuple[Any, ...]:
    return game_rank(key.game), key.game, key.book, *newest_first(key)
