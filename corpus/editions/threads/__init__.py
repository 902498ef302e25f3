"""Matching the rules of neighbouring editions by their words, numbers and places."""

from corpus.store.threads.step import Kind, Step

__all__ = ["Kind", "Step"]
