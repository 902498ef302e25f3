"""Memory that is free is given back to the system."""

import platform
import subprocess
import sys

import pytest

from tests.support.texts import ROOT

SCRIPT = """
from pathlib import Path
from corpus.memory import scan_everything

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

blocks = [bytearray(100_000) for _ in range(1000)]
last = bytearray(100_000)  # above the others: glibc gives back only the end of its heap by itself
del blocks
before = resident()
scan_everything()
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps free memory")
def test_a_scan_gives_back_what_is_free() -> None:
    freed = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert int(freed) > 80_000_000
