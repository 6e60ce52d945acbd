"""Movement (3.3): what a hex costs, who moves with whom, a move step by step and the choices on the way."""
