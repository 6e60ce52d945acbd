"""What happens to groups that are divided, jump, or are chosen in secret, in the set-up (1.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from sandtable.core.showing import Shown
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.fact import Fact
from sandtable.systems.aslsk.common.words import Words, listed
from sandtable.systems.aslsk.pieces.state import Brought, State, UnitId, VehicleId, Whereabouts

__all__ = [
    "GROUP_FACTS",
    "GroupBrought",
    "GroupJoined",
    "GroupsMustered",
    "JumpArranged",
    "RendezvousChosen",
    "StackDropped",
    "UnitHeldBack",
]

K = TypeVar("K")
V = TypeVar("V")


class GroupJoined(Fact, frozen=True):
    """1.3: a unit, with what it carries, or a weapon is in another group now."""

    piece: str
    force: str

    def sentence(self, words: Words) -> str:
        return f"{self.piece} joins {words.force(self.force)} (1.3)."


class UnitHeldBack(Fact, frozen=True):
    """1.3: a unit that could set up enters later, with a force that it has joined."""

    unit: UnitId
    turn: int

    def sentence(self, words: Words) -> str:
        return f"{self.unit} enters in turn {self.turn} (1.3)."


class JumpArranged(Fact, frozen=True):
    """1.3: a SMC jumps with a MMC, or alone."""

    leader: UnitId
    unit: UnitId

    def sentence(self, words: Words) -> str:
        return f"{self.leader} jumps {f'with {self.unit}' if self.unit else 'alone'} (1.3)."


class RendezvousChosen(Fact, frozen=True):
    """1.3: the hex around which a group is to land."""

    force: str
    hex: Hex

    def sentence(self, words: Words) -> str:
        return f"{words.force(self.force)}: rendezvous in {words.hex(self.hex)} (1.3)."


class StackDropped(Fact, frozen=True):
    """1.3: a stack has landed; one that landed off board is pinned and CX."""

    units: tuple[UnitId, ...]
    faces: tuple[int, ...]
    """Direction, from 1 for north clockwise, and distance."""
    hex: Hex
    strayed: bool

    def sentence(self, words: Words) -> str:
        return (
            f"{listed(self.units)}: direction {self.faces[0]}, distance {self.faces[1]}, landed in "
            f"{words.hex(self.hex)}{', from off board: pinned and CX' if self.strayed else ''} (1.3)."
        )

    def shown(self, words: Words) -> Shown:
        return Shown(kind="move", units=self.units, hex=words.label(self.hex), faces=self.faces)


class GroupBrought(Fact, frozen=True):
    """1.3: a group is chosen, or with turn 0 left out again."""

    force: str
    turn: int
    hex: Hex | None

    def sentence(self, words: Words) -> str:
        return f"{words.brought(self.force, self.turn, self.hex)} (1.3)."


class GroupsMustered(Fact, frozen=True):
    """1.3: a side has chosen its groups; the others do not come."""

    units: dict[UnitId, int]
    """The turn in which each of its units is due, one that never is for those that stay away."""
    vehicles: dict[VehicleId, int]

    def sentence(self, words: Words) -> str:
        return "The groups are chosen (1.3)."


def _group_joined(state: State, event: GroupJoined) -> State:
    moved = {
        weapon.id: replace(weapon, force=event.force)
        for weapon in state.weapons.values()
        if event.piece in (weapon.id, weapon.owner)
    }
    state = replace(state, weapons={**state.weapons, **moved})
    unit = state.units.get(UnitId(event.piece))
    return state if unit is None else replace(state, units={**state.units, unit.id: replace(unit, force=event.force)})


def _unit_held_back(state: State, event: UnitHeldBack) -> State:
    unit = replace(state.units[event.unit], place=Whereabouts.DUE_LATER, turn=event.turn)
    return replace(state, units={**state.units, unit.id: unit})


def _chosen(before: Mapping[K, V], key: K, value: V | None) -> dict[K, V]:
    """With the one choice that was made last, or without it."""
    others = {name: one for name, one in before.items() if name != key}
    return others if value is None else {**others, key: value}


def _jump_arranged(state: State, event: JumpArranged) -> State:
    return replace(state, companions=_chosen(state.companions, event.leader, event.unit or None))


def _rendezvous_chosen(state: State, event: RendezvousChosen) -> State:
    return replace(state, rendezvous={**state.rendezvous, event.force: event.hex})


def _stack_dropped(state: State, event: StackDropped) -> State:
    landed = {
        name: replace(state.units[name], hex=event.hex, place=Whereabouts.MAP, pinned=event.strayed, cx=event.strayed)
        for name in event.units
    }
    return replace(state, units={**state.units, **landed})


def _group_brought(state: State, event: GroupBrought) -> State:
    brought = Brought(event.turn, event.hex) if event.turn else None
    return replace(state, brought=_chosen(state.brought, event.force, brought))


def _groups_mustered(state: State, event: GroupsMustered) -> State:
    units = {name: replace(state.units[name], turn=turn) for name, turn in event.units.items()}
    vehicles = {name: replace(state.vehicles[name], turn=turn) for name, turn in event.vehicles.items()}
    return replace(state, units={**state.units, **units}, vehicles={**state.vehicles, **vehicles})


GROUP_FACTS: Mapping[type, Callable[[State, Any], State]] = {
    GroupJoined: _group_joined,
    UnitHeldBack: _unit_held_back,
    JumpArranged: _jump_arranged,
    RendezvousChosen: _rendezvous_chosen,
    StackDropped: _stack_dropped,
    GroupBrought: _group_brought,
    GroupsMustered: _groups_mustered,
}
"""How they change the state."""
