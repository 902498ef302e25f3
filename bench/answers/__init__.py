"""Answers: whether claims are from a rule that answers, and whether each claim equals the text at its span."""
