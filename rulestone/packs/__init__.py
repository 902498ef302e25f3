"""What a browser keeps for use offline: a game and a language at a time, made of a bundle."""
