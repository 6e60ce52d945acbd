"""What happens: facts with their sentences; those of guns, armour and vehicles with what becomes of a state (6, 7)."""
