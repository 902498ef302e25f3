"""What a disk can refuse, for those who write files of their own: any OSError as one plain line."""

from corpus.store.home.disk import os_faults, remove

__all__ = ["os_faults", "remove"]
