"""Prose by a language model about claims; only proven sentences are shown. Off by default."""
