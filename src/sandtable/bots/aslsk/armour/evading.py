"""Motion Status attempts and smoke dispensers of the defender: a vehicle under threat gets going (3.3.2.1, 7.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sandtable.bots.aslsk.armour.tanks import Tank
from sandtable.bots.aslsk.arms.cannons import Stand
from sandtable.bots.aslsk.arms.plating import chance_of
from sandtable.bots.aslsk.barrage import STANDING
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.systems.aslsk.common.vehicle_actions import AttemptMotion, DispenseSmoke
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import FirstFire, UnderWay, Vehicle
from sandtable.systems.aslsk.vehicles.dispensers import Aim, Stance, aims, usage_number
from sandtable.systems.aslsk.vehicles.motion import attempters, motion_number

__all__ = ["evasion_ideas"]

THREATENED = 0.1
"""Share of its worth under fire from which on a vehicle thinks of evading it."""
SCREEN = 0.5
"""Part of the fire that smoke in its own hex keeps off."""
UNSTEADY, BLINDED = 0.6, 0.5
"""Parts of its own shots that a vehicle gives up in Motion, and behind its own smoke."""
LIKELY = 0.5
"""The chance for which an attempt waits: there is one in a MPh, and every MP that the enemy spends adds to it."""
FACES = 6


def evasion_ideas(sketch: Sketch, frame: FirstFire, moving: UnderWay) -> Iterator[Idea]:
    """What the vehicles of the side may do besides fire when an enemy moves in their sight."""
    context, state = sketch.context, sketch.state
    for vehicle, _ in attempters(context, state, frame.asked, moving):
        chance = min(FACES, motion_number(context, state, moving, vehicle).total) / FACES
        if chance >= LIKELY:
            yield from _motion(Tank(sketch, vehicle), chance)
    for vehicle in state.vehicles.values():
        if vehicle.side == frame.asked and vehicle.is_active and vehicle.hex is not None:
            yield from _smoke(sketch, vehicle)


def _danger(tank: Tank, stand: Stand) -> float:
    """Points that fire at its armour costs it, as of the enemy's next shots."""
    sketch = tank.sketch
    return sketch.cannons(sketch.enemy, STANDING).exposure(tank.card, stand) * tank.price * sketch.style.care


def _motion(tank: Tank, chance: float) -> Iterator[Idea]:
    """Harder to hit, and the front to those who would fire; but its own fire is the worse for it."""
    vehicle, weights = tank.vehicle, tank.sketch.weights
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    now = Stand(vehicle.hex, vehicle.vca, vehicle.tca, vehicle.motion)
    danger = _danger(tank, now)
    if danger < THREATENED * tank.price:
        return
    given_up = 0.0 if vehicle.motion else UNSTEADY * weights.field * (tank.shot(now) + tank.field(now.hex))
    for vca in (-1, *SPINES):
        if vca == vehicle.vca or (vca < 0 and vehicle.motion):
            continue
        turned = (vca - vehicle.vca) % FACES if vca >= 0 else 0
        stand = Stand(now.hex, (now.vca + turned) % FACES, (now.tca + turned) % FACES, moving=True)
        spared = weights.stand * (danger - _danger(tank, stand))
        action = AttemptMotion(vehicle.id, vca)
        yield Idea(action, chance * (spared - given_up), partial(_told, "Motion", chance, spared, given_up))


def _smoke(sketch: Sketch, vehicle: Vehicle) -> Iterator[Idea]:
    """Its smoke dispenser, where it will be fired at."""
    if not sketch.context.vehicle_card(vehicle).usage or vehicle.hex is None:
        return
    tank = Tank(sketch, vehicle)
    now = Stand(vehicle.hex, vehicle.vca, vehicle.tca, vehicle.motion)
    danger = _danger(tank, now)
    if danger < THREATENED * tank.price:
        return
    stance = Stance(vehicle.hex, vehicle.tca, vehicle.exposed, vehicle.is_stopped)
    spared = SCREEN * sketch.weights.stand * danger
    given_up = BLINDED * sketch.weights.field * (tank.shot(now) + tank.field(now.hex))
    for to, tca in aims(sketch.context, sketch.state, vehicle, stance):
        if tca < 0:
            works = chance_of(usage_number(sketch.context, sketch.state, vehicle, stance, Aim(to, tca)).total)
            action = DispenseSmoke(vehicle.id, to, tca)
            yield Idea(action, works * (spared - given_up), partial(_told, "smoke", works, spared, given_up))


def _told(what: str, chance: float, spared: float, given_up: float) -> Sequence[Reason]:
    return [
        Reason(f"{chance:.0%} to get {what}", round(chance * spared, 2)),
        Reason("what its own fire gives up", -round(chance * given_up, 2)),
    ]
