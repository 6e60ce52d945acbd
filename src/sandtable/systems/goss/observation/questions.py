"""Questions of observation that a situation may ask: who is observed by whom (8.0)."""

from __future__ import annotations

import msgspec

from sandtable.core.content.questions import Answer, Question
from sandtable.systems.goss.common.asking import unit_named
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.observation.observing import observes_hex

__all__ = ["QUESTIONS"]


class _Observes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit that looks about."""

    unit: str


def _observed(context: Context, state: State, about: _Observes, where: str) -> Answer:
    """The enemy hexes that a unit observes."""
    unit = unit_named(state, about.unit, f"{where}.unit")
    enemy = context.other(unit.side)
    held = sorted(hex for hex, side in context.deployment(state).holders.items() if side == enemy)
    return {"hexes": [context.label(hex) for hex in held if observes_hex(context, state, unit, hex)]}


QUESTIONS = {"observes": Question(_Observes, _observed)}
