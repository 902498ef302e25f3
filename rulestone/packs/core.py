"""What every pack needs: how words are cut, which concepts labels name, how rules are ranked."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from corpus.address import COMMON
from corpus.catalogue import catalogue
from corpus.words.tokens import all_forms
from search.index.concept_tokens import LANGUAGE, schemes
from search.index.field import Field
from search.index.outline import variant_words
from search.query.definition import expressions

if TYPE_CHECKING:
    from corpus.words.lexicon import Lexicon
    from search.rank.settings import Settings
    from search.searcher import Searcher

_WORDS = (Field.TEXT, Field.GLOSS, Field.ASKED, Field.CONTEXT)
"""Fields in the order in which a browser has them; the last has no vectors."""
_RANKING = (
    *("asked_share", "asks_else", "question", "concepts", "others", "dense_others", "dense_weight", "games", "heading", "parent"),
    *("section", "variant", "parts", "first", "stale", "crowding", "counterparts", "counterpart_sources", "cited", "pool"),
    *("definition", "definition_step", "number", "game_terms", "game_terms_most"),
)


def core(searcher: "Searcher") -> dict[str, Any]:
    """The part that all games and languages share."""
    pairs = [(form, plain) for plain, forms in all_forms().items() for form in forms if form != plain]
    return {
        "forms": ["".join(column) for column in zip(*pairs, strict=True)],
        "labels": _labels(searcher.index.lexicon),
        "games": {game: dict(known.names) for game in searcher.index.games if (known := catalogue().games.get(game))},
        "common": list(COMMON),
        "schemes": sorted(schemes()),
        "definitions": [expression.replace("(?P<", "(?<") for expression in expressions()],
        "variants": list(variant_words()),
        "settings": _settings(searcher.ranker.settings),
    }


def _labels(lexicon: "Lexicon") -> dict[str, list[str]]:
    """The words of each label, separated by spaces, with the concepts and games that it stands for; languages are left out."""
    rows = lexicon.rows().items()
    return {phrase: [value for value in values if not value.startswith(LANGUAGE)] for phrase, values in rows}


def _settings(settings: "Settings") -> Mapping[str, Any]:
    table = asdict(settings)
    fields = [settings.fields[field] for field in _WORDS]
    return {name: table[name] for name in _RANKING} | {
        "fields": fields,
        "dense": [settings.dense.get(field, 0.0) for field in _WORDS[:-1]],
    }
