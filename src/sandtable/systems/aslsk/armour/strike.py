"""7.9 To Kill, 7.10 its results, 7.11 the Area Target Type and 7.12 collateral attacks: a hit on an AFV, to its end."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.armour.crew import CrewAttack, crew_check, strike_crew
from sandtable.systems.aslsk.armour.struck_part import aspect_struck, struck_facing
from sandtable.systems.aslsk.armour.to_kill import NO_DUD, Strike, StrikeKind, to_kill_number
from sandtable.systems.aslsk.armour.vehicle_effects import eliminate_vehicle, immobilize, shock, stun
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS, DR
from sandtable.systems.aslsk.common.facts import armour_events as ev
from sandtable.systems.aslsk.effects.ift import IftKind, ift_of
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.state import Vehicle, VehicleId
from sandtable.systems.aslsk.pieces.vehicle_cards import Aspect, Facing, VehicleCard

__all__ = [
    "AfvResult",
    "AreaStrike",
    "Killed",
    "Target",
    "area_result",
    "area_strike",
    "area_terms",
    "destruction",
    "strike_target",
    "strike_vehicle",
    "suffer",
]


class AfvResult(StrEnum):
    """What the AFV Destruction Table says (7.10)."""

    NONE = ""
    STUN = "stun"
    POSSIBLE_SHOCK = "possible shock"
    IMMOBILIZED = "immobilized"
    SHOCK = "shock"
    ELIMINATED = "eliminated"


_HARM = tuple(AfvResult)
"""From least to worst."""
_CREW_SAFE = (AfvResult.ELIMINATED, AfvResult.SHOCK, AfvResult.STUN)
"""After these there is no collateral attack (7.12)."""


class Killed(NamedTuple):
    """What a To Kill attempt gave."""

    result: AfvResult
    """Of the table; a Possible Shock may or may not have become one."""
    roll: Roll
    """The original effects DR."""
    dud: bool = False


class Target(NamedTuple):
    """The part of a vehicle that a hit strikes, and the Final TK# of each row."""

    aspect: Aspect
    facing: Facing
    numbers: tuple[Breakdown, ...]


@rule("3.2.4", "7.9")
def strike_target(context: Context, strike: Strike, vehicle: Vehicle) -> Target:
    """Aspect, facing and Final TK# of a hit (3.2.4, 7.9)."""
    aspect = aspect_struck(strike.faces)
    facing = struck_facing(context, vehicle, strike, aspect)
    numbers = tuple([to_kill_number(context, strike, vehicle, row, (aspect, facing)) for row in strike.rows])
    return Target(aspect, facing, numbers)


@rule("7.10")
def destruction(context: Context, kind: StrikeKind, ammo: Ammo, over: int, aspect: Aspect) -> AfvResult:
    """The AFV Destruction Table by how far the Final DR is over the number: below it, equal, or one more (7.10).

    One more is another row for HE (DC included) than for all else; beyond there is no effect.
    """
    if over > 1:
        return AfvResult.NONE
    row = "less" if over < 0 else "equal" if over == 0 else "one_more_he" if ammo is Ammo.HE else "one_more"
    cell = context.tables["afv_destruction"].lookup(row, kind.value, aspect.value)
    return AfvResult(str(cell)) if cell is not None else AfvResult.NONE


@rule("7.9", "7.10", "7.12")
def strike_vehicle(context: Context, play: Play, strike: Strike) -> Killed:
    """The To Kill DR of a hit, what it does, and the collateral attack on a CE crew that comes of it (7.9-7.12)."""
    vehicle = play.state.vehicles[strike.vehicle]
    target = strike_target(context, strike, vehicle)
    number, killed = _best(context, play, strike, vehicle, target)
    play.emit(
        ev.ToKillResolved(
            strike.by,
            vehicle.id,
            target.aspect,
            target.facing,
            number,
            killed.roll.faces,
            killed.result.value,
            killed.dud,
        )
    )
    if killed.dud:
        return killed
    spared = suffer(context, play, vehicle.id, killed.result, "hit")
    if vehicle.exposed and spared:
        column = ift_of(context).number(strike.fp) if strike.fp else -1
        strike_crew(context, play, vehicle.id, CrewAttack("collateral attack", column, killed.roll.faces))
    return killed


_EVERY_TOTAL = tuple(range(2, BOXCARS))
"""For exact odds: two DR that are compared, or one that attacks the crew too, tell every total apart."""


def _best(context: Context, play: Play, strike: Strike, vehicle: Vehicle, target: Target) -> tuple[Breakdown, Killed]:
    """One TK DR a row; of two the firer uses the one that does more harm, or the lower (notes)."""
    found: list[tuple[Breakdown, Killed]] = []
    for number in target.numbers:
        judge = partial(_judge, context, strike, number, target.aspect)
        alone = not vehicle.exposed and len(target.numbers) == 1
        cuts = partial(_cuts, number, strike.dud_at) if alone else _EVERY_TOTAL
        roll = play.dice.roll(DR, f"{strike.by or 'panzerfaust'} To Kill {vehicle.id}", cuts)
        found.append((number, judge(roll)))
    return min(found, key=lambda one: (-_HARM.index(one[1].result), one[1].roll.total))


def _judge(context: Context, strike: Strike, number: Breakdown, aspect: Aspect, roll: Roll) -> Killed:
    if roll.total >= strike.dud_at:
        return Killed(AfvResult.NONE, roll, dud=True)
    if number.final:
        return Killed(AfvResult.NONE, roll)
    return Killed(destruction(context, strike.kind, strike.ammo, roll.total - number.total, aspect), roll)


def _cuts(number: Breakdown, dud_at: int) -> list[int]:
    """The totals that a TK DR tells apart, for exact odds."""
    total = number.total
    return sorted({total - 1, total, total + 1, min(dud_at, NO_DUD) - 1})


@rule("7.10")
def suffer(context: Context, play: Play, vehicle_id: VehicleId, result: AfvResult, why: str) -> bool:
    """What a result does to an AFV; whether a CE crew of it may still be attacked collaterally (7.10, 7.12)."""
    if result is AfvResult.ELIMINATED:
        eliminate_vehicle(play, vehicle_id, why=why)
    elif result is AfvResult.IMMOBILIZED:
        immobilize(play, vehicle_id, why=why)
    elif result is AfvResult.SHOCK:
        shock(play, vehicle_id)
    elif result is AfvResult.STUN:
        stun(context, play, vehicle_id)
    elif result is AfvResult.POSSIBLE_SHOCK:
        return not _shock_check(context, play, vehicle_id)
    return result not in _CREW_SAFE


@rule("7.10")
def _shock_check(context: Context, play: Play, vehicle_id: VehicleId) -> bool:
    """Possible Shock: a normal MC, and Shock alone if it fails; whether it does (7.10)."""
    total, number = crew_check(context, play, vehicle_id, "NMC")
    if total <= number and total != BOXCARS:
        return False
    shock(play, vehicle_id)
    return True


# --- Area Target Type -------------------------------------------------------------------------------------------


class AreaStrike(NamedTuple):
    """A hit on the Area Target Type in the hex of an AFV (7.11)."""

    vehicle: VehicleId
    column: int
    """Number of the IFT column: half the caliber's, or twice all of it for the one that a Critical Hit falls on."""
    terms: tuple[Modifier, ...]
    """TEM of the IFT DR, air bursts too; none of a Critical Hit (6.1)."""
    by: str
    collateral: int
    """Number of the IFT column against a CE crew: half the caliber's, of a Critical Hit too (7.12)."""


@rule("7.11")
def area_terms(context: Context, card: VehicleCard) -> tuple[Modifier, ...]:
    """The DRM of an AFV by its Armor Factors: all of them low, or all of them high (7.11)."""
    table = context.tables["afv_area_drm"].number
    low, high = table("all_at_most", "factor"), table("all_at_least", "factor")
    if max(card.armour.factors) <= low:
        return (Modifier(table("all_at_most", "drm"), f"all armour at most {low}", "7.11"),)
    if min(card.armour.factors) >= high:
        return (Modifier(table("all_at_least", "drm"), f"all armour at least {high}", "7.11"),)
    return ()


@rule("7.11")
def area_result(context: Context, column: int, final: int, aspect: Aspect) -> AfvResult:
    """KIA destroys, a K or the DR after the last K immobilizes or shocks (7.11)."""
    ift = ift_of(context)
    kind = ift.result(column, final).kind
    if kind is IftKind.KIA:
        over = -1
    elif kind is IftKind.K:
        over = 0
    elif ift.result(column, final - 1).kind is IftKind.K:
        over = 1
    else:
        return AfvResult.NONE
    return destruction(context, StrikeKind.AREA, Ammo.HE, over, aspect)


@rule("7.11", "7.12")
def area_strike(context: Context, play: Play, strike: AreaStrike, roll: Roll | None = None) -> Killed:
    """A hit on the Area Target Type against one AFV, with the IFT DR of all that it hit, or one of its own (7.11)."""
    vehicle = play.state.vehicles[strike.vehicle]
    if roll is None:
        roll = play.dice.roll(DR, f"Area Target Type hit on {vehicle.id}", None)
    ift = ift_of(context)
    drm = Breakdown("DRM", "7.11", (*strike.terms, *area_terms(context, context.vehicle_card(vehicle))))
    aspect = aspect_struck(roll.faces)
    result = area_result(context, strike.column, roll.total + drm.total, aspect)
    fp = ift.fp(strike.column)
    firepower = Breakdown("Firepower", "7.11", base=fp, base_label=f"hit of {strike.by}", result=fp)
    play.emit(ev.AreaHitResolved(vehicle.id, aspect, firepower, drm, roll.faces, fp, result.value))
    spared = suffer(context, play, vehicle.id, result, "Area Target Type hit")
    if vehicle.exposed and spared:
        strike_crew(context, play, vehicle.id, CrewAttack("collateral attack", strike.collateral, roll.faces))
    return Killed(result, roll)
