"""Losses and changes of meaning in a translation."""
