"""How far a second pass over the rules, which saw none of the first's values, says the same."""
