"""The position part of a GOSS situation file: map, formations with their set-up, markers, and the segment it opens.

The map is drawn as text (``drawing``), named (``board``) or placed as in a scenario (``placements``). Sides are
written as in a scenario; a formation may come without its HQ, and everything else has a default. A situation may bring
counters of its own: a type of the packs, with what is other on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.ruleset import Position, Resolution
from sandtable.core.situation import SituationStep
from sandtable.geo.boards import situation_map
from sandtable.systems.goss.ground.weather import GroundCondition, Sky
from sandtable.systems.goss.pieces.unit import Mode, Supply, UnitId
from sandtable.systems.goss.rules import GossRules
from sandtable.systems.goss.scenario.draft import CalendarDraft, FortDraft, ScenarioRules, SideDraft, WorkDraft
from sandtable.systems.goss.turn.segments import JOINT, PLAYER, Moment, Part, Step

if TYPE_CHECKING:
    from sandtable.systems.goss.system import GossSystem

__all__ = ["MarkersDraft", "SituationDraft", "read_situation"]


class MarkersDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Markers that lie on a unit."""

    mode: Mode = Mode.TAC
    designated: bool = False
    fatigue: int = 0
    shifts: int = 0
    supply: Supply = Supply.GENERAL
    isolated: bool = False
    out_of_command: bool = False
    depleted: bool = False
    reserve: bool = False


class ZoneDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A zone with weather of its own."""

    hexes: tuple[str, ...]
    sky: Sky = Sky.CLEAR
    ground: GroundCondition = GroundCondition.DRY
    rain: bool = False


class SituationDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A situation file of this system."""

    system: str
    map: dict[str, Any]
    sides: tuple[SideDraft, ...]
    title: str = ""
    rules: tuple[str, ...] = ()
    ruling: str = ""
    note: str = ""
    date: str = ""
    """E.g. ``1944-09-10``."""
    part: Part = Part.AM
    sky: Sky = Sky.CLEAR
    ground: GroundCondition = GroundCondition.DRY
    rain: bool = False
    zones: dict[str, ZoneDraft] = {}
    """Weather zones (19.4.0)."""
    player: str = ""
    """The active side; left out, the Allies in a segment of a player turn."""
    segment: Step = Step.MODES
    """The segment that it begins with."""
    scenario: ScenarioRules = ScenarioRules()
    """What a scenario would rule otherwise than the book (1.1.0)."""
    counters: dict[str, dict[str, Any]] = {}
    """Units that no pack has, by formation and name: ``type``, ``regiment``, and what is other than on that type."""
    markers: dict[str, MarkersDraft] = {}
    """By unit: formation and name, e.g. ``61-inf/1-481``."""
    works: tuple[WorkDraft, ...] = ()
    forts: tuple[FortDraft, ...] = ()
    bridges_down: tuple[str, ...] = ()
    steps: tuple[SituationStep, ...] = ()


def read_situation(system: GossSystem, raw: Mapping[str, Any], library: Library, where: str) -> Position:
    """Set up a situation; raise :class:`BadInput` with all faults."""
    draft = convert(dict(raw), SituationDraft, where)
    game_map = situation_map(draft.map, library, where)
    scenario = {
        "id": "situation",
        "system": draft.system,
        "title": draft.title or "situation",
        "turns": 6,
        "status": "situation",
        "map": draft.map,
        "calendar": CalendarDraft(first=draft.part, date=draft.date),
        "rules": draft.scenario,
        "weather": [
            {"turn": 0, "sky": one.sky, "ground": one.ground, "rain": one.rain, "zone": zone}
            for zone, one in {"": ZoneDraft((), draft.sky, draft.ground, draft.rain), **draft.zones}.items()
        ],
        "zones": {zone: one.hexes for zone, one in draft.zones.items()},
        "sides": raw["sides"],
        "works": raw.get("works", ()),
        "forts": raw.get("forts", ()),
        "bridges_down": raw.get("bridges_down", ()),
        "victory": {"levels": (), "otherwise": "axis"},
    }
    context = system.context(msgspec.to_builtins(scenario), game_map, library, where, counters=draft.counters)
    rules = GossRules(system.card, context)
    state = rules.setup()
    faults = Faults(where)
    units = dict(state.units)
    for name, marks in draft.markers.items():
        unit = units.get(UnitId(name))
        if unit is None:
            faults.add(f"markers.{name}", "no such unit", "one that is set up")
            continue
        units[unit.id] = replace(
            unit,
            mode=marks.mode if marks.mode is not Mode.TAC else unit.mode,
            is_designated=marks.designated,
            fatigue=marks.fatigue,
            shifts=marks.shifts,
            supply=marks.supply,
            is_isolated=marks.isolated,
            is_out_of_command=marks.out_of_command,
            is_depleted=marks.depleted,
            in_reserve=marks.reserve,
        )
    faults.check()
    state = replace(state, units=units, rests=dict.fromkeys(rules.seats, Part.NIGHT))
    play: Resolution[Any, Any] = Resolution(state, rules.fold, ScriptedDice([]))
    rules.open_segment(play, _moment(draft, rules.seats[0], where))
    rules.advance(play)
    return Position(rules, play.state)


def _moment(draft: SituationDraft, first: Seat, where: str) -> Moment:
    """The moment of the segment that is opened."""
    joint = [segment.step for segment in JOINT]
    if draft.segment in joint:
        return Moment(0, "", joint.index(draft.segment))
    if draft.player and draft.player not in ("allied", "axis"):
        raise BadInput([Fault(f"{where}: player", repr(draft.player), "allied or axis")])
    return Moment(0, draft.player or first, [segment.step for segment in PLAYER].index(draft.segment))
