"""The Panzer family: what needs no place here, *Panzer North Africa* and *MBT* on hexes in ``hex``.

One engine with named switches. Nothing here or in ``combat`` and ``command`` knows ``hex``. The two books number their
common sections alike, so a claim that names no edition is one of both and of no other.
"""

from sandtable.core.content.rule import books

books(__name__, "panzer-na", "mbt")
