"""The position part of a Panzer situation file: map, vehicles with their counters, and the question that is open.

The map is drawn as text (``drawing``), named (``board``) or placed as in a scenario (``placements``); everything
else has a default, so that an example of the rulebook takes a few lines.
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
from sandtable.geo.boards import situation_map
from sandtable.systems.panzer.air.air_frames import AirPhase
from sandtable.systems.panzer.edition import Level, Module
from sandtable.systems.panzer.frames import CloseCombat, Frame, IndirectFire, Movement, Overwatch
from sandtable.systems.panzer.hex.combat.engaging import direct_fire_step
from sandtable.systems.panzer.hex.features import FeatureDraft
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.scenario.draft import Conditions, ObjectiveDraft, SideDraft, Victory
from sandtable.systems.panzer.hex.sequence import placing
from sandtable.systems.panzer.hex.spotting.spotting import determine_spotting
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import UnitId, WreckKind

if TYPE_CHECKING:
    from sandtable.systems.panzer.hex.system import PanzerSystem

__all__ = ["Open", "SituationDraft", "read_situation"]


class Open(StrEnum):
    """The question that a situation begins with."""

    COMMANDS = "commands"
    INDIRECT_FIRE = "indirect fire"
    DIRECT_FIRE = "direct fire"
    OVERWATCH = "overwatch"
    CLOSE_COMBAT = "close combat"
    MOVEMENT = "movement"
    AIR = "air"
    """The 1st Air Phase (6.4)."""
    SPOTTING = "spotting"
    """A new turn: the Spotting Phase is run, then commands are asked for."""


class SituationDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A situation file of this system."""

    system: str
    map: dict[str, Any]
    sides: tuple[SideDraft, ...]
    level: Level = Level.BASIC
    without: tuple[Module, ...] = ()
    title: str = ""
    rules: tuple[str, ...] = ()
    ruling: str = ""
    note: str = ""
    turn: int = 1
    turns: int = 20
    open: Open = Open.COMMANDS
    first: str = ""
    """First Player; left out, the first force."""
    player: str = ""
    """Whose step it is; left out, the First Player's (of fire) or the Second Player's (of movement)."""
    triggers: tuple[str, ...] = ()
    """For overwatch: the vehicles that fired or move."""
    spotted: dict[str, tuple[str, ...]] | None = None
    """Who spots whom as of the Spotting Phase; left out, it is worked out."""
    objectives: tuple[ObjectiveDraft, ...] = ()
    standing: dict[str, Objective] = {}
    """How objectives stand; left out, as at the start of a scenario."""
    victory: Victory = Victory()
    conditions: Conditions = Conditions()
    wrecks: dict[str, WreckKind] = {}
    features: tuple[FeatureDraft, ...] = ()
    date: str = ""
    steps: tuple[SituationStep, ...] = ()


_PHASES = {
    Open.COMMANDS: Phase.COMMAND,
    Open.INDIRECT_FIRE: Phase.COMBAT,
    Open.DIRECT_FIRE: Phase.COMBAT,
    Open.OVERWATCH: Phase.COMBAT,
    Open.CLOSE_COMBAT: Phase.MOVEMENT,
    Open.MOVEMENT: Phase.MOVEMENT,
    Open.AIR: Phase.FIRST_AIR,
    Open.SPOTTING: Phase.ADJUSTMENT,
}


_OF_A_SCENARIO = ("level", "without", "objectives", "victory", "conditions", "wrecks", "features", "date")
"""Fields that a situation has in common with a scenario."""


def read_situation(system: PanzerSystem, raw: Mapping[str, Any], library: Library, where: str) -> Position:
    """Set up a situation; raise :class:`BadInput` with all faults."""
    draft = convert(dict(raw), SituationDraft, where)
    game_map = situation_map(draft.map, library, where)
    scenario = {
        "id": "situation",
        "system": draft.system,
        "title": draft.title or "situation",
        "turns": draft.turns,
        "status": "situation",
        "map": draft.map,
        "sides": raw["sides"],
        **{key: raw[key] for key in _OF_A_SCENARIO if key in raw},
    }
    context = system.context(scenario, game_map, library, where, situation=True)
    ruleset = PanzerRules(system.card, context)
    faults = Faults(where)
    _check_names(draft, ruleset, faults)
    faults.check()
    state = replace(ruleset.setup(), turn=draft.turn, phase=_PHASES[draft.open])
    state = replace(state, objectives={**state.objectives, **draft.standing})
    if draft.open is Open.SPOTTING:
        state = _advanced(ruleset, state)
    else:
        spotted = (
            determine_spotting(context, state)
            if draft.spotted is None
            else {UnitId(a): tuple(UnitId(b) for b in seen) for a, seen in draft.spotted.items()}
        )
        first = Seat(draft.first or ruleset.seats[0])
        state = replace(state, spotted=spotted, first="" if draft.open is Open.COMMANDS else first)
        state = _advanced(ruleset, replace(state, stack=_frames(draft, ruleset, first)))
    return Position(ruleset, state)


def _advanced(ruleset: PanzerRules, state: State) -> State:
    """The state at the first question that somebody has to answer."""
    play = Resolution(state, ruleset.fold, ScriptedDice(()))
    ruleset.advance(play)
    return play.state


def _frames(draft: SituationDraft, ruleset: PanzerRules, first: Seat) -> tuple[Frame, ...]:
    """The open question, upon what comes after it in its phase."""
    frame = _frame(draft, ruleset, first)
    if draft.open is Open.INDIRECT_FIRE:
        return direct_fire_step(ruleset.context, first, first=True), frame
    return (frame,)


def _frame(draft: SituationDraft, ruleset: PanzerRules, first: Seat) -> Frame:
    second = ruleset.context.other(first)
    match draft.open:
        case Open.INDIRECT_FIRE:
            player = Seat(draft.player or first)
            return IndirectFire(player, first=player == first)
        case Open.DIRECT_FIRE:
            player = Seat(draft.player or first)
            return direct_fire_step(ruleset.context, player, first=player == first)
        case Open.CLOSE_COMBAT:
            player = Seat(draft.player or first)
            return CloseCombat(player, first=player == first)
        case Open.MOVEMENT:
            player = Seat(draft.player or second)
            return Movement(player, first=player == first)
        case Open.AIR:
            side = next((one.side for one in ruleset.context.scenario.aircraft.values()), first)
            return AirPhase(side)
        case Open.OVERWATCH:
            return Overwatch(Seat(draft.player or first), tuple(UnitId(unit) for unit in draft.triggers))
        case Open.COMMANDS | Open.SPOTTING:
            return placing(ruleset.context)


def _check_names(draft: SituationDraft, ruleset: PanzerRules, faults: Faults) -> None:
    for field, seat in (("first", draft.first), ("player", draft.player)):
        if seat and seat not in ruleset.seats:
            faults.add(field, f"no force {seat!r}", f"one of {', '.join(ruleset.seats)}")
    units = ruleset.context.scenario.units
    named = [(f"triggers[{i}]", unit) for i, unit in enumerate(draft.triggers)]
    for spotter, seen in (draft.spotted or {}).items():
        named += [(f"spotted.{spotter}", unit) for unit in (spotter, *seen)]
    for field, unit in named:
        if unit not in units:
            faults.add(field, f"no vehicle {unit!r}", f"one of {', '.join(units)}")
    for name in draft.standing:
        if name not in ruleset.context.scenario.objectives:
            faults.add(f"standing.{name}", f"no objective {name!r}")
