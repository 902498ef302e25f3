"""How well extraction finds zones and what the rules say of them: `python -m bench.extraction`."""
