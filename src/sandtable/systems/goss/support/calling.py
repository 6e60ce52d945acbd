"""11.1.0, 11.2 The support segments: a spotter is named, armour is told, a target is named, its DRMs are told."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.handler import Action, Frame, Handler, Play, SegmentHandler
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.observation.disclosure import Report, spotter_is_told
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.support.facts import FOLDS, SpotterNamed, TargetNamed
from sandtable.systems.goss.support.firing import Laying
from sandtable.systems.goss.support.spotting import (
    MISSION,
    SPOTTED,
    plan_for,
    spotter_refusal,
    spotting,
    target_refusal,
    targets,
)
from sandtable.systems.goss.support.targets import target_facts
from sandtable.systems.goss.support.volleys import mission_drm
from sandtable.systems.goss.turn.segments import Step

__all__ = ["Aim", "Aiming", "AimingHandler", "DefensiveHandler", "EndFire", "OffensiveHandler", "Spot"]

_VOLLEY = 8
_AIR = "air"


class _Support(Frame, frozen=True):
    """A side fires its missions."""

    player: Seat


class DefensiveSupport(_Support, frozen=True):
    """Of the inactive side (11.1.0, sub-segment 2)."""


class OffensiveSupport(_Support, frozen=True):
    """Of the active side (11.1.0, sub-segment 3)."""


class Aiming(Frame, frozen=True):
    """A spotter was named, and looks for a target."""

    player: Seat
    spotter: UnitId
    """``""``: from the air."""
    is_defensive: bool


class Spot(Action, frozen=True):
    """Name the spotter; with a hex, the target at once."""

    unit: UnitId = UnitId("")
    """``""``: from the air."""
    hex: Hex | None = None

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        who = context.title(self.unit) if self.unit else "air observation"
        return f"{who} spots" + (f" for fire on {context.label(self.hex)}" if self.hex is not None else "")


class Aim(Action, frozen=True):
    """Name the target hex; None: no mission follows."""

    hex: Hex | None = None

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"fire on {context.label(self.hex)}" if self.hex is not None else "no mission"


class EndFire(Action, frozen=True):
    """No more missions."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "no more missions"


def _name_target(play: Play, context: Context, frame: Aiming, hex: Hex) -> None:
    """The target is named, and the DRMs are told (11.2.0, 8.4.3)."""
    spotter = play.state.units[frame.spotter] if frame.spotter else None
    play.emit(Used(Use(MISSION, hex=hex)))
    drm = mission_drm(context.charts.fire, target_facts(context, play.state, hex, spotter))
    play.emit(TargetNamed(frame.player, hex, drm))
    play.emit(Opened(Laying(frame.player, frame.spotter, hex, frame.is_defensive, drm)))


class _SupportHandler(SegmentHandler[_Support]):
    """11.1.0: mission after mission, each resolved before the next."""

    answers = (Spot, EndFire)
    folds = MappingProxyType(FOLDS)
    is_defensive: bool

    @rule("10.3.0", "11.0", "11.1.0", "11.4.1e")
    def begin(self, play: Play, player: Seat) -> None:
        """Nobody is asked who has no guns for anything that he observes, nor who is surprised (11.4.1e)."""
        firer = self.context.other(player) if self.is_defensive else player
        if any(one.side == firer and one.turn == play.state.at.turn for one in self.context.scenario.draft.surprise):
            return
        frame = self.frame(firer)
        if next(self._spotting(play.state, frame), None) is not None:
            play.emit(Opened(frame))

    def advance(self, play: Play, frame: _Support) -> bool:
        """Over as soon as no mission is left to fire."""
        if next(self._spotting(play.state, frame), None) is not None:
            return False
        play.emit(Closed())
        return True

    def question(self, state: State, frame: _Support) -> Asking:  # noqa: ARG002
        """Asked of the firer."""
        kind = "defensive" if self.is_defensive else "offensive"
        return Asking("11.2.0", f"Call for {kind} fire support", (frame.player,))

    def _spotting(self, state: State, frame: _Support) -> Iterator[tuple[Unit | None, Hex, int]]:
        """Spotters, each with the hexes that he may call on, and the points that would be fired there."""
        for spotter, hex, plan in spotting(self.context, state, frame.player, is_defensive=self.is_defensive):
            yield spotter, hex, plan.points()

    @rule("11.2.0")
    def options(self, state: State, frame: _Support, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Targets, the most fire first, each with its spotters; to end is first where no whole volley can be fired."""

        def branches() -> Iterator[Branch[Action]]:
            found: dict[Hex, list[tuple[int, UnitId]]] = {}
            for spotter, hex, points in self._spotting(state, frame):
                found.setdefault(hex, []).append((-points, spotter.id if spotter is not None else UnitId("")))
            ranked = sorted((sorted(ways), hex) for hex, ways in found.items())
            end: Branch[Action] = Branch("done", "done", "No more missions", Leaf(EndFire()))
            is_worth_it = bool(ranked) and -ranked[0][0][0][0] >= _VOLLEY
            if not is_worth_it:
                yield end
            for ways, hex in ranked:
                label = self.context.label(hex)
                text = f"{label}: {-ways[0][0]} points"
                yield Branch(label, "target", text, self._spotters(ways, hex), label, is_hex=True)
            units = dict.fromkeys(unit for ways, _ in ranked for _, unit in ways)
            look = Pick(lambda: (self._spotter(unit, None) for unit in units))
            yield Branch("look", "order", "Name a spotter first, the target later", look)
            if is_worth_it:
                yield end

        return Pick(branches)

    def _spotters(self, ways: list[tuple[int, UnitId]], hex: Hex) -> Node[Action]:
        """Who may spot for a target; the only one is not asked for."""
        if len(ways) == 1:
            return Leaf(Spot(ways[0][1], hex))
        return Pick(lambda: (self._spotter(unit, hex, -points) for points, unit in ways))

    def _spotter(self, unit: UnitId, hex: Hex | None, points: int = 0) -> Branch[Action]:
        label = self.context.title(unit) if unit else "Air observation"
        text = f"{label}: {points} points" if points else label
        return Branch(unit or _AIR, "unit", text, Leaf(Spot(unit, hex)), unit)

    def refusal(self, state: State, frame: _Support, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """The spotter may spot, the target is observed, and somebody can fire on it."""
        if not isinstance(action, Spot):
            return None
        unit = state.units.get(action.unit)
        if action.unit and (unit is None or unit.side != seat or unit.hex is None):
            return Refusal("11.2.1", "that is no unit of yours on the map", "one of your units")
        refusal = spotter_refusal(self.context, state, unit) if unit is not None else None
        if refusal is not None:
            return refusal
        if action.hex is not None:
            return _refused(self.context, state, seat, unit, action.hex, is_defensive=self.is_defensive)
        if next(targets(self.context, state, seat, unit, is_defensive=self.is_defensive), None) is None:
            return Refusal("11.2.1", "it observes nothing that anybody could fire on", "another spotter")
        return None

    @rule("8.4.3", "11.2.0", "11.2.1")
    def apply(self, play: Play, frame: _Support, seat: Seat, action: Action) -> None:
        """A named spotter is used, whatever comes of it (ruling B-41)."""
        if not isinstance(action, Spot):
            play.emit(Closed())
            return
        told: tuple[Report, ...] = ()
        if action.unit:
            spotter = play.state.units[action.unit]
            told = spotter_is_told(self.context, play.state, spotter, is_defensive=self.is_defensive)
            play.emit(Used(Use(SPOTTED, action.unit, spotter.hex)))
        play.emit(SpotterNamed(seat, action.unit, told))
        aiming = Aiming(frame.player, action.unit, self.is_defensive)
        if action.hex is None:
            play.emit(Opened(aiming))
        else:
            _name_target(play, self.context, aiming, action.hex)


def _refused(
    context: Context, state: State, seat: Seat, spotter: Unit | None, hex: Hex, *, is_defensive: bool
) -> Refusal | None:
    refusal = target_refusal(context, state, seat, spotter, hex)
    if refusal is not None:
        return refusal
    if not plan_for(context, state, seat, spotter, hex, is_defensive=is_defensive).is_possible():
        return Refusal("11.2.3", "no gun can answer", "a hex within the range of guns that may fire for him")
    return None


class DefensiveHandler(_SupportHandler):
    """Sub-segment 2: the inactive side."""

    frame, step, is_defensive = DefensiveSupport, Step.DEFENSIVE_SUPPORT, True


class OffensiveHandler(_SupportHandler):
    """Sub-segment 3: the active side."""

    frame, step, is_defensive = OffensiveSupport, Step.OFFENSIVE_SUPPORT, False


class AimingHandler(Handler[Aiming]):
    """11.2.0: the target is named after the armour was told."""

    frame, answers = Aiming, (Aim,)

    def question(self, state: State, frame: Aiming) -> Asking:  # noqa: ARG002
        """Asked of the firer."""
        return Asking("11.2.2", "Name the target hex", (frame.player,))

    def _spotter(self, state: State, frame: Aiming) -> Unit | None:
        return state.units[frame.spotter] if frame.spotter else None

    def options(self, state: State, frame: Aiming, seat: Seat) -> Node[Action]:
        """The hexes that the spotter may call on, the most fire first, or none."""

        def branches() -> Iterator[Branch[Action]]:
            spotter = self._spotter(state, frame)
            found = targets(self.context, state, seat, spotter, is_defensive=frame.is_defensive)
            for hex, _ in sorted(found, key=lambda one: (-one[1].points(), one[0])):
                label = self.context.label(hex)
                yield Branch(label, "target", label, Leaf(Aim(hex)), label, is_hex=True)
            yield Branch("done", "done", "No mission", Leaf(Aim()))

        return Pick(branches)

    def refusal(self, state: State, frame: Aiming, seat: Seat, action: Action) -> Refusal | None:
        """A target, or none."""
        assert isinstance(action, Aim)  # noqa: S101 - `answers` says so
        if action.hex is None:
            return None
        spotter = self._spotter(state, frame)
        return _refused(self.context, state, seat, spotter, action.hex, is_defensive=frame.is_defensive)

    def apply(self, play: Play, frame: Aiming, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """The target is named."""
        assert isinstance(action, Aim)  # noqa: S101 - `answers` says so
        play.emit(Closed())
        if action.hex is not None:
            _name_target(play, self.context, frame, action.hex)
