"""Commands and Initiative (4.2)."""
