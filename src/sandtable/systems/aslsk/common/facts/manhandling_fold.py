"""6.5 How pushing a Gun changes the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.common.facts.manhandling_events import GunManhandled, ManhandlingRolled
from sandtable.systems.aslsk.pieces.state import State, WeaponId

__all__ = ["MANHANDLING_FACTS"]


def _weapon(state: State, weapon_id: WeaponId, /, **changes: Any) -> State:
    return replace(state, weapons={**state.weapons, weapon_id: replace(state.weapons[weapon_id], **changes)})


@rule("6.5")
def _rolled(state: State, event: ManhandlingRolled) -> State:
    """Whoever tries is in Hazardous Movement for the player turn (6.5)."""
    pushing = {unit_id: replace(state.units[unit_id], hazardous=True) for unit_id in event.units}
    return _weapon(replace(state, units={**state.units, **pushing}), event.weapon, manhandled=True)


@rule("6.5")
def _manhandled(state: State, event: GunManhandled) -> State:
    """A Gun that has moved is emplaced no more (6.5)."""
    return _weapon(state, event.weapon, facing=event.facing, emplaced=False)


MANHANDLING_FACTS: Mapping[type, Callable[[State, Any], State]] = {
    ManhandlingRolled: _rolled,
    GunManhandled: _manhandled,
}
"""How every fact of a Gun that is pushed changes the state."""
