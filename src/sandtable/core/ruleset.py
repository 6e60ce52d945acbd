"""What a system supplies. All of it is pure: no files, clocks, randomness or network.

A :class:`System` is a rulebook edition; bound to a scenario and its packs it gives a :class:`Ruleset`, which holds
everything that does not change in a game (map, cards, tables, switches). The state holds only what changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from sandtable.core.content.pack import Library
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import Dice
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown
from sandtable.core.view import View

__all__ = ["NO_EFFECT", "Outcome", "Position", "Resolution", "Ruleset", "SightAnswers", "Space", "System", "SystemCard"]

S = TypeVar("S")
A = TypeVar("A")
E = TypeVar("E")


NO_EFFECT = "no effect"
"""What ``consequence`` says where nothing came of an action."""


class Space(StrEnum):
    """The kind of space that a game is played on."""

    HEXES = "hexes"
    PLANE = "plane"
    """Measured freely, as with miniatures."""
    POINTS = "points"
    """Places with ways between them, such as a track."""


class SystemCard(msgspec.Struct, frozen=True):
    """What a system is, before any of its code runs."""

    id: str
    title: str
    rulebook: str
    version: int
    """Behaviour version: raised when the same action and dice give other events."""
    package: str
    """Import path of the code, for rule claims."""
    pack: str
    """Id of the pack that ships with it."""
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
    doctrine: str = ""
    """Where bots find how to think about it, ``module:function`` of :mod:`sandtable.bots.doctrine`; without one they
    play it all the same."""
    bench: str = ""
    """Where ``sandtable bench`` finds its floors and what is measured of it alone, ``module:name`` of a ``Brought``;
    without one it is measured all the same."""
    switches: dict[str, str] = {}
    """Conditions of a scenario that players may turn on or off for a game of theirs, and what each means."""


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended."""

    winner: str
    """The winning seat, or ``""`` for a draw."""
    summary: str
    rule: str
    scores: dict[str, int]


class Resolution(Generic[S, E]):
    """Events as they happen, each folded into the state at once, so that later events build on earlier ones."""

    __slots__ = ("_fold", "dice", "events", "state")

    def __init__(self, state: S, fold: Callable[[S, E], S], dice: Dice) -> None:
        self.state = state
        self.dice = dice
        self.events: list[E] = []
        self._fold = fold

    def emit(self, event: E) -> None:
        """Let ``event`` happen."""
        self.events.append(event)
        self.state = self._fold(self.state, event)


class Ruleset(Protocol[S, A, E]):
    """The rules of one game: a scenario of a system with its packs."""

    card: SystemCard
    seats: tuple[Seat, ...]
    state_type: type[S]
    action_type: Any
    event_type: Any

    def setup(self) -> S:
        """The first state."""
        ...

    def begin(self, state: S, dice: Dice) -> Resolution[S, E]:
        """What happens before the first question."""
        ...

    def decision(self, state: S) -> Decision[A] | None:
        """The open question, or ``None`` when the game is over."""
        ...

    def refusal(self, state: S, seat: Seat, action: A) -> Refusal | None:
        """Why ``seat`` may not do ``action`` now, or ``None`` if he may."""
        ...

    def resolve(self, state: S, seat: Seat, action: A, dice: Dice) -> Resolution[S, E]:
        """What comes of a legal action, up to the next question."""
        ...

    def fold(self, state: S, event: E) -> S:
        """The state after ``event``: the only place where state changes."""
        ...

    def conceal(self, state: S, seat: Seat | None) -> S:
        """The state with everything replaced that ``seat`` (or a watcher) may not know."""
        ...

    def view(self, state: S, seat: Seat | None) -> View:
        """What ``seat`` may see, built from the concealed state."""
        ...

    def redact(self, event: E, seat: Seat | None) -> E | None:
        """The event as ``seat`` may know it, or ``None`` if he learns nothing of it."""
        ...

    def redact_action(self, action: A, by: Seat, seat: Seat | None) -> A | None:
        """The action as ``seat`` may know it."""
        ...

    def reveals(self, event: E) -> bool:
        """Whether the event shows somebody what was hidden from him: undo stops there."""
        ...

    def breakdowns(self, event: E) -> tuple[Breakdown, ...]:
        """The numbers that the event rests on."""
        ...

    def narrate(self, event: E) -> str:
        """The event in a sentence, or ``""`` for bookkeeping."""
        ...

    def describe(self, action: A) -> str:
        """The action in a phrase."""
        ...

    def spends(self, action: A) -> bool:
        """Whether the action uses something up: a shot, a move, a try. It is asked for though it is the only answer."""
        ...

    def place(self, label: str) -> Any:
        """The place that players call ``label``, as actions hold it; :class:`BadInput` if there is none."""
        ...

    def consequence(self, before: S, after: S) -> str:
        """What changed between two states, as players tell it: the unit of exact odds; :data:`NO_EFFECT` if nothing."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or ``None`` while it runs."""
        ...


class Position(NamedTuple):
    """A ruleset and a state of it, as a situation file sets up."""

    ruleset: Ruleset[Any, Any, Any]
    state: Any


class SightAnswers(Protocol):
    """Sight between two labels of a map; see also ``ExplainsSight`` and ``SeesMany`` of the capabilities."""

    def __call__(self, a: str, b: str, /) -> dict[str, Any]:
        """At least ``a``, ``b``, ``range``, ``blocked``, ``at``, ``by``, ``hindrance`` and ``rule``."""
        ...


class System(Protocol):
    """A rulebook edition, ready to be bound to scenarios."""

    card: SystemCard

    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> Ruleset[Any, Any, Any]:
        """Validate a scenario draft and bind it; raise :class:`BadInput` with all faults."""
        ...

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:
        """Set up the position of a situation file; raise :class:`BadInput` with all faults."""
        ...

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:
        """Answer a question of a situation file (sight, spotting, costs ...)."""
        ...

    def sight(self, map_name: str, library: Library) -> SightAnswers:
        """Sight between two labels on a named board: the ``los`` command's answer."""
        ...

    def check_pack(self, library: Library) -> None:
        """Read everything in the library; raise :class:`BadInput` with all faults."""
        ...
