"""3.3.3 Defensive First Fire: the DEFENDER's chance to fire at those who have just spent MF, again and again.

All units on the map are open to both sides, so whether he is asked depends on public facts and on his own standing
order: he is asked whenever some unit of his could fire with a line of sight.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.geo.hex import distance
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Fire, FireOrdnance, HoldFire
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.stacking import occupants
from sandtable.systems.aslsk.fire.fire import fire, targets_of
from sandtable.systems.aslsk.fire.fire_groups import assemble, firers_of
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.fire.firing_handler import FiringHandler
from sandtable.systems.aslsk.fire.interdiction import is_exposed_to
from sandtable.systems.aslsk.fire.muzzles import has_shot
from sandtable.systems.aslsk.phases.firing import attacks_made, target_node
from sandtable.systems.aslsk.pieces.state import FirstFire, Hold, Moving, State
from sandtable.systems.aslsk.support_weapons.ordnance import fire_ordnance, refuse_ordnance
from sandtable.systems.aslsk.support_weapons.ordnance_choices import ordnance_firers
from sandtable.systems.aslsk.support_weapons.panzerfaust import fire_panzerfaust, refuse_panzerfaust

if TYPE_CHECKING:
    from random import Random

__all__ = ["FirstFireHandler"]

FARTHEST_HOLD = 6
"""The greatest distance that a standing order may name."""


def _moving(state: State) -> Moving:
    frame = state.stack[-2]
    assert isinstance(frame, Moving)  # noqa: S101 - the question is asked inside a move
    return frame


def _fireground(context: Context, state: State, frame: FirstFire) -> Fireground:
    return Fireground(context, state, FireMode.FIRST, frame.asked, frame.hex, moving=_moving(state))


@rule("3.3.3")
def _may_be_asked(context: Context, state: State, frame: FirstFire) -> bool:
    """Whether some unit of the DEFENDER could fire at the movers, and his standing order lets him be asked (3.3.3)."""
    if not targets_of(context, state, frame.asked, frame.hex, _moving(state)):
        return False
    hold = state.holds.get(frame.asked)
    if hold is not None and not _breaks_hold(context, state, frame, hold):
        return False
    ground = _fireground(context, state, frame)
    if has_shot(ground, frame.attacked):
        return True
    return next(ordnance_firers(ground, in_sight=True), None) is not None


def _breaks_hold(context: Context, state: State, frame: FirstFire, hold: Hold) -> bool:
    """Whether what happens is what a standing order waits for."""
    moving = _moving(state)
    for hex, units in occupants(context, state).items():
        reach = distance(hex, frame.hex)
        adjacent = hold.adjacent and reach <= 1
        if not adjacent and reach > hold.open_within:
            continue
        if not any(unit.side == frame.asked and unit.good_order for unit in units):
            continue
        if adjacent:
            return True
        sees = context.sees(state, hex, frame.hex)
        if sees and is_exposed_to(context, state, hex, frame.hex, moving.via, on_road=moving.open_road):
            return True
    return False


class FirstFireRoot(Node[Action]):
    """Fire at the movers, or hold fire; standing orders are given seldom at random."""

    __slots__ = ("_context", "_frame", "_state")

    def __init__(self, context: Context, state: State, frame: FirstFire) -> None:
        self._context = context
        self._state = state
        self._frame = frame

    def branches(self) -> Iterator[Branch[Action]]:
        """Hold fire, fire at the movers, or give a standing order."""
        yield Branch("hold", "pass", "Hold fire", Leaf[Action](HoldFire()))
        node = target_node(_fireground(self._context, self._state, self._frame), self._frame.attacked)
        if node is not None:
            label = self._context.label(self._frame.hex)
            yield Branch(label, "target", f"Fire at {label}", node, label, is_hex=True)
        yield Branch("standing", "order", "Hold fire until …", Pick(_standing_orders))

    def sample(self, rng: Random) -> Action:
        """Hold fire or fire, as likely as not."""
        chance = rng.random()
        if chance < 0.45:
            return HoldFire()
        ways = list(self.branches())
        return ways[1 if chance < 0.95 else -1].then.sample(rng)


def _standing_orders() -> Iterator[Branch[Action]]:
    for within in range(FARTHEST_HOLD + 1):
        for adjacent in (False, True):
            waits = [f"in the open within {within} hex{'es' if within > 1 else ''}"] if within else []
            if adjacent:
                waits.append("adjacent")
            label = f"Until somebody is {' or '.join(waits)}" if waits else "For the rest of the MPh"
            key = f"{within}{'+' if adjacent else ''}"
            yield Branch(key, "order", label, Leaf[Action](HoldFire(Hold(within, adjacent))))


@rule("3.3.3")
def _refuse_first_fire(
    context: Context, state: State, frame: FirstFire, action: HoldFire | Fire | FireOrdnance
) -> Refusal | None:
    """Why this Defensive First Fire may not be declared (3.3.3)."""
    if isinstance(action, HoldFire):
        if action.until is not None and not 0 <= action.until.open_within <= FARTHEST_HOLD:
            return Refusal("3.3.3", f"a standing order names 0 to {FARTHEST_HOLD} hexes")
        return None
    if action.target != frame.hex:
        return Refusal("3.3.3", "Defensive First Fire is only at those who have just spent MF")
    ground = _fireground(context, state, frame)
    if isinstance(action, Fire):
        found = assemble(ground, action, frame.attacked)
        return found if isinstance(found, Refusal) else None
    return refuse_ordnance(ground, action) if action.weapon else refuse_panzerfaust(ground, action)


@rule("3.3.3")
def _resolve_first_fire(context: Context, play: Play, frame: FirstFire, action: Fire | FireOrdnance) -> None:
    """Resolve an attack on the movers; the DEFENDER may go on, and the movers decide anew after it (3.3.3)."""
    ground = _fireground(context, play.state, frame)
    moving = _moving(play.state)
    attacked, names = frame.attacked, _names(action)
    if isinstance(action, Fire):
        group = firers_of(ground, action)
        attacked = attacks_made(context, attacked, group, frame.hex)
        names = [firer.name for firer in group]
        fire(ground, play, group, action, moving)
    elif action.weapon:
        fire_ordnance(ground, play, action, moving)
    else:
        fire_panzerfaust(ground, play, action, moving)
    shots = dict(moving.shots)
    for name in names:
        shots[name] = shots.get(name, 0) + 1
    play.emit(ev.Closed())
    play.emit(ev.Changed(replace(moving, shots=shots, interrupted=True)))
    play.emit(ev.Opened(replace(frame, attacked=attacked)))


def _names(action: Fire | FireOrdnance) -> list[str]:
    if isinstance(action, FireOrdnance):
        return [action.weapon] if action.weapon else [f"{action.unit} PF"]
    return []


def _hold_fire(play: Play, frame: FirstFire, action: HoldFire | None) -> None:
    """The DEFENDER does not fire, or not again, at this expenditure of MF (3.3.3)."""
    if action is not None:
        play.emit(ev.FireHeld(frame.asked))
        if action.until is not None:
            play.emit(ev.HoldOrdered(frame.asked, action.until))
    play.emit(ev.Closed())


# --- the question -----------------------------------------------------------------------------------------------


class FirstFireHandler(FiringHandler[FirstFire]):
    """3.3.3: the DEFENDER may fire at what has just spent MF."""

    frame = FirstFire
    answers = (HoldFire, Fire, FireOrdnance)

    def question(self, state: State, frame: FirstFire) -> Asking:
        """The DEFENDER."""
        return Asking("3.3.3", f"Defensive First Fire at {self.context.label(frame.hex)}?", (frame.asked,))

    def options(self, state: State, frame: FirstFire, seat: Seat) -> Node[Action]:
        """Hold fire, now or by standing order, or fire at the movers (3.3.3)."""
        return FirstFireRoot(self.context, state, frame)

    def refusal(self, state: State, frame: FirstFire, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be declared."""
        assert isinstance(action, HoldFire | Fire | FireOrdnance)  # noqa: S101 - the answers
        return _refuse_first_fire(self.context, state, frame, action)

    def apply(self, play: Play, frame: FirstFire, seat: Seat, action: Action) -> None:
        """Fire, or not."""
        if isinstance(action, Fire | FireOrdnance):
            _resolve_first_fire(self.context, play, frame, action)
        elif isinstance(action, HoldFire):
            _hold_fire(play, frame, action)

    def advance(self, play: Play, frame: FirstFire) -> bool:
        """Who cannot fire, or waits by a standing order, is not asked."""
        if _may_be_asked(self.context, play.state, frame):
            return False
        _hold_fire(play, frame, None)
        return True

    def moving(self, state: State) -> Moving:
        """The move that it interrupts."""
        return _moving(state)
