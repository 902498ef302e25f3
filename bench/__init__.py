"""The costs of Rulestone, as ratios measured within one run; `make bench` runs all."""
