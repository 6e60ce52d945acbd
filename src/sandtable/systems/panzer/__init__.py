"""The Panzer family: what needs no place here, *Panzer North Africa* and *MBT* on hexes in ``hex``.

One engine with named switches. Nothing here or in ``combat`` and ``command`` knows ``hex``.
"""
