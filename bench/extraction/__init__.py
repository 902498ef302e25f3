"""Accuracy of extracting zones and their properties: `python -m bench.extraction`."""
