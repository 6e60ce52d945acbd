"""What happens: facts with their sentences; those of guns, armour and vehicles with what becomes of the state (6, 7)."""
