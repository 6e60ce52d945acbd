"""Fire measured on a table: fields of fire, hit angles, hull down, and what the tables make of a hit (8.2, 8.4)."""
