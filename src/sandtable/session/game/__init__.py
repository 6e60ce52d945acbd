"""One live game: its players, clock, lines, take-backs, and the bots that are driven in it."""
