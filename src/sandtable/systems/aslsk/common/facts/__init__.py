"""Facts of guns, armour and vehicles, each part with how its facts change the state (6, 7)."""
