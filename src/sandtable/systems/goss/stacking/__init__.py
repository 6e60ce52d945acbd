"""6 Stacking: how many units a hex holds, who stacks for free with whom, and what an overstack costs."""
