"""Reports of progress."""

from collections.abc import Callable

Progress = Callable[[int, int, str], None]
"""Called after each step with the number of finished steps, the number of all steps and the step."""


def no_progress(_done: int, _total: int, _what: str) -> None:
    """No progress."""
