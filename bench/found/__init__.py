"""How well rulings are found, and how fast: `python -m bench.found`."""
