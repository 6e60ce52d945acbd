"""Commands (4.2) and orders within those that a formation has (6.2), on hexes."""
