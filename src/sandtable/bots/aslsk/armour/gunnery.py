"""Fire of Guns and Main Armament: what to fire at, on which target type, with what, and when to wait (3.2.4, 6.0).

The To Hit numbers are those of the rules; what a hit does is reckoned from the To Kill tables or the IFT on average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from sandtable.bots.aslsk.arms.cannons import Stand, struck
from sandtable.bots.aslsk.arms.plating import HitFacing, chance_of
from sandtable.bots.aslsk.eye import DIM, likelihood
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.unmasking import unmasking
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.systems.aslsk.armour.to_kill import StrikeKind, gun_row, table_number
from sandtable.systems.aslsk.common.experience import morale_level
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.common.vehicles_here import target_hexes
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.guns.ammunition import depletion
from sandtable.systems.aslsk.guns.barrel import Barrel, barrels_of
from sandtable.systems.aslsk.guns.gun_choices import gun_shots
from sandtable.systems.aslsk.guns.gun_fire import can_fire, gun_targets, shot_of
from sandtable.systems.aslsk.guns.gun_hit import burst_of
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, Targets, ToHit, to_hit, turns
from sandtable.systems.aslsk.pieces.armament import TargetType
from sandtable.systems.aslsk.pieces.state import UnderWay, Vehicle, VehicleId
from sandtable.systems.aslsk.pieces.vehicle_cards import Facing

__all__ = ["barrels_ready", "fewest_turns", "gun_ideas", "hit_chance", "shots_at"]

FLANK = HitFacing(Facing.SIDE, Facing.SIDE)
FACES = tuple((coloured, white) for coloured in range(1, 7) for white in range(1, 7))
WEAR = 0.4
"""Share of a weapon's worth that a breakdown costs."""
KEEP = 0.04
"""Points for each of the acquisition that a shot at something else gives up."""
TURNED = 0.03
"""Points for each hexspine that a weapon turns from where it was set up to point."""
CREW = 0.15
"""Share of a vehicle's price that a hit on its CE crew costs, about."""


class Gunnery(NamedTuple):
    """A shot that was weighed."""

    action: FireGun
    harm: float
    cost: float
    what: str
    better: float = 0.0
    """Points of harm of the same shot at the side of the vehicle, whatever it shows."""


def barrels_ready(sketch: Sketch, mode: FireMode) -> Iterator[Barrel]:
    """Guns and MA of the side that may fire now."""
    context, state = sketch.context, sketch.state
    for barrel in barrels_of(context, state, sketch.seat):
        if can_fire(Fireground(context, state, mode, sketch.seat, barrel.hex), barrel) is None:
            yield barrel


def gun_ideas(sketch: Sketch, mode: FireMode, gain_of: Callable[[Vehicle], float] | None) -> Iterator[Idea]:
    """Shots of a fire phase; ``gain_of`` is what a vehicle gains by moving instead."""
    context, state = sketch.context, sketch.state
    barrels = list(barrels_ready(sketch, mode))
    for target in target_hexes(context, state, sketch.seat) if barrels else ():
        ground = Fireground(context, state, mode, sketch.seat, target)
        for barrel in barrels:
            for found in shots_at(sketch, ground, barrel, None):
                cost = found.cost
                if gain_of is not None and barrel.vehicle is not None:
                    cost += gain_of(barrel.vehicle)
                yield Idea(found.action, found.harm * sketch.weights.firing - cost, partial(_told, found))


def _told(found: Gunnery) -> Sequence[Reason]:
    return [Reason(found.what, round(found.harm, 2)), Reason("what it costs to fire", -round(found.cost, 2))]


def shots_at(sketch: Sketch, ground: Fireground, barrel: Barrel, moving: UnderWay | None) -> list[Gunnery]:
    """Worthwhile shots of one barrel at one hex, the best of each target type and ammunition."""
    likely = likelihood(sketch.context, barrel.hex, ground.target) if ground.sees(barrel.hex) else 0.0
    if likely < DIM:
        return []
    best: dict[tuple[object, ...], FireGun] = {}
    for action in gun_shots(ground, barrel, moving):
        key = (action.target_type, action.ammo, action.at)
        if key not in best or _turned(ground, barrel, action) < _turned(ground, barrel, best[key]):
            best[key] = action
    found = [_weigh(sketch, ground, barrel, action, moving=moving, likely=likely) for action in best.values()]
    return sorted(found, key=lambda one: one.cost - one.harm)


def _turned(ground: Fireground, barrel: Barrel, action: FireGun) -> tuple[int, bool]:
    """How far a shot turns its arc; the turret rather than the hull."""
    return turns(shot_of(ground, action, barrel)), action.turn_hull


def fewest_turns(ground: Fireground, barrel: Barrel, shots: Iterable[FireGun]) -> FireGun | None:
    """Of some shots the one that turns its arc the least, if there is any."""
    return min(shots, key=lambda action: _turned(ground, barrel, action), default=None)


def _weigh(
    sketch: Sketch, ground: Fireground, barrel: Barrel, action: FireGun, *, moving: UnderWay | None, likely: float
) -> Gunnery:
    context, state = sketch.context, sketch.state
    shot = shot_of(ground, action, barrel)
    targets = gun_targets(ground, shot.target_type, moving, action.at)
    numbers = to_hit(context, state, shot, targets, moving)
    supply = depletion(context, barrel, shot.ammo)
    at_hand = chance_of(supply.number) if supply is not None else 1.0
    if shot.target_type is TargetType.VEHICLE:
        harm, better, what = _at_armour(sketch, shot, numbers, VehicleId(action.at))
    else:
        harm, what = _at_men(sketch, shot, targets, numbers, moving)
        better = 0.0
    sure = at_hand * likely
    return Gunnery(action, harm * sure, _cost(sketch, shot), what, better * sure)


def hit_chance(numbers: ToHit, name: str) -> float:
    """The chance of a hit on a target."""
    return sum([numbers.hits(name, faces) for faces in FACES]) / len(FACES)


def _at_armour(sketch: Sketch, shot: Shot, numbers: ToHit, at: VehicleId) -> tuple[float, float, str]:
    """A shot on the VTT: what it does on average to the armour that it strikes, and what it would to the side."""
    context, barrel = sketch.context, shot.barrel
    vehicle = sketch.state.vehicles[at]
    card = context.vehicle_card(vehicle)
    assert vehicle.hex is not None  # noqa: S101 - it is on the map
    row = "MG" if barrel.main.is_mg else gun_row(context, barrel.main, barrel.nationality, shot.ammo)
    number = table_number(context, shot.ammo, row, shot.reach)
    hits = hit_chance(numbers, at)
    if number is None or not hits:
        return 0.0, 0.0, "no chance"
    kind = StrikeKind.MACHINE_GUN if barrel.main.is_mg else StrikeKind.DIRECT
    stand = Stand(vehicle.hex, vehicle.vca, vehicle.tca, vehicle.motion)
    facing = struck(context, card, barrel.hex, stand)
    share = sketch.book.plating.share(card, facing, kind, shot.ammo, number)
    what = f"{hits:.0%} to hit {at} with {shot.ammo.value}, {facing.hull.value}: {share:.0%} of it on average"
    flank = sketch.book.plating.share(card, FLANK, kind, shot.ammo, number)
    price = hits * sketch.price_of(vehicle)
    return share * price, flank * price, what


def _at_men(sketch: Sketch, shot: Shot, targets: Targets, numbers: ToHit, moving: UnderWay | None) -> tuple[float, str]:
    """A shot on the ITT or ATT: the chance of a hit on each, and what the IFT does."""
    context, state, harms = sketch.context, sketch.state, sketch.book.harms
    column = burst_of(context, shot).column
    drm = context.ground.place(shot.target).tem if shot.target_type is TargetType.AREA else 0
    total, often = 0.0, 0.0
    for unit_id in targets.units:
        unit = state.units[unit_id]
        hits = hit_chance(numbers, unit_id)
        odds = harms.odds(column, drm, morale_level(context, unit), broken=unit.broken, targets=len(targets.units))
        loss = hits * sketch.loss(unit, odds, moving=moving is not None)
        total += loss if unit.side == sketch.enemy else -1.2 * loss
        often = max(often, hits)
    for vehicle_id in targets.vehicles:
        vehicle = state.vehicles[vehicle_id]
        if vehicle.exposed:
            total += hit_chance(numbers, vehicle_id) * CREW * sketch.price_of(vehicle)
    name = shot.target_type.value
    return total, f"{often:.0%} to hit on the {name}, {harms.ift.fp(column)} FP"


def _cost(sketch: Sketch, shot: Shot) -> float:
    """What a shot gives up: a hidden place, an acquired target, the arc; and Intensive Fire wears a weapon out."""
    barrel = shot.barrel
    cost = TURNED * turns(shot)
    piece = barrel.piece
    worth = sketch.book.arms[piece.card] if barrel.weapon is not None else sketch.book.tanks[piece.card]
    breaks = min(12, barrel.main.breakdown) - (2 if shot.intensive else 0)
    cost += (1 - chance_of(breaks - 1)) * WEAR * worth * sketch.men
    if piece.acquisition and piece.acquired != shot.target:
        cost += KEEP * abs(piece.acquisition)
    return cost + unmasking(sketch, (barrel.crew,)) if barrel.crew is not None else cost
