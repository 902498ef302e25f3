"""Disk errors for callers that write files: any OSError as one plain line."""

from corpus.store.home.disk import os_faults, remove

__all__ = ["os_faults", "remove"]
