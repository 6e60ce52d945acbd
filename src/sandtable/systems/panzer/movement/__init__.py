"""Movement of the Advanced Game (6.6) as far as it needs no place: speeds, marching, transport, digging in."""
