"""The words in which concepts of two games are compared."""

CORE = ("visibility", "sharing", "ordering", "capacity")
"""Properties that every zone is asked for; what no text states is an empty list."""
DENIED = "not "
"""Stands before the predicate of a false friend: two concepts that share a name or a look and are not the same."""
