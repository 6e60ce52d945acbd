"""Sight on a table: a line, the section of heights under it, and what blocks it (5.5)."""
