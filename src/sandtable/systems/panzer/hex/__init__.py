"""Panzer on hexes: one module a section of the rulebook.

At the root stands what ties the rooms together: system, rules, sequence of play, state, and what happens in several
phases.
"""
