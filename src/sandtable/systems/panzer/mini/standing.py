"""Where a vehicle may stand: on ground that it may enter, and in no block or building that is barred (9.3.2)."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.plane.bases import Base
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.going import Going

__all__ = ["refuse_ground"]

BOOK = ("panzer-mini",)


@rule("9.3.2", "9.5.7", "9.7.1", editions=BOOK)
def refuse_ground(going: Going, card: MiniCard, base: Base) -> Refusal | None:
    """Why a vehicle cannot stand where its base is (9.3.2): in heavy woods only upon a road or path (9.5.7)."""
    footing = going.at(base.at)
    traction = card.movement.mode
    kind = footing.barred or footing.kind
    prohibited = footing.barred is not None or going.cost(kind, traction) is None
    if prohibited or any(going.adder(number, traction) is None for number in footing.markers):
        return Refusal("9.3.2", f"{card.name} may not enter {going.title(kind)}", "other ground, or a road through it")
    for body in going.met(base, base):
        if going.cost(body.kind, traction) is None or not card.enters_buildings:
            return Refusal("9.7.1", f"{card.name} may not stand in a {going.title(body.kind)}", "a place beside it")
    return None
