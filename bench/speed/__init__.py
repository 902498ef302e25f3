"""How fast, how large: each bench a ratio to something measured in the same run."""
