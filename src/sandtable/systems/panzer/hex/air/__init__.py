"""The Air Phases on hexes (6.4, 6.7): appearing, flying, attacks from the air and anti-aircraft fire."""
