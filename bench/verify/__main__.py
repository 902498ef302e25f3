"""Verification of citations: our own cases, and cases made from real editions: `python -m bench.verify`."""

import sys

from bench.verify import own, real


def main() -> int:
    """Returns 0 if both are within their targets."""
    print("our own cases, on invented books")
    first = own.main()
    print("cases made from real editions")
    return max(first, real.main())


if __name__ == "__main__":
    sys.exit(main())
