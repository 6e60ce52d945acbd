"""3.3.4, 3.8 The exact odds of one close combat attack by or on a vehicle, and of Reaction Fire.

The attack is played through by the rules that play it, roll by roll. A close defence weapon strikes too many for that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.core.dice import Dice, enumerate_rolls
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.actions import CloseAttack, ReactionFire
from sandtable.systems.aslsk.common.consequence import unit_change, vehicle_change
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.phases.reaction_fire import react
from sandtable.systems.aslsk.phases.vehicle_assault import assault_drm, assault_value
from sandtable.systems.aslsk.phases.vehicle_combat import attack_in_turn, vehicle_odds
from sandtable.systems.aslsk.pieces.state import CloseCombat, State, UnitId, VehicleId

__all__ = ["close_attack_numbers", "close_attack_odds", "reaction_odds"]


@rule("3.8")
def close_attack_odds(
    context: Context, state: State, frame: CloseCombat, action: CloseAttack
) -> dict[str, list[Chance]]:
    """What may become of those who are attacked, and of those who attack a vehicle (3.8)."""
    if action.vehicle and not action.guns:
        return {}
    names = (*action.against, *((action.at, *action.by) if action.at else ()))
    return _odds(context, state, names, lambda play: attack_in_turn(context, play, frame, action))


@rule("3.3.4")
def reaction_odds(context: Context, state: State, action: ReactionFire) -> dict[str, list[Chance]]:
    """What may become of the vehicle, and of those who attack it (3.3.4)."""
    return _odds(context, state, (action.vehicle, *action.units), lambda play: react(context, play, action))


def _odds(
    context: Context, state: State, names: Sequence[str], resolve: Callable[[Play], object]
) -> dict[str, list[Chance]]:
    def played(dice: Dice) -> State:
        play = Play(state, fold, dice)
        resolve(play)
        return play.state

    found: dict[str, dict[str, Fraction]] = {name: {} for name in names}
    for after, weight in enumerate_rolls(played):
        for name, chances in found.items():
            what = _change(context, state, after, name) or NO_EFFECT
            chances[what] = chances.get(what, Fraction(0)) + weight
    return {name: _ranked(chances) for name, chances in found.items()}


def _change(context: Context, before: State, after: State, name: str) -> str:
    vehicle = before.vehicles.get(VehicleId(name))
    if vehicle is not None:
        return vehicle_change(vehicle, after.vehicles[vehicle.id])
    return unit_change(context, before.units[UnitId(name)], after.units[UnitId(name)])


def _ranked(chances: dict[str, Fraction]) -> list[Chance]:
    ranked = sorted(chances.items(), key=lambda item: (-item[1], item[0]))
    return [Chance(what, float(chance), str(chance)) for what, chance in ranked]


def close_attack_numbers(
    context: Context, state: State, frame: CloseCombat, action: CloseAttack
) -> Sequence[Breakdown]:
    """CCV or kill number, and DRM, of an attack by or on a vehicle."""
    if action.at:
        by = [state.units[unit_id] for unit_id in action.by]
        vehicle = state.vehicles[action.at]
        return (assault_value(context, state, by), assault_drm(context, by, vehicle, frame.ambusher))
    if action.vehicle and action.guns:
        odds, drm = vehicle_odds(context, state, frame, state.vehicles[action.vehicle], action)
        return (odds.kill, drm)
    return ()
