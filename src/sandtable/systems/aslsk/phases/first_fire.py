"""3.3.3 Defensive First Fire: the DEFENDER's chance to fire at those who have just spent MF, again and again.

Units on the map are open to both sides, so whether he is asked depends on public facts and on his own standing order:
he is asked whenever some unit of his could fire with a line of sight, and always while somebody of his is hidden (6.4),
for else the question would tell where.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, Fire, FireOrdnance, HoldFire, ReactionFire
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.hidden import has_hidden
from sandtable.systems.aslsk.common.stacking import occupants
from sandtable.systems.aslsk.common.vehicle_actions import AttemptMotion, DispenseSmoke, FireGun, FireVehicle
from sandtable.systems.aslsk.fire.fire import can_hurt, fire, targets_of
from sandtable.systems.aslsk.fire.fire_groups import assemble, firers_of
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.fire.firing_handler import FiringHandler
from sandtable.systems.aslsk.fire.interdiction import is_exposed_to
from sandtable.systems.aslsk.fire.muzzles import has_shot
from sandtable.systems.aslsk.guns.gun_choices import has_gun_shot, shot_ways
from sandtable.systems.aslsk.guns.gun_fire import refuse_gun
from sandtable.systems.aslsk.guns.shooting import fire_gun
from sandtable.systems.aslsk.phases.evasion import evade, evasion_branches, refuse_evasion
from sandtable.systems.aslsk.phases.firing import attacks_made
from sandtable.systems.aslsk.phases.firing_choices import target_node
from sandtable.systems.aslsk.phases.reaction_fire import can_react, react, reaction_branches, refuse_reaction
from sandtable.systems.aslsk.pieces.state import FirstFire, Hold, Moving, State, UnderWay, VehicleGun, VehicleMoving
from sandtable.systems.aslsk.support_weapons.ordnance import fire_ordnance, refuse_ordnance
from sandtable.systems.aslsk.support_weapons.ordnance_choices import ordnance_firers
from sandtable.systems.aslsk.support_weapons.panzerfaust import fire_panzerfaust, refuse_panzerfaust
from sandtable.systems.aslsk.vehicles.vehicle_fire import fire_vehicle, fired_with, refuse_vehicle_fire
from sandtable.systems.aslsk.vehicles.vehicle_fire_choices import vehicle_firers

if TYPE_CHECKING:
    from random import Random

__all__ = ["FirstFireHandler"]

_Attack = Fire | FireOrdnance | FireGun | FireVehicle | ReactionFire
_Evasion = AttemptMotion | DispenseSmoke
_UnderWay = Moving | VehicleMoving
"""Made once: a union takes longer to make than to look into."""
_FIRST = FireMode.FIRST
"""A name is looked up quicker than a member of an enum."""
FARTHEST_HOLD = 6
"""The greatest distance that a standing order may name."""


def _moving(state: State) -> UnderWay:
    frame = state.stack[-2]
    assert isinstance(frame, _UnderWay)  # noqa: S101 - the question is asked inside a move
    return frame


def _fireground(context: Context, state: State, frame: FirstFire) -> Fireground:
    return Fireground(context, state, _FIRST, frame.asked, frame.hex, moving=_moving(state))


@rule("3.3.3")
def _may_be_asked(context: Context, state: State, frame: FirstFire) -> bool:
    """Whether some unit of the DEFENDER could fire at the movers, and his standing order lets him be asked (3.3.3)."""
    moving = _moving(state)
    if not frame.vehicle and not targets_of(context, state, frame.asked, frame.hex, moving):
        return False
    if frame.vehicle and not state.vehicles[frame.vehicle].in_play:
        return False
    hold = state.holds.get(frame.asked)
    if hold is not None and not _breaks_hold(context, state, frame, hold):
        return False
    if has_hidden(context, state, frame.asked):
        return True
    ground = Fireground(context, state, _FIRST, frame.asked, frame.hex, moving=moving)
    if frame.vehicle and can_react(ground, frame):
        return True
    if (not state.vehicles or can_hurt(ground)) and has_shot(ground, frame.attacked):
        return True
    if next(ordnance_firers(ground, in_sight=True), None) is not None:
        return True
    if state.vehicles and next(vehicle_firers(ground, frame.attacked, in_sight=True), None) is not None:
        return True
    return has_gun_shot(ground, moving)


@rule("3.3.2.1", "7.5")
def _may_evade(context: Context, state: State, frame: FirstFire) -> bool:
    """Whether a vehicle of the DEFENDER could attempt Motion Status or dispense smoke (3.3.2.1, 7.5)."""
    if frame.vehicle and not state.vehicles[frame.vehicle].in_play:
        return False
    hold = state.holds.get(frame.asked)
    if hold is not None and not _breaks_hold(context, state, frame, hold):
        return False
    return next(evasion_branches(context, state, frame, _moving(state)), None) is not None


def _breaks_hold(context: Context, state: State, frame: FirstFire, hold: Hold) -> bool:
    """Whether what happens is what a standing order waits for."""
    moving = _moving(state)
    for hex in _watchers(context, state, frame.asked):
        reach = distance(hex, frame.hex)
        if hold.adjacent and reach <= 1:
            return True
        if reach > hold.open_within:
            continue
        sees = context.sees(state, hex, frame.hex)
        if sees and is_exposed_to(context, state, hex, frame.hex, moving.via, on_road=moving.open_road):
            return True
    return False


def _watchers(context: Context, state: State, seat: str) -> Iterator[Hex]:
    """The hexes with Good Order units and vehicles of a side."""
    for hex, units in occupants(context, state).items():
        for unit in units:
            if unit.side == seat and unit.good_order:
                yield hex
                break
    for vehicle in state.vehicles.values():
        if vehicle.side == seat and vehicle.is_active and vehicle.hex is not None:
            yield vehicle.hex


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
        ground = _fireground(self._context, self._state, self._frame)
        node = target_node(ground, self._frame.attacked)
        if node is not None:
            label = self._context.label(self._frame.hex)
            yield Branch(label, "target", f"Fire at {label}", node, label, is_hex=True)
        for way in shot_ways(ground, _moving(self._state)):
            yield way()
        if self._frame.vehicle:
            yield from reaction_branches(ground, self._frame)
        if self._state.vehicles:
            yield from evasion_branches(self._context, self._state, self._frame, _moving(self._state))
        yield Branch("standing", "order", "Hold fire until …", _STANDING)

    def sample(self, rng: Random) -> Action:
        """Hold fire or fire, as likely as not."""
        chance = rng.random()
        if chance < 0.45:
            return HoldFire()
        if chance >= 0.95:
            return _STANDING.sample(rng)
        ways = list(self.branches())
        fires = ways[1:-1]
        if not fires:
            return HoldFire()
        return fires[int(rng.random() * len(fires)) if len(fires) > 1 else 0].then.sample(rng)


def _standing_orders() -> Iterator[Branch[Action]]:
    for within in range(FARTHEST_HOLD + 1):
        for adjacent in (False, True):
            waits = [f"in the open within {within} hex{'es' if within > 1 else ''}"] if within else []
            if adjacent:
                waits.append("adjacent")
            label = f"Until somebody is {' or '.join(waits)}" if waits else "For the rest of the MPh"
            key = f"{within}{'+' if adjacent else ''}"
            yield Branch(key, "order", label, Leaf[Action](HoldFire(Hold(within, adjacent))))


_STANDING: Pick[Action] = Pick(_standing_orders)


@rule("3.3.3")
def _refuse_first_fire(context: Context, state: State, frame: FirstFire, action: HoldFire | _Attack) -> Refusal | None:
    """Why this Defensive First Fire may not be declared (3.3.3)."""
    if isinstance(action, HoldFire):
        if action.until is not None and not 0 <= action.until.open_within <= FARTHEST_HOLD:
            return Refusal("3.3.3", f"a standing order names 0 to {FARTHEST_HOLD} hexes", "name one of these")
        return None
    if isinstance(action, ReactionFire):
        return refuse_reaction(_fireground(context, state, frame), frame, action)
    if action.target != frame.hex:
        return Refusal(
            "3.3.3", "Defensive First Fire is only at those who have just spent MF", "fire at the hex of the mover"
        )
    ground = _fireground(context, state, frame)
    if isinstance(action, FireVehicle):
        return refuse_vehicle_fire(ground, action, frame.attacked)
    if isinstance(action, FireGun):
        return refuse_gun(ground, action, _moving(state))
    if isinstance(action, Fire):
        if state.vehicles and not can_hurt(ground):
            return Refusal(
                "7.12",
                "the crew is buttoned up, and no vehicle is hurt on the IFT",
                "fire ordnance at it, or hold fire",
            )
        found = assemble(ground, action, frame.attacked)
        return found if isinstance(found, Refusal) else None
    return refuse_ordnance(ground, action) if action.weapon else refuse_panzerfaust(ground, action)


@rule("3.3.3")
def _resolve_first_fire(context: Context, play: Play, frame: FirstFire, action: _Attack) -> None:
    """Resolve an attack on the movers; the DEFENDER may go on, and the movers decide anew after it (3.3.3)."""
    ground = _fireground(context, play.state, frame)
    moving = _moving(play.state)
    attacked, names = frame.attacked, _names(action)
    if isinstance(action, ReactionFire):
        names = [*react(context, play, action)]
    elif isinstance(action, Fire):
        group = firers_of(ground, action)
        attacked = attacks_made(context, attacked, group, frame.hex)
        names = [firer.name for firer in group]
        fire(ground, play, group, action, moving)
    elif isinstance(action, FireVehicle):
        attacked = fired_with(attacked, play.state.vehicles[action.vehicle], action)
        fire_vehicle(ground, play, action)
    elif isinstance(action, FireGun):
        if not fire_gun(ground, play, action, moving):
            # For want of its ammunition it has not fired (6.2).
            names = []
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


def _names(action: _Attack) -> list[str]:
    if isinstance(action, FireGun):
        return [action.weapon or action.vehicle]
    if isinstance(action, FireOrdnance):
        return [action.weapon] if action.weapon else [f"{action.unit} PF"]
    if isinstance(action, FireVehicle):
        return [action.vehicle if gun is VehicleGun.MAIN else f"{action.vehicle} {gun.value}" for gun in action.guns]
    return []


def _resolve_evasion(context: Context, play: Play, frame: FirstFire, action: AttemptMotion | DispenseSmoke) -> None:
    """What a vehicle does besides fire; the movers decide anew after it (3.3.2.1, 7.5)."""
    moving = _moving(play.state)
    evade(context, play, moving, action)
    play.emit(ev.Closed())
    play.emit(ev.Changed(replace(moving, interrupted=True)))
    play.emit(ev.Opened(frame))


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
    answers = (HoldFire, ReactionFire, Fire, FireGun, FireOrdnance, FireVehicle, AttemptMotion, DispenseSmoke)

    def question(self, state: State, frame: FirstFire) -> Asking:
        """The DEFENDER."""
        return Asking("3.3.3", f"Defensive First Fire at {self.context.label(frame.hex)}?", (frame.asked,))

    def options(self, state: State, frame: FirstFire, seat: Seat) -> Node[Action]:
        """Hold fire, now or by standing order, or fire at the movers (3.3.3)."""
        return FirstFireRoot(self.context, state, frame)

    def refusal(self, state: State, frame: FirstFire, seat: Seat, action: Action) -> Refusal | None:
        """Fire that may not be declared."""
        if isinstance(action, _Evasion):
            return refuse_evasion(self.context, state, frame, _moving(state), action)
        assert isinstance(action, HoldFire | _Attack)  # noqa: S101 - the answers
        return _refuse_first_fire(self.context, state, frame, action)

    def apply(self, play: Play, frame: FirstFire, seat: Seat, action: Action) -> None:
        """Fire, or not."""
        if isinstance(action, _Attack):
            _resolve_first_fire(self.context, play, frame, action)
        elif isinstance(action, _Evasion):
            _resolve_evasion(self.context, play, frame, action)
        elif isinstance(action, HoldFire):
            _hold_fire(play, frame, action)

    def advance(self, play: Play, frame: FirstFire) -> bool:
        """Who cannot fire, or waits by a standing order, is not asked."""
        state = play.state
        if _may_be_asked(self.context, state, frame) or (state.vehicles and _may_evade(self.context, state, frame)):
            return False
        _hold_fire(play, frame, None)
        return True

    def moving(self, state: State) -> UnderWay:
        """The move that it interrupts."""
        return _moving(state)
