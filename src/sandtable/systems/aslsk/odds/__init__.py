"""Exact odds: what can become of each target of an attack, by the rules that play it."""
