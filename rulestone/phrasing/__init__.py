"""Prose of a language model around claims; only proven sentences are shown. Off by default."""
