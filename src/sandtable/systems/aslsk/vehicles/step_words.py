"""3.3.2 What a step of a vehicle's move says: its own words, and no others."""

from __future__ import annotations

from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import VehicleDeed, VehicleStep

__all__ = ["refuse_words"]

_WORDS = {
    VehicleDeed.ENTER: ("to", "spine", "extra"),
    VehicleDeed.OFF_ROAD: ("to", "spine", "extra"),
    VehicleDeed.ALL: ("to", "spine"),
    VehicleDeed.TURN: ("spine",),
    VehicleDeed.SMOKE: ("to",),
    VehicleDeed.EXIT: ("way",),
}


def refuse_words(step: VehicleStep) -> Refusal | None:
    """A step says what it needs and nothing else."""
    named = {"to": step.to is not None, "spine": step.spine >= 0, "extra": step.extra != 0, "way": step.way != 0}
    allowed = _WORDS.get(step.kind, ())
    for name, given in named.items():
        if given and name not in allowed:
            return Refusal("3.3.2", f"a step that is to {step.kind.value} names no {name}", "leave that out")
    if step.tca not in (-1, *SPINES) or step.spine not in (-1, *SPINES):
        return Refusal("3.2.4", "there are six hexspines, 0 to 5", "name one of them")
    return (
        Refusal("3.3.2", "MP declared beyond the cost are not negative", "declare none, or more")
        if step.extra < 0
        else None
    )
