"""What a seat may see, as data that a client draws without knowing a rule.

A view is built from the concealed state only (:meth:`Ruleset.conceal`), so what is hidden cannot leak by accident.

Fields named ``hex`` hold the label of a place: of a hex, or of a point on a table in inches (``12.5,30``). On a table
lengths are thousandths of an inch and headings tenths of a degree from north, as in :mod:`sandtable.core.tree.drawing`.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import msgspec

from sandtable.core.modifier import Breakdown
from sandtable.core.stakes import Stakes
from sandtable.core.tree.drawing import Outline

__all__ = [
    "Area",
    "Box",
    "Condition",
    "Counter",
    "Danger",
    "Face",
    "FormationShown",
    "HexMarker",
    "Marker",
    "Part",
    "Patch",
    "Prompt",
    "Score",
    "ShowsCounters",
    "SideMarker",
    "Track",
    "Value",
    "View",
    "Zone",
]


class Value(msgspec.Struct, frozen=True):
    """A named number or word on a counter."""

    name: str
    text: str
    """As printed: ``4_^2`` is an underlined 4 with a raised 2, ``[8]`` an 8 in a square, ``(8)`` one in a circle."""
    place: str = ""
    """Where on the face: in its line, ``left`` or ``right`` of the picture, at the ``top``; ``card``: not on it."""


class Marker(msgspec.Struct, frozen=True):
    """A small sign on a counter or in a hex."""

    text: str
    title: str
    tone: str = "neutral"
    """``good``, ``bad``, ``posture``, ``neutral`` or ``hidden``: the client picks the colour; ``smoke`` is drawn as a
    cloud. What is bad and in which posture a piece stands is seen from afar too."""


class Face(msgspec.Struct, frozen=True):
    """The visible side of a counter."""

    symbol: str
    title: str
    code: str
    """Two or three letters for small drawings."""
    colour: str
    values: tuple[Value, ...] = ()
    layout: str = ""
    """``strength``: the values are one large line, as 4-6-7; ``strength-back``: its back; ``staff``: such
    a line under a framed sign of the staffs, with its size above it (at the ``top``) and a stripe of its formation."""


class Counter(msgspec.Struct, frozen=True):
    """A piece on the map or in a box."""

    id: str
    side: str
    face: Face
    hex: str = ""
    box: str = ""
    facing: int | None = None
    markers: tuple[Marker, ...] = ()
    spine: int | None = None
    """Hexspine at which it points, 0 between the directions 0 and 1 and so on clockwise; None if it faces a hexside."""
    turret: int | None = None
    """Hexspine at which its turret points; None of what has none."""
    held_by: str = ""
    """Id of the counter that it lies upon and belongs to, as a weapon does to its owner."""
    spotted_by: tuple[str, ...] | None = None
    """Ids of the enemy counters that spot it; None where the system knows no spotting, or it is not on the map."""
    heading: int | None = None
    """On a table: where it looks; None of what looks nowhere."""
    turret_heading: int | None = None
    """On a table: where its turret points; None of what has none."""
    base: tuple[int, int] | None = None
    """On a table: width and depth of what it stands on."""
    is_top: bool = False
    """Whether it lies on top of its stack, where the rules have an order."""


class HexMarker(msgspec.Struct, frozen=True):
    """A sign that lies in a hex."""

    hex: str
    marker: Marker


class Patch(msgspec.Struct, frozen=True):
    """Something that lies on a table for a while: smoke, a wreck, rubble."""

    kind: str
    """What it is, in the word of the system's terrain table; the client draws it as the legend says."""
    outline: Outline
    title: str = ""


class Zone(msgspec.Struct, frozen=True):
    """A shape over a table that answers a question: a field of fire, how far a command reaches."""

    title: str
    outline: Outline
    tone: str = "neutral"
    """``good``, ``bad`` or ``neutral``."""


class SideMarker(msgspec.Struct, frozen=True):
    """A sign that lies on a hexside."""

    hex: str
    direction: int
    """Of the side, clockwise from north."""
    marker: Marker


class Condition(msgspec.Struct, frozen=True):
    """Something that holds for everybody: the light, the sky, the ground."""

    name: str
    text: str
    rule: str = ""
    is_night: bool = False
    """Whether the map lies in the dark."""
    is_dull: bool = False
    """Whether clouds, rain, snow or fog lie over it."""


class FormationShown(msgspec.Struct, frozen=True):
    """A formation with those of its counters that the seat knows."""

    id: str
    title: str
    side: str
    above: str
    """The formation that it is subordinate to, ``""`` for none."""
    counters: tuple[str, ...]
    note: str = ""
    """How it stands: its fuel, its supply."""


class Track(msgspec.Struct, frozen=True):
    """A row of boxes with a marker in one: turns, the sequence of play."""

    id: str
    title: str
    steps: tuple[str, ...]
    at: int


class Box(msgspec.Struct, frozen=True):
    """A place off the map that holds counters."""

    id: str
    title: str


class Part(msgspec.Struct, frozen=True):
    """One thing that a side's score comes from."""

    name: str
    number: int
    rule: str = ""
    note: str = ""
    """What makes it up."""
    of: int | None = None
    """How much it takes, where there is something to reach."""

    @property
    def text(self) -> str:
        """The number in words, such as `2 of 3`."""
        return str(self.number) if self.of is None else f"{self.number} of {self.of}"


class Score(msgspec.Struct, frozen=True):
    """Where a side stands."""

    side: str
    points: int
    parts: tuple[Part, ...] = ()


class Danger(msgspec.Struct, frozen=True):
    """Something that could hit a place."""

    unit: str
    text: str
    breakdown: Breakdown | None = None


class Area(msgspec.Struct, frozen=True):
    """Places that an action would be about: where shells fall, where something flies."""

    title: str
    hexes: tuple[str, ...]
    """In order, where it is a way."""
    units: tuple[str, ...] = ()
    """The counters that it would strike, friend or enemy, for all that the seat knows."""
    is_way: bool = False
    outlines: tuple[Outline, ...] = ()
    """On a table: the shapes of it."""


class Prompt(msgspec.Struct, frozen=True):
    """Who is asked what, under which rule."""

    rule: str
    title: str
    asked: tuple[str, ...]
    yours: bool


class View(msgspec.Struct, frozen=True):
    """All that one seat may know, ready to draw."""

    seat: str
    tracks: tuple[Track, ...]
    counters: tuple[Counter, ...]
    hex_markers: tuple[HexMarker, ...]
    boxes: tuple[Box, ...]
    scores: tuple[Score, ...]
    prompt: Prompt | None
    outcome: str
    state: Any
    """The concealed state: the system's own struct with everything hidden replaced."""
    stakes: Stakes = Stakes()
    side_markers: tuple[SideMarker, ...] = ()
    conditions: tuple[Condition, ...] = ()
    formations: tuple[FormationShown, ...] = ()
    """Each after the one above it."""
    patches: tuple[Patch, ...] = ()
    """What lies on a table; later ones on top."""


@runtime_checkable
class ShowsCounters(Protocol):
    """A ruleset that shows single counters; of others a whole view is made to look one up."""

    def counter(self, known: Any, unit: str) -> Counter | None:
        """The counter ``unit`` as the view of that concealed state has it; None if the view has none of that id."""
        ...

    def tracks(self, known: Any) -> tuple[Track, ...]:
        """The tracks as the view of that concealed state has them."""
        ...
