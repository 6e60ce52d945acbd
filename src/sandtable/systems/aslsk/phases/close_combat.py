"""3.8 Close Combat Phase: ambush, declaration and resolution in every hex that holds both sides, and Melee.

The ATTACKER orders the hexes. In each, leaders are arranged, an ambush may occur, attacks are declared by one side,
then by the other, and resolved at once; after an ambush one side is through before the other declares. Both sides'
dice are rolled before any loss is taken, for close combat is simultaneous: a leader created by an original 2 counts in
every attack of that moment. Whoever is left in the hex is held in Melee.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.dice import Roll
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import SNAKE_EYES, one_of, roll_dr, roll_single
from sandtable.systems.aslsk.common.experience import morale_level
from sandtable.systems.aslsk.common.stacking import at, friends_at, occupants
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at, vehicles_at
from sandtable.systems.aslsk.effects.casualties import eliminate, reduce_unit
from sandtable.systems.aslsk.effects.field_promotion import create_leader
from sandtable.systems.aslsk.phases.close_combat_odds import LEADER_FP, ambush_drm, attack_drm, cc_firepower, odds_of
from sandtable.systems.aslsk.pieces.state import (
    CcAttack,
    CcStage,
    CloseCombat,
    CloseCombats,
    State,
    Unit,
    UnitId,
    Vehicle,
)

__all__ = [
    "Body",
    "advance_close_combat",
    "bodies",
    "combat_hexes",
    "declare",
    "factors_at",
    "fighters",
    "has_mmc",
    "lock",
    "needs_arranging",
    "open_combat",
    "resolve_attacks",
    "suffer",
]

Body = tuple[UnitId, ...]
"""A unit and the leaders that fight with it."""


@rule("3.8")
def combat_hexes(context: Context, state: State, frame: CloseCombats) -> tuple[Hex, ...]:
    """Hexes with opposing units, one of them unbroken, whose close combat is still to come (3.8)."""
    there = occupants(context, state).items()
    return tuple(sorted([hex for hex, units in there if hex not in frame.done and _are_opposed(state, hex, units)]))


def _are_opposed(state: State, hex: Hex, units: tuple[Unit, ...]) -> bool:
    """Whether both sides are in a hex, one of them with Infantry, and somebody of them is able to attack."""
    if len(units) == 1 and not state.vehicles:
        return False
    vehicles = vehicles_at(state, hex)
    if len({*(unit.side for unit in units), *(vehicle.side for vehicle in vehicles)}) == 1:
        return False
    return any(not unit.broken for unit in units) or any(vehicle.is_active for vehicle in vehicles)


def open_combat(context: Context, play: Play, frame: CloseCombats, hex: Hex) -> None:
    """Take up the close combat of a hex."""
    play.emit(ev.Changed(replace(frame, done=(*frame.done, hex))))
    play.emit(ev.Opened(CloseCombat(hex, frame.player, factors=factors_at(context, at(context, play.state, hex)))))


def factors_at(context: Context, units: tuple[Unit, ...]) -> dict[UnitId, int]:
    """FP of units in close combat."""
    return {unit.id: cc_firepower(context, unit) for unit in units}


def fighters(context: Context, state: State, hex: Hex, seat: str) -> tuple[Unit, ...]:
    """Units of a side in the hex that may attack: unbroken ones."""
    return tuple(unit for unit in friends_at(context, state, hex, seat) if not unit.broken)


def has_mmc(context: Context, state: State, body: Iterable[UnitId]) -> bool:
    """Whether a MMC is among those who fight together."""
    return any(context.card(state.units[unit_id]).is_mmc for unit_id in body)


def bodies(units: tuple[Unit, ...], pairs: Mapping[UnitId, UnitId]) -> list[Body]:
    """Units with the leaders that fight with them."""
    present = {unit.id for unit in units}
    found: dict[UnitId, list[UnitId]] = {}
    for unit in units:
        partner = pairs.get(unit.id)
        if partner is None or partner not in present:
            found.setdefault(unit.id, []).insert(0, unit.id)
        else:
            found.setdefault(partner, []).append(unit.id)
    return [tuple(body) for body in found.values()]


def needs_arranging(context: Context, state: State, frame: CloseCombat) -> bool:
    """Whether a side has a leader and somebody for him to fight with."""
    units = fighters(context, state, frame.hex, frame.asked)
    return len(units) > 1 and any(context.card(unit).is_leader for unit in units)


def advance_close_combat(context: Context, play: Play, frame: CloseCombat) -> bool:
    """Go on with a close combat by itself; False if a side has to arrange or declare (3.8)."""
    if frame.stage is CcStage.ARRANGE:
        if needs_arranging(context, play.state, frame):
            return False
        arrange(context, play, frame, {})
        return True
    if fighters(context, play.state, frame.hex, frame.asked):
        return False
    declare(context, play, frame, ())
    return True


def arrange(context: Context, play: Play, frame: CloseCombat, pairs: Mapping[UnitId, UnitId]) -> None:
    """A side has arranged its leaders; after both the ambush is settled (3.8)."""
    if pairs:
        play.emit(ev.LeadersArranged(frame.asked, dict(pairs)))
    frame = replace(frame, pairs={**frame.pairs, **pairs})
    if not frame.second:
        play.emit(ev.Changed(replace(frame, asked=context.other(frame.asked), second=True)))
        return
    ambusher = _ambush(context, play, frame)
    vehicles = vehicles_at(play.state, frame.hex)
    first = Seat(ambusher) if ambusher else _first(context, play.state, vehicles)
    stage = CcStage.ALTERNATE if vehicles else CcStage.DECLARE
    play.emit(ev.Changed(replace(frame, stage=stage, asked=first, second=False, ambusher=ambusher)))


@rule("3.8")
def _first(context: Context, state: State, vehicles: tuple[Vehicle, ...]) -> Seat:
    """Who attacks first: the ATTACKER, or the one side that has no vehicle in the hex (3.8)."""
    sides = {vehicle.side for vehicle in vehicles}
    return context.other(vehicles[0].side) if len(sides) == 1 else state.attacker


@rule("3.8")
def _ambush(context: Context, play: Play, frame: CloseCombat) -> str:
    """Infantry that advances into close combat in woods or building, not into a Melee, may bring an ambush (3.8)."""
    units = at(context, play.state, frame.hex)
    if not context.ground.place(frame.hex).shelter:
        return ""
    if any(unit.melee for unit in units) or not any(unit.advanced for unit in units):
        return ""
    attacker = play.state.attacker
    sides = (attacker, context.other(attacker))
    numbers = tuple(ambush_drm(context, play.state, frame.hex, seat) for seat in sides)
    rolls = {seat: roll_single(play, f"ambush dr of {seat}") for seat in sides}
    one, other = (rolls[seat] + number.total for seat, number in zip(sides, numbers, strict=True))
    margin = context.tables["ambush"].number("margin")
    ambusher = ""
    if abs(one - other) >= margin:
        ambusher = sides[0] if one < other else sides[1]
    play.emit(ev.AmbushRolled(frame.hex, rolls, numbers, ambusher))
    return ambusher


def declare(context: Context, play: Play, frame: CloseCombat, attacks: tuple[CcAttack, ...]) -> None:
    """A side has declared all its attacks; resolve what can be resolved now (3.8)."""
    attacks = _in_stack_order(context, play.state, frame, attacks)
    if attacks:
        play.emit(ev.CloseCombatDeclared(frame.asked, frame.hex, attacks))
    other = context.other(frame.asked)
    if frame.ambusher:
        created = resolve_attacks(context, play, frame, [(frame.asked, attack) for attack in attacks])
        pairs = {**frame.pairs, **{leader: unit_id for unit_id, leader in created.items()}}
        frame = replace(frame, pairs=pairs, factors=factors_at(context, at(context, play.state, frame.hex)))
        if not frame.second and friends_at(context, play.state, frame.hex, frame.asked):
            play.emit(ev.Changed(replace(frame, asked=other, second=True)))
            return
    elif not frame.second:
        play.emit(ev.Changed(replace(frame, asked=other, second=True, attacks=attacks)))
        return
    else:
        resolve_attacks(
            context,
            play,
            frame,
            [*((other, attack) for attack in frame.attacks), *((frame.asked, attack) for attack in attacks)],
        )
    lock(context, play, frame.hex)
    play.emit(ev.Closed())


@rule("3.8")
def _in_stack_order(
    context: Context, state: State, frame: CloseCombat, attacks: tuple[CcAttack, ...]
) -> tuple[CcAttack, ...]:
    """The attacks as if units were named from the top of their stacks: the order of words decides nothing (3.8)."""
    order = {unit_id: index for index, unit_id in enumerate(_named(context, state, frame))}
    ordered = (
        CcAttack(tuple(sorted(attack.by, key=order.__getitem__)), tuple(sorted(attack.against, key=order.__getitem__)))
        for attack in attacks
    )
    return tuple(sorted(ordered, key=lambda attack: order[attack.by[0]]))


def _named(context: Context, state: State, frame: CloseCombat) -> Iterator[UnitId]:
    for body in bodies(at(context, state, frame.hex), frame.pairs):
        yield from body


class _Struck(NamedTuple):
    """An attack whose dice have fallen."""

    seat: Seat
    attack: CcAttack
    roll: Roll


@rule("3.8")
def resolve_attacks(
    context: Context, play: Play, frame: CloseCombat, attacks: list[tuple[Seat, CcAttack]]
) -> dict[UnitId, UnitId]:
    """Roll every attack, let original 2s create leaders, then apply the results in order; each new leader (3.8)."""
    units = dict(play.state.units)
    factors = dict(frame.factors)
    struck: list[_Struck] = []
    joined: dict[UnitId, UnitId] = {}
    for seat, attack in attacks:
        odds = odds_of(context, units, factors, attack)
        drm = attack_drm(context, units, attack, seat, frame.ambusher)
        names = ", ".join(attack.against)
        answers = sum(not set(other.by).isdisjoint(attack.against) for _, other in attacks)
        cuts = _cuts(context, units, frame.factors, attack, drm=drm.total, most=answers)
        roll = roll_dr(play, f"close combat on {names}", cuts)
        struck.append(_Struck(seat, attack, roll))
        base = _base_unit(context, units, attack)
        if roll.total == SNAKE_EYES and base is not None:
            leader = create_leader(context, play, base, odds.below)
            if leader is not None:
                joined[base.id] = leader.id
                units[leader.id] = leader
                factors[leader.id] = cc_firepower(context, leader)
    for one in struck:
        attack = CcAttack(_with(one.attack.by, joined), _with(one.attack.against, joined))
        odds = odds_of(context, units, factors, attack)
        drm = attack_drm(context, units, one.attack, one.seat, frame.ambusher)
        final = one.roll.total + drm.total
        kill = odds.kill.total
        result = "eliminated" if final < kill else "reduced" if final == kill else "none"
        play.emit(
            ev.CloseCombatResolved(one.seat, frame.hex, attack, odds.name, odds.kill, drm, one.roll.faces, result)
        )
        suffer(context, play, attack, result)
    return joined


def _cuts(
    context: Context,
    units: Mapping[UnitId, Unit],
    factors: Mapping[UnitId, int],
    attack: CcAttack,
    *,
    drm: int,
    most: int,
) -> list[int]:
    """The totals that matter, with up to ``most`` leaders that the attacked may bring forth meanwhile (5.3)."""
    cuts = {SNAKE_EYES}
    first = attack.against[0]
    for created in range(most + 1):
        defence = {**factors, first: factors[first] + created * LEADER_FP}
        needed = odds_of(context, units, defence, attack).kill.total - drm
        cuts |= {needed - 1, needed}
    return sorted(cuts)


def _with(group: tuple[UnitId, ...], joined: Mapping[UnitId, UnitId]) -> tuple[UnitId, ...]:
    """A group with the leaders that its units have brought forth."""
    return (*group, *(joined[unit_id] for unit_id in group if unit_id in joined))


@rule("5.3")
def _base_unit(context: Context, units: Mapping[UnitId, Unit], attack: CcAttack) -> Unit | None:
    """The best MMC of an attack, on which a field promotion is based (5.3)."""
    mmc = [units[unit_id] for unit_id in attack.by if context.card(units[unit_id]).is_mmc]
    return max(mmc, key=lambda unit: (morale_level(context, unit), cc_firepower(context, unit)), default=None)


def suffer(context: Context, play: Play, attack: CcAttack, result: str) -> None:
    """Eliminated, or Casualty Reduction of one at random; leader loss causes no check in close combat (3.2.3, 3.8)."""
    there = [unit_id for unit_id in attack.against if play.state.units[unit_id].on_map]
    if result == "eliminated":
        for unit_id in there:
            eliminate(context, play, unit_id, [], why="close combat", number="3.8")
    elif result == "reduced" and there:
        victim = there[one_of(play, len(there), "close combat: who is reduced")]
        reduce_unit(context, play, victim, [], number="3.8")


@rule("3.8")
def lock(context: Context, play: Play, hex: Hex) -> None:
    """Infantry left with enemy Infantry, any of it unbroken, or with an enemy vehicle at rest is in Melee (3.8)."""
    units = at(context, play.state, hex)
    locked = len({unit.side for unit in units}) > 1 and any(not unit.broken for unit in units)
    held = tuple(unit.id for unit in units if locked or _is_held(play.state, unit))
    if set(held) != {unit.id for unit in units if unit.melee}:
        play.emit(ev.MeleeHeld(hex, held))


def _is_held(state: State, unit: Unit) -> bool:
    """Whether an enemy vehicle that is not in Motion holds a unit in Melee (3.8)."""
    return any(vehicle.is_stopped for vehicle in enemy_vehicles_at(state, unit.hex, unit.side))


@rule("3.8")
def release(context: Context, state: State) -> Iterator[tuple[Hex, tuple[UnitId, ...]]]:
    """Hexes in which units leave a Melee, and those that stay in it for an unbroken enemy or a vehicle (3.8)."""
    for hex, units in occupants(context, state).items():
        held = [unit for unit in units if unit.melee]
        if not held:
            continue
        if len({unit.side for unit in units}) > 1 and any(not unit.broken for unit in units):
            continue
        left = tuple(unit.id for unit in held if _is_held(state, unit))
        if len(left) != len(held):
            yield hex, left
