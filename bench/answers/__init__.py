"""How good answers are: whether a claim is of a rule that answers, and whether every claim is the words at its place."""
