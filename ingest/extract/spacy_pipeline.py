"""A spaCy pipeline for one language and one book: cue words and zone labels as entities, lists of zones, statements.

`spacy.blank(lang)` → entity_ruler → rulestone_merge → rulestone_lists → rulestone_statements; the matches stand in
`doc.user_data["hits"]`. spaCy is imported when the first pipeline is made.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ingest.extract.components import STEM, TOKENIZER, ZONE, CompiledPattern, Hit, register
from ingest.extract.patterns import Patterns
from ingest.extract.patterns import patterns as patterns_of
from ingest.extract.sequence import needed, sequences
from ingest.extract.tokens import CharacterTokenizer, has_cjk

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A pipeline with its patterns."""

    patterns: Patterns
    nlp: "Language"

    def read(self, sentence: str, home: str | None = None) -> tuple["Doc", list[Hit]]:
        """A sentence as tokens, and what is stated in it, in the order of the text; nothing of a single event.

        In the section of the zone `home` its name counts without its last word too.
        """
        lists: Any = self.nlp.get_pipe("rulestone_lists")
        lists.home = home if self.patterns.cjk else None  # in English `your ferries` are no ferry zone
        doc = self.nlp(sentence)
        hits: list[Hit] = doc.user_data["hits"]
        return doc, [] if any(hit.pattern.value == "event" for hit in hits) else hits


def pipeline(patterns: Patterns, labels: Mapping[str, Sequence[str]], stems: Mapping[str, Sequence[str]]) -> Pipeline:
    """The pipeline for a language in which these zones are known: slug → labels, slug → names without their last word."""
    cues = {word.lower() for words in patterns.cues.values() for word in words}
    short = [row for row in _rows(STEM, stems) if row["pattern"].lower() not in cues]
    nlp = _language(patterns, [*_rows(ZONE, labels), *short])
    nlp.add_pipe("rulestone_lists", config={"join": sorted(patterns.join), "filler": sorted(patterns.filler)})
    finder: Any = nlp.add_pipe("rulestone_statements")
    finder.compiled, finder.numbers, finder.cjk = _compiled(patterns.lang), patterns.numbers, patterns.cjk
    return Pipeline(patterns, nlp)


def _language(patterns: Patterns, rows: Sequence[dict[str, str]]) -> "Language":
    """Tokens, and cue words and zones as one token each."""
    import spacy
    from spacy.tokens import Token

    register()
    if not Token.has_extension("zones"):
        Token.set_extension("zones", default=())
    nlp = spacy.blank(patterns.lang, vocab=_vocab(patterns.lang), config=TOKENIZER)
    nlp.tokenizer = CharacterTokenizer(nlp.vocab, patterns.variants)
    ruler: Any = nlp.add_pipe("entity_ruler", config={"phrase_matcher_attr": "NORM"})
    cues = [{"label": cue, "pattern": word} for cue, words in patterns.cues.items() for word in words]
    numbers = [{"label": "NUM", "pattern": word} for word in patterns.numbers]
    ruler.add_patterns([*cues, *numbers, *rows])
    nlp.add_pipe("rulestone_merge")
    return nlp


@cache
def _vocab(lang: str) -> "Vocab":
    """One vocabulary for all pipelines of a language, so that they share the compiled patterns."""
    import spacy

    register()
    return spacy.blank(lang, config=TOKENIZER).vocab


@cache
def _compiled(lang: str) -> list[CompiledPattern]:
    """The patterns of a language, each reading compiled by itself: few of them can match in any one sentence."""
    from spacy.matcher import Matcher

    known = patterns_of(lang)
    nlp = _language(known, [])

    def norms(words: str) -> list[str]:
        """A literal as its tokens come out in a text: cue words are one token there too."""
        return [token.norm_ for token in nlp(words)]

    compiled: list[CompiledPattern] = []
    for pattern in known.patterns:
        for words in pattern.words:
            for anchored, tokens, names in sequences(words, norms, cjk=known.cjk):
                matcher = Matcher(nlp.vocab)
                matcher.add("pattern", [tokens])
                compiled.append(CompiledPattern(pattern, anchored, names, needed(tokens), matcher))
    return compiled


def _rows(name: str, known: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    return [
        {"label": name, "pattern": form, "id": slug} for slug, names in known.items() for word in names for form in _forms(word)
    ]


def _forms(word: str) -> list[str]:
    """A label and its plural."""
    if has_cjk(word):
        return [word]
    plural = (
        f"{word[:-1]}ies" if word.endswith(("dy", "ry", "ty")) else f"{word}es" if word.endswith(("s", "x", "sh")) else f"{word}s"
    )
    return [word, plural, f"{word}'s"]
