"""Smoke and WP from Guns and MA before an attack: for the fire that they keep off those who are about to move (6.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from sandtable.bots.aslsk.armour.gunnery import barrels_ready, fewest_turns, hit_chance
from sandtable.bots.aslsk.arms.cannons import Stand
from sandtable.bots.aslsk.arms.plating import chance_of
from sandtable.bots.aslsk.barrage import MOVING
from sandtable.bots.aslsk.eye import DIM, likelihood
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.guns.ammunition import depletion
from sandtable.systems.aslsk.guns.barrel import Barrel
from sandtable.systems.aslsk.guns.gun_choices import gun_shots
from sandtable.systems.aslsk.guns.gun_fire import shot_of
from sandtable.systems.aslsk.guns.gun_to_hit import Targets, to_hit
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import Mark, Smoke, SmokeKind, Unit, Vehicle

__all__ = ["screen_ideas"]

SHELLS = {Ammo.SMOKE: SmokeKind.FULL, Ammo.WP: SmokeKind.WP}
LOOKED = 3
"""Hexes of the enemy that are thought of: those with the strongest fire."""
CROSSED = 2.0
"""Hexes under that fire that each who moves comes through, about."""
TEMPTED = 0.4
"""How likely one who gains nothing by moving does so behind smoke."""
LEAST = 0.1
"""Points that a screen must be worth."""


def screen_ideas(
    sketch: Sketch, ideas: Sequence[Idea], gain_of: Callable[[Unit], float], drive_gain: Callable[[Vehicle], float]
) -> list[Idea]:
    """Shots of Smoke or WP that are worth more than what else the same barrel does, before all else (6.2)."""
    barrels = [
        (barrel, shells) for barrel in barrels_ready(sketch, FireMode.PREP) if (shells := _shells(sketch, barrel))
    ]
    if not barrels or not sketch.is_attacking():
        return []
    steps = [*_steps(sketch, gain_of), *_drives(sketch, drive_gain)]
    if not steps:
        return []
    best = ideas[0].worth if ideas else 0.0
    found = []
    for hex in _strongest(sketch):
        spared = _spared(sketch, hex, steps)
        for barrel, shells in barrels if spared > LEAST else ():
            other = max([idea.worth for idea in ideas if _fires(idea, barrel)], default=0.0)
            gives_up = max(other, drive_gain(barrel.vehicle) if barrel.vehicle is not None else 0.0)
            for action, chance in _shots(sketch, hex, barrel, shells):
                if spared * chance - gives_up > LEAST:
                    worth = best + spared * chance - gives_up
                    found.append(Idea(action, worth, partial(_told, chance, spared, gives_up)))
    return sorted(found, key=lambda idea: -idea.worth)


def _shells(sketch: Sketch, barrel: Barrel) -> list[Ammo]:
    return [
        ammo for ammo in SHELLS if depletion(sketch.context, barrel, ammo) is not None and ammo not in barrel.exhausted
    ]


def _fires(idea: Idea, barrel: Barrel) -> bool:
    action = idea.answer
    return isinstance(action, FireGun) and barrel.id in (action.weapon, action.vehicle)


Exposure = tuple[float, Callable[[Sketch], float]]
"""Points of somebody who is about to move, and the share of them that is lost where he goes first."""


def _steps(sketch: Sketch, gain_of: Callable[[Unit], float]) -> Iterator[Exposure]:
    """Infantry that has a move to make, or would have one behind smoke."""
    march = sketch.march(sketch.wanted()) if sketch.wanted() else {}
    for unit in sketch.mine:
        if unit.hex is None or not unit.good_order or unit.mark is not Mark.NONE:
            continue
        ahead = min(NEIGHBOURS[unit.hex], key=lambda near: (march.get(near, 1e9), near))
        if ahead in sketch.context.game_map.hexes:
            yield sketch.price(unit) * (1.0 if gain_of(unit) > 0 else TEMPTED), partial(_threat, ahead)


def _threat(hex: Hex, sketch: Sketch) -> float:
    return sketch.threat(hex, MOVING)


def _drives(sketch: Sketch, drive_gain: Callable[[Vehicle], float]) -> Iterator[Exposure]:
    """Vehicles that have."""
    for vehicle in sketch.state.vehicles.values():
        if vehicle.side == sketch.seat and vehicle.in_play and vehicle.hex is not None and drive_gain(vehicle) > 0:
            stand = Stand(vehicle.hex, vehicle.vca, vehicle.tca, moving=True)
            yield sketch.price_of(vehicle), partial(_exposure, vehicle, stand)


def _exposure(vehicle: Vehicle, stand: Stand, sketch: Sketch) -> float:
    return sketch.cannons(sketch.enemy, MOVING).exposure(sketch.context.vehicle_card(vehicle), stand)


def _strongest(sketch: Sketch) -> list[Hex]:
    """The enemy's hexes by the strength of what fires from them, as far as there is no smoke yet."""
    strength: dict[Hex, float] = {}
    for unit in sketch.theirs:
        if unit.hex is not None and unit.good_order:
            strength[unit.hex] = strength.get(unit.hex, 0.0) + sketch.worth(unit)
    for vehicle in sketch.state.vehicles.values():
        if vehicle.side == sketch.enemy and vehicle.in_play and vehicle.hex is not None:
            strength[vehicle.hex] = strength.get(vehicle.hex, 0.0) + sketch.price_of(vehicle)
    smoky = {smoke.hex for smoke in sketch.state.smoke}
    return sorted([hex for hex in strength if hex not in smoky], key=lambda hex: (-strength[hex], hex))[:LOOKED]


def _spared(sketch: Sketch, hex: Hex, steps: Sequence[Exposure]) -> float:
    """Points that smoke in a hex spares those who are about to move."""
    state = sketch.state
    screened = sketch.of(replace(state, smoke=(*state.smoke, Smoke(hex, SmokeKind.FULL, sketch.seat))))
    return sum([max(0.0, lost(sketch) - lost(screened)) * points for points, lost in steps]) * (
        sketch.weights.danger * CROSSED
    )


def _shots(sketch: Sketch, hex: Hex, barrel: Barrel, shells: Sequence[Ammo]) -> Iterator[tuple[FireGun, float]]:
    """The shots of a barrel that place smoke in a hex, with the chance that they do."""
    context = sketch.context
    ground = Fireground(context, sketch.state, FireMode.PREP, sketch.seat, hex)
    likely = likelihood(context, barrel.hex, hex) if ground.sees(barrel.hex) else 0.0
    if likely < DIM:
        return
    for ammo in shells:
        action = fewest_turns(ground, barrel, gun_shots(ground, barrel, None, [(TargetType.AREA, ammo)]))
        supply = depletion(context, barrel, ammo)
        if action is not None and supply is not None:
            numbers = to_hit(context, sketch.state, shot_of(ground, action, barrel), Targets(), None)
            yield action, hit_chance(numbers, "") * chance_of(supply.number) * likely


def _told(chance: float, spared: float, gives_up: float) -> Sequence[Reason]:
    return [
        Reason(f"{chance:.0%} to place smoke", round(chance * spared, 2)),
        Reason("what the barrel does not do", -round(gives_up, 2)),
    ]
