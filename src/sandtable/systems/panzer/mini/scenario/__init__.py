"""Scenarios on a table: as an author writes them, and checked and bound (2.0, 23.1)."""
