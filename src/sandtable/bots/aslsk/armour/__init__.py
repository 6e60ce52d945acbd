"""Guns and vehicles as a commander uses them: where to drive, what to fire at, when to wait (6.0, 7.0)."""
