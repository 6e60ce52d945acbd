"""Environments for learners: games as arrays over the staged options, behind PettingZoo and Gymnasium.

`zoo` and `gym` need the extra ``research``; `table`, what they stand on, needs numpy alone.
"""
