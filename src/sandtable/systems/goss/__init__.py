"""*GOSS 2020*: battalions and companies on hexes of a mile, three game turns a day."""
