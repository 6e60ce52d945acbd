"""11.4, 11.6.0, 11.8 A mission is fired: guns, volleys, results, and the ammunition afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.dice import roll_d10
from sandtable.systems.goss.common.facts import Depleted, Fought, Used
from sandtable.systems.goss.common.fog import owner_if_hidden
from sandtable.systems.goss.common.handler import Action, Frame, Handler, Play
from sandtable.systems.goss.common.harm import run_out, tire
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.common.shifts import shake
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.pieces.card import Trait
from sandtable.systems.goss.pieces.unit import Supply, Unit, UnitId
from sandtable.systems.goss.support.facts import AmmoChecked, AmmoSpent, MissionFired, Volley
from sandtable.systems.goss.support.fire_plan import Fire, FirePlan, Shot
from sandtable.systems.goss.support.guns import BARRAGE, barrage_of, spent_by
from sandtable.systems.goss.support.occupying import Occupying
from sandtable.systems.goss.support.spotting import plan_for
from sandtable.systems.goss.support.struck import Struck
from sandtable.systems.goss.support.targets import is_in_fortress, struck_units
from sandtable.systems.goss.support.volleys import depletion_drm, volley_drms
from sandtable.systems.goss.tables.fire_support import NOTHING_HIT, FireResult, FireSupport

__all__ = [
    "HoldFire",
    "Laying",
    "LayingHandler",
    "Mission",
    "MissionHandler",
    "RunDry",
    "ammo_drm",
    "softened",
    "volleys_of",
]


class Laying(Frame, frozen=True):
    """A target was named: which guns fire on it."""

    player: Seat
    spotter: UnitId
    """``""``: from the air."""
    hex: Hex
    is_defensive: bool
    drm: Breakdown
    """The DRM that the firer was told."""


class Stage(StrEnum):
    """What of a mission is still to come."""

    AMMO = "ammo"
    DRY = "dry"


class Mission(Frame, frozen=True):
    """A mission that was fired; its guns are ``()`` to the enemy."""

    player: Seat
    hex: Hex
    volleys: int
    intensive: int = 0
    guns: tuple[UnitId, ...] = ()
    """Artillery that took part, Flak and tank destroyers left out (11.4.1b)."""
    stage: Stage = Stage.AMMO
    owed: int = 0
    """Artillery units that are still to be depleted."""


class HoldFire(Action, frozen=True):
    """No mission after all."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "no mission"


class RunDry(Action, frozen=True):
    """The artillery unit that is depleted (11.8.0)."""

    unit: UnitId

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"{context.title(self.unit)} is depleted"

    def is_secret(self) -> bool:
        """Which it is need not be told."""
        return True


class LayingHandler(Handler[Laying]):
    """11.2.3, 11.4.1: the firer lays his guns, or lets it be."""

    frame, answers = Laying, (Fire, HoldFire)

    def question(self, state: State, frame: Laying) -> Asking:  # noqa: ARG002
        """Asked of the firer."""
        return Asking(
            "11.2.3", f"Choose the guns for {self.context.label(frame.hex)}; DRM {frame.drm.total:+d}", (frame.player,)
        )

    def _plan(self, state: State, frame: Laying) -> FirePlan:
        spotter = state.units[frame.spotter] if frame.spotter else None
        return plan_for(self.context, state, frame.player, spotter, frame.hex, is_defensive=frame.is_defensive)

    def options(self, state: State, frame: Laying, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """The guns, or no mission."""

        def branches() -> Iterator[Branch[Action]]:
            yield Branch("fire", "order", "Fire", self._plan(state, frame).tree())
            yield Branch("hold", "pass", "No mission", Leaf(HoldFire()))

        return Pick(branches)

    def refusal(self, state: State, frame: Laying, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """What the plan allows."""
        return self._plan(state, frame).refusal(action) if isinstance(action, Fire) else None

    def apply(self, play: Play, frame: Laying, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Fire."""
        play.emit(Closed())
        if isinstance(action, Fire):
            self._fire(play, frame, action)

    @rule("11.4.1", "11.4.1g", "11.6.0", "14.3.0")
    def _fire(self, play: Play, frame: Laying, action: Fire) -> None:
        """All volleys are rolled for, added up, and applied (11.6.0)."""
        guns = [play.state.units[shot.unit] for shot in action.guns]
        points = self._plan(play.state, frame).volleys(action)
        result = self._rolled(play, frame, points, action.guns)
        artillery = tuple(unit.id for unit in guns if self.context.card(unit).is_artillery)
        self._use(play, frame, action)
        struck = struck_units(self.context, play.state, frame.hex)
        ids = tuple(unit.id for unit in struck)
        owner = self.context.other(frame.player)
        if result != NOTHING_HIT and play.state.at.player == owner:
            play.emit(Fought(ids, owner=owner))
        shake(play, self.context, ids, result.shifts)
        play.emit(Opened(Mission(frame.player, frame.hex, len(points), action.intensive, artillery)))
        if result.hits:
            was_designated = any(unit.is_attacking for unit in struck)
            play.emit(Opened(Struck(owner, frame.hex, result.hits, ids, was_designated=was_designated)))

    def _rolled(self, play: Play, frame: Laying, volleys: Sequence[int], shots: tuple[Shot, ...]) -> FireResult:
        """What the volleys do together."""
        context, chart = self.context, self.context.charts.fire
        guns, fired = [play.state.units[shot.unit] for shot in shots], []
        for points, drm in volleys_of(context, frame, volleys, guns):
            value = points + drm
            roll = roll_d10(play, "fire support", partial(_result, chart, value))
            fired.append(Volley(points, roll, value + roll, chart.result(value + roll)))
        play.emit(MissionFired(frame.player, frame.hex, tuple(fired), shots))
        total = sum((volley.result for volley in fired), NOTHING_HIT)
        return softened(context, play.state, frame.hex, guns, total)

    @rule("11.4.1", "11.8.1", "3.5.4", "15.5.2")
    def _use(self, play: Play, frame: Laying, action: Fire) -> None:
        """Points are gone; guns on hand supply are dry; in a rest game turn more than half of them tires (3.5.4)."""
        context, side = self.context, frame.player
        for shot in action.guns:
            unit = play.state.units[shot.unit]
            half = barrage_of(context, unit, is_defensive=frame.is_defensive) / 2
            before = sum(spent_by(play.state, unit.id))
            play.emit(Used(Use(BARRAGE, unit.id, None, shot.points), owner=side))
            if before <= half < before + shot.points and is_resting(context, play.state, unit):
                tire(play, context, [unit.id])
            if unit.supply is Supply.ON_HAND and context.card(unit).is_artillery:
                run_out(play, context, unit.id)
        if action.intensive:
            play.emit(AmmoSpent(side, action.intensive))


@rule("11.4.1a", "11.5.5")
def volleys_of(context: Context, frame: Laying, points: Sequence[int], guns: Sequence[Unit]) -> list[tuple[int, int]]:
    """Points and DRM of every volley of a mission."""
    rockets = [context.card(unit).has(Trait.ROCKETS) for unit in guns]
    return volley_drms(context.charts.fire, points, frame.drm, has_rockets=any(rockets), is_all_rockets=all(rockets))


@rule("11.4.1f", "11.6.2")
def softened(context: Context, state: State, hex: Hex, guns: Sequence[Unit], result: FireResult) -> FireResult:
    """In a Fort or Ft Area numerical hits are AS, unless a heavy gun has fired (11.4.1f)."""
    is_safe = is_in_fortress(context, state, struck_units(context, state, hex))
    if is_safe and not any(context.card(unit).has(Trait.HEAVY_ARTILLERY) for unit in guns):
        return FireResult(result.shifts + result.hits)
    return result


@rule("11.8.0", "11.4.1b")
def ammo_drm(context: Context, guns: Sequence[Unit], volleys: int) -> Breakdown:
    """What is added to the roll for the ammunition of guns after so many volleys; 88s do not count (11.4.1b)."""
    artillery = [unit for unit in guns if context.card(unit).is_artillery]
    return depletion_drm(
        context.charts.fire,
        volleys,
        is_all_rockets=bool(artillery) and all(context.card(unit).has(Trait.ROCKETS) for unit in artillery),
        is_extended=any(unit.supply is Supply.EXTENDED for unit in artillery),
    )


def _result(chart: FireSupport, value: int, roll: int) -> FireResult:
    return chart.result(value + roll)


class MissionHandler(Handler[Mission]):
    """11.7.0, 11.8.0: after the results ammunition is checked, and attackers may move into an empty hex."""

    frame, answers = Mission, (RunDry,)

    def conceal(self, frame: Mission, seat: Seat | None) -> Mission:
        """Which guns fired is the firer's to know."""
        return frame if seat == frame.player or not frame.guns else replace(frame, guns=())

    def question(self, state: State, frame: Mission) -> Asking:  # noqa: ARG002
        """Asked of the firer."""
        return Asking("11.8.0", "Choose the artillery unit that is depleted", (frame.player,))

    def _loaded(self, state: State, frame: Mission) -> list[Unit]:
        """Those who took part and still have ammunition; who has fired all that he had comes first."""
        guns = [state.units[one] for one in frame.guns if one in state.units and not state.units[one].is_depleted]
        return sorted(guns, key=lambda unit: self.context.card(unit).barrage - sum(spent_by(state, unit.id)))

    def options(self, state: State, frame: Mission, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Those who took part (11.8.0)."""
        return Pick(
            lambda: (
                Branch(unit.id, "unit", self.context.title(unit.id), Leaf(RunDry(unit.id)), unit.id)
                for unit in self._loaded(state, frame)
            )
        )

    def refusal(self, state: State, frame: Mission, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """One that took part."""
        assert isinstance(action, RunDry)  # noqa: S101 - `answers` says so
        if action.unit in [unit.id for unit in self._loaded(state, frame)]:
            return None
        return Refusal("11.8.0", "it took no part, or is depleted", "artillery that took part")

    def apply(self, play: Play, frame: Mission, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """It is depleted."""
        assert isinstance(action, RunDry)  # noqa: S101 - `answers` says so
        self._deplete(play, action.unit)
        play.emit(Changed(replace(frame, owed=frame.owed - 1)))

    def _deplete(self, play: Play, unit: UnitId) -> None:
        play.emit(Depleted(unit, owner=owner_if_hidden(self.context, play.state, unit)))

    def advance(self, play: Play, frame: Mission) -> bool:
        """Ammunition, then the empty hex."""
        if frame.stage is Stage.AMMO:
            play.emit(Changed(replace(frame, stage=Stage.DRY, owed=self._check(play, frame))))
            return True
        loaded = self._loaded(play.state, frame)
        if 0 < frame.owed < len(loaded):
            return False
        for unit in loaded if frame.owed else ():
            self._deplete(play, unit.id)
        play.emit(Closed())
        if not play.state.on(frame.hex):
            play.emit(Opened(Occupying(frame.player, frame.hex)))
        return True

    @rule("11.8.0", "15.4.3")
    def _check(self, play: Play, frame: Mission) -> int:
        """How many run dry: what the roll is above the ADV, and one for each intensive volley (11.8.0)."""
        guns = [play.state.units[one] for one in frame.guns]
        adv = self.context.scenario.side(frame.player).adv
        drm = ammo_drm(self.context, guns, frame.volleys)
        roll = roll_d10(play, "ammunition depletion", lambda face: max(0, face + drm.total - adv))
        owed = max(0, roll + drm.total - adv) + frame.intensive
        owed = len(guns) if adv == 0 else min(owed, len(guns))
        play.emit(AmmoChecked(frame.player, roll, adv, drm, owed))
        return owed
