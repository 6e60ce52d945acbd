"""7 Movement: the allowance, what a hex costs, halts, moves by road and off it."""
