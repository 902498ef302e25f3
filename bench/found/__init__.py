"""Accuracy and speed of finding rulings: `python -m bench.found`."""
