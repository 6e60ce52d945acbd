"""17.2 Engineers take Leg units over streams and rivers: who can, whom, and where.

A step of engineers takes one Leg unit over in a phase; those who move as one are one unit (6.2.0). A unit is taken over
once in a move (ruling B-29).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.handler import Fact, Play
from sandtable.systems.goss.common.state import State, Use, with_units
from sandtable.systems.goss.ground.kinds import Water
from sandtable.systems.goss.movement.party import Party, hex_of
from sandtable.systems.goss.movement.ways import Ferry
from sandtable.systems.goss.pieces.card import Kind, MovementClass
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId
from sandtable.systems.goss.stacking.limits import grouped, limits
from sandtable.systems.goss.stacking.stacker import stacker

__all__ = ["FERRIED", "FERRY_FOLDS", "FerryKept", "can_ferry", "ferries", "ferry_over"]

FERRIED = "ferried"
"""Use: a step of engineers that has taken a unit over in this phase (17.2.1)."""
_MODES = (Mode.TAC, Mode.PREPARED_ASSAULT)


class FerryKept(Fact, frozen=True):
    """Engineers took units over a major river: they do not move in this player turn (17.2.2)."""

    side: Seat
    units: tuple[UnitId, ...]

    def known_to(self, seat: Seat | None) -> Fact | None:
        """The owner knows who they are."""
        return self if seat == self.side else None


def _kept(state: State, event: FerryKept) -> State:
    return with_units(state, *(replace(state.units[one], has_moved=True) for one in event.units))


FERRY_FOLDS: Mapping[type, Callable[[Any, Any], Any]] = {FerryKept: _kept}


@rule("17.2.0", "14.2.0", "5.1.3")
def can_ferry(context: Context, unit: Unit) -> bool:
    """Whether a unit is engineers who can work a ferry: fresh, supplied, in Tac or PA mode (17.2.0)."""
    if context.card(unit).kind is not Kind.ENGINEERS or unit.hex is None:
        return False
    return not unit.fatigue and unit.supply is not Supply.OUT and unit.mode in _MODES


@rule("17.2.1", "17.2.2")
def ferries(context: Context, state: State, party: Party) -> Iterator[Ferry]:
    """Where engineers may take a party over the water in its move: from which hex into which."""
    if any(context.card(unit).movement is not MovementClass.LEG for unit in party):
        return
    ferrymen = _ferrymen(context, state, party)
    start, most = hex_of(party), max(context.card(unit).ma for unit in party)
    found: dict[Ferry, None] = {}
    for bank in sorted({unit.hex for unit in ferrymen if unit.hex is not None}):
        if distance(start, bank) <= most:
            found |= {way: None for other in NEIGHBOURS[bank] for way in ((bank, other), (other, bank))}
    for way in found:
        if _crew(context, state, party, way, ferrymen):
            yield way


def _units(context: Context, party: Party) -> int:
    """How many units a party is (6.2.0)."""
    if len(party) == 1:
        return 1
    return len(grouped([stacker(unit, context.card(unit)) for unit in party], limits(is_constricted=False)))


def _ferrymen(context: Context, state: State, party: Party) -> list[Unit]:
    """Engineers of the party's side and mode who have not moved in this phase, those of the party last."""
    side, mode = party[0].side, party[0].mode
    ready = [unit for unit in state.units.values() if unit.side == side and unit.mode is mode and not unit.has_moved]
    return sorted((unit for unit in ready if can_ferry(context, unit)), key=lambda unit: unit in party)


@rule("17.2.1", "17.2.2", "17.2.3")
def _crew(context: Context, state: State, party: Party, way: Ferry, ferrymen: Sequence[Unit]) -> list[UnitId]:
    """The steps of engineers who take a party over, a name for each; none if they are too few.

    They start their phase on a bank; at a major river in the hex of those whom they take (17.2.2). Who has ferried
    others does not take himself over, and over a major river he stays behind (17.2.1, 17.2.2).
    """
    over = crossing(context, state, *way)
    if over.water in (None, Water.GREAT_RIVER) or over.has_bridge:
        return []
    needed, start = _units(context, party), hex_of(party)
    crew: list[UnitId] = []
    for unit in ferrymen:
        taken = sum(use.what == FERRIED and use.by == unit.id for use in state.used)
        stays = over.is_major and (party != (unit,) or unit.mode is Mode.PREPARED_ASSAULT)
        if unit in party and (taken or needed > 1 or stays):
            continue
        if unit.hex == way[0] == start or (unit.hex in way and not over.is_major):
            crew += [unit.id] * (unit.steps - taken)
    return crew[:needed] if len(crew) >= needed else []


def ferry_over(play: Play, context: Context, party: Party, way: Ferry) -> None:
    """Engineers take a party over: so many of their steps are used, and at a major river they stay (17.2.2)."""
    crew = _crew(context, play.state, party, way, _ferrymen(context, play.state, party))
    for one in crew:
        play.emit(Used(Use(FERRIED, by=one), owner=party[0].side))
    if crossing(context, play.state, *way).is_major:
        play.emit(FerryKept(party[0].side, tuple(dict.fromkeys(crew))))
