"""3.8 Close combat in a hex with a vehicle: the sides attack in turn, and who is lost attacks no more.

The side without a vehicle begins, the ATTACKER if both have one; an ambusher makes all his attacks first. A unit
attacks once and is attacked once. A vehicle is attacked as often as there is somebody to do it, and attacks once with
each of its weapons.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import CloseAttack
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.common.facts import melee_events as me
from sandtable.systems.aslsk.common.stacking import at
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at, own_vehicles_at
from sandtable.systems.aslsk.effects.attack import Attack, resolve_attack
from sandtable.systems.aslsk.effects.ift import ONE_FP, ift_of
from sandtable.systems.aslsk.phases.close_combat import (
    Body,
    bodies,
    factors_at,
    fighters,
    lock,
    resolve_attacks,
    suffer,
)
from sandtable.systems.aslsk.phases.close_combat_odds import Odds, odds_against
from sandtable.systems.aslsk.phases.vehicle_assault import (
    assault_vehicle,
    combat_guns,
    defence_value,
    stun_terms,
)
from sandtable.systems.aslsk.pieces.state import (
    CcAttack,
    CloseCombat,
    State,
    Unit,
    UnitId,
    Vehicle,
    VehicleGun,
)
from sandtable.systems.aslsk.pieces.vehicle_cards import Dispenser

__all__ = [
    "CLOSE_DEFENCE",
    "advance_in_turn",
    "attack_in_turn",
    "attack_no_more",
    "can_attack",
    "close_defence",
    "enemies_of",
    "fresh_bodies",
    "fresh_guns",
    "fresh_targets",
    "vehicle_odds",
]

CLOSE_DEFENCE = "close defence"


def weapon_key(vehicle: Vehicle, gun: str) -> str:
    """A weapon of a vehicle among those that have fought."""
    return f"{vehicle.id} {gun}"


def enemies_of(context: Context, state: State, frame: CloseCombat, seat: str) -> tuple[Unit, ...]:
    """The enemy units of a side in the hex, broken or not."""
    return tuple(unit for unit in at(context, state, frame.hex) if unit.side != seat)


def fresh_bodies(context: Context, state: State, frame: CloseCombat, seat: str) -> list[Body]:
    """The units of a side, with the leaders that fight with them, that have not attacked yet."""
    own = bodies(fighters(context, state, frame.hex, seat), frame.pairs)
    return [body for body in own if not set(body) & set(frame.fought)]


def fresh_targets(context: Context, state: State, frame: CloseCombat, seat: str) -> list[Body]:
    """The enemy units of a side, with the leaders that fight with them, that were not attacked yet."""
    enemies = bodies(enemies_of(context, state, frame, seat), frame.pairs)
    return [body for body in enemies if not set(body) & set(frame.struck)]


def fresh_guns(context: Context, frame: CloseCombat, vehicle: Vehicle) -> dict[VehicleGun, int]:
    """The weapons of a vehicle that have not attacked yet, with their FP."""
    guns = combat_guns(context, vehicle)
    return {gun: fp for gun, fp in guns.items() if weapon_key(vehicle, gun) not in frame.fought}


@rule("3.8")
def close_defence(context: Context, frame: CloseCombat, vehicle: Vehicle) -> tuple[int, int] | None:
    """FP and usage number of a close defence weapon that may be used now: BU, after an attack on it (3.8).

    An ambusher need not wait for that.
    """
    if not vehicle.is_active or vehicle.exposed or weapon_key(vehicle, CLOSE_DEFENCE) in frame.fought:
        return None
    if vehicle.id not in frame.struck and frame.ambusher != vehicle.side:
        return None
    card, conditions = context.vehicle_card(vehicle), context.scenario.conditions
    if card.close_defence is not None:
        return card.close_defence
    table, now = context.tables["close_defence"], (conditions.year, conditions.month)
    if card.dispenser is not Dispenser.CLOSE_DEFENCE or now < (table.number("year"), table.number("month")):
        return None
    usage = card.usage_number(*now)
    return (table.number("fp"), usage) if usage else None


def can_attack(context: Context, state: State, frame: CloseCombat, seat: str) -> bool:
    """Whether a side has an attack left."""
    if seat in frame.passed:
        return False
    targets = fresh_targets(context, state, frame, seat)
    enemy_vehicle = bool(enemy_vehicles_at(state, frame.hex, seat))
    if (targets or enemy_vehicle) and fresh_bodies(context, state, frame, seat):
        return True
    enemies = enemies_of(context, state, frame, seat)
    for vehicle in own_vehicles_at(state, frame.hex, seat):
        if targets and fresh_guns(context, frame, vehicle):
            return True
        if enemies and close_defence(context, frame, vehicle) is not None:
            return True
    return False


@rule("3.8")
def advance_in_turn(context: Context, play: Play, frame: CloseCombat) -> bool:
    """Whose attack it is; the end once nobody has one left (3.8)."""
    state, other = play.state, context.other(frame.asked)
    if can_attack(context, state, frame, frame.asked):
        return False
    if can_attack(context, state, frame, other):
        play.emit(ev.Changed(replace(frame, asked=other)))
        return True
    lock(context, play, frame.hex)
    play.emit(ev.Closed())
    return True


def attack_no_more(play: Play, frame: CloseCombat) -> None:
    """A side makes no more attacks here (3.8)."""
    play.emit(me.CombatPassed(frame.asked, frame.hex))
    play.emit(ev.Changed(replace(frame, passed=(*frame.passed, frame.asked))))


@rule("3.8")
def attack_in_turn(context: Context, play: Play, frame: CloseCombat, action: CloseAttack) -> None:
    """Make one attack; then it is the other side's turn, unless an ambusher goes on (3.8)."""
    created: dict[UnitId, UnitId] = {}
    if action.vehicle:
        vehicle = play.state.vehicles[action.vehicle]
        if action.guns:
            _fight(context, play, frame, vehicle, action)
            fought = tuple(weapon_key(vehicle, gun) for gun in action.guns)
        else:
            _defend(context, play, frame, vehicle)
            fought = (weapon_key(vehicle, CLOSE_DEFENCE),)
    else:
        body = [one for one in fresh_bodies(context, play.state, frame, frame.asked) if set(one) & set(action.by)]
        fought = tuple(unit_id for one in body for unit_id in one)
        if action.at:
            created = assault_vehicle(context, play, action.by, action.at, ambusher=frame.ambusher).created
        else:
            now = replace(frame, factors=factors_at(context, at(context, play.state, frame.hex)))
            attack = CcAttack(action.by, action.against)
            created = resolve_attacks(context, play, now, [(frame.asked, attack)])
    struck = (*action.against, *((action.at,) if action.at else ()))
    pairs = {**frame.pairs, **{leader: unit_id for unit_id, leader in created.items()}}
    goes_on = frame.ambusher == frame.asked
    play.emit(
        ev.Changed(
            replace(
                frame,
                pairs=pairs,
                fought=(*frame.fought, *fought, *created.values()),
                struck=(*frame.struck, *struck),
                asked=frame.asked if goes_on else context.other(frame.asked),
            )
        )
    )


# --- a vehicle's attacks ----------------------------------------------------------------------------------------


@rule("3.8")
def vehicle_odds(
    context: Context, state: State, frame: CloseCombat, vehicle: Vehicle, action: CloseAttack
) -> tuple[Odds, Breakdown]:
    """Odds of a vehicle's FP, halved in Motion, to the CCV of those it attacks; and the DRM (3.8)."""
    guns = combat_guns(context, vehicle)
    groups = [
        [state.units[unit_id] for unit_id in body]
        for body in bodies(tuple(state.units[unit_id] for unit_id in action.against), frame.pairs)
    ]
    defence = defence_value(context, state, groups)
    halved = not vehicle.is_stopped
    attack = sum(guns[gun] for gun in action.guns) * (1 if halved else 2)
    words = " + ".join(f"{guns[gun]}{'/2' if halved else ''} {gun.value}" for gun in action.guns)
    odds = odds_against(context, attack, 2 * defence, f"{words} to CCV {defence}")
    return odds, _fight_drm(context, frame, vehicle, [unit for group in groups for unit in group])


def _fight_drm(context: Context, frame: CloseCombat, vehicle: Vehicle, on: Sequence[Unit]) -> Breakdown:
    table = context.tables["close_combat_drm"]
    causes = [
        ("by_ambusher", "by the ambusher", frame.ambusher == vehicle.side),
        ("on_ambusher", "on the ambusher", bool(frame.ambusher) and frame.ambusher != vehicle.side),
        ("on_cx", "on CX", all(unit.cx for unit in on)),
        ("on_broken", "on broken units", all(unit.broken for unit in on)),
    ]
    terms = [Modifier(table.number(key), label, "3.8") for key, label, holds in causes if holds]
    return Breakdown("CC DRM", "3.8", (*terms, *stun_terms(context, vehicle)))


@rule("3.8")
def _fight(context: Context, play: Play, frame: CloseCombat, vehicle: Vehicle, action: CloseAttack) -> None:
    """A vehicle attacks Infantry with some of its weapons (3.8)."""
    odds, drm = vehicle_odds(context, play.state, frame, vehicle, action)
    kill = odds.kill.total
    needed = kill - drm.total
    roll = roll_dr(play, f"close combat on {', '.join(action.against)}", (needed - 1, needed))
    final = roll.total + drm.total
    result = "eliminated" if final < kill else "reduced" if final == kill else "none"
    play.emit(
        me.VehicleFought(
            vehicle.side,
            frame.hex,
            vehicle.id,
            action.guns,
            action.against,
            odds.name,
            odds.kill,
            drm,
            roll.faces,
            result,
        )
    )
    suffer(context, play, CcAttack((), action.against), result)


@rule("3.8")
def _defend(context: Context, play: Play, frame: CloseCombat, vehicle: Vehicle) -> None:
    """A close defence weapon attacks all Infantry in the hex, its own too, without TEM (3.8).

    An original DR above the usage number has no effect.
    """
    found = close_defence(context, frame, vehicle)
    assert found is not None  # noqa: S101 - the attack was checked
    fp, usage = found
    ift = ift_of(context)
    column = ift.column(fp * ONE_FP)
    firepower = Breakdown("Firepower", "3.8", base=fp, base_label="close defence weapon", result=ift.fp(column))
    attack = Attack(
        kind="close defence",
        target=frame.hex,
        targets=tuple(unit.id for unit in at(context, play.state, frame.hex)),
        column=column,
        firepower=firepower,
        drm=Breakdown("DRM", "3.8", stun_terms(context, vehicle)),
        own_drm={},
        dud_at=usage + 1,
        in_combat=True,
        marks=(usage + 1,),
    )
    resolve_attack(context, play, attack)
