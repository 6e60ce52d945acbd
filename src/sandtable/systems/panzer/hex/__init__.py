"""Panzer on hexes: one module a section of the rulebook."""
