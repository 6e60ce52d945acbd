"""6.6.1.1.3, 6.6.1.2.3 Moving up for an attack, and into the hex of a target that is gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Branch, Leaf, Node, Pick, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Closed, Opened
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, MoveIn
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.fires.impact import under_barrages
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.movement.close_combat.announcing import moving_up
from sandtable.systems.panzer.hex.movement.close_combat.charges import facts_of
from sandtable.systems.panzer.hex.movement.movement_told import explain_step, explain_turn
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.positions import leave_full_cover, leave_position, take_position
from sandtable.systems.panzer.hex.movement.shared_ends import is_among_sharers, refuse_end_apart
from sandtable.systems.panzer.hex.progress import Rate
from sandtable.systems.panzer.hex.state import MovingIn, State, Unit
from sandtable.systems.panzer.unit import UnitId

__all__ = ["MovingInHandler", "after_attack", "move_up"]

_BOOK = ("panzer-na",)
_STAYS, _IN = "stays", "in"


@rule("6.1.4.2", "6.6.6", "6.6.4.4", editions=_BOOK)
def move_up(context: Context, play: Play, unit_id: UnitId, to: Hex) -> None:
    """A unit leaves its cover and position for the hex, and Barrages there strike it (6.1.4.2, 6.6.6).

    Motorcycles turn towards it as vehicles do (6.6.4.4).
    """
    unit = play.state.units[unit_id]
    mover = Mover(context, play.state, unit)
    after = moving_up(context, play.state, unit, to)
    assert after is not None  # noqa: S101 - it was checked
    leave_position(play, unit, moves=True)
    leave_full_cover(play, unit)
    if facts_of(context, unit).card.motorcycle and after.facing != unit.facing:
        turn = (after.facing - unit.facing + 2) % 6 - 2
        cost = explain_turn(mover, mover.start(), turn, Rate.CROSS_COUNTRY)
        play.emit(ev.UnitTurned(unit_id, after.facing, cost))
    play.emit(ev.UnitMoved(unit_id, to, explain_step(mover, mover.start(), after, Rate.CROSS_COUNTRY)))
    if play.state.missions:
        under_barrages(context, play, unit_id, to, ())
    take_position(context, play, unit_id)


@rule("6.6.1.1.3", "6.6.1.2.3", editions=_BOOK)
def after_attack(context: Context, play: Play, target: Unit, ready: list[UnitId]) -> None:
    """When the target is gone, and nobody else holds its hex, the attackers may move in (6.6.1.1.3, 6.6.1.2.3)."""
    hex = target.hex
    assert hex is not None  # noqa: S101 - as it was before
    if play.state.units[target.id].in_play:
        return
    able = tuple(one for one in ready if moving_up(context, play.state, play.state.units[one], hex) is not None)
    if next(_moving_in(context, play.state, able, hex), None) is not None:
        play.emit(Opened(MovingIn(able, hex)))


class MovingInHandler(Handler[MovingIn]):
    """6.6.1.1.3, 6.6.1.2.3: any or all of the attackers may take the hex; those who share a command go together."""

    frame = MovingIn
    answers = (MoveIn,)

    def question(self, state: State, frame: MovingIn) -> Asking:
        """The attackers' owner."""
        return Asking("6.6.1.1.3", "Move into the hex?", (state.units[frame.units[0]].side,))

    def options(self, state: State, frame: MovingIn, seat: Seat) -> Node[Action]:
        """Any or all of them, or none."""
        return Pick(lambda: self._ways(state, frame))

    def _ways(self, state: State, frame: MovingIn) -> Iterator[Branch[Action]]:
        yield Branch("stay", "answer", "stay", Leaf(MoveIn()))
        titles = {one: f"{self.context.cards[state.units[one].card].name} {one}" for one in frame.units}
        values, words = (_STAYS, _IN), ("stays", "moves in")
        slots = [Slot(one, "unit", titles[one], values, words=words, plain=_STAYS) for one in frame.units]
        label = self.context.game_map.label(frame.hex)

        def build(chosen: Sequence[str]) -> Action:
            return MoveIn(tuple(unit for unit, value in zip(frame.units, chosen, strict=True) if value == _IN))

        def judge(chosen: Sequence[str]) -> Refusal | None:
            if "" in chosen:
                return None  # who is open may still make the set a legal one
            action = build(chosen)
            if action == MoveIn():
                return Refusal("6.6.1.1.3", "nobody moves in", "choose somebody, or stay")
            return self.refusal(state, frame, state.units[frame.units[0]].side, action)

        yield Branch("in", "answer", "move in", Assign(slots, build, judge=judge), label, is_hex=True)

    def refusal(self, state: State, frame: MovingIn, seat: Seat, action: Action) -> Refusal | None:
        """Units that did not attack, or that would leave those who share their command behind."""
        assert isinstance(action, MoveIn)  # noqa: S101 - the only answer
        stray = [unit for unit in action.units if unit not in frame.units]
        if stray or len(set(action.units)) != len(action.units):
            return Refusal("6.6.1.1.3", f"{', '.join(stray) or 'a unit twice'} may not move in", ", ".join(frame.units))
        return _refuse_moving_in(self.context, state, action.units, frame.hex)

    def apply(self, play: Play, frame: MovingIn, seat: Seat, action: Action) -> None:
        """They are in the hex, and no overwatch is fired at them (6.6.1.1.3)."""
        assert isinstance(action, MoveIn)  # noqa: S101 - the only answer
        play.emit(Closed())
        for unit_id in action.units:
            move_up(self.context, play, unit_id, frame.hex)


@rule("6.6.1.1.3", "6.6.11", "6.2.1.1.4", editions=_BOOK)
def _refuse_moving_in(context: Context, state: State, units: Sequence[UnitId], hex: Hex) -> Refusal | None:
    """Why these may not move in together: one of them would lose those who share its command (6.6.11).

    Nobody is kept out by those who are out of Command Range already.
    """
    moved = {one: replace(state.units[one], hex=hex) for one in units}
    after = replace(state, units={**state.units, **moved})
    for unit_id, unit in moved.items():
        before = state.units[unit_id]
        assert before.hex is not None  # noqa: S101 - it has attacked
        refusal = refuse_end_apart(context, after, unit, hex)
        if refusal is not None and is_among_sharers(context, state, before, before.hex):
            return refusal
    return None


def _moving_in(context: Context, state: State, units: tuple[UnitId, ...], hex: Hex) -> Iterator[tuple[UnitId, ...]]:
    """Every set of the attackers that may move in together, the largest first."""
    for size in range(len(units), 0, -1):
        for chosen in combinations(units, size):
            if _refuse_moving_in(context, state, chosen, hex) is None:
                yield chosen
