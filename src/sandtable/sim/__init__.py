"""Many games: playouts and counts of positions."""
