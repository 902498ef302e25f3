"""Packs for offline use in a browser, one for each game and language, made from a bundle."""
