"""The pretrained encoder for whoever asks a question: opened once in a process, and never waited for while it is being made."""

import subprocess
import sys
import threading
from functools import cache
from pathlib import Path

from search.encode import pretrained
from search.encode.pretrained import PretrainedEncoder

_MAKE = "import os; os.nice(10); from search.encode.pretrained import make; make()"
_LOCK = threading.Lock()


def ready() -> PretrainedEncoder | None:
    """The encoder; None where it is not made yet: then a process in the background makes it."""
    with _LOCK:
        folder = pretrained.folder()
        if pretrained.is_made(folder):
            return _opened(folder)
        _made_elsewhere(folder)
        return None


def waited_for() -> PretrainedEncoder:
    """The encoder, made if need be. Raises EnvironmentFault as `pretrained.make` does."""
    return _opened(pretrained.make())


@cache
def _opened(_folder: Path) -> PretrainedEncoder:
    return PretrainedEncoder()


@cache
def _made_elsewhere(_folder: Path) -> None:
    """Starts a process that makes the encoder and outlives this one."""
    command = [sys.executable, "-c", _MAKE]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    threading.Thread(target=subprocess.run, args=(command,), kwargs={**quiet, "start_new_session": True}, daemon=True).start()
