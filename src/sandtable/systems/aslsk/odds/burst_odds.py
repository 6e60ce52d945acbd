"""3.2.4, 6.1, 7.11, 7.12: exact odds of a shot of a Gun or MA on the Infantry or Area Target Type.

The To Hit DR tells apart who is hit, and whom a Critical Hit may fall on. Everybody who is hit is then followed by
himself; only those who man a Gun, and those beside a leader where a Critical Hit falls, are played through.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import product

from msgspec.structs import replace

from sandtable.core.dice import Cuts, Dice, DiceSpec, Roll, enumerate_rolls
from sandtable.core.modifier import Modifier
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.consequence import unit_change, vehicle_change
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.dice import BOXCARS, DR
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.fire.firers import Fireground
from sandtable.systems.aslsk.fire.gun_cover import manned_gun
from sandtable.systems.aslsk.guns.ammunition import depletion
from sandtable.systems.aslsk.guns.barrel import barrel_of
from sandtable.systems.aslsk.guns.gun_fire import gun_targets, shot_of
from sandtable.systems.aslsk.guns.gun_hit import burst_of, critical_attack, plain_attack, strike_units
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, Targets, to_hit
from sandtable.systems.aslsk.guns.shooting import critical_targets
from sandtable.systems.aslsk.guns.vehicle_hit import strike_afvs
from sandtable.systems.aslsk.odds.target_odds import Chances, add_chance, odds_by_target
from sandtable.systems.aslsk.pieces.armament import SMOKE_SHELLS
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import Unit, UnitId, VehicleId

__all__ = ["burst_odds"]

EVERY_TOTAL = tuple(range(2, BOXCARS))


def burst_odds(ground: Fireground, action: FireGun) -> dict[str, Chances] | None:
    """What may become of all in the target hex; None of shells that make smoke, and where somebody is hidden."""
    context, state = ground.context, ground.state
    barrel = barrel_of(context, state, action.weapon, action.vehicle)
    assert barrel is not None  # noqa: S101 - the action was checked
    shot = shot_of(ground, action, barrel)
    targets = gun_targets(ground, shot.target_type, ground.moving)
    if shot.ammo in SMOKE_SHELLS or targets.hidden:
        return None
    found: dict[str, Chances] = {name: {} for name in (*targets.units, *targets.vehicles)}
    for (hit, able), chance in _hits(ground, shot, targets).items():
        for chosen in able or ("",):
            part = chance / max(1, len(able))
            odds = _struck(ground, shot, targets, hit, chosen)
            for name, chances in found.items():
                for what, share in odds.get(name, {NO_EFFECT: Fraction(1)}).items():
                    add_chance(chances, what, part * share)
    return found


_Hit = tuple[tuple[str, ...], tuple[str, ...]]
"""Who is hit, and on whom of them a Critical Hit may fall."""


def _hits(ground: Fireground, shot: Shot, targets: Targets) -> dict[_Hit, Fraction]:
    """What the To Hit DR may come to; without a line of sight or ammunition nobody is hit."""
    numbers = to_hit(ground.context, ground.state, shot, targets, ground.moving)
    supply = depletion(ground.context, shot.barrel, shot.ammo)
    sees = ground.sees(shot.barrel.hex)
    ways: dict[_Hit, Fraction] = {}
    for faces in product(range(1, 7), repeat=2):
        hit: tuple[str, ...] = ()
        if sees and (supply is None or sum(faces) <= supply.number):
            hit = tuple([name for name in (*targets.units, *targets.vehicles) if numbers.hits(name, faces)])
        key = (hit, tuple(critical_targets(shot, numbers, hit, faces)))
        ways[key] = ways.get(key, Fraction(0)) + Fraction(1, 36)
    return ways


def _struck(ground: Fireground, shot: Shot, targets: Targets, hit: Sequence[str], chosen: str) -> dict[str, Chances]:
    """What a hit does to each of those whom it falls on, a Critical Hit to the one that was chosen."""
    context, state = ground.context, ground.state
    units = tuple([UnitId(name) for name in hit if name in targets.units])
    found: dict[str, Chances] = {}
    for vehicle_id in [VehicleId(name) for name in hit if name in targets.vehicles]:
        found[vehicle_id] = _crew_and_armour(ground, shot, vehicle_id, chosen)
    others = tuple([unit_id for unit_id in units if unit_id != chosen])
    # A leader who is lost to the one attack brings checks upon those whom the other strikes.
    led = chosen in units and bool(others) and any(context.card(state.units[one]).is_leader for one in units)
    if led or any(manned_gun(context, state, unit_id) is not None for unit_id in units):
        return {**found, **_played(ground, shot, units, chosen)}
    burst = burst_of(context, shot)
    attacks = [plain_attack(context, state, shot, others, burst.column, moving=ground.moving)] if others else []
    if chosen in units:
        victim = UnitId(chosen)
        attacks.append(critical_attack(context, state, shot, victim, column=burst.critical, moving=ground.moving))
    for attack in attacks:
        found.update((str(unit_id), chances) for unit_id, chances in odds_by_target(context, state, attack).items())
    return found


def _crew_and_armour(ground: Fireground, shot: Shot, vehicle_id: VehicleId, chosen: str) -> Chances:
    """A hit on a vehicle; the IFT DR is that of all who are hit, and the vehicle's share in it the same as alone."""
    context, state = ground.context, ground.state
    chances: Chances = {}

    def struck(dice: Dice) -> str:
        play = Play(state, fold, dice)
        strike_afvs(context, play, shot, (vehicle_id,), chosen=chosen, faces=(), roll=None, moving=ground.moving)
        return vehicle_change(state.vehicles[vehicle_id], play.state.vehicles[vehicle_id]) or NO_EFFECT

    for what, chance in enumerate_rolls(struck):
        add_chance(chances, what, chance)
    return chances


class _HardOfHearing:
    """Dice that let some units pass whatever they check: what becomes of them touches nobody else."""

    def __init__(self, dice: Dice, deaf: Collection[UnitId]) -> None:
        self._dice = dice
        self._deaf = tuple([f"{unit_id} " for unit_id in deaf])

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """The lowest roll for those, and all others as they come."""
        if why.startswith(self._deaf):
            return Roll(dice, (1,) * dice.number, why)
        return self._dice.roll(dice, why, cuts)


def _played(ground: Fireground, shot: Shot, units: tuple[UnitId, ...], chosen: str) -> dict[str, Chances]:
    """All who are hit together, every roll played through.

    Beside a leader, squads are followed one after the other, and those that are alike once: their checks touch nobody
    else, and unbroken ones are not lost by a check, so that they count in random selection.
    """
    context, state = ground.context, ground.state
    others = [unit_id for unit_id in units if not context.card(state.units[unit_id]).is_leader]
    if any(not _stays(ground, unit_id) for unit_id in others):
        return _enumerated(ground, shot, units, chosen, deaf=())
    found = _enumerated(ground, shot, units, chosen, deaf=others)
    column = burst_of(context, shot).column
    own = plain_attack(context, state, shot, tuple(others), column, moving=ground.moving).own_drm
    alike: dict[tuple[Unit, tuple[Modifier, ...]], Chances] = {}
    for unit_id in others:
        key = (replace(state.units[unit_id], id=UnitId("")), own.get(unit_id, ()))
        if key not in alike:
            deaf = [other for other in others if other != unit_id]
            alike[key] = _enumerated(ground, shot, units, chosen, deaf=deaf)[unit_id]
        found[unit_id] = alike[key]
    return found


def _stays(ground: Fireground, unit_id: UnitId) -> bool:
    """An unbroken squad that mans no Gun: no check alone takes it off the map."""
    unit = ground.state.units[unit_id]
    squad = ground.context.card(unit).kind is UnitKind.SQUAD
    return squad and not unit.broken and manned_gun(ground.context, ground.state, unit_id) is None


def _enumerated(
    ground: Fireground, shot: Shot, units: tuple[UnitId, ...], chosen: str, *, deaf: Collection[UnitId]
) -> dict[str, Chances]:
    context, state = ground.context, ground.state
    victim = UnitId(chosen) if chosen in units else None
    guns = any(manned_gun(context, state, unit_id) is not None for unit_id in units)

    def struck(dice: Dice) -> tuple[str, ...]:
        play = Play(state, fold, _HardOfHearing(dice, deaf))
        # One DR for all of them: every total is told apart, and for a Gun its dice.
        roll = play.dice.roll(DR, "IFT", None if guns else EVERY_TOTAL)
        strike_units(context, play, shot, units, chosen=victim, moving=ground.moving, roll=roll)
        return tuple([unit_change(context, state.units[one], play.state.units[one]) or NO_EFFECT for one in units])

    found: dict[str, Chances] = {str(unit_id): {} for unit_id in units}
    for words, chance in enumerate_rolls(struck):
        for unit_id, what in zip(units, words, strict=True):
            add_chance(found[unit_id], what, chance)
    return found
