"""Measures the proposed matches of zones and terms to cross-game concepts."""
