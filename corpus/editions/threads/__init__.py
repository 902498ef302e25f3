"""Which rule of one edition is which rule of the next: worked out from their words, their numbers and their places."""

from corpus.store.threads.step import Kind, Step

__all__ = ["Kind", "Step"]
