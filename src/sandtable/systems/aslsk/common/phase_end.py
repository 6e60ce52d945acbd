"""The markers that go at the end of a phase (3.1-3.8), as a change of the state."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, repeat
from operator import attrgetter, ne
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.systems.aslsk.common.facts.armour_fold import after_stun
from sandtable.systems.aslsk.pieces.state import Mark, Phase, SmokeKind, State, Unit, Vehicle, Weapon, WeaponId

__all__ = ["phase_ended"]


class _Lasting(NamedTuple):
    """Fields that have these values again after a phase."""

    changes: dict[str, Any]
    read: Callable[[Any], Any]
    values: Any

    @classmethod
    def of(cls, changes: dict[str, Any]) -> _Lasting:
        """Fields and their values, made ready to be compared quickly."""
        values = tuple(changes.values())
        return cls(changes, attrgetter(*changes), values if len(values) > 1 else values[0])


_UNIT_FLAGS: dict[Phase, dict[str, Any]] = {
    Phase.RALLY: {"acted": False},
    Phase.MOVEMENT: {"moved": False, "tired": False, "threw_smoke": False, "acted": False, "faced": ()},
    Phase.ADVANCING_FIRE: {"used": (), "forfeited": False, "directed": ()},
    Phase.ROUT: {"routed": False},
    Phase.CLOSE_COMBAT: {"pinned": False, "advanced": False, "rallied": False, "hazardous": False},
}
_UNITS = {phase: _Lasting.of({"busy": False, "directing": "", **_UNIT_FLAGS.get(phase, {})}) for phase in Phase}
_WEAPON_FLAGS: dict[Phase, dict[str, Any]] = {
    Phase.ADVANCING_FIRE: {"moved": False},
    Phase.CLOSE_COMBAT: {"manhandled": False},
}
_WEAPONS = {
    phase: _Lasting.of({"fired": False, "recovered": False, "turned": False, **_WEAPON_FLAGS.get(phase, {})})
    for phase in Phase
}
_VEHICLE_FLAGS: dict[Phase, dict[str, Any]] = {
    Phase.RALLY: {"repaired": ()},
    Phase.ADVANCING_FIRE: {"wrecked_moving": False},
    Phase.MOVEMENT: {"moved": False, "turned_crew": False, "tried_motion": False},
    Phase.ADVANCE: {"turned_crew": False},
    Phase.CLOSE_COMBAT: {
        "guns_fired": (),
        "fired_in": "",
        "fired_hex": None,
        "shut": False,
        "moving_target": False,
        "was_in_motion": False,
        "trail": (),
        "dispensed": False,
    },
}
_UNTURNED: dict[str, Any] = {"turned": False, "spines_turned": 0, "turned_hull": False, "bow_spines": 0}
_VEHICLES = {phase: _Lasting.of({**_UNTURNED, **_VEHICLE_FLAGS.get(phase, {})}) for phase in Phase}
_MARKS: dict[Phase, tuple[Mark, ...]] = {
    Phase.DEFENSIVE_FIRE: (Mark.FIRST_FIRE, Mark.FINAL_FIRE),
    Phase.ADVANCING_FIRE: (Mark.PREP_FIRE, Mark.ADVANCING_FIRE, Mark.BOUNDING_FIRE),
    Phase.CLOSE_COMBAT: (Mark.INTENSIVE_FIRE,),
}
_UNMARKED, _PREP_FIRE, _MOVEMENT, _CLOSE_COMBAT = Mark.NONE, Phase.PREP_FIRE, Phase.MOVEMENT, Phase.CLOSE_COMBAT
"""Names are looked up quicker than members of enums."""


@rule("3.0", "3.3.5", "3.4", "3.5")
def phase_ended(state: State, phase: Phase) -> State:
    """The state without what lasts only to the end of ``phase`` (3.0)."""
    units = _cleared(state.units, _UNITS[phase])
    weapons = _cleared(_prep_fired(state.weapons) if phase is _PREP_FIRE else state.weapons, _WEAPONS[phase])
    if phase in _MARKS:
        units, weapons = _unmarked(units, _MARKS[phase]), _unmarked(weapons, _MARKS[phase])
    if units is not state.units or weapons is not state.weapons:
        state = replace(state, units=units, weapons=weapons)
    if state.vehicles:
        vehicles = _cleared(state.vehicles, _VEHICLES[phase])
        if phase is _CLOSE_COMBAT:
            vehicles = {key: after_stun(vehicle) for key, vehicle in vehicles.items()}
        state = replace(state, vehicles=_unmarked(vehicles, _MARKS.get(phase, ())))
    if phase is _MOVEMENT and (state.residual or state.smoke or state.holds):
        smoke = tuple(counter for counter in state.smoke if counter.kind is not SmokeKind.GRENADE)
        return replace(state, residual=(), smoke=smoke, holds={})
    return state


K = TypeVar("K")
P = TypeVar("P", Unit, Weapon, Vehicle)


def _cleared(pieces: dict[K, P], lasting: _Lasting) -> dict[K, P]:
    """All pieces with these fields as given; the same dict where they all have them so already."""
    read: Callable[[Any], Any] = lasting.read
    values: Any = lasting.values
    other = [*compress(pieces, map(ne, map(read, pieces.values()), repeat(values)))]
    return {**pieces, **{key: replace(pieces[key], **lasting.changes) for key in other}} if other else pieces


def _prep_fired(weapons: dict[WeaponId, Weapon]) -> dict[WeaponId, Weapon]:
    """A weapon that fired and kept its ROF is done all the same: it does not fire in the AFPh (3.5)."""
    changed = {
        key: replace(weapon, mark=Mark.PREP_FIRE)
        for key, weapon in weapons.items()
        if weapon.fired and weapon.mark is _UNMARKED
    }
    return {**weapons, **changed} if changed else weapons


def _unmarked(pieces: dict[K, P], marks: tuple[Mark, ...]) -> dict[K, P]:
    changed = {key: replace(piece, mark=_UNMARKED) for key, piece in pieces.items() if piece.mark in marks}
    return {**pieces, **changed} if changed else pieces
