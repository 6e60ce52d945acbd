"""What all parts of the rules stand on: actions, events, dice, stacking, possession, morale as it stands (5.2-5.5)."""
