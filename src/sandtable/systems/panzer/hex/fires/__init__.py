"""6.5.1 Indirect fire on hexes: plots, calls, responses, areas and what falls in them."""
