"""What is told over HTTP, as data: the lobby, the parts of a table that do not change, the map drawing.

The counterpart of :mod:`sandtable.session.presenting.wire`, which has what changes in play. Lattice coordinates are
those of :mod:`sandtable.geo`: the centre of a hex is (3q, 2r + q), x counts half hex sizes and y counts
sqrt(3)/2 hex sizes.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from sandtable.core.content.glossary import Term
from sandtable.core.content.table import Axis, Status
from sandtable.core.ruleset import Space, SystemCard
from sandtable.session.people.opponents import BotRow
from sandtable.session.presenting.wire import Clock, Scene, WireEntry, WireOutcome, WireSeat

__all__ = [
    "Credentials",
    "FeatureDrawn",
    "HexDrawn",
    "Invitation",
    "InviteRow",
    "Learn",
    "LegendRow",
    "LessonRow",
    "MapDrawing",
    "Moment",
    "NewTable",
    "OpenFile",
    "PlayOn",
    "Rematch",
    "ScenarioRow",
    "SeatOffer",
    "SideDrawn",
    "SwitchRow",
    "SystemRow",
    "TableDrawn",
    "TableInfo",
    "TableMade",
    "TableRow",
    "TableShown",
    "WireLobby",
    "WireObjective",
    "WirePerson",
    "WireSide",
]


# --- the lobby ------------------------------------------------------------------------------------------


class WirePerson(msgspec.Struct, frozen=True):
    """Who you are."""

    name: str
    guest: bool


class WireSide(msgspec.Struct, frozen=True):
    """A seat of a scenario."""

    id: str
    title: str
    colour: str = ""


class SystemRow(msgspec.Struct, frozen=True):
    """A system that can be played."""

    id: str
    title: str
    rulebook: str
    players: int
    """How many seats its scenarios have."""
    hidden: bool
    """Whether a seat may know what another may not."""
    chance: bool
    """Whether dice are rolled."""
    simultaneous: bool
    """Whether several seats may be asked at once."""
    space: Space
    """What it is played on."""

    @staticmethod
    def of(card: SystemCard) -> SystemRow:
        """What a system's card says, for people."""
        return SystemRow(
            id=card.id,
            title=card.title,
            rulebook=card.rulebook,
            players=card.players,
            hidden=card.hidden,
            chance=card.chance,
            simultaneous=card.simultaneous,
            space=card.space,
        )


class SwitchRow(msgspec.Struct, frozen=True):
    """A condition of a scenario that players may turn for their game."""

    name: str
    title: str
    on: bool
    """How the scenario has it."""


class ScenarioRow(msgspec.Struct, frozen=True):
    """A scenario that can be played."""

    id: str
    system: str
    title: str
    turns: int
    status: str
    """`original` or `published`."""
    summary: str
    sides: tuple[WireSide, ...]
    switches: tuple[SwitchRow, ...] = ()
    level: str = ""
    """Which of a book's games it plays, where there are several: `Advanced Game`."""


class InviteRow(msgspec.Struct, frozen=True):
    """An invitation of yours that nobody has taken yet; the link is `#/join/TOKEN`."""

    table: str
    seat: str
    token: str
    is_public: bool
    """Whether the lobby shows it to everybody."""


class Invitation(msgspec.Struct, frozen=True):
    """GET /api/join/TOKEN: what one is invited to; and an open table of the lobby."""

    token: str
    table: str
    title: str
    system: str
    summary: str
    turns: int
    seat: str
    side: str
    """What the force is called."""
    colour: str
    second: bool
    """Whether it is the second side of the scenario, which is drawn with other corners."""
    clock: Clock | None
    inviter: str
    help: bool
    """Whether bots may help."""


class SeatOffer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/ID/seats/SEAT: something else for a seat that nobody has taken."""

    who: str = ""
    """`invite` makes a new link, `open` shows it in the lobby, `hotseat` takes it yourself, `bot:NAME` lets a bot have
    it; `""` withdraws the invitation."""


class Rematch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/ID/rematch: the same game once more with the same people."""

    swap: bool = False
    """Whether the sides are swapped."""


class TableRow(msgspec.Struct, frozen=True):
    """A table of yours."""

    id: str
    kind: Literal["game", "replay"]
    title: str
    system: str
    scenario: str
    seats: tuple[WireSeat, ...]
    your_move: bool
    over: bool
    result: str
    updated: float
    """Seconds since 1970."""


class LessonRow(msgspec.Struct, frozen=True):
    """A lesson that can be taken."""

    id: str
    system: str
    title: str
    summary: str
    minutes: int
    steps: int


class Learn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/lessons/ID: begin a lesson."""

    step: int = 0
    """Where to begin, counted from 0."""


class WireLobby(msgspec.Struct, frozen=True):
    """GET /api/lobby: what can be played, and your tables."""

    me: WirePerson
    systems: tuple[SystemRow, ...]
    scenarios: tuple[ScenarioRow, ...]
    lessons: tuple[LessonRow, ...]
    bots: tuple[BotRow, ...]
    tables: tuple[TableRow, ...]
    """Yours, those that wait for you first, then the newest."""
    invites: tuple[InviteRow, ...]
    open: tuple[Invitation, ...]
    """Seats at other people's tables that anybody may take."""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables: a new table, and who sits at it."""

    scenario: str
    seats: dict[str, str] = {}
    """For each seat `me`, `invite`, `open` (an invitation that the lobby shows to everybody), `hotseat` (you hold it
    too) or `bot:NAME`; a seat left out is an invitation."""
    clock: Clock | None = None
    options: dict[str, str] = {}
    """`auto`: `on` (default) plays an answer that is the only one; `off` asks. `help`: `on` lets people ask bots for
    hints, and let them take over, in a game against other people too. Switches of the scenario's system
    are `on` or `off`; left out, they stand as the scenario says."""


class TableMade(msgspec.Struct, frozen=True):
    """Answers POST /api/tables, /api/join and /api/open: the table that one comes to."""

    id: str
    invites: dict[str, str] = {}
    """Token by seat."""
    warnings: tuple[str, ...] = ()


class PlayOn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/tables/ID/play-on: a new game from the position after an entry."""

    at: int
    seats: dict[str, str] = {}
    """As for a new table."""
    clock: Clock | None = None
    options: dict[str, str] = {}
    """`auto` and `help`, as for a new table."""


class OpenFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/open: a log or a situation file."""

    name: str
    text: str
    seats: dict[str, str] = {}
    """As for a new table: the game of an unfinished log is played on. Without seats it is only looked at."""


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """POST /api/account/register and /login: the name and the password of an account."""

    name: str
    password: str


# --- a table --------------------------------------------------------------------------------------------


class WireObjective(msgspec.Struct, frozen=True):
    """A place worth points."""

    id: str
    title: str
    hexes: tuple[str, ...]
    points: dict[str, int]


class TableShown(msgspec.Struct, frozen=True):
    """A rulebook's table; `verbatim` lists the cells (by their axis values) that the book itself states."""

    name: str
    title: str
    rule: str
    source: str
    status: Status
    axes: tuple[Axis, ...]
    cells: list[Any]
    note: str
    verbatim: tuple[tuple[int | str, ...], ...]


class TableInfo(msgspec.Struct, frozen=True):
    """GET /api/tables/ID: what does not change in play."""

    id: str
    kind: Literal["game", "replay"]
    title: str
    system: SystemRow
    scenario: str
    turns: int
    status: str
    summary: str
    briefing: str
    sides: tuple[WireSide, ...]
    objectives: tuple[WireObjective, ...]
    victory: tuple[str, ...]
    """How the game is won, a line a condition."""
    seats: tuple[WireSeat, ...]
    invites: dict[str, str]
    """Token by seat, for whoever set the table up."""
    owner: bool
    """Whether you set it up."""
    clock: Clock | None
    options: dict[str, str]
    over: bool
    last: int
    """Number of the newest entry."""
    rules: dict[str, str]
    """Title by rule number."""
    summaries: dict[str, str]
    """What a rule says in one or two sentences, by its number."""
    waits: dict[str, str]
    """What of a rule is not here yet, by its number."""
    glossary: tuple[Term, ...]
    """What abbreviations mean."""
    tables: tuple[TableShown, ...]
    cards: dict[str, Any]
    """Unit cards by id, as the system has them; each says its `status` and which values are verbatim."""
    card_of: dict[str, str]
    """Card id by counter id."""
    has_map: bool
    tools: tuple[str, ...]
    """Which of `sight`, `field`, `threat` the system answers."""
    outlines: dict[str, str] = {}
    """What `Outline` may ask about a counter, by key, with a title."""


class Moment(msgspec.Struct, frozen=True):
    """GET /api/tables/ID/replay/SEQ: the position after an entry."""

    seq: int
    last: int
    entry: WireEntry
    scene: Scene
    outcome: WireOutcome | None


# --- the map --------------------------------------------------------------------------------------------

Point = tuple[float, float]
"""In lattice units, on a table in inches."""


class HexDrawn(msgspec.Struct, frozen=True):
    """A hex of the boards."""

    label: str
    q: int
    r: int
    x: int
    """Centre, in lattice units."""
    y: int
    level: int
    terrain: tuple[str, ...]
    """Kinds that fill it, see the legend; none is the ground of the legend's `""`."""
    routes: tuple[str, ...]
    playable: bool
    board: str


class SideDrawn(msgspec.Struct, frozen=True):
    """A hexside with something on it: of hex (q, r), direction 0 N to 5 NW clockwise."""

    q: int
    r: int
    dir: int
    kinds: tuple[str, ...]


class FeatureDrawn(msgspec.Struct, frozen=True):
    """Something drawn; exactly one of outline, line, sides, at, or else hexes is its geometry.

    On a table a line that has a width has an outline too, which is what is drawn.
    """

    kind: str
    hexes: tuple[tuple[int, int], ...]
    """(q, r) of the hexes that it fills or runs through."""
    sides: tuple[tuple[int, int, int], ...]
    outline: tuple[Point, ...]
    line: tuple[Point, ...]
    at: Point | None
    text: str
    level: int | None
    attributes: dict[str, str | int | bool]
    board: str


class LegendRow(msgspec.Struct, frozen=True):
    """A kind of terrain."""

    title: str
    paint: str
    """How to draw it: `open`, `sand`, `scrub`, `rough`, `marsh`, `field`, `woods`, `orchard`, `building`, `road`,
    `path`, `track`, `rail`, `water`, `stream`, `gully`, `bridge`, `hedge`, `wall`, `ridge`, `cliff`, `slope`,
    `level`, `label`, `objective`, `other`."""
    facts: dict[str, str]
    """Name and text of what the rules make of it: height, cover, costs."""
    status: dict[str, str]
    """Status of a fact that is not `reconstructed`."""


class TableDrawn(msgspec.Struct, frozen=True):
    """A table without hexes: its size in inches."""

    title: str
    width: float
    depth: float


class MapDrawing(msgspec.Struct, frozen=True):
    """GET /api/tables/ID/map: the map as it is drawn, which does not change in play."""

    digest: str
    hexes: tuple[HexDrawn, ...]
    sides: tuple[SideDrawn, ...]
    features: tuple[FeatureDrawn, ...]
    """Later ones lie on top."""
    legend: dict[str, LegendRow]
    names: dict[str, tuple[str, ...]]
    """Labels of the hexes of every named place."""
    exits: dict[str, dict[str, tuple[str, ...]]]
    """For border hexes, by label: edges (north, east, south, west) crossed in each direction."""
    table: TableDrawn | None = None
    """Where there are no hexes: then every place is a point in inches, as `12.5,30`, x to the right and y down."""
