"""The Panzer family: *Panzer North Africa* and *MBT* on hexes (``hex``), one engine with named switches."""
