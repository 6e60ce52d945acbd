"""Commands, orders and Initiative as far as they need no place (4.2, 4.3, 6.2, 6.3), and who recovers (6.8.3)."""
