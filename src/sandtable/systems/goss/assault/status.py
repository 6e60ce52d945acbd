"""13.5 Step 3: stand-off, supply and fatigue that are spared, bridges that are blown or break."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import unchanged
from sandtable.core.modifier import Breakdown
from sandtable.geo.hexside import Hexside
from sandtable.systems.goss.assault.eligibility import ferries
from sandtable.systems.goss.assault.frames import Assault, Demolishing, Sparing, StandOff, Stranded, assault_of
from sandtable.systems.goss.assault.leading import rating_leads
from sandtable.systems.goss.assault.position import is_engineer, is_mech
from sandtable.systems.goss.assault.steps import StepHandler, UnitsHandler, change_assault
from sandtable.systems.goss.common.as_one import stacks_of
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import Crossing, crossing
from sandtable.systems.goss.common.dice import roll_d10
from sandtable.systems.goss.common.facts import BridgeLost
from sandtable.systems.goss.common.handler import Action, Fact, Play
from sandtable.systems.goss.common.harm import living
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.common.weak_bridges import heavy_over
from sandtable.systems.goss.pieces.unit import Supply, Unit, UnitId
from sandtable.systems.goss.tables.bridges import Demolition

__all__ = [
    "Demolish",
    "DemolishingHandler",
    "Spare",
    "SparingHandler",
    "StandOffHandler",
    "StandOffWith",
    "StrandedHandler",
    "check_bridges",
]


class StandOffWith(Action, frozen=True):
    """Units stand off: they fire from afar."""

    units: tuple[UnitId, ...] = ()

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"stand off with {'; '.join(map(context.title, self.units)) or 'nobody'}"


class Spare(Action, frozen=True):
    """Units fight at half strength, to spare supply or fatigue."""

    units: tuple[UnitId, ...] = ()

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"at half strength: {'; '.join(map(context.title, self.units)) or 'nobody'}"


class Demolish(Action, frozen=True):
    """Try to blow the bridges up that the attack comes over, or leave them."""

    is_tried: bool

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "blow the bridges up" if self.is_tried else "leave the bridges"

    def is_plain(self) -> bool:
        """A die decides."""
        return False


class DemolitionTried(Fact, frozen=True):
    """Engineers tried to blow a bridge up in haste (17.3.2b)."""

    side: Hexside
    roll: int
    needed: Breakdown

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """How it went."""
        return f"Hasty demolition: {self.roll} against {self.needed.total}."

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """What the die had to be."""
        return (self.needed,)

    def reveals(self) -> bool:
        """A die fell."""
        return True


DEMOLITION: Mapping[type, Callable[[Any, Any], Any]] = MappingProxyType({DemolitionTried: unchanged})


def _participants(state: State, assault: Assault, seat: Seat) -> list[Unit]:
    return living(state, assault.attackers if seat == assault.player else assault.defenders)


class StandOffHandler(UnitsHandler[StandOff]):
    """13.5.2 Units with an armour factor may stand off, the attacker's first; nobody on the line of clear ground."""

    frame, answers = StandOff, (StandOffWith,)
    number, title = "13.5.2", "Choose units that stand off"

    def action(self, units: tuple[UnitId, ...]) -> Action:
        """They stand off."""
        return StandOffWith(units)

    @rule("13.5.2")
    def candidates(self, state: State, assault: Assault, seat: Seat) -> Sequence[UnitId]:
        """Units with an Arm factor that need not stand off anyway."""
        if assault.line == 1:
            return []
        is_attacker = seat == assault.player
        return [
            unit.id
            for unit in _participants(state, assault, seat)
            for card in [self.context.card(unit)]
            if (card.arm_attack if is_attacker else card.arm_defence) and unit.id not in assault.stand_off
        ]

    @rule("13.5.2", "13.8.1")
    def judge(self, state: State, assault: Assault, seat: Seat, units: Sequence[UnitId]) -> Refusal | None:
        """Somebody stays who does not stand off, and can lead: each side has a lead PR unit (13.5.2, 13.8.1)."""
        after = replace(assault, stand_off=(*assault.stand_off, *units))
        if not units or rating_leads(self.context, state, after, seat):
            return None
        return Refusal("13.5.2", "nobody is left to lead", "a unit that can lead and does not stand off")

    def take(self, play: Play, frame: StandOff, action: StandOffWith) -> None:  # noqa: ARG002
        """Note them."""
        change_assault(play, stand_off=(*assault_of(play.state).stand_off, *action.units))


class SparingHandler(UnitsHandler[Sparing]):
    """13.5.3, 13.5.4 Who lives on what he carries, or should rest, may fight at half strength."""

    frame, answers = Sparing, (Spare,)
    number, title = "13.5.3", "Choose units that fight at half strength"

    def action(self, units: tuple[UnitId, ...]) -> Action:
        """They fight at half strength."""
        return Spare(units)

    @rule("13.5.3", "13.5.4")
    def candidates(self, state: State, assault: Assault, seat: Seat) -> Sequence[UnitId]:
        """Units on their supply on hand; and defenders in their rest game turn (13.5.4)."""
        defends = seat != assault.player
        return [
            unit.id
            for unit in _participants(state, assault, seat)
            if unit.supply is Supply.ON_HAND or (defends and is_resting(self.context, state, unit))
        ]

    def take(self, play: Play, frame: Sparing, action: Spare) -> None:  # noqa: ARG002
        """Note them."""
        change_assault(play, spared=(*assault_of(play.state).spared, *action.units))


def bridges_under(context: Context, state: State, assault: Assault) -> list[Crossing]:
    """Bridges over rivers that the attack comes over; those who stand off use none (13.5.6)."""
    stacks = stacks_of(unit for unit in living(state, assault.attackers) if unit.id not in assault.stand_off)
    found = [crossing(context, state, hex, assault.target) for hex in stacks]
    return [one for one in found if one.is_river and one.has_bridge]


class DemolishingHandler(StepHandler[Demolishing]):
    """13.5.6a Engineers of the defender may blow a bridge up under the attack."""

    frame, answers, is_before_dice = Demolishing, (Demolish,), True
    number, title = "13.5.6a", "Blow the bridges up"
    folds = DEMOLITION

    @rule("13.5.6", "13.5.6a")
    def options(self, state: State, frame: Demolishing, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Try, or leave them; nothing without engineers or bridges."""
        assault = assault_of(state)
        ready = any(is_engineer(self.context, unit) for unit in living(state, assault.defenders))
        if not ready or not bridges_under(self.context, state, assault):
            return Pick(lambda: ())
        return Pick(
            lambda: (
                Branch("try", "choice", "Blow the bridges up", Leaf(Demolish(is_tried=True))),
                Branch("leave", "pass", "Leave the bridges", Leaf(Demolish(is_tried=False))),
            )
        )

    @rule("17.3.2", "17.3.2b")
    def take(self, play: Play, frame: Demolishing, action: Demolish) -> None:  # noqa: ARG002
        """A die for each bridge (17.3.2b)."""
        if not action.is_tried:
            return
        assault = assault_of(play.state)
        steps = sum(unit.steps for unit in living(play.state, assault.defenders) if is_engineer(self.context, unit))
        needed = self.context.charts.bridges.demolition_roll(
            Demolition.HASTY, is_night=self.context.is_night(play.state), has_many_steps=steps > 1
        )
        for bridge in bridges_under(self.context, play.state, assault):
            roll = roll_d10(play, "hasty demolition", lambda die: die <= needed.total)
            play.emit(DemolitionTried(bridge.side, roll, needed))
            if roll <= needed.total:
                play.emit(BridgeLost(bridge.side))


@rule("13.5.6", "17.2.2")
def _is_stranded(context: Context, state: State, assault: Assault, unit: Unit) -> bool:
    """Whether a unit of the attack has lost its way over the water; on foot over a major river only (ruling B-107)."""
    if unit.hex is None or unit.id in assault.stand_off:
        return False
    over = crossing(context, state, unit.hex, assault.target)
    if over.is_dry:
        return False
    if is_mech(context, unit):
        return True
    stack = [one for one in living(state, assault.attackers) if one.hex == unit.hex]
    return over.is_major and not any(unit.id in some for some in ferries(context, stack, is_major=True))


@rule("13.5.6", "13.5.6b")
def check_bridges(context: Context, play: Play) -> None:
    """Heavy vehicles try weak bridges; over one that is gone those drop out who have no guns to stand off with.

    If nobody is left who could cross, all others stand off: the assault is over.
    """
    assault = assault_of(play.state)
    for hex, stack in stacks_of(living(play.state, assault.attackers)).items():
        crossing_units = [unit for unit in stack if unit.id not in assault.stand_off]
        heavy_over(play, context, crossing_units, hex, assault.target)
    units = living(play.state, assault.attackers)
    stranded = {unit.id for unit in units if _is_stranded(context, play.state, assault, unit)}
    if not stranded:
        return
    armed = {unit.id for unit in units if context.card(unit).arm_attack and assault.line > 1}
    attackers = tuple(unit.id for unit in units if unit.id not in stranded or unit.id in armed)
    left = [one for one in attackers if one not in assault.stand_off and one not in stranded]
    forced = () if left else tuple(one for one in attackers if one in stranded)
    change_assault(play, attackers=attackers, stand_off=(*assault.stand_off, *forced))


class StrandedHandler(UnitsHandler[Stranded]):
    """13.5.6 AFVs whose bridge is lost may stand off; who does not takes no part in the assault."""

    frame, answers = Stranded, (StandOffWith,)
    number, title = "13.5.6", "Choose units that stand off: their bridge is lost"

    def action(self, units: tuple[UnitId, ...]) -> Action:
        """They stand off."""
        return StandOffWith(units)

    @rule("13.5.6")
    def candidates(self, state: State, assault: Assault, seat: Seat) -> Sequence[UnitId]:
        """The attackers who have lost their way over."""
        mine = _participants(state, assault, seat)
        return [unit.id for unit in mine if _is_stranded(self.context, state, assault, unit)]

    def plain(self, state: State, assault: Assault, seat: Seat) -> frozenset[UnitId]:
        """All: half of their strength is better than none."""
        return frozenset(self.candidates(state, assault, seat))

    def take(self, play: Play, frame: Stranded, action: StandOffWith) -> None:
        """Note them; the others are out of it."""
        assault = assault_of(play.state)
        out = {*self.candidates(play.state, assault, frame.player)} - {*action.units}
        if out or action.units:
            attackers = tuple(one for one in assault.attackers if one not in out)
            change_assault(play, attackers=attackers, stand_off=(*assault.stand_off, *action.units))
