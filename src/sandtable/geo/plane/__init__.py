"""A table without hexes: whole thousandths of an inch, and headings in tenths of a degree.

Whole numbers decide; floating point only ever rejects what is far off. Every answer is the same when all is shifted
by a whole vector, turned by a quarter or seen in a mirror.
"""
