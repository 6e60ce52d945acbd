"""3.2.4, 7.9 to 7.12: exact odds of a shot of a Gun or MA at a vehicle, without playing every roll through.

The To Hit DR tells apart what is hit (hull or turret, from which side in the same hex, critically or not) and what
becomes of the weapon. Every such hit is then followed through its To Kill DR and what comes of that, once.
"""

from __future__ import annotations

from fractions import Fraction

from sandtable.core.dice import Dice, enumerate_rolls
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.armour.struck_part import aspect_struck
from sandtable.systems.aslsk.common.consequence import vehicle_change
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.fire.firers import Fireground
from sandtable.systems.aslsk.fire.to_hit_chart import CRITICAL
from sandtable.systems.aslsk.guns.ammunition import depletion
from sandtable.systems.aslsk.guns.barrel import barrel_of
from sandtable.systems.aslsk.guns.gun_fire import gun_targets, shot_of
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, to_hit
from sandtable.systems.aslsk.guns.vehicle_hit import strike_afvs
from sandtable.systems.aslsk.guns.wear import Wear, keeps_gun_rate, wear_of

__all__ = ["shot_odds"]

Chances = dict[str, Fraction]
_ROLLS = tuple((coloured, white) for coloured in range(1, 7) for white in range(1, 7))


def shot_odds(ground: Fireground, action: FireGun) -> dict[str, Chances]:
    """What may become of the vehicle that a shot on the VTT is meant for, and of what fires it."""
    context, state = ground.context, ground.state
    barrel = barrel_of(context, state, action.weapon, action.vehicle)
    assert barrel is not None  # noqa: S101 - the action was checked
    shot = shot_of(ground, action, barrel)
    targets = gun_targets(ground, shot.target_type, ground.moving, action.at)
    numbers = to_hit(context, state, shot, targets, ground.moving)
    wear = wear_of(context, state, barrel, intensive=shot.intensive)
    supply = depletion(context, barrel, shot.ammo)
    least = supply.number if supply is not None else 13
    sees = ground.sees(barrel.hex)
    firer: Chances = {}
    hits: dict[tuple[str, int, bool], list[tuple[int, int]]] = {}
    for faces in _ROLLS:
        hit = sees and sum(faces) <= least and numbers.hits(action.at, faces)
        _add(firer, _shot_word(ground, shot, wear, faces, least=least, hit=hit), Fraction(1, 36))
        if hit:
            # In the same hex the coloured die says from which side it strikes.
            side = (faces[0] - 1) // 2 if shot.reach == 0 else 0
            hits.setdefault((aspect_struck(faces).value, side, sum(faces) == CRITICAL), []).append(faces)
    target: Chances = {}
    missed = 36 - sum(map(len, hits.values()))
    if missed:
        target[NO_EFFECT] = Fraction(missed, 36)
    for (_, _, critical), rolls in hits.items():

        def struck(dice: Dice, faces: tuple[int, int] = rolls[0], critical: bool = critical) -> str:
            """What a hit does."""
            play = Play(state, fold, dice)
            chosen = action.at if critical else ""
            strike_afvs(
                context, play, shot, targets.vehicles, chosen=chosen, faces=faces, roll=None, moving=ground.moving
            )
            before, after = (one.vehicles[targets.vehicles[0]] for one in (state, play.state))
            return vehicle_change(before, after) or NO_EFFECT

        for what, chance in enumerate_rolls(struck):
            _add(target, what, chance * Fraction(len(rolls), 36))
    return {action.at: target, barrel.id: firer}


def _add(chances: Chances, what: str, chance: Fraction) -> None:
    chances[what] = chances.get(what, Fraction(0)) + chance


def _shot_word(ground: Fireground, shot: Shot, wear: Wear, faces: tuple[int, int], *, least: int, hit: bool) -> str:
    """Where a To Hit DR hits, and what it does to the weapon."""
    total = sum(faces)
    fired = total <= least
    if not fired and total < wear.least:
        return f"has no {shot.ammo.value}"
    told = [f"{aspect_struck(faces).value} hit" if hit else "miss"]
    if hit and total == CRITICAL:
        told = [f"critical {told[0]}"]
    if total >= wear.removed:
        told.append("disabled")
    elif total >= wear.number.total:
        told.append("malfunctions")
    else:
        if total >= wear.low_ammo:
            told.append("Low Ammo")
        if fired and keeps_gun_rate(ground.context, ground.state, shot, faces[0]):
            told.append("keeps its ROF")
    return ", ".join(told)
