"""6.1.4.3.6, 6.1.4.3.7, 6.6.9 Positions for one unit: entrenchments, Improved Positions, hull down by searching."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.geo.hex import DIRECTION_NAMES
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.combat.hazards import hull_down_number
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.frames import PositionChoice
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, DesignatePosition, SearchHullDown
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import features_in, positions_of
from sandtable.systems.panzer.hex.fires.impact import under_barrages
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.shared_ends import refuse_end_apart
from sandtable.systems.panzer.hex.progress import WHOLE
from sandtable.systems.panzer.hex.state import Moving, State, Unit
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.movement.digging import refuse_search
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import Spot, UnitId

__all__ = [
    "PositionChoiceHandler",
    "leave_full_cover",
    "leave_position",
    "refuse_searching",
    "search",
    "searches",
    "take_position",
]

_BOOK = ("panzer-na",)


@rule("6.6.9", "6.1.4.3.6", "6.1.4.3.7", editions=_BOOK)
def leave_position(play: Play, unit: Unit, *, moves: bool) -> None:
    """A vehicle that reveals a moving command abandons what it has found, even if it stays (6.6.9)

    An entrenchment or Improved Position stays where it is when its unit ``moves`` away (6.1.4.3.6, 6.1.4.3.7).
    """
    positions = positions_of(play.state.features, unit.id)
    if unit.markers.hull_down is not HullDown.NONE and not positions:
        play.emit(shared.PositionAbandoned(unit.id))
    for feature in positions if moves else ():
        play.emit(ev.PositionTaken(feature, None))
        if unit.markers.hull_down is not HullDown.NONE:
            play.emit(shared.PositionAbandoned(unit.id))


@rule("6.1.4.2", editions=_BOOK)
def leave_full_cover(play: Play, unit: Unit) -> None:
    """A unit that moves is no longer in Full Cover (6.1.4.2)."""
    if unit.markers.full_cover:
        play.emit(shared.CoverAdjusted(unit.side, (), (unit.id,)))


@rule("6.1.4.3.6", "6.1.4.3.7", editions=_BOOK)
def take_position(context: Context, play: Play, unit_id: UnitId, *, backing: bool = False) -> bool:
    """A unit that ends its move where a position lies abandoned is in it: vehicles in Improved ones only (6.1.4.3.6)

    An Improved Position is open behind a vehicle, or before one that came in ``backing`` (6.1.4.3.7); a position that
    the vehicle has found in the same hex is given up for it. The answer is whether a vehicle is in one now, whose owner
    is asked how much it hides.
    """
    unit = play.state.units[unit_id]
    if unit.hex is None or not unit.in_play or unit.markers.is_mounted or positions_of(play.state.features, unit_id):
        return False
    vehicle = context.cards[unit.card].unit_class is UnitClass.VEHICLE
    kinds = (FeatureKind.IMPROVED_POSITION, *(() if vehicle else (FeatureKind.HASTY_ENTRENCHMENT,)))
    free = (one for one in features_in(play.state.features, unit.hex, *kinds) if not one.unit and not one.turns)
    feature = next(free, None)
    if feature is None:
        return False
    open_way = (unit.facing if backing else (unit.facing + 3) % 6) if vehicle else -1
    if unit.markers.hull_down is not HullDown.NONE:
        play.emit(shared.PositionAbandoned(unit_id))
    play.emit(ev.PositionTaken(feature, unit_id, open_way))
    return vehicle


class PositionChoiceHandler(Handler[PositionChoice]):
    """6.1.4.1.2: a vehicle that has come into an Improved Position is Hull Down there, or partially so."""

    frame = PositionChoice
    answers = (DesignatePosition,)

    def question(self, state: State, frame: PositionChoice) -> Asking:
        """Its owner."""
        title = f"Designate the Improved Position of {frame.unit}"
        return Asking("6.1.4.1.2", title, (state.units[frame.unit].side,))

    def options(self, state: State, frame: PositionChoice, seat: Seat) -> Node[Action]:
        """Hull Down, or Partial Hull Down so that a limited weapon may fire."""
        words = ((HullDown.FULL, "Hull Down"), (HullDown.PARTIAL, "Partial Hull Down"))
        return Pick(lambda: [Branch(one.value, "answer", label, Leaf(DesignatePosition(one))) for one, label in words])

    def refusal(self, state: State, frame: PositionChoice, seat: Seat, action: Action) -> Refusal | None:
        """Neither of the two."""
        assert isinstance(action, DesignatePosition)  # noqa: S101 - the only answer
        if action.position is HullDown.NONE:
            return Refusal("6.1.4.1.2", "what the position hides must be said", "partial or full")
        return None

    @rule("6.1.4.1.2", editions=_BOOK)
    def apply(self, play: Play, frame: PositionChoice, seat: Seat, action: Action) -> None:
        """A HD counter makes it partial; without one it is full (6.1.4.1.2)."""
        assert isinstance(action, DesignatePosition)  # noqa: S101 - the only answer
        play.emit(Closed())
        if action.position is HullDown.PARTIAL:
            play.emit(shared.PositionDesignated(frame.unit))


@rule("6.6.9", "6.2.1.1.4", editions=_BOOK)
def refuse_searching(context: Context, state: State, unit: Unit, action: SearchHullDown) -> Refusal | None:
    """Why a vehicle may not look for a hull down position here (6.6.9)"""
    facts = context.move_facts(unit)
    if facts is None or not context.plays(Module.HULL_DOWN):
        return Refusal("6.6.9", "nobody searches for hull down positions in this scenario", "move it instead")
    if unit.hex is None:
        return Refusal("6.6.9", f"{unit.id} is not on the mapboard", "move it on to the mapboard first")
    if not 0 <= action.facing < len(DIRECTION_NAMES):
        return Refusal("6.6.9", f"a facing of {action.facing}", "0 to 5, clockwise from N")
    if action.position is HullDown.NONE:
        return Refusal("6.6.9", "what it looks for must be said", "partial or full")
    refusal = refuse_search(facts, _range(context, state, unit), 0)
    if refusal is not None:
        return refusal
    return refuse_end_apart(context, state, unit, unit.hex)


def _range(context: Context, state: State, unit: Unit) -> int:
    """The range of the terrain, 0 where there is no position; inside buildings there is none."""
    if unit.hex is None or unit.markers.floor:
        return 0
    return min((row.hull_down or 0 for row in context.ground_at(state).places[unit.hex].footing), default=0)


def searches(context: Context, state: State, unit: Unit) -> Iterator[Branch[Action]]:
    """Hull Down or partially so, and which way the vehicle faces there."""
    # What may be said against one holds for the other.
    if refuse_searching(context, state, unit, SearchHullDown(unit.id, HullDown.FULL, unit.facing)) is not None:
        return
    for position in (HullDown.FULL, HullDown.PARTIAL):
        words = f"search for a {'' if position is HullDown.FULL else 'partial '}hull down position"
        yield Branch(f"search {position.value}", "deed", words, Pick(partial(_facings, unit, position)))


def _facings(unit: Unit, position: HullDown) -> list[Branch[Action]]:
    """Every facing, the vehicle's own first, driven or backed into."""
    ways = sorted(range(len(DIRECTION_NAMES)), key=lambda way: (way - unit.facing) % len(DIRECTION_NAMES))
    return [
        Branch(name + back, "facing", words, Leaf(SearchHullDown(unit.id, position, way, reverse=bool(back))))
        for back in ("", " back")
        for way in ways
        for name in (DIRECTION_NAMES[way],)
        for words in (f"facing {name}{', backing into it' if back else ''}",)
    ]


@rule("6.6.9", editions=_BOOK)
def search(context: Context, play: Play, action: SearchHullDown) -> None:
    """The vehicle spends its whole allowance on looking for a position (6.6.9)

    One in an Improved Position leaves it for that, and is in it anew if nobody else is (6.1.4.3.7).
    """
    unit = play.state.units[action.unit]
    reveal(play, unit.id)
    leave_position(play, unit, moves=True)
    play.emit(shared.SpotMarked(unit.id, Spot.MOVE))
    mover = Mover(context, play.state, play.state.units[unit.id])
    card = context.cards[unit.card]
    number = hull_down_number(
        context.tables,
        _range(context, play.state, unit),
        card.size,
        context.grade(unit.id),
        partial=action.position is HullDown.PARTIAL,
    )
    roll = play.dice.roll(D100, f"hull down position of {unit.id}", (number.total,)).total
    open_way = action.facing if action.reverse else (action.facing + 3) % 6
    play.emit(ev.PositionSearched(unit.id, action.position, action.facing, open_way, number, roll))
    assert unit.hex is not None  # noqa: S101 - it was checked
    under_barrages(context, play, unit.id, unit.hex, ())
    start = replace(mover.start(), facing=action.facing, backing=action.reverse)
    spent = replace(start, spent=WHOLE, spent_route=start.cross_country, paid=True, on_route=False)
    play.emit(Opened(Moving(unit.id, (), spent, unit.damaged, harm=mover.harm)))
