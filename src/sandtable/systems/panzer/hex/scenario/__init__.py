"""2.0 Scenarios: a draft as an author writes it, and the same checked and bound to its map and cards."""
