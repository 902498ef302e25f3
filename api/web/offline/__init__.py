"""What a telephone keeps: packs, the page that shows them without a network, and the worker that does so."""
