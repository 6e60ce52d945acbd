"""The pieces as statistics count them: units by their printed strength, half of a squad as half, weapons and vehicles.

A counter that was reduced (3.2.3) or replaced (5.1) stays the unit that it was; broken is not lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.piece_count import Piece
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.possession import weapon_hex
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import State, WeaponState, Whereabouts

__all__ = ["pieces"]

_WORDS = {UnitKind.SQUAD: "squad", UnitKind.HALF_SQUAD: "half-squad", UnitKind.CREW: "crew", UnitKind.LEADER: "leader"}


def pieces(context: Context, state: State) -> Iterator[Piece]:
    """Every unit, weapon and vehicle, the eliminated ones too."""
    for unit in state.units.values():
        card = context.card(unit)
        left = 0.0 if unit.place is Whereabouts.ELIMINATED else 0.5 if unit.reduced else 1.0
        word = _WORDS[card.kind]
        kind = card.name if word in card.name else f"{card.name} {word}"
        yield Piece(unit.id, unit.side, kind, context.label(unit.hex) if unit.hex is not None else "", left)
    for weapon in state.weapons.values():
        hex = weapon.placed or weapon_hex(state, weapon)
        label = context.label(hex) if hex is not None else ""
        left = 0.0 if weapon.state is WeaponState.REMOVED else 1.0
        yield Piece(weapon.id, weapon.side, context.weapon_card(weapon).name, label, left)
    for vehicle in state.vehicles.values():
        label = context.label(vehicle.hex) if vehicle.hex is not None else ""
        left = 0.0 if vehicle.wreck or vehicle.place is Whereabouts.ELIMINATED else 1.0
        yield Piece(vehicle.id, vehicle.side, context.vehicle_card(vehicle).name, label, left)
