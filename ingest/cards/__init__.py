"""Files of cards: what cards are called in each language, and what they say."""

from ingest.cards.read import read_card_file, read_cards

__all__ = ["read_card_file", "read_cards"]
