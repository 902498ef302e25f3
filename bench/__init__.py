"""What Rulestone costs, as ratios measured within one run; `make bench` runs all."""
