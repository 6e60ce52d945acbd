"""6.5.2.1, 6.5.2.2 Questions inside announced fire: from which angle a hit strikes, and whom further hits strike."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.systems.panzer.combat.fire_events import HitsSpread
from sandtable.systems.panzer.frames import AngleChoice, Engagement, Spreading
from sandtable.systems.panzer.hex.actions import Action, ChooseAngle, SpreadHits
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State

__all__ = ["AngleChoiceHandler", "SpreadingHandler"]


def _below(play: Play) -> Engagement:
    """The engagement that the settled question belongs to."""
    frame = play.state.stack[-1]
    assert isinstance(frame, Engagement)  # noqa: S101 - these questions are asked inside one only
    return frame


class AngleChoiceHandler(Handler[AngleChoice]):
    """6.5.2.2: the target's owner picks the Hit Angle on the dividing line."""

    frame = AngleChoice
    answers = (ChooseAngle,)

    def question(self, state: State, frame: AngleChoice) -> Asking:
        """The target's owner."""
        return Asking("6.5.2.2", "Choose the Hit Angle", (state.units[frame.target].side,))

    def options(self, state: State, frame: AngleChoice, seat: Seat) -> Node[Action]:
        """The two angles beside the line."""
        return Pick(lambda: [Branch(one, "answer", one.value, Leaf[Action](ChooseAngle(one))) for one in frame.angles])

    def refusal(self, state: State, frame: AngleChoice, seat: Seat, action: Action) -> Refusal | None:
        """An angle that the line does not touch."""
        assert isinstance(action, ChooseAngle)  # noqa: S101 - the only answer
        if action.angle not in frame.angles:
            return Refusal("6.5.2.2", f"the line does not run along {action.angle.value}", " or ".join(frame.angles))
        return None

    def apply(self, play: Play, frame: AngleChoice, seat: Seat, action: Action) -> None:
        """It counts for all hits of the shot on this vehicle."""
        assert isinstance(action, ChooseAngle)  # noqa: S101 - the only answer
        play.emit(Closed())
        play.emit(Changed(replace(_below(play), angle=action.angle)))


class SpreadingHandler(Handler[Spreading]):
    """6.5.2.1: the hits after the first may go to other vehicles near the target."""

    frame = Spreading
    answers = (SpreadHits,)

    def question(self, state: State, frame: Spreading) -> Asking:
        """The firer's owner."""
        return Asking("6.5.2.1", "Spread the additional hits?", (state.units[frame.firer].side,))

    def options(self, state: State, frame: Spreading, seat: Seat) -> Node[Action]:
        """All on the target, or every other way."""
        return Pick(lambda: _spread_ways(frame))

    @rule("6.5.2.1", editions=("panzer-na",))
    def refusal(self, state: State, frame: Spreading, seat: Seat, action: Action) -> Refusal | None:
        """The first hit stays; each of the others strikes one of the vehicles near it (6.5.2.1)."""
        assert isinstance(action, SpreadHits)  # noqa: S101 - the only answer
        if len(action.targets) != frame.hits - 1:
            return Refusal(
                "6.5.2.1", f"{len(action.targets)} targets", f"one for each of {frame.hits - 1} further hits"
            )
        stray = [one for one in action.targets if one not in (frame.target, *frame.others)]
        if stray:
            reason = f"hits do not spread to {stray[0]!r}"
            return Refusal("6.5.2.1", reason, ", ".join((frame.target, *frame.others)))
        return None

    def apply(self, play: Play, frame: Spreading, seat: Seat, action: Action) -> None:
        """They strike in the order of their targets, before any damage is determined."""
        assert isinstance(action, SpreadHits)  # noqa: S101 - the only answer
        play.emit(Closed())
        targets = (frame.target, *sorted(action.targets, key=lambda one: (one != frame.target, one)))
        play.emit(HitsSpread(frame.firer, targets))
        play.emit(Changed(replace(_below(play), hits=targets)))


def _spread_ways(frame: Spreading) -> Iterator[Branch[Action]]:
    for way in combinations_with_replacement((frame.target, *frame.others), frame.hits - 1):
        words = ", ".join(way)
        yield Branch(words, "answer", f"on {words}", Leaf[Action](SpreadHits(way)))
