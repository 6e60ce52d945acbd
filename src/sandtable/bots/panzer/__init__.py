"""How bots think about the Panzer family on hexes: objectives, fields of fire, cover, concentration, withdrawal.

:func:`doctrine` is what :mod:`sandtable.bots.doctrine` looks for; each module beside it has one subject.
"""

from __future__ import annotations

from sandtable.bots.panzer.commander import doctrine

__all__ = ["doctrine"]
