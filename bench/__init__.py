"""Benchmarks of speed, memory and size, as ratios measured within one run; `make bench` runs all of them."""
