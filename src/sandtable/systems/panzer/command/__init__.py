"""Commands and Initiative as far as they need no place (4.2, 4.3)."""
