"""Disk errors for callers that write files: any OSError as one plain line."""

from corpus.store.home.disk import os_error_reason, os_faults, remove

__all__ = ["os_error_reason", "os_faults", "remove"]
