"""Servers in processes of their own."""

SCRIPT = """
import sys
from contextlib import suppress
from pathlib import Path
from api.cli.commands.server import listening, run
if __name__ == "__main__":
    with listening("127.0.0.1", 0) as listener, suppress(KeyboardInterrupt):
        print(listener.getsockname()[1], flush=True)
        run(Path(sys.argv[1]), listener, int(sys.argv[2]))
"""
"""Serves a home with so many processes, having told its port."""
