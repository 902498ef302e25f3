"""Proposed counterparts of rules."""
