"""Fire that needs no place (4.4, 6.5): barrels, AP and GP fire from the facts of a shot, close combat (6.6.1)."""
