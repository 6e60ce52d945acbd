"""The messages of a table's WebSocket: one tagged union for each direction.

`type` names the message. Every client message carries `id`, a number of the client's own, and every answer
to it carries that number as `re`. Unknown fields and unknown types are refused. What the messages carry is
in :mod:`sandtable.session.presenting.wire`.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from sandtable.core.errors import Fault, Refusal
from sandtable.core.tree.drawing import Mark
from sandtable.core.tree.drawing import Outline as Corners
from sandtable.core.view import Zone
from sandtable.session.presenting.advice import Advice
from sandtable.session.presenting.wire import (
    ChatLine,
    Preview,
    Scene,
    SceneChange,
    SightReport,
    Threat,
    Why,
    WireClock,
    WireEntry,
    WireLesson,
    WireOutcome,
    WireSeat,
    WireUndo,
)
from sandtable.session.presenting.wire_questions import Ask, AskChange, WireNode, WireSlot

__all__ = [
    "MAX_MESSAGE",
    "PROTOCOL",
    "Act",
    "ClientMessage",
    "Clocks",
    "ConsentUndo",
    "Done",
    "Field",
    "FieldSeen",
    "HandOver",
    "Hint",
    "Hinted",
    "Judge",
    "Judged",
    "ListValues",
    "Number",
    "Outline",
    "Outlined",
    "Presence",
    "Price",
    "Priced",
    "Refused",
    "Rejected",
    "Resign",
    "Resync",
    "Said",
    "Say",
    "ServerMessage",
    "Sight",
    "Sighted",
    "Sit",
    "Snapshot",
    "Stale",
    "Threaten",
    "Threats",
    "Tried",
    "Try",
    "TurnTo",
    "Undo",
    "UndoChanged",
    "Update",
    "ValuesListed",
    "Walk",
    "Walked",
    "WhyNot",
    "WireWhy",
]

PROTOCOL = 2
"""Version of the protocol: raised when a client that knew the last one no longer understands what it is sent."""
MAX_MESSAGE = 64 * 1024
"""Bytes of a client's message."""

_SAFE = 2**53 - 1
Number = Annotated[int, msgspec.Meta(ge=-_SAFE, le=_SAFE)]
"""A whole number that a browser can hold, and that can be sent back."""


# --- from the client ------------------------------------------------------------------------------------


class _Asked(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    id: Number


class _Answer(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Names a complete answer: by the branches to it, by a path's destination below them, or as the action."""

    v: Number
    """The version that it was made against."""
    keys: tuple[str, ...] = ()
    to: str = ""
    """Key of a destination of the path node at `keys`."""
    action: dict[str, Any] | None = None
    """The action itself, instead of `keys`: for programs."""


class Act(_Answer, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Answer the open question with this action."""


class Price(_Answer, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Breakdown, exact odds and the steps of a move, before confirming."""

    estimate: bool = True
    """Whether dice are thrown where there are too many outcomes to work out; it takes a moment."""


class WhyNot(_Answer, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Why is this not possible: the answer named, or picking `ref` at the node at `keys`."""

    ref: str = ""
    """A counter's id or a hex's label that is not among the branches."""
    is_hex: bool | None = None
    """Which of them; if it is not said, the counter, where there is one of that name."""


class Walk(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """The node below these branches."""

    v: Number
    keys: tuple[str, ...]


class ListValues(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """The values of some slots of the node below these branches."""

    v: Number
    keys: tuple[str, ...]
    slots: tuple[str, ...]


class Judge(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """What stands against a value for every slot of the assignment below these branches, or against a drawing there."""

    v: Number
    keys: tuple[str, ...]
    values: tuple[str, ...]


class Try(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """How far a drawing holds, while it is being drawn; at most ten a second are judged."""

    v: Number
    keys: tuple[str, ...]
    strokes: str
    """The drawing as text: what is tried is the key of the branch that would be taken."""


class Outline(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Shapes on a table that belong to a counter."""

    unit: str
    what: str
    """One of the keys of `TableInfo.outlines`."""


class Sight(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """What of the line between two places."""

    a: str
    b: str


class Field(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """What is seen from a place, or from where a counter stands."""

    hex: str = ""
    unit: str = ""


class Threaten(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """What can hit me there."""

    hex: str


class Undo(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Take my last action back, or ask the others to agree."""

    v: Number


class ConsentUndo(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Agree, or not, to what was asked; the asker withdraws with `agree` false."""

    v: Number
    agree: bool


class Resign(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Give the game up."""


class Say(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Say something to everybody at the table."""

    text: str


class Sit(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Look from another of my seats, or (`""`) as a watcher: the hand-over of a hot-seat game."""

    seat: str


class Hint(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """What would this bot do in my place, and why; other messages are answered meanwhile."""

    v: Number
    bot: str


class HandOver(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Let this bot play my seat from now on; with `bot` `""` I take it back. `""` is the seat that I look from."""

    bot: str
    seat: str = ""


class TurnTo(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Of a lesson: begin this step anew, or go on from one that is only read."""

    step: Number


class Resync(_Asked, frozen=True, tag=True, forbid_unknown_fields=True, kw_only=True):
    """Asks for a snapshot: everything as the seat sees it now, when an update was missed."""


ClientMessage = (
    Act
    | Price
    | WhyNot
    | Walk
    | ListValues
    | Judge
    | Try
    | Outline
    | Sight
    | Field
    | Threaten
    | Undo
    | ConsentUndo
    | Resign
    | Say
    | Sit
    | Hint
    | HandOver
    | TurnTo
    | Resync
)


# --- from the server ------------------------------------------------------------------------------------


class Snapshot(msgspec.Struct, frozen=True, tag=True):
    """Everything, on connecting and on resync."""

    v: int
    scene: Scene
    ask: Ask | None
    """What this viewpoint is asked, or null."""
    log: tuple[WireEntry, ...]
    """The newest entries; older ones by HTTP."""
    seats: tuple[WireSeat, ...]
    watchers: int
    help: bool
    """Whether bots may help in this game."""
    clocks: tuple[WireClock, ...]
    chat: tuple[ChatLine, ...]
    undo: WireUndo
    outcome: WireOutcome | None
    lesson: WireLesson | None = None
    """The open step, where a lesson is given."""
    protocol: int = PROTOCOL
    """Version of the protocol."""


class Update(msgspec.Struct, frozen=True, tag=True):
    """One more line of the log: `v` is one more than before, or a message was missed.

    It carries what is not as this client had it, from a snapshot or the update before.
    """

    v: int
    entry: WireEntry
    scene: SceneChange
    ask: Ask | None
    """What this viewpoint is asked, whole, or null."""
    ask_change: AskChange | None
    """The question as a change of the one before; then `ask` is null."""
    clocks: tuple[WireClock, ...]
    undo: WireUndo
    outcome: WireOutcome | None
    lesson: WireLesson | None = None


class Presence(msgspec.Struct, frozen=True, tag=True):
    """Somebody came, left or took a seat."""

    seats: tuple[WireSeat, ...]
    watchers: int
    help: bool


class Clocks(msgspec.Struct, frozen=True, tag=True):
    """The clocks, where they change without an entry; with `outcome` if one ran out or somebody resigned."""

    clocks: tuple[WireClock, ...]
    outcome: WireOutcome | None


class UndoChanged(msgspec.Struct, frozen=True, tag=True):
    """Somebody asks to take back, or answered."""

    undo: WireUndo


class Said(msgspec.Struct, frozen=True, tag=True):
    """Somebody said something."""

    line: ChatLine


class _Reply(msgspec.Struct, frozen=True, tag=True):
    re: int


class Done(_Reply, frozen=True, tag=True):
    """It is done and kept; `v` is the version in which it shows."""

    v: int


class Refused(_Reply, frozen=True, tag=True):
    """The rules do not allow it; nothing changed."""

    rule: str
    reason: str
    remedy: str
    slots: tuple[str, ...] = ()
    """Keys of the slots that it is about, where a whole assignment was tried."""


class Stale(_Reply, frozen=True, tag=True):
    """Made against an older position; nothing was applied. `v` is the present version."""

    v: int


class Rejected(msgspec.Struct, frozen=True, tag=True):
    """The message cannot be read or is not yours to send; `re` is null where its `id` is unknown."""

    re: int | None
    faults: tuple[Fault, ...]


class Walked(_Reply, frozen=True, tag=True):
    """Answers Walk: the node that these keys lead to, with its branches or slots."""

    v: int
    node: WireNode


class Priced(_Reply, frozen=True, tag=True):
    """Answers Price: the preview of the answer that `keys` and `to` name, which is the one to send."""

    v: int
    preview: Preview
    keys: tuple[str, ...] = ()
    """As they were asked about, but of a gathering the slots that can take part together, and those that must too."""
    to: str = ""


class ValuesListed(_Reply, frozen=True, tag=True):
    """Answers ListValues: the slots that were asked about, with all that each may be set to."""

    v: int
    slots: tuple[WireSlot, ...]


class Judged(_Reply, frozen=True, tag=True):
    """Answers Judge: nothing stands against it if there is no refusal."""

    v: int
    refusals: tuple[Refusal, ...]


class Tried(_Reply, frozen=True, tag=True):
    """Answers Try: how far a drawing holds, what it costs, and what stands against the rest."""

    v: int
    marks: tuple[Mark, ...]
    """Inch by inch as far as the drawing holds, with what is spent and left; the last is the last legal place."""
    upto: int
    """How many strokes hold."""
    refusal: Refusal | None
    """What stands against the rest."""


class Outlined(_Reply, frozen=True, tag=True):
    """Answers Outline: the shapes on the table that belong to the counter."""

    unit: str
    what: str
    zones: tuple[Zone, ...]


class WireWhy(_Reply, frozen=True, tag=True):
    """Answers WhyNot: why something cannot be chosen now, with its rule."""

    v: int
    why: Why


class Hinted(_Reply, frozen=True, tag=True):
    """Answers Hint: what a computer player would do, and why."""

    v: int
    advice: Advice


class Sighted(_Reply, frozen=True, tag=True):
    """Answers Sight: whether two places see one another, and all that lies between them."""

    report: SightReport


class FieldSeen(_Reply, frozen=True, tag=True):
    """Answers Field with the labels of the hexes seen, or on a table with the outlines of what is seen."""

    hex: str
    seen: tuple[str, ...]
    outlines: tuple[Corners, ...] = ()


class Threats(_Reply, frozen=True, tag=True):
    """Answers Threaten: who could fire at a hex, as far as the seat may know."""

    hex: str
    known: bool
    """Whether the system can tell."""
    threats: tuple[Threat, ...]


ServerMessage = (
    Snapshot
    | Update
    | Presence
    | Clocks
    | UndoChanged
    | Said
    | Done
    | Refused
    | Stale
    | Rejected
    | Walked
    | ValuesListed
    | Judged
    | Tried
    | Outlined
    | Priced
    | WireWhy
    | Sighted
    | FieldSeen
    | Threats
    | Hinted
)
