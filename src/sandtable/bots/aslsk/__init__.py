"""How bots think about the ASL Starter Kit: objectives, fields of fire, cover, rally, the advance into close combat.

:func:`doctrine` is what :mod:`sandtable.bots.doctrine` looks for; each module beside it has one subject.
"""

from __future__ import annotations

from sandtable.bots.aslsk.commander import doctrine

__all__ = ["doctrine"]
