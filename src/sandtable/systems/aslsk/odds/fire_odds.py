"""Exact odds of an attack for every target by itself: the chance of each thing that can become of it.

An attack on the IFT is followed target by target (:mod:`~sandtable.systems.aslsk.odds.attack_odds`), and so is what a
Gun or MA hits; support weapons that roll To Hit, smoke shells, placed charges and fire that falls apart into several
attacks are played through with every roll.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from sandtable.core.dice import Dice, enumerate_rolls
from sandtable.core.errors import Refusal, Refused
from sandtable.core.odds import Chance
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.actions import Fire, FireOrdnance
from sandtable.systems.aslsk.common.consequence import unit_change, vehicle_change
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.events import Event
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, FireVehicle
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.effects.attack import Attack
from sandtable.systems.aslsk.fire.crews import crews_under_fire
from sandtable.systems.aslsk.fire.fire import plan_attack, targets_of
from sandtable.systems.aslsk.fire.fire_groups import assemble, links
from sandtable.systems.aslsk.fire.firers import Fireground
from sandtable.systems.aslsk.fire.firing_handler import FiringHandler
from sandtable.systems.aslsk.odds.burst_odds import burst_odds
from sandtable.systems.aslsk.odds.crew_odds import crew_odds
from sandtable.systems.aslsk.odds.shot_odds import shot_odds
from sandtable.systems.aslsk.odds.target_odds import Chances, add_chance, odds_by_target
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, VehicleId
from sandtable.systems.aslsk.vehicles.vehicle_fire import plan_salvo

__all__ = ["target_odds"]

F = TypeVar("F")
Folding = Callable[[State, Event], State]


def target_odds(
    handler: FiringHandler[F],
    state: State,
    frame: F,
    action: Fire | FireOrdnance | FireGun | FireVehicle,
    folding: Folding,
) -> dict[str, list[Chance]]:
    """What may become of each target of an attack that answers the open question, likeliest first."""
    context, seat = handler.context, handler.question(state, frame).asked[0]
    refusal = handler.refusal(state, frame, seat, action)
    if refusal is not None:
        raise Refused(refusal)
    moving = handler.moving(state)
    ground = Fireground(context, state, handler.mode(state), seat, action.target, moving=moving)
    attack = _plan(ground, action) if isinstance(action, Fire | FireVehicle) else None
    found: dict[str, Chances] = {}
    if isinstance(action, FireGun) and action.at:
        found = shot_odds(ground, action)
    elif isinstance(action, FireGun) and (burst := burst_odds(ground, action)) is not None:
        found = burst
    elif attack is not None:
        if attack.targets:
            found.update(_named(odds_by_target(context, state, attack)))
        for vehicle_id in crews_under_fire(state, seat, action.target, moving):
            found[vehicle_id] = crew_odds(context, state, attack, vehicle_id)
    else:

        def played(dice: Dice) -> State:
            """The state right after the attack, before play goes on."""
            play = Play(state, folding, dice)
            handler.apply(play, frame, seat, action)
            return play.state

        targets = targets_of(context, state, seat, action.target, moving)
        vehicles = [vehicle.id for vehicle in enemy_vehicles_at(state, action.target, seat)]
        found.update(_by_playing(context, state, targets, vehicles, played))
    return {name: _ranked(chances) for name, chances in found.items()}


def _named(found: dict[UnitId, Chances]) -> dict[str, Chances]:
    return {str(unit_id): chances for unit_id, chances in found.items()}


def _ranked(chances: Chances) -> list[Chance]:
    ranked = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    return [Chance(what, float(chance), str(chance)) for what, chance in ranked]


def _plan(ground: Fireground, action: Fire | FireVehicle) -> Attack | None:
    """The attack before the dice, or None for one of another kind: without LOS, in parts, a placed charge."""
    context, state = ground.context, ground.state
    if isinstance(action, FireVehicle):
        hex = state.vehicles[action.vehicle].hex
        return plan_salvo(ground, action).attack if hex is not None and ground.sees(hex) else None
    group = assemble(ground, action)
    if isinstance(group, Refusal):
        return None
    seeing = [firer for firer in group if ground.sees(firer.hex)]
    if len(links(context, seeing)) != 1:
        return None
    leaders = [state.units[unit_id] for unit_id in action.leaders]
    return plan_attack(ground, seeing, leaders, ground.moving).attack


def _by_playing(
    context: Context,
    state: State,
    targets: Sequence[UnitId],
    vehicles: Sequence[VehicleId],
    played: Callable[[Dice], State],
) -> dict[str, Chances]:
    """Follow every roll of the attack as it is played."""
    found: dict[str, Chances] = {name: {} for name in (*targets, *vehicles)}
    for after, weight in enumerate_rolls(played):
        for unit_id in targets:
            add_chance(found[unit_id], _word(context, state.units[unit_id], after.units[unit_id]), weight)
        for vehicle_id in vehicles:
            told = vehicle_change(state.vehicles[vehicle_id], after.vehicles[vehicle_id])
            add_chance(found[vehicle_id], told or NO_EFFECT, weight)
    return found


def _word(context: Context, was: Unit, now: Unit) -> str:
    """What became of one unit."""
    return unit_change(context, was, now) or NO_EFFECT
