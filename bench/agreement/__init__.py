"""Agreement of two independent passes over the rules."""
