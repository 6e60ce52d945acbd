"""Aircraft and anti-aircraft fire (5.4, 6.4, 6.7), as far as they need no place."""
