"""Panzer miniatures: a table in inches instead of hexes, from the Basic Game's chapters 1-10 on."""
