"""Where to drive: ways that spare a vehicle the fire of what can pierce it, and how it stands at their end (3.3.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import NamedTuple

from sandtable.bots.aslsk.armour.salvoes import salvo_ideas
from sandtable.bots.aslsk.armour.tanks import Tank
from sandtable.bots.aslsk.arms.cannons import Cannons, Stand
from sandtable.bots.aslsk.arms.plating import chance_of
from sandtable.bots.aslsk.barrage import MOVING, STANDING
from sandtable.bots.aslsk.book import Drive
from sandtable.bots.aslsk.leaving import drive_out_value
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.common.vehicles_here import target_hexes, vehicles_at
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.pieces.armament import Mount
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleDeed, VehicleMoving, VehicleStep, Whereabouts
from sandtable.systems.aslsk.vehicles.dispensers import Aim, Stance, usage_number
from sandtable.systems.aslsk.vehicles.drive_progress import DriveProgress
from sandtable.systems.aslsk.vehicles.driver import Driver, may_drive
from sandtable.systems.aslsk.vehicles.driving import progress_of

__all__ = ["continue_vehicle_ideas", "drive_ideas", "gain_of_driving"]

SAFE = 40.0
"""Halves of MP that a careful way is longer by, rather than lose the vehicle on the short one."""
AGAIN = 0.3
"""Part of the fire in each further hex that a drive meets beside the worst of it: what fires has a shot or two."""
ROUGH = 0.06
"""Share of its worth that entering woods or a building costs a vehicle on average: it may bog (7.6)."""
SHOWN = 6
LOOKED = 80
"""Ends of drives that are looked at closely."""
CALM, HOT = 0.02, 0.08
"""Shares of a crew's worth under small arms below which it puts its heads out, and above which it takes them in."""
CREW_MORALE = 8
LATER = 0.25
"""Points for fire that is kept for the AFPh."""
SURPRISE = 0.1
"""Points for what a moving vehicle gives up in its fire, and for what one in Motion does."""
SCREENED = 4
"""Drives that are looked at with smoke at their end."""
EXPOSED, SCREEN = 0.1, 0.5
"""Share of its worth under fire from which on a vehicle thinks of smoke, and the part of it that smoke keeps off."""
_SMOKE = VehicleStep(VehicleDeed.SMOKE)
_STOP = VehicleStep(VehicleDeed.STOP)
_START = VehicleStep(VehicleDeed.START)
_CREW = VehicleStep(VehicleDeed.CREW)


def drives(tank: Tank, driver: Driver, start: DriveProgress) -> list[Drive]:
    """The best way to every hex and VCA in reach; kept for as long as vehicles and what fires at them stay the same."""
    sketch, state = tank.sketch, tank.sketch.state
    cannons = sketch.cannons(sketch.enemy, MOVING)
    # How a vehicle may go depends on other vehicles; Infantry in the way does not change it.
    parked = tuple(
        [one if one.side == sketch.enemy else (one.id, one.hex, one.wreck) for one in state.vehicles.values()]
    )
    risk = sketch.weights.danger * tank.part
    rests_on = (tank.vehicle, start, driver.allowance, risk, parked, state.smoke, cannons.all)
    found = sketch.book.kept_drives(rests_on)
    if found is None:
        found = sketch.book.keep_drives(rests_on, _drives(tank, driver, start, cannons))
    return found


def _drives(tank: Tank, driver: Driver, start: DriveProgress, cannons: Cannons) -> list[Drive]:
    sketch, card = tank.sketch, tank.card
    exposure = cannons.exposure
    risk = sketch.weights.danger * tank.part
    place = sketch.context.ground.place
    steps: tuple[VehicleStep, ...] = ()
    now = start
    if now.stopped and now.hex is not None:
        started = driver.take(now, _START)
        if isinstance(started, Refusal):
            return []
        now, steps = started, (_START,)
    found: list[Drive] = []
    seen: set[tuple[object, int]] = set()
    ranks: dict[tuple[object, int], float] = {}
    queue: list[tuple[float, int, Drive]] = [(0.0, 0, Drive(now, steps, 1.0))]
    number = 0
    while queue:
        _, _, drive = heappop(queue)
        now = drive.end
        if (now.hex, now.vca) in seen:
            continue
        seen.add((now.hex, now.vca))
        if now.hex is not None and drive.steps:
            found.append(drive)
        for step, after in driver.legs(now):
            key = (after.hex, after.vca)
            if key in seen or after.hex is None:
                continue
            spared, worst = drive.spared, drive.worst
            if after.hex != now.hex:
                met = risk * exposure(card, Stand(after.hex, after.vca, after.tca, moving=True))
                lost = max(0.0, met - worst) + AGAIN * min(met, worst)
                worst = max(met, worst)
                if place(after.hex).shelter and not place(after.hex).road:
                    lost += ROUGH
                spared *= 1 - min(1.0, lost)
            rank = after.spent + SAFE * (1 - spared)
            if key in ranks and ranks[key] <= rank:
                continue
            ranks[key] = rank
            number += 1
            heappush(queue, (rank, number, Drive(after, (*drive.steps, step), spared, worst)))
    return found


class Going(NamedTuple):
    """A drive that was weighed."""

    steps: tuple[VehicleStep, ...]
    gain: float
    """Points over staying."""
    stand: Stand | None
    """How it stands at the end; None off the map."""
    spared: float


def _ends(driver: Driver, drive: Drive) -> Iterator[tuple[tuple[VehicleStep, ...], Stand]]:
    """The ways to end a drive: stopped, and in Motion where it has no MP left to go on with."""
    end = drive.end
    assert end.hex is not None  # noqa: S101 - it is on the map
    if _is_crowded(driver, end.hex):
        return
    stopped = driver.take(end, _STOP)
    if isinstance(stopped, DriveProgress) and driver.refuse_end(stopped) is None:
        yield (*drive.steps, _STOP), Stand(end.hex, end.vca, end.tca, moving=False)
    if driver.refuse_end(end) is None:
        yield drive.steps, Stand(end.hex, end.vca, end.tca, moving=True)


def _is_crowded(driver: Driver, hex: Hex) -> bool:
    """Whether another vehicle of the side is in a hex: one of two is a wreck at the end of the MPh (3.3.2)."""
    own = driver.vehicle
    return any(one.side == own.side and one.id != own.id for one in vehicles_at(driver.state, hex))


def goings(tank: Tank, driver: Driver, start: DriveProgress) -> list[Going]:
    """Drives from where a vehicle is, the best first."""
    sketch, vehicle = tank.sketch, tank.vehicle
    if start.hex is not None:
        stay = tank.value(Stand(start.hex, start.vca, start.tca, vehicle.motion))
        if _is_crowded(driver, start.hex):
            stay -= tank.price
    else:
        stay = -tank.price * 2
    found = []
    for drive in _promising(tank, drives(tank, driver, start)):
        lost = (1 - drive.spared) * tank.price * sketch.style.care
        for steps, stand in _ends(driver, drive):
            there = tank.value(stand) - stay - SURPRISE * (1 + stand.moving)
            found.append(Going(steps, (there * drive.spared if there > 0 else there) - lost, stand, drive.spared))
        value = drive_out_value(sketch, vehicle, drive.end.hex)
        if value > 0:
            gain = (value - stay) * drive.spared - lost
            found += [Going((*drive.steps, step), gain, None, drive.spared) for step in _ways_out(driver, drive.end)]
    found.sort(key=lambda going: -going.gain)
    return sorted([*found, *_smoky(tank, driver, start, found[:SCREENED])], key=lambda going: -going.gain)


def _smoky(tank: Tank, driver: Driver, start: DriveProgress, best: Sequence[Going]) -> Iterator[Going]:
    """The best drives with the smoke dispenser tried before the stop, where it will be fired at (7.5)."""
    sketch, vehicle = tank.sketch, tank.vehicle
    if not tank.card.usage:
        return
    for going in best:
        stand = going.stand
        danger = tank.danger(stand) if stand is not None else 0.0
        if stand is None or stand.moving or danger < EXPOSED:
            continue
        steps = (*going.steps[:-1], _SMOKE, _STOP)
        now: DriveProgress | Refusal = start
        for step in steps:
            now = driver.take(now, step) if isinstance(now, DriveProgress) else now
        if isinstance(now, DriveProgress) and driver.refuse_end(now) is None:
            stance = Stance(stand.hex, stand.tca, now.exposed, stopped=False)
            works = chance_of(usage_number(sketch.context, sketch.state, vehicle, stance, Aim()).total)
            covered = works * SCREEN * sketch.weights.stand * danger * tank.price * sketch.style.care
            yield going._replace(steps=steps, gain=going.gain + covered)


def _promising(tank: Tank, found: list[Drive]) -> list[Drive]:
    """The drives worth a closer look: by what their hexes are worth however it stands there, and gates."""
    if len(found) <= LOOKED:
        return found
    gates = [drive for drive in found if drive_out_value(tank.sketch, tank.vehicle, drive.end.hex) > 0]
    ranked = sorted(found, key=lambda drive: (1 - drive.spared) * tank.price - tank.place_value(drive.end.hex))
    return [*ranked[:LOOKED], *gates]


def _ways_out(driver: Driver, now: DriveProgress) -> Iterator[VehicleStep]:
    for way in range(6):
        step = VehicleStep(VehicleDeed.EXIT, way=way)
        if not isinstance(driver.take(now, step), Refusal):
            yield step
            return


def _crewed(tank: Tank, driver: Driver, now: DriveProgress) -> tuple[DriveProgress, tuple[VehicleStep, ...]]:
    """Heads out where nothing threatens them, which is quicker by road; in where it does (7.7)."""
    sketch = tank.sketch
    if now.hex is None or tank.card.turret is Mount.RESTRICTED_SLOW:
        return now, ()
    threat = sketch.threat(now.hex, STANDING, CREW_MORALE)
    if (threat > HOT and now.exposed) or (threat < CALM and not now.exposed):
        after = driver.take(now, _CREW)
        if isinstance(after, DriveProgress):
            return after, (_CREW,)
    return now, ()


def _movable(sketch: Sketch) -> list[Vehicle]:
    able = [
        vehicle
        for vehicle in sketch.state.vehicles.values()
        if vehicle.side == sketch.seat
        and vehicle.place in (Whereabouts.MAP, Whereabouts.OFF_BOARD)
        and may_drive(vehicle)
    ]
    return sorted(able, key=lambda one: (one.hex is not None, not one.motion, sketch.price_of(one), one.id))


def drive_ideas(sketch: Sketch) -> list[Idea]:
    """The next vehicle to move with its best ways; nothing if none gains by moving."""
    for vehicle in _movable(sketch):
        tank, driver = Tank(sketch, vehicle), Driver(sketch.context, sketch.state, vehicle)
        home = driver.homeward(driver.begin())
        if home is not None:
            return [Idea(MoveVehicle(vehicle.id, home), 0.0)]
        now, first = _crewed(tank, driver, driver.begin())
        best = goings(tank, driver, now)
        # One in Motion must spend MP, if only to stop; one off board enters sooner or later.
        least = float("-inf") if vehicle.motion else sketch.reluctance()
        found = [
            Idea(MoveVehicle(vehicle.id, (*first, *going.steps)), going.gain, partial(_reasons, tank, going))
            for going in best[:SHOWN]
            if going.gain > least
        ]
        if not found and vehicle.motion:
            found = [Idea(MoveVehicle(vehicle.id, (_STOP,)), 0.0)]
        if found:
            return found
    return []


def continue_vehicle_ideas(sketch: Sketch, frame: VehicleMoving) -> list[Idea]:
    """How a vehicle goes on after it has drawn fire."""
    state = sketch.state
    vehicle = state.vehicles[frame.vehicle]
    tank, driver = Tank(sketch, vehicle), Driver(sketch.context, state, vehicle)
    now = progress_of(state, frame)
    home = driver.homeward(now)
    if home is not None:
        return [Idea(ContinueVehicle(home), 0.0)]
    found = [
        Idea(ContinueVehicle(going.steps), going.gain, partial(_reasons, tank, going))
        for going in goings(tank, driver, now)[:SHOWN]
        if going.gain > sketch.weights.stir
    ]
    found += _bounding(sketch, frame, vehicle)
    found.sort(key=lambda idea: -idea.worth)
    end = Idea(ContinueVehicle(), 0.0, lambda: (Reason("goes no farther", 0.0),))
    halt = Idea(ContinueVehicle((_STOP,)), -0.01, lambda: (Reason("stops here", 0.0),))
    return [*found, end, halt]


def _bounding(sketch: Sketch, frame: VehicleMoving, vehicle: Vehicle) -> Iterator[Idea]:
    """Fire on the way, where it is worth more than to keep it for the AFPh (3.3.2.2)."""
    context, state = sketch.context, sketch.state
    if vehicle.hex is None or not vehicle.is_active:
        return
    for target in target_hexes(context, state, sketch.seat):
        ground = Fireground(context, state, FireMode.BOUNDING, sketch.seat, target)
        for idea in salvo_ideas(sketch, ground, frame.attacked, None, alone=vehicle.id):
            yield idea._replace(worth=idea.worth - LATER)


def gain_of_driving(sketch: Sketch, vehicle: Vehicle) -> float:
    """Points that a vehicle gains by moving, which Prep Fire would cost it (3.2.5)."""
    if not may_drive(vehicle) or not vehicle.in_play:
        return 0.0
    tank, driver = Tank(sketch, vehicle), Driver(sketch.context, sketch.state, vehicle)
    found = goings(tank, driver, driver.begin())
    return max(0.0, found[0].gain) if found else 0.0


def _reasons(tank: Tank, going: Going) -> list[Reason]:
    found = tank.reasons(going.stand) if going.stand is not None else [Reason("leaves the map", 0.0)]
    lost = (1 - going.spared) * tank.price
    if lost > 0.02:
        found.append(Reason(f"{1 - going.spared:.0%} risk on the way", -round(lost, 2)))
    return found
