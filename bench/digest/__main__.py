"""See `bench.digest`."""

import sys

from bench.digest.glossed import main

if __name__ == "__main__":
    sys.exit(main())
