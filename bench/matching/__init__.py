"""Proposed matches of zones and terms to cross-game concepts."""
