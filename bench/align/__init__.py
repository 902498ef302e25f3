"""Accuracy of aligning texts with different numbers."""
