"""A scenario as its file has it (1.1.0, 2.2.0, 3.1.1): sides, formations, set-up, weather, works, victory."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

import msgspec

from sandtable.core.content.provision import Provision
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.ground.weather import GroundCondition, Sky
from sandtable.systems.goss.pieces.unit import Mode
from sandtable.systems.goss.turn.segments import Part, Step

__all__ = [
    "ArrivalDraft",
    "CalendarDraft",
    "FormationDraft",
    "FortDraft",
    "LevelDraft",
    "PointsDraft",
    "ScenarioDraft",
    "ScenarioRules",
    "SideDraft",
    "StackDraft",
    "SurpriseDraft",
    "VictoryDraft",
    "WeatherDraft",
    "WithdrawalDraft",
    "WorkDraft",
]


class CalendarDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When it begins."""

    first: Part = Part.AM
    date: str = ""
    """Of the first day, e.g. ``1944-09-10``: some rules hold from a date on."""
    dates: tuple[str, ...] = ()
    """Of all its days as the track has them, e.g. ``10 Sep`` (3.1.1)."""


class RestLevel(StrEnum):
    """3.5.2 What designates one rest game turn for all that is below it."""

    ALL = "all"
    ARMY = "army"
    CORPS = "corps"
    FORMATION = "formation"


class ScenarioRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Short forms that a scenario may name (1.1.0); each says what it replaces.

    Of supply and logistics there are no others: a scenario that names one would have it played as these.
    """

    supply: Literal["edge"] = "edge"
    """``edge``: any free path to a source on the edge of the map is general supply (15.0)."""
    first_turn_without: tuple[Step, ...] = ()
    """Segments that the first game turn does not have (3.1.0)."""
    logistics: Literal["fixed"] = "fixed"
    """``fixed``: ADV, ammunition and fuel are as the scenario gives them (16.0)."""
    air_observation: tuple[str, ...] = ("allied",)
    """The sides that observe from the air (8.3.0)."""
    rests: RestLevel = RestLevel.ALL
    """Which level designates its own rest game turn where a side has a choice (3.5.2)."""
    bottlenecks: bool = False
    """Whether no more than thirteen Mech units cross a bridge by road in a phase (7.10.2a)."""


class WeatherDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The weather of a game turn and of those after it, up to the next entry (19.1.0)."""

    turn: int
    sky: Sky = Sky.CLEAR
    ground: GroundCondition = GroundCondition.DRY
    rain: bool = False
    zone: str = ""
    """The weather zone; ``""``: of all hexes that are in none (19.4.0)."""


class SurpriseDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game turn in which a side is surprised: its artillery fires no missions (11.4.1e)."""

    turn: int
    side: str


class StackDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Units that are set up in a hex, or somewhere in several."""

    hex: str
    units: tuple[str, ...]
    mode: Mode = Mode.TAC
    in_works: bool = False
    in_battery: bool = False


class FormationDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A formation with its set-up."""

    id: str
    corps: str = ""
    """The formation that it is subordinate to; ``""`` of a corps."""
    fuel: str = "normal"
    """Its fuel state: ``normal``, ``low`` or ``none`` (16.4.3)."""
    fuel_value: int | None = None
    """In low fuel or none: what it comes to (16.4.5a)."""
    fuel_for: str = "all"
    """``all``: every Mech unit moves by the fuel value; ``units``: so many of them move in full (16.4.5b)."""
    zone: tuple[str, ...] = ()
    """Where it may be set up: hexes, or corners of blocks of them, e.g. ``0101..0814``; none: anywhere."""
    set_up: tuple[StackDraft, ...] = ()
    losses: dict[str, int] = {}
    """Steps that units have lost before the game."""
    assets: tuple[str, ...] = ()
    """Support units that come with its reinforcements, an equal part with each of them; its HQ may be one (21.1.0)."""


class ArrivalDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Units that enter (21.0)."""

    turn: int
    formation: str
    units: tuple[str, ...]
    entry: tuple[str, ...]
    """Hexes on the edge of the map (21.2.0)."""


class WithdrawalDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Units that leave the game (21.4.0)."""

    turn: int
    formation: str
    units: tuple[str, ...] = ()
    """None: all of the formation."""


class SideDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One side."""

    id: str
    title: str = ""
    colour: str = ""
    sources: tuple[str, ...]
    """Hexes on the edge where supply comes from."""
    adv: int = 4
    """Ammunition Depletion Value of its corps (16.3)."""
    amp: int = 0
    """Ammunition points in stock (16.3.6)."""
    rest: Part | None = None
    """Its rest game turn, where it has no choice (3.5.1)."""
    formations: tuple[FormationDraft, ...]
    reinforcements: tuple[ArrivalDraft, ...] = ()
    withdrawals: tuple[WithdrawalDraft, ...] = ()


class WorkDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Defensive works that stand at the start."""

    hex: str
    kind: Work
    side: str


class FortDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A Fort with its garrison, an asset of a corps or army (17.6.0)."""

    hex: str
    name: str
    formation: str
    steps: int = 1
    defence: int = 0
    """The strength of its garrison, to its last step."""
    rating: int
    """Its defensive PR."""
    arm: int = 0
    at: int = 0
    barrage: int = 0
    range: int = 0
    heavy: bool = False
    """Whether its guns are heavy artillery (11.4.1f)."""
    arc: tuple[str, ...] = ()
    """The directions in which its guns fire, e.g. ``NE``; none: all around."""


class PointsDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Points for holding a hex at the end."""

    hex: str
    points: int
    title: str = ""


class LevelDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A level of victory: whoever reaches so many points."""

    points: int
    title: str
    winner: str


class VictoryDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How it is won: points of the first side, and levels from the highest down."""

    points: tuple[PointsDraft, ...] = ()
    steps_a_point: int = 0
    """Enemy steps that are worth a point, own ones that cost one; 0: steps do not count."""
    levels: tuple[LevelDraft, ...]
    otherwise: str
    """The winner if no level is reached."""


class ScenarioDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole scenario."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    source: str = ""
    summary: str = ""
    briefing: str = ""
    balance: tuple[Provision, ...] = ()
    map: dict[str, Any]
    calendar: CalendarDraft = CalendarDraft()
    rules: ScenarioRules = ScenarioRules()
    weather: tuple[WeatherDraft, ...] = (WeatherDraft(turn=0),)
    zones: dict[str, tuple[str, ...]] = {}
    """Hexes of each zone with weather of its own (19.4.0)."""
    surprise: tuple[SurpriseDraft, ...] = ()
    sides: tuple[SideDraft, ...]
    works: tuple[WorkDraft, ...] = ()
    forts: tuple[FortDraft, ...] = ()
    bridges_down: tuple[str, ...] = ()
    """Hexsides whose bridges are gone, e.g. ``0903:NE``."""
    victory: VictoryDraft
