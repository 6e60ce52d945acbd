"""14 Fatigue: recording it, resting it off, and what is done in a rest game turn."""
