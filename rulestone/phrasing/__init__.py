"""Prose of a language model around claims, of which only what proves itself is shown. Off unless it is asked for."""
