"""The cards of a bundle: what each is called, where a text names one, and what it says."""

from ontology.cards.find import Found, found_in
from ontology.cards.shelf import FILE, Cards
from ontology.cards.write import write

__all__ = ["FILE", "Cards", "Found", "found_in", "write"]
