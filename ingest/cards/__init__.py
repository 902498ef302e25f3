"""Files of cards: their names and texts in each language."""

from ingest.cards.read import read_card_file, read_cards

__all__ = ["read_card_file", "read_cards"]
