"""3.3.4, 3.8 Close combat of Infantry against a vehicle: Close Combat Value, DRM and what comes of the DR.

The same in the CCPh and as Reaction Fire in the MPh. An attack is made by one unit, or by one with a SMC.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.armour.vehicle_effects import eliminate_vehicle, immobilize
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import BOXCARS, SNAKE_EYES, one_of, roll_dr, roll_single
from sandtable.systems.aslsk.common.experience import is_inexperienced, leadership
from sandtable.systems.aslsk.common.facts import melee_events as me
from sandtable.systems.aslsk.effects.casualties import LeaderLoss, reduce_unit
from sandtable.systems.aslsk.effects.field_promotion import create_leader
from sandtable.systems.aslsk.fire.vehicle_guns import Arc, arc_of, printed_fp, refuse_crew_place
from sandtable.systems.aslsk.phases.close_combat_odds import director
from sandtable.systems.aslsk.pieces.state import State, Stun, Unit, UnitId, Vehicle, VehicleGun, VehicleId

__all__ = [
    "Assaulted",
    "assault_drm",
    "assault_value",
    "assault_vehicle",
    "combat_guns",
    "defence_value",
    "has_usable_gun",
]


class Assaulted(NamedTuple):
    """What an attack on a vehicle left."""

    roll: Roll
    created: dict[UnitId, UnitId]
    """The leader that a unit has brought forth."""
    losses: list[LeaderLoss]


def _usable(context: Context, vehicle: Vehicle) -> dict[VehicleGun, int]:
    """FP of the MG, and of a MA with an IFE, that work and that the crew gets at as it is (7.2, 7.7, 7.8)."""
    if not vehicle.is_active:
        return {}
    working = [gun for gun in VehicleGun if vehicle.works(gun) and refuse_crew_place(context, vehicle, gun) is None]
    factors = {gun: printed_fp(context, vehicle, gun) for gun in working}
    return {gun: fp for gun, fp in factors.items() if fp}


@rule("3.8")
def has_usable_gun(context: Context, vehicle: Vehicle) -> bool:
    """Whether a MG of a vehicle is manned and usable (3.8)."""
    main_is_mg = context.vehicle_card(vehicle).main.is_mg
    return any(gun is not VehicleGun.MAIN or main_is_mg for gun in _usable(context, vehicle))


@rule("3.8")
def combat_guns(context: Context, vehicle: Vehicle) -> dict[VehicleGun, int]:
    """The weapons with which a vehicle fights in close combat, with their FP (3.8).

    No BMG, no MA without a turret, and no CMG that is bound to the VCA; an AAMG that is so bound fights all the same.
    """
    card = context.vehicle_card(vehicle)
    usable = _usable(context, vehicle).items()
    return {gun: fp for gun, fp in usable if gun is VehicleGun.ANTI_AIRCRAFT or arc_of(card, gun) is not Arc.HULL}


# --- numbers ----------------------------------------------------------------------------------------------------


def _joins(context: Context, by: Sequence[Unit]) -> tuple[Unit, list[Unit]]:
    """The unit whose CCV counts, and the SMC that add to it."""
    head = next((unit for unit in by if context.card(unit).is_mmc), by[0])
    return head, [unit for unit in by if unit.id != head.id]


@rule("3.3.4", "3.8", "5.4")
def assault_value(context: Context, state: State, by: Sequence[Unit], *, has_fired: bool = False) -> Breakdown:
    """The CCV of an attack on a vehicle: by the unit, one more with a SMC, less if halved or Inexperienced (3.8)."""
    number = context.tables["close_combat_values"].number
    head, joined = _joins(context, by)
    terms = [Modifier(number("joining_smc"), f"{unit.id} joins", "3.8") for unit in joined]
    terms += _troop_terms(context, state, head)
    if any(unit.pinned for unit in by):
        terms.append(Modifier(number("halved"), "pinned", "3.8"))
    if has_fired:
        terms.append(Modifier(number("has_fired"), "has fired", "3.3.4"))
    kind = context.card(head).kind.value
    return Breakdown("CCV", "3.8", tuple(terms), number(kind), kind)


@rule("1.3", "5.4")
def _troop_terms(context: Context, state: State, unit: Unit) -> list[Modifier]:
    """What the CCV of a unit is greater or less by, whether it attacks or defends: its training (1.3, 5.4)."""
    terms = []
    if is_inexperienced(context, state, unit):
        terms.append(Modifier(context.tables["close_combat_values"].number("inexperienced"), "Inexperienced", "5.4"))
    if more := context.scenario.conditions.ccv.get(unit.card):
        terms.append(Modifier(more, "by special rule", "1.3"))
    return terms


@rule("3.8")
def defence_value(context: Context, state: State, bodies: Iterable[Sequence[Unit]]) -> int:
    """The CCV that a vehicle's attack is compared with: of all that it attacks, whole although pinned (3.8)."""
    number = context.tables["close_combat_values"].number
    total = 0
    for body in bodies:
        head, joined = _joins(context, body)
        training = sum(term.value for term in _troop_terms(context, state, head))
        total += number(context.card(head).kind.value) + training + len(joined) * number("joining_smc")
    return total


@rule("3.8", "7.10")
def assault_drm(context: Context, by: Sequence[Unit], vehicle: Vehicle, ambusher: str = "") -> Breakdown:
    """The DRM of an attack on a vehicle (3.8)."""
    table = context.tables["close_combat_drm"]
    seat = by[0].side
    immobile = not vehicle.is_mobile or not vehicle.is_active
    causes = [
        ("by_ambusher", "by the ambusher", ambusher == seat),
        ("on_ambusher", "on the ambusher", bool(ambusher) and ambusher != seat),
        ("by_cx", "by CX", any(unit.cx for unit in by)),
        ("on_moving", "vehicle in Motion or Non-Stopped", not vehicle.is_stopped),
        ("on_exposed", "CE", vehicle.exposed),
        ("on_unarmed", "no manned and usable MG", not has_usable_gun(context, vehicle)),
        ("on_immobile", "immobile", immobile),
    ]
    terms = [Modifier(table.number(key), label, "3.8") for key, label, holds in causes if holds]
    leader = director(context, by)
    if leader is not None:
        terms.append(Modifier(leadership(context, leader), f"leadership of {leader.id}", "3.8"))
    return Breakdown("CC DRM", "3.8", tuple(terms))


@rule("7.10")
def stun_terms(context: Context, vehicle: Vehicle) -> tuple[Modifier, ...]:
    """The +1 of a crew that was stunned once (7.10)."""
    if vehicle.stun is not Stun.PLUS_ONE:
        return ()
    return (Modifier(context.tables["close_combat_drm"].number("by_stunned"), "+1 counter", "7.10"),)


# --- what happens -----------------------------------------------------------------------------------------------


@rule("3.3.4", "3.8", "5.3")
def assault_vehicle(
    context: Context,
    play: Play,
    by: tuple[UnitId, ...],
    vehicle_id: VehicleId,
    *,
    ambusher: str = "",
    has_fired: bool = False,
) -> Assaulted:
    """Roll an attack on a vehicle and apply it (3.8).

    An original 2 may bring forth a leader and never fails for sure; an original 12 costs the attackers, unless the crew
    is shocked or stunned.
    """
    state = play.state
    vehicle = state.vehicles[vehicle_id]
    units = [state.units[unit_id] for unit_id in by]
    assert vehicle.hex is not None  # noqa: S101 - it is in their hex
    value = assault_value(context, state, units, has_fired=has_fired)
    drm = assault_drm(context, units, vehicle, ambusher)
    needed = value.total - drm.total
    roll = roll_dr(play, f"close combat on {vehicle_id}", sorted({SNAKE_EYES, needed - 1, needed, BOXCARS - 1}))
    created: dict[UnitId, UnitId] = {}
    third = 0
    if roll.total == SNAKE_EYES:
        head, joined = _joins(context, units)
        leader = create_leader(context, play, head, 1) if context.card(head).is_mmc else None
        if leader is not None:
            created[head.id] = leader.id
            if not joined:
                value = assault_value(context, play.state, [*units, leader], has_fired=has_fired)
        if roll.total + drm.total >= value.total:
            third = roll_single(play, f"third die on {vehicle_id}", _third(context))
    result = _result(context, roll.total + drm.total, value.total, third)
    play.emit(me.VehicleAssaulted(units[0].side, vehicle.hex, by, vehicle_id, value, drm, roll.faces, result, third))
    losses: list[LeaderLoss] = []
    if result == "eliminated":
        eliminate_vehicle(play, vehicle_id, why="close combat", number="3.8")
    elif result == "immobilized":
        immobilize(play, vehicle_id, why="close combat", number="3.8")
    if roll.total == BOXCARS and vehicle.is_active:
        victim = by[one_of(play, len(by), "close combat: who is reduced")]
        reduce_unit(context, play, victim, losses, number="3.8")
    return Assaulted(roll, created, losses)


def _third(context: Context) -> tuple[int, int]:
    number = context.tables["close_combat_values"].number
    return number("third_die_kills"), number("third_die_immobilizes")


@rule("3.8")
def _result(context: Context, final: int, value: int, third: int) -> str:
    """Under the CCV eliminates, equal immobilizes; after an original 2 a third die gives another chance (3.8)."""
    kills, immobilizes = _third(context)
    if final < value or 0 < third <= kills:
        return "eliminated"
    return "immobilized" if final == value or 0 < third <= immobilizes else "none"
