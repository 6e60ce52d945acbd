"""Spotting (4.3): which units see which."""
