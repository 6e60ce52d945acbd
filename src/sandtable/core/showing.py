"""What an event looks like on the map, as data that a client draws without knowing a rule.

Words say what happened; this says what to show of it: who fires from where at what, which dice fell and what they had
to be, who goes where, what becomes of whom. It is made from a redacted event alone, so it tells no more than the words.
"""

from __future__ import annotations

from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

__all__ = ["Shown", "ShownKind", "ShowsEvents"]

ShownKind = Literal["fire", "result", "effect", "move", "mark", "phase"]
"""``fire``: shots leave; ``result``: dice or numbers decide something; ``effect``: something becomes of counters;
``move``: counters go to a hex; ``mark``: markers appear or go; ``phase``: the sequence of play goes on."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be seen of one event."""

    kind: ShownKind
    units: tuple[str, ...] = ()
    """Counters that it is about: who moves, who is struck, who is marked."""
    firers: tuple[str, ...] = ()
    """Counters from which fire goes to :attr:`hex`, or to where :attr:`units` are."""
    hex: str = ""
    """Label of the hex in which it happens: moved to, fired at, marked; ``""`` for none, as off the map."""
    facing: int | None = None
    """How the counters face from now on, where that changes."""
    faces: tuple[int, ...] = ()
    """Dice as they fell."""
    needed: str = ""
    """What they had to be, or what stood against it."""
    rolled: str = ""
    """What came of them, with all that is added."""
    effect: str = ""
    """What that means, in a word or two."""
    came_off: bool | None = None
    """Whether it came off: a hit, a check that is passed."""


@runtime_checkable
class ShowsEvents(Protocol):
    """A ruleset that says what its events look like; of others a client has the words alone."""

    def show(self, event: Any) -> Shown | None:
        """What is to be seen of a redacted event, or None."""
        ...
