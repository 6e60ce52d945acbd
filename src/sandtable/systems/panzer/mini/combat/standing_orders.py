"""8.3.2 Standing orders for overwatch on vehicles that move: not to be asked at every inch.

A force that is asked whether it fires on a vehicle that moves may say that it holds its fire until something happens.
It may do so whatever its orders are, and only it knows for how long; so a question that is not asked tells the mover
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.core.decision import Branch, Leaf, Pick
from sandtable.core.errors import Refusal
from sandtable.geo.plane.points import range_inches, within
from sandtable.systems.panzer.mini.actions import Action, HoldFire
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.state import Hold, State, Unit, Until
from sandtable.systems.panzer.terrain import Cover

__all__ = ["hold_branch", "hold_of", "holds_fire", "refuse_hold"]

_NEAR = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40)
"""Distances in inches that are offered."""
_WORDS = {
    Until.LEAVES_COVER: "it stands in no cover",
    Until.STOPS: "it stops",
    Until.MOVE_ENDS: "its move is over: no fire on it",
}


def holds_fire(
    context: Context, state: State, hold: Hold | None, watchers: Sequence[Unit], mover: Unit, *, last: bool
) -> bool:
    """Whether a standing order still holds; ``last`` on the last inch of the move."""
    if hold is None or hold.mover not in ("", mover.id) or mover.at is None:
        return False
    if hold.until is Until.WITHIN:
        at = mover.at
        return not any(unit.at is not None and within(unit.at, at, hold.inches) for unit in watchers)
    if hold.until is Until.LEAVES_COVER:
        return _is_covered(context, state, mover)
    return hold.until is Until.MOVE_ENDS or not last


def _is_covered(context: Context, state: State, unit: Unit) -> bool:
    return unit.at is not None and context.ground(state).at(unit.at).cover_fire is not Cover.NONE


def hold_of(action: HoldFire, mover: Unit) -> Hold:
    """The standing order that an action gives."""
    return Hold(action.until, action.inches, type(mover.id)("") if action.all_movers else mover.id)


def refuse_hold(action: HoldFire, watchers: Sequence[Unit], mover: Unit) -> Refusal | None:
    """A standing order that is not among those that may be given."""
    if (action.until, action.inches) not in _offered(watchers, mover, all_movers=action.all_movers):
        told = f"{action.until.value} {action.inches}".removesuffix(" 0")
        return Refusal("8.3.2", f"{told!r} is nothing to wait for here", "a distance that it has not yet come to")
    return None


def _offered(watchers: Sequence[Unit], mover: Unit, *, all_movers: bool) -> list[tuple[Until, int]]:
    """What one may wait for: distances that the vehicle has not yet come to, cover, its end."""
    at = mover.at
    ranges = [range_inches(unit.at, at) for unit in watchers if unit.at is not None and at is not None]
    nearest = min(ranges, default=0)
    near = [(Until.WITHIN, inches) for inches in _NEAR if all_movers or inches < nearest]
    return [*near, (Until.LEAVES_COVER, 0), (Until.STOPS, 0), (Until.MOVE_ENDS, 0)]


def hold_branch(watchers: Sequence[Unit], mover: Unit) -> Branch[Action]:
    """The standing orders that one may give, for this vehicle or for all that move in this step."""

    def until(*, all_movers: bool) -> Iterator[Branch[Action]]:
        for what, inches in _offered(watchers, mover, all_movers=all_movers):
            leaf = Leaf[Action](HoldFire(what, inches, all_movers))
            key = f"{what.value} {inches}" if inches else what.value
            words = f"it comes within {inches} in" if inches else _WORDS[what]
            yield Branch(key, "until", words, leaf)

    def whom() -> Iterator[Branch[Action]]:
        yield Branch("this", "whom", f"on {mover.id}, until ...", Pick(lambda: until(all_movers=False)))
        yield Branch("all", "whom", "on all that move in this step, until ...", Pick(lambda: until(all_movers=True)))

    return Branch("hold", "hold", "Hold fire and do not ask until ...", Pick(whom))
