"""Files of cards: what cards are called in each language, and what they say."""

from ingest.cards.read import card_bytes, read_cards

__all__ = ["card_bytes", "read_cards"]
