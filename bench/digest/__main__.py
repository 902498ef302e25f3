"""The digest: glossed rules and questions, and words in common with the rulebooks: `python -m bench.digest`."""

import sys

from bench.digest.glossed import main

if __name__ == "__main__":
    sys.exit(main())
