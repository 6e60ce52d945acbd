"""Close Assault and Hand-to-Hand combat (6.6.1)."""
