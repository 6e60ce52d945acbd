"""12 Attacker Status Adjustment: designations that must be taken back, and those that may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal, RulesBug
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.geo.hex import Hex
from sandtable.systems.goss.assault.eligibility import BOUGHT_GA, Plans, designated
from sandtable.systems.goss.assault.frames import Adjusting, RetreatPath
from sandtable.systems.goss.assault.hits import lowest_rated
from sandtable.systems.goss.assault.paths import choices
from sandtable.systems.goss.assault.position import is_mct, rating
from sandtable.systems.goss.common.as_one import stacks_of
from sandtable.systems.goss.common.checks import CHECKED, check
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import has_shelter
from sandtable.systems.goss.common.facts import Sheltered, UnitsPlaced, Used
from sandtable.systems.goss.common.fog import hidden_of
from sandtable.systems.goss.common.handler import Action, Fact, Play, SegmentHandler
from sandtable.systems.goss.common.harm import stand_down
from sandtable.systems.goss.common.retreat import may_displace
from sandtable.systems.goss.common.shifts import share_shifts
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.common.weak_bridges import heavy_over
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.turn.segments import Step

__all__ = ["AdjustingHandler", "BuyAssaults", "KeepDesignations", "StandDown", "TakeBack"]

HELD = "held to its attack"
"""Use: a stack that failed to stand down (12.2.0)."""


class TakeBack(Action, frozen=True):
    """Take back designations that cannot lead to an attack."""

    units: tuple[UnitId, ...]

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"take back the designation of {'; '.join(map(context.title, self.units))}"

    def is_secret(self) -> bool:
        """What lies under the top unit is the owner's to know."""
        return True


class BuyAssaults(Action, frozen=True):
    """Spend a point of ammunition, so that a formation may assault more."""

    formation: FormationId

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"a point of ammunition for {context.formation(self.formation).title}"


class AssaultsBought(Fact, frozen=True):
    """A point of ammunition was spent on assaults of a formation: one PA, or two TA (16.3.3)."""

    side: Seat
    formation: FormationId

    def sentence(self, context: Context) -> str:
        """For whom."""
        return f"{self.side} spends 1 AmP on assaults of {context.formation(self.formation).title}."


def _bought(state: State, event: AssaultsBought) -> State:
    ammo = state.ammo | {event.side: state.ammo.get(event.side, 0) - 1}
    return replace(state, ammo=ammo, used=(*state.used, Use(BOUGHT_GA, by=event.formation)))


class StandDown(Action, frozen=True):
    """Give an attack up: stay, go back a hex, or into the works of the hex."""

    hex: Hex
    to: Hex | None = None
    into_works: bool = False

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        where = "into the works" if self.into_works else f"back to {context.label(self.to)}" if self.to else "and stay"
        return f"stand {context.label(self.hex)} down {where}"

    def is_plain(self) -> bool:
        """In the open it takes a check."""
        return False


class KeepDesignations(Action, frozen=True):
    """All others attack."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "all others attack"


def _parties(units: Sequence[Unit]) -> list[tuple[UnitId, ...]]:
    """Units by hex and kind of designation, TA markers first (12.1.0)."""
    found: dict[tuple[bool, Hex], list[UnitId]] = {}
    for unit in units:
        if unit.hex is not None:
            found.setdefault((unit.mode is Mode.PREPARED_ASSAULT, unit.hex), []).append(unit.id)
    return [tuple(found[key]) for key in sorted(found)]


@rule("12.1.0")
def removals(context: Context, state: State, side: Seat) -> list[tuple[UnitId, ...]]:
    """Of which units the owner must take the designation back next: a choice of stacks, TA before PA (12.1.0).

    Nothing where all can attack. Where one stack less, or one unit less, is enough, one of those; else first what is
    too much of a stack by itself.
    """
    plans = Plans(context, state, side)
    everybody = list(plans.candidates)
    if plans.can_all_attack():
        return []
    units = designated(state, side)
    tactical = _parties([unit for unit in units if unit.mode is not Mode.PREPARED_ASSAULT])
    prepared = _parties([unit for unit in units if unit.mode is Mode.PREPARED_ASSAULT])
    for parties in (tactical, prepared):
        ways = [*((one,) for party in parties for one in party if len(party) > 1), *parties]
        enough = [way for way in ways if plans.can_all_attack([one for one in everybody if one not in way])]
        if enough:
            return enough
    stuck = [way for party in (*tactical, *prepared) for way in _least(plans, party)]
    return stuck or tactical or prepared


def _least(plans: Plans, party: tuple[UnitId, ...]) -> list[tuple[UnitId, ...]]:
    """Of a stack that cannot attack as a whole, whatever the others do: each unit that is one too many (13.4.3)."""
    if len(party) == 1 or plans.can_all_attack(party):
        return []
    helpful = [one for one in party if plans.can_all_attack([other for other in party if other != one])]
    return [(one,) for one in helpful or party]


@rule("16.3.3", "12.1.0")
def purchases(context: Context, state: State, side: Seat) -> list[FormationId]:
    """The formations that need more assaults than their corps' ADV allows, if ammunition can be spent on them."""
    plans = Plans(context, state, side)
    if state.ammo.get(side, 0) < 1 or plans.can_all_attack() or not plans.can_all_attack(is_rich=True):
        return []
    formations = sorted({one.formation for one in plans.candidates.values()})
    return [
        formation
        for formation in formations
        if not plans.can_all_attack([one.id for one in plans.candidates.values() if one.formation == formation])
    ]


class AdjustingHandler(SegmentHandler[Adjusting]):
    """12.0 First what must be, then what the owner likes."""

    frame, answers, step = Adjusting, (StandDown, TakeBack, BuyAssaults, KeepDesignations), Step.ADJUSTMENT
    is_before_dice = True
    folds = MappingProxyType({**CHECKED, AssaultsBought: _bought})

    @rule("12.0")
    def begin(self, play: Play, player: Seat) -> None:
        """Nobody designated: nothing to adjust."""
        if designated(play.state, player):
            play.emit(Opened(Adjusting(player)))

    @rule("12.1.0")
    def advance(self, play: Play, frame: Adjusting) -> bool:
        """Take back what has nothing to attack, and what is without a choice (12.1.0)."""
        idle = Plans(self.context, play.state, frame.player).idle
        if idle:
            stand_down(play, self.context, frame.player, idle)
            return True
        ways = removals(self.context, play.state, frame.player)
        if len(ways) == 1 and not purchases(self.context, play.state, frame.player):
            stand_down(play, self.context, frame.player, ways[0])
            return True
        if not designated(play.state, frame.player):
            play.emit(Closed())
            return True
        return False

    def question(self, state: State, frame: Adjusting) -> Asking:
        """The active side."""
        if removals(self.context, state, frame.player):
            return Asking("12.1.0", "Take back designations: not all can attack", (frame.player,))
        return Asking("12.2.0", "Attack as designated, or take designations back", (frame.player,))

    def options(self, state: State, frame: Adjusting, seat: Seat) -> Node[Action]:
        """What must go; then done, or a stack that stands down."""
        ways = removals(self.context, state, frame.player)
        if ways:
            return Pick(lambda: self._mandatory(state, seat, ways))
        return Pick(lambda: self._voluntary(state, seat))

    def _mandatory(self, state: State, seat: Seat, ways: Sequence[tuple[UnitId, ...]]) -> Iterator[Branch[Action]]:
        """Ammunition for more assaults, where that would help; else what is taken back (12.1.0)."""
        for formation in purchases(self.context, state, seat):
            buy = BuyAssaults(formation)
            yield Branch(formation, "choice", buy.phrase(self.context).capitalize(), Leaf(buy))
        for way in ways:
            yield Branch(",".join(way), "unit", "; ".join(map(self.context.title, way)), Leaf(TakeBack(way)), way[0])

    @rule("12.2.0")
    def _voluntary(self, state: State, seat: Seat) -> Iterator[Branch[Action]]:
        """Done first; then each stack, with where it goes (12.2.0)."""
        yield Branch("done", "choice", "All who are designated attack", Leaf(KeepDesignations()))
        for hex, stack in stacks_of(designated(state, seat)).items():
            if state.has_used(HELD, hex=hex):
                continue
            label = self.context.label(hex)
            yield Branch(f"{label} stay", "hex", f"{label} stands down and stays", Leaf(StandDown(hex)), label)
            for to in choices(self.context, state, stack, RetreatPath(hex)):
                there = self.context.label(to)
                leaf = Leaf[Action](StandDown(hex, to))
                yield Branch(f"{label} {there}", "hex", f"{label} stands down, back to {there}", leaf, label)
            if has_shelter(self.context, state, hex, seat):
                leaf = Leaf[Action](StandDown(hex, None, into_works=True))
                yield Branch(f"{label} works", "hex", f"{label} stands down, into the works", leaf, label)

    def refusal(self, state: State, frame: Adjusting, seat: Seat, action: Action) -> Refusal | None:
        """What is not offered is not allowed."""
        if action in list(self.options(state, frame, seat)):
            return None
        return Refusal("12.2.0", "that cannot be taken back", "a stack that is attack designated, or done")

    @rule("12.2.0", "11.6.1")
    def apply(self, play: Play, frame: Adjusting, seat: Seat, action: Action) -> None:
        """Under cover freely; in the open by a check of the lowest offensive PR (12.2.0)."""
        match action:
            case KeepDesignations():
                play.emit(Closed())
            case BuyAssaults(formation=formation):
                play.emit(AssaultsBought(seat, formation))
            case TakeBack(units=units):
                stand_down(play, self.context, frame.player, units)
            case StandDown(hex=hex, to=to, into_works=into_works):
                stack = stacks_of(designated(play.state, seat))[hex]
                if not self._may_stand_down(play, stack, hex, seat):
                    play.emit(Used(Use(HELD, hex=hex)))
                    return
                ids = tuple(unit.id for unit in stack)
                stand_down(play, self.context, seat, ids)
                if to is not None:
                    self._go_back(play, stack, hex, to)
                elif into_works:
                    play.emit(Sheltered(seat, ids))
            case _:
                raise RulesBug(f"{action!r} does not adjust anything")

    @rule("12.2.0", "17.3.2a", "11.6.1")
    def _go_back(self, play: Play, stack: Sequence[Unit], here: Hex, to: Hex) -> None:
        """A hex back; if a bridge breaks under heavy vehicles those who need it stay (17.3.2a; ruling B-49)."""
        going = list(stack)
        if not heavy_over(play, self.context, stack, here, to):
            going = [unit for unit in stack if may_displace(self.context, play.state, unit, here, to)]
        if going:
            ids, hidden = tuple(unit.id for unit in going), hidden_of(self.context, play.state, going)
            play.emit(UnitsPlaced(going[0].side, ids, to, hidden))
            share_shifts(play, self.context, to)

    def _may_stand_down(self, play: Play, stack: Sequence[Unit], hex: Hex, seat: Seat) -> bool:
        if is_mct(self.context, play.state, hex, self.context.other(seat)):
            return True
        lowest = lowest_rated(self.context, stack, is_attacker=True)
        needed = rating(self.context, lowest, is_attacker=True)
        return check(play, self.context, lowest, needed, "stands down")
