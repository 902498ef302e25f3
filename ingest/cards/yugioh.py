"""Cards of Yu-Gi-Oh!: YGOJSON, and YAML Yugi."""

from collections.abc import Iterator, Mapping
from typing import Any

from ingest.cards.gather import Said
from ingest.cards.languages import language

Record = Mapping[str, Any]


def ygojson(record: Record, game: str) -> Iterator[Said]:
    """What a card of YGOJSON says in each language."""
    for tag, own in record["text"].items():
        if lang := language(tag):
            text = "\n".join(own[part] for part in ("pendulumEffect", "effect") if own.get(part))
            yield Said(game, str(record["id"]), lang, own["name"], text)


def yaml_yugi(record: Record, game: str) -> Iterator[Said]:
    """What a card of YAML Yugi says in each language."""
    ident = record.get("password") or record.get("konami_id") or record["name"]["en"]
    texts, pendulum = record.get("text") or {}, record.get("pendulum_effect") or {}
    for tag, name in record["name"].items():
        lang = language(tag)
        if lang and name:
            text = "\n".join(part for part in (pendulum.get(tag), texts.get(tag)) if part)
            yield Said(game, str(ident), lang, name, text)
