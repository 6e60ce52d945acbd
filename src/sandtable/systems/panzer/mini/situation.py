"""The position part of a situation file on a table: the table, vehicles with their markers, and the open question.

The table is named (``map: {table: NAME}``) or written in the file as a board is (``map: {drawn: {table: ..., features:
...}}``). Places are in inches (``at: 12.5,30``), headings in degrees.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import Faults
from sandtable.core.ruleset import Position, Resolution
from sandtable.core.situation import SituationStep
from sandtable.geo.boards import scenario_table
from sandtable.geo.plane.table import TableMap, read_table
from sandtable.systems.panzer.frames import DirectFire, Frame, Movement, Overwatch, PlacingCommands
from sandtable.systems.panzer.mini.adjustment.frames import AdjustingTurrets, EndingTurn, PivotStep
from sandtable.systems.panzer.mini.adjustment.pivots import may_pivot
from sandtable.systems.panzer.mini.layers import FOOTINGS
from sandtable.systems.panzer.mini.objectives import initial_objectives
from sandtable.systems.panzer.mini.rules import MiniRules
from sandtable.systems.panzer.mini.scenario.draft import (
    Conditions,
    ObjectiveDraft,
    PatchDraft,
    SetUp,
    SideDraft,
    Victory,
    ZoneDraft,
)
from sandtable.systems.panzer.mini.setup.handlers import Deploying
from sandtable.systems.panzer.mini.state import State
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import UnitId

if TYPE_CHECKING:
    from sandtable.systems.panzer.mini.system import MiniSystem

__all__ = ["Open", "SituationDraft", "read_situation"]


class Open(StrEnum):
    """The question that a situation begins with."""

    SET_UP = "set-up"
    ORDERS = "orders"
    DIRECT_FIRE = "direct fire"
    OVERWATCH = "overwatch"
    """At those that have fired, the First Player first."""
    MOVEMENT = "movement"
    TURRETS = "turrets"
    PIVOTS = "pivots"
    END_OF_TURN = "end of turn"
    """Orders come off, and the turn ends."""


class SituationDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A situation file of this system."""

    system: str
    map: dict[str, Any]
    sides: tuple[SideDraft, ...]
    title: str = ""
    rules: tuple[str, ...] = ()
    ruling: str = ""
    note: str = ""
    turn: int = 1
    turns: int = 15
    open: Open = Open.ORDERS
    first: str = ""
    """First Player; left out, the first force."""
    player: str = ""
    """Whose step it is; left out, the First Player's, of movement the Second Player's."""
    spotted: dict[str, tuple[str, ...]] = {}
    """Who spots whom as of the Spotting Phase."""
    zones: dict[str, ZoneDraft] = {}
    set_up: SetUp = SetUp()
    objectives: tuple[ObjectiveDraft, ...] = ()
    standing: dict[str, Objective] = {}
    """How objectives stand; left out, as at the start of a scenario."""
    victory: Victory = Victory()
    conditions: Conditions = Conditions()
    patches: tuple[PatchDraft, ...] = ()
    steps: tuple[SituationStep, ...] = ()


_PHASES = {
    Open.SET_UP: Phase.ADJUSTMENT,
    Open.ORDERS: Phase.COMMAND,
    Open.DIRECT_FIRE: Phase.COMBAT,
    Open.OVERWATCH: Phase.COMBAT,
    Open.MOVEMENT: Phase.MOVEMENT,
    Open.TURRETS: Phase.ADJUSTMENT,
    Open.PIVOTS: Phase.ADJUSTMENT,
    Open.END_OF_TURN: Phase.ADJUSTMENT,
}
_OF_A_SCENARIO = ("zones", "set_up", "objectives", "victory", "conditions", "patches")
"""Fields that a situation has in common with a scenario."""


def read_situation(system: MiniSystem, raw: Mapping[str, Any], library: Library, where: str) -> Position:
    """Set up a situation; raise :class:`BadInput` with all faults."""
    draft = convert(dict(raw), SituationDraft, where)
    table = _table(draft.map, library, where)
    scenario = {
        "id": "situation",
        "system": draft.system,
        "title": draft.title or "situation",
        "turns": draft.turns,
        "status": "situation",
        "map": {"table": table.id},
        "sides": raw["sides"],
        **{key: raw[key] for key in _OF_A_SCENARIO if key in raw},
    }
    context = system.context(scenario, table, library, where, situation=draft.open is not Open.SET_UP)
    ruleset = MiniRules(system.card, context)
    _check_names(draft, ruleset, where)
    first = Seat(draft.first or ruleset.seats[0])
    turn = 0 if draft.open is Open.SET_UP else draft.turn
    state = replace(ruleset.setup(), turn=turn, phase=_PHASES[draft.open], first=first)
    spotted = {UnitId(one): tuple(UnitId(other) for other in seen) for one, seen in draft.spotted.items()}
    objectives = {**initial_objectives(state, context.scenario, context.cards), **draft.standing}
    state = replace(state, spotted=spotted, objectives=objectives, zones=dict(context.scenario.draft.set_up.zones))
    return Position(ruleset, _advanced(ruleset, replace(state, stack=_frames(draft, ruleset, state, first))))


def _table(draft: Mapping[str, Any], library: Library, where: str) -> TableMap:
    """A table of the pack, or one that is written in the file."""
    if set(draft) == {"drawn"} and isinstance(draft["drawn"], Mapping):
        return read_table({"id": "situation", **draft["drawn"]}, f"{where}: map.drawn", FOOTINGS)
    return scenario_table(draft, library, where, FOOTINGS)


def _advanced(ruleset: MiniRules, state: State) -> State:
    """The state at the first question that somebody has to answer."""
    play = Resolution(state, ruleset.fold, ScriptedDice(()))
    ruleset.advance(play)
    return play.state


def _frames(draft: SituationDraft, ruleset: MiniRules, state: State, first: Seat) -> tuple[Frame, ...]:
    """The open question, upon what comes after it in its phase."""
    player = Seat(draft.player or first)
    order = (player, ruleset.context.other(player))
    match draft.open:
        case Open.SET_UP:
            return (Deploying(player, order[1:]),)
        case Open.ORDERS:
            return (PlacingCommands(ruleset.seats),)
        case Open.DIRECT_FIRE:
            return (DirectFire(player, first=player == first),)
        case Open.OVERWATCH:
            return (Overwatch(player, tuple(unit.id for unit in state.units.values() if unit.fired and unit.in_play)),)
        case Open.MOVEMENT:
            mover = Seat(draft.player or ruleset.context.other(first))
            return (Movement(mover, first=mover == first),)
        case Open.TURRETS:
            return EndingTurn(), AdjustingTurrets(order)
        case Open.PIVOTS:
            return EndingTurn(), AdjustingTurrets(order), PivotStep(order, may_pivot(state, player))
        case Open.END_OF_TURN:
            return (EndingTurn(),)


def _check_names(draft: SituationDraft, ruleset: MiniRules, where: str) -> None:
    faults = Faults(where)
    for field, seat in (("first", draft.first), ("player", draft.player)):
        if seat and seat not in ruleset.seats:
            faults.add(field, f"no force {seat!r}", f"one of {', '.join(ruleset.seats)}")
    units = ruleset.context.scenario.units
    for spotter, seen in draft.spotted.items():
        for unit in (spotter, *seen):
            if unit not in units:
                faults.add(f"spotted.{spotter}", f"no vehicle {unit!r}", f"one of {', '.join(units)}")
    for name in draft.standing:
        if name not in ruleset.context.scenario.objectives:
            faults.add(f"standing.{name}", f"no objective {name!r}")
    faults.check()
