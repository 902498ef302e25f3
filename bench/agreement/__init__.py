"""Agreement of two independent passes over the rules on claims and mappings."""
