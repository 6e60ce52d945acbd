"""Units as their counters show them (1.4-1.5, 4.0-4.4): cards, sizes, steps, Z-steps, classes, proficiency.

``card`` is what never changes of a unit; ``card_files`` reads the packs' types and formations and makes the cards of
them; ``steps``, ``z_steps``, ``proficiency`` and ``guns`` are what the rules ask of a card alone; ``reconstruct`` is
how the shipped values were made (docs/reconstruction-goss.md).
"""
