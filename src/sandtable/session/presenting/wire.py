"""What the session tells people, as data: the nouns of the protocol.

Everything here is made for one viewpoint, a seat or a watcher, from the concealed state and from redacted
events. A client draws it without knowing a rule; `docs/protocol.md` explains every field, and the client's
TypeScript types are generated from these structs.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from sandtable.core.errors import Refusal
from sandtable.core.modifier import Modifier
from sandtable.core.sheet import JointOdds, SheetSide
from sandtable.core.showing import ShownKind
from sandtable.core.stakes import Stakes
from sandtable.core.view import (
    Area,
    Box,
    Condition,
    Counter,
    FormationShown,
    HexMarker,
    Patch,
    Prompt,
    Score,
    SideMarker,
    Track,
)

__all__ = [
    "ChatLine",
    "Clock",
    "CountersChange",
    "FormationsChange",
    "Preview",
    "Scene",
    "SceneChange",
    "Sentence",
    "SightReport",
    "Threat",
    "WhatIf",
    "Why",
    "WireAim",
    "WireBeat",
    "WireBreakdown",
    "WireChance",
    "WireClock",
    "WireEntry",
    "WireHindrance",
    "WireLesson",
    "WireOutcome",
    "WireProfile",
    "WireRoll",
    "WireSeat",
    "WireSheet",
    "WireStep",
    "WireUndo",
    "WireUnitOdds",
]


# --- the position ---------------------------------------------------------------------------------------


class Scene(msgspec.Struct, frozen=True):
    """A view without the state that it was built from: all that a client draws."""

    seat: str
    """The viewpoint, `""` for a watcher."""
    tracks: tuple[Track, ...]
    counters: tuple[Counter, ...]
    hex_markers: tuple[HexMarker, ...]
    boxes: tuple[Box, ...]
    scores: tuple[Score, ...]
    prompt: Prompt | None
    outcome: str
    stakes: Stakes
    """What counts, who holds it, how each side stands, and when the game ends."""
    open_seats: tuple[str, ...] = ()
    """Seats that are asked something whose answer, and all that they know, this viewpoint may see: where one person
    holds both, the screen need not change hands."""
    side_markers: tuple[SideMarker, ...] = ()
    conditions: tuple[Condition, ...] = ()
    """Light, sky and ground, where the game has such."""
    formations: tuple[FormationShown, ...] = ()
    """The chain of command, each after the one above it; of what is hidden nothing."""
    patches: tuple[Patch, ...] = ()
    """What lies on a table for a while, later ones on top."""


class CountersChange(msgspec.Struct, frozen=True):
    """Which counters are not as they were."""

    gone: tuple[str, ...]
    """Ids of those that there are no more."""
    put: tuple[Counter, ...]
    """Those that changed, to be put in the place of what they were, and new ones, which follow all others."""
    order: tuple[str, ...] | None = None
    """All ids in their order, where it is not the one that `put` leaves."""


class FormationsChange(msgspec.Struct, frozen=True):
    """Which formations are not as they were."""

    gone: tuple[str, ...]
    put: tuple[FormationShown, ...]
    order: tuple[str, ...] | None = None
    """Told like counters."""


class SceneChange(msgspec.Struct, frozen=True):
    """What of a scene is not as it was before; what is null is. `prompt` and `outcome` are always told."""

    counters: CountersChange | None
    tracks: tuple[Track, ...] | None
    hex_markers: tuple[HexMarker, ...] | None
    boxes: tuple[Box, ...] | None
    scores: tuple[Score, ...] | None
    stakes: Stakes | None
    open_seats: tuple[str, ...] | None
    side_markers: tuple[SideMarker, ...] | None
    conditions: tuple[Condition, ...] | None
    formations: FormationsChange | None
    patches: tuple[Patch, ...] | None
    prompt: Prompt | None
    outcome: str


class WireOutcome(msgspec.Struct, frozen=True):
    """How the game ended; `rule` is `""` where a clock or a resignation ended it."""

    winner: str
    """The winning seat, `""` for a draw."""
    summary: str
    rule: str
    scores: dict[str, int]


# --- what has been done -----------------------------------------------------------------------------------


class WireUndo(msgspec.Struct, frozen=True):
    """Whether the last action can be taken back."""

    free: bool = False
    """Whether this viewpoint may do so at once."""
    reason: str = ""
    """Why not, or why others must agree."""
    asked_by: str = ""
    """The seat that asks the others to agree."""
    agreed: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()


class Why(msgspec.Struct, frozen=True):
    """Why an answer is not possible; `allowed` if it is."""

    allowed: bool
    refusal: Refusal | None = None


# --- what happened --------------------------------------------------------------------------------------


class WireBreakdown(msgspec.Struct, frozen=True):
    """A number with its reasons, the sums worked out."""

    title: str
    rule: str
    base: int
    base_label: str
    terms: tuple[Modifier, ...]
    net: int
    total: int
    looked_up: bool
    """Whether `total` was looked up with `net` in a table."""
    result_label: str
    final: str
    text: str
    """All of it in one line."""


class WireRoll(msgspec.Struct, frozen=True):
    """Dice as they fell."""

    dice: str
    """Such as `1d100`."""
    faces: tuple[int, ...]
    total: int
    why: str


class WireAim(msgspec.Struct, frozen=True):
    """A line of fire, from hex to hex."""

    a: str
    b: str


class WireBeat(msgspec.Struct, frozen=True):
    """What is to be seen of an event; see `docs/protocol.md`, "Showing what happened"."""

    kind: ShownKind
    units: tuple[str, ...] = ()
    """Counters that it is about: who moves, who is struck, who is marked."""
    lines: tuple[WireAim, ...] = ()
    path: tuple[str, ...] = ()
    """For `move`: the hexes from which and to which, as far as they are on the map."""
    hex: str = ""
    """Where it happens; for `move` where it ends, `""` off the map."""
    facing: int | None = None
    faces: tuple[int, ...] = ()
    needed: str = ""
    rolled: str = ""
    effect: str = ""
    came_off: bool | None = None


class Sentence(msgspec.Struct, frozen=True):
    """One thing that happened, in words, with its numbers and what is to be seen of it."""

    text: str
    breakdowns: tuple[WireBreakdown, ...] = ()
    kind: str = ""
    """Name of the event."""
    refs: tuple[str, ...] = ()
    """Counters and hexes that it names, for highlighting."""
    beat: WireBeat | None = None
    """What is to be seen of it."""


class WireEntry(msgspec.Struct, frozen=True):
    """A line of the log as this viewpoint may know it."""

    seq: int
    kind: Literal["begin", "action", "undo"]
    seat: str
    text: str
    """The action in a phrase."""
    sentences: tuple[Sentence, ...] = ()
    rolls: tuple[WireRoll, ...] = ()
    tracks: dict[str, int] = {}
    """Where each track stands afterwards: turn, phase."""
    back_to: int | None = None
    """For an undo: the entry whose position stands again."""
    rule: str = ""
    """For an action: the rule of the question that it answers."""


# --- before one confirms --------------------------------------------------------------------------------


class WireChance(msgspec.Struct, frozen=True):
    """One thing that can come of an action."""

    what: str
    probability: float
    exact: str
    """The probability as a fraction, `""` for an estimate."""


class WireUnitOdds(msgspec.Struct, frozen=True):
    """What can become of one counter that an action strikes."""

    unit: str
    chances: tuple[WireChance, ...]


class WireStep(msgspec.Struct, frozen=True):
    """A counter comes to a place, on the way of a move."""

    unit: str
    hex: str
    facing: int | None
    cost: float | None
    text: str
    heading: int | None = None
    """On a table: tenths of a degree."""


class WhatIf(msgspec.Struct, frozen=True):
    """Something that a preview leaves out, because another side decides on it or it is not known."""

    what: str
    """A clause after "if": `the owner of G1 reveals a moving command`."""
    rule: str
    chances: tuple[WireChance, ...] = ()
    """What can come of the action then; with `unit_odds` empty too, no number can be given."""
    exact: bool = False
    breakdowns: tuple[WireBreakdown, ...] = ()
    unit_odds: tuple[WireUnitOdds, ...] = ()


class WireSheet(msgspec.Struct, frozen=True):
    """A fight on one sheet."""

    title: str
    rule: str
    sides: tuple[SheetSide, ...]
    line: str = ""
    """How the sides compare."""
    joint: JointOdds | None = None


class Preview(msgspec.Struct, frozen=True):
    """What an action would bring, for all that its seat knows."""

    text: str
    """The action in a phrase."""
    chances: tuple[WireChance, ...]
    exact: bool
    """False where there are too many outcomes to work out: then the chances are an estimate."""
    breakdowns: tuple[WireBreakdown, ...]
    steps: tuple[WireStep, ...] = ()
    units: tuple[str, ...] = ()
    """Counters that the action names; of a gathering those that take part, where not all that were chosen can."""
    unit_odds: tuple[WireUnitOdds, ...] = ()
    """Where an action strikes several counters and the system tells them apart: the exact odds of each by itself. Then
    `chances`, of all of them together, may be empty."""
    what_ifs: tuple[WhatIf, ...] = ()
    """What the odds leave out, each with the odds if it comes about."""
    effect: float | None = None
    """Exact chance that something becomes of what the action strikes; of several counters, of the one that it strikes
    likeliest. None where there are too many outcomes to work out."""
    areas: tuple[Area, ...] = ()
    """The hexes that the action is about, with the counters that it strikes there."""
    sheet: WireSheet | None = None
    """Where it is worked out on a sheet: both sides, and the joint odds. Its numbers and its odds are those above."""


class WireHindrance(msgspec.Struct, frozen=True):
    """Something that makes a line of sight harder without blocking it."""

    hex: str | None
    """Label of the place, None off the map."""
    what: str
    rule: str
    value: int


class WireProfile(msgspec.Struct, frozen=True):
    """The ground at one step along a line, for drawing it from the side."""

    hex: str | None
    """Label of the place, None off the map and on a hexside."""
    side: tuple[int, int, int] | None
    """The hexside, where the step is one: (q, r) of its hex and the direction."""
    ground: int
    top: int
    """Height of whatever stands there, the ground included."""
    what: str


class SightReport(msgspec.Struct, frozen=True):
    """All about the line of sight between two places, by their labels."""

    a: str
    b: str
    range: int
    blocked: bool
    at: str | None
    """The place that blocks, or beside which the blocking hexside lies."""
    at_side: tuple[int, int, int] | None
    """The hexside that blocks, where one does."""
    by: str
    """What blocks, `""` where nothing does."""
    reason: str
    rules: tuple[str, ...]
    """Numbers of the rules that decided, the decisive one first."""
    hindrance: int
    """Sum of the hindrances."""
    hindrances: tuple[WireHindrance, ...]
    height_a: int
    height_b: int
    profile: tuple[WireProfile, ...]


class Threat(msgspec.Struct, frozen=True):
    """Something that could hit a place."""

    unit: str
    text: str
    breakdown: WireBreakdown | None = None


# --- a lesson -------------------------------------------------------------------------------------------


class WireLesson(msgspec.Struct, frozen=True):
    """The step of a lesson that is open."""

    id: str
    title: str
    step: int
    """Counted from 0."""
    steps: int
    text: str
    does: bool
    """Whether something is to be done; else it is only read."""
    want: str
    """What is to be done, as the end of "here we want to"."""
    units: tuple[str, ...]
    """Counters to light."""
    hexes: tuple[str, ...]
    parts: tuple[str, ...]
    """Parts of the page to light: `prompt`, `orders`, `map`, `log`, `unit`, `tools`, `tables`, `track`, `scores`."""
    keys: tuple[str, ...]
    """The branches that lead to what is wanted; none where nothing is."""
    to: str
    """The destination of the path below them, if there is one."""


# --- people ---------------------------------------------------------------------------------------------


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much time a seat has."""

    per: Literal["move", "game"]
    """A fresh allowance every move, or one for the whole game."""
    seconds: int
    increment: int = 0
    """Seconds added after each action, for `game`."""


class WireClock(msgspec.Struct, frozen=True):
    """A seat's clock."""

    seat: str
    left_ms: int
    running: bool


class WireSeat(msgspec.Struct, frozen=True):
    """Who sits where."""

    seat: str
    title: str
    colour: str
    kind: Literal["person", "bot", "open"]
    """`open`: an invitation is out."""
    name: str
    online: bool
    yours: bool
    """Whether you hold it; in a hot-seat game you hold several."""
    stand_in: str = ""
    """The bot that has taken over for the person who holds it."""


class ChatLine(msgspec.Struct, frozen=True):
    """Something said at the table."""

    n: int
    name: str
    seat: str
    """`""` for a watcher."""
    text: str
    at: float
    """Seconds since 1970."""
