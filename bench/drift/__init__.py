"""Accuracy of finding the losses in a translation."""
