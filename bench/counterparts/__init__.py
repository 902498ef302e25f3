"""Measures the proposed counterparts of rules."""
