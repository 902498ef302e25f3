"""Suggestions while a user types: rules by number, concepts and cards by name, sections by title."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from corpus.address import game_of, is_concept, rule_iri, split_rule
from corpus.catalogue import game_rank
from corpus.languages import canonical_tag, choose, readable
from corpus.reference import fold_number
from corpus.words.text import fold_text
from ontology.cards import has_key
from ontology.knowledge import Knowledge
from ontology.labels import LabelSort

if TYPE_CHECKING:
    from corpus.contract import RuleRecord, Suggestion
    from corpus.model import Card
    from ontology.cards import CardStore

_EXCERPT_LENGTH = 80
"""Number of characters of a rule that are shown with its number."""
_MAX_CANDIDATES = 400
"""Number of rules with the typed prefix from which the best are suggested."""


class SuggestibleName(NamedTuple):
    """A name of a concept or a title of a section, folded and as printed."""

    folded_name: str
    label: str
    lang: str
    iri: str
    rank: int  # lower ranks are shown first


class Suggester:
    """Every number, name and title of a bundle, in memory, for a lookup at every keystroke."""

    def __init__(self, knowledge: Knowledge, cards: "CardStore | None" = None) -> None:
        self._knowledge = knowledge
        self._cards = cards
        records = knowledge.records
        self._numbers = sorted(
            (locator, rule_iri(key, locator)) for key in knowledge.manifest.editions for locator in records.locators_of(key)
        )
        self._titles = list(self._headings())
        self._names = list(self._labels())

    def suggest(self, text: str, game: str | None, lang: str, limit: int) -> "list[Suggestion]":
        """The suggestions, the likeliest first; of one game only, if it is given."""
        words = fold_text(text).strip()
        if not words:
            return []
        cards = list(islice(self._cards_named(text, game, lang), limit))
        if words[0].isdigit():
            return [*self._rule_suggestions(fold_number(words), game, lang, limit), *cards][:limit]
        terms = [_suggestion("term", name) for name in self._best_names(self._names, words, game, lang)]
        titles = [_suggestion("heading", name) for name in self._best_names(self._titles, words, game, lang)]
        return list(_share_places(limit, terms, cards, titles))

    def _rule_suggestions(self, number: str, game: str | None, lang: str, limit: int) -> "list[Suggestion]":
        low = bisect_left(self._numbers, (number, ""))
        ranks = []
        for locator, iri in self._numbers[low : low + _MAX_CANDIDATES]:
            if not locator.startswith(number):
                break
            own = split_rule(iri).key.game
            if game in (None, own):
                ranks.append((self._is_superseded(iri), locator != number, len(locator), locator, game_rank(own), iri))
        best = list(_newest_rules(entry[-1] for entry in sorted(ranks)))[:limit]
        records = self._knowledge.by_iri(best)
        return [_rule_suggestion(records[iri], lang) for iri in best if iri in records]

    def _best_names(self, names: list[SuggestibleName], words: str, game: str | None, lang: str) -> list[SuggestibleName]:
        """The names that begin with some words, then those that contain them.

        Each concept occurs once; labels in the reader's language come first.
        """
        langs = readable(lang)

        def rank(name: SuggestibleName) -> tuple[Any, ...]:
            folded_name = name.folded_name
            is_start, is_readable = folded_name.startswith(words), name.lang in langs
            return folded_name != words, not is_start, name.rank, not is_readable, len(folded_name), folded_name, name

        fitting = (name for name in names if words in name.folded_name and (game is None or _game(name.iri) in (game, None)))
        once: dict[str, SuggestibleName] = {}
        for name in sorted(fitting, key=rank):
            once.setdefault(self._knowledge.names.hubs.get(name.iri, name.iri), name)
        return list(once.values())

    def _cards_named(self, text: str, game: str | None, lang: str) -> "Iterator[Suggestion]":
        """The cards with a name that begins with the typed text, each once, the shortest name first."""
        card_ids: set[tuple[str, str]] = set()
        for key in self._cards.keys_with_prefix(text) if self._cards else ():
            for card in self._cards.cards_with_key(key) if self._cards else ():
                if game in (None, card.game) and (card.game, card.id) not in card_ids:
                    card_ids.add((card.game, card.id))
                    yield _card_suggestion(card, key, lang)

    def _labels(self) -> Iterator[SuggestibleName]:
        names = self._knowledge.names
        for concept, labels in names.labels.items():
            # a cross-game concept comes before its cases in games
            rank = 2 * (concept in names.of_books) + (game_of(concept) is not None)
            for label in labels:
                slang = label.sort == LabelSort.SLANG
                yield SuggestibleName(fold_text(label.text), label.text, canonical_tag(label.lang), concept, rank + slang)

    def _headings(self) -> Iterator[SuggestibleName]:
        for record in self._knowledge.records.headings():
            for lang, title in record["texts"].items():
                yield SuggestibleName(
                    fold_text(title["text"]), title["text"], canonical_tag(lang), record["iri"], self._is_superseded(record["iri"])
                )

    def _is_superseded(self, iri: str) -> bool:
        """Whether a rule belongs to an edition that is not current."""
        return not self._knowledge.currency.has_current(split_rule(iri).key)


def _suggestion(kind: Literal["term", "heading"], name: SuggestibleName) -> "Suggestion":
    number = split_rule(name.iri)[1] if kind == "heading" else None
    return {"kind": kind, "iri": name.iri, "game": _game(name.iri), "number": number, "label": name.label, "lang": name.lang}


def _share_places(limit: int, *lists: "Sequence[Suggestion]") -> "Iterator[Suggestion]":
    """The best of several lists; each list leaves a third of the places to each later list."""
    places = limit
    for place, suggestions in enumerate(lists):
        others = sum(min(len(other), limit // 3) for other in lists[place + 1 :])
        some = suggestions[: max(places - others, min(places, 1))]
        places -= len(some)
        yield from some


def _card_suggestion(card: "Card", key: str, lang: str) -> "Suggestion":
    """A card under the name with a key, as printed; in the reader's language if the card has that name in it."""
    names = ((tag, name) for tag, some in card.names.items() for name in some if has_key(name, key))
    tag, label = min(names, key=lambda name: canonical_tag(name[0]) not in readable(lang))
    return {"kind": "card", "iri": None, "game": card.game, "number": None, "label": label, "lang": canonical_tag(tag)}


def _game(iri: str) -> str | None:
    return game_of(iri) if is_concept(iri) else split_rule(iri).key.game


def _newest_rules(iris: Iterable[str]) -> Iterator[str]:
    """The first rule of each number of a book."""
    rules: set[tuple[str, str, str]] = set()
    for iri in iris:
        key, locator = split_rule(iri)
        if (key.game, key.book, locator) not in rules:
            rules.add((key.game, key.book, locator))
            yield iri


def _rule_suggestion(record: "RuleRecord", lang: str) -> "Suggestion":
    """A rule with its first words in the reader's language, from the digest if no text is in that language."""
    words = {**record["digest"], **{tag: text["text"] for tag, text in record["texts"].items()}}
    label_lang = choose(lang, words)
    label = words[label_lang] if label_lang else ""
    return {
        "kind": "number",
        "iri": record["iri"],
        "game": record["game"],
        "number": record["locator"],
        "label": label if len(label) <= _EXCERPT_LENGTH else f"{label[:_EXCERPT_LENGTH]}…",
        "lang": label_lang,
    }
