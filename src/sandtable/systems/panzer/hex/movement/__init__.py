"""Movement (4.5): routes, costs, reach, and a move leg by leg."""
