"""What a player asks at the side of the map: what could hit this hex."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.modifier import Breakdown
from sandtable.core.view import Danger
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.frames import Attack
from sandtable.systems.panzer.hex.combat.engagement import sees
from sandtable.systems.panzer.hex.combat.fire import number_of, shots_at
from sandtable.systems.panzer.hex.combat.gp_results import struck
from sandtable.systems.panzer.hex.combat.measures import Aim, blast_of, shot_of
from sandtable.systems.panzer.hex.combat.weapons import shots_of
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.spotting.spotting import spotters_live
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import UnitMarkers
from sandtable.systems.panzer.unit import FireKind, WeaponShot

__all__ = ["threats"]


def threats(context: Context, state: State, seat: Seat | None, label: str) -> list[Danger]:
    """What the enemy could hit a unit of ``seat`` with that stood in the hex and kept still, likeliest first.

    The first own unit there is taken, else any own unit; nothing is asked of face-down commands.
    """
    hex = context.game_map.hex(label)
    units = [unit for _, unit in sorted(state.units.items()) if unit.side == seat and unit.in_play]
    mine = [unit for unit in units if not unit.markers.carrier]
    target = next((unit for unit in mine if unit.hex == hex), mine[0] if mine else None)
    if target is None:
        return []
    moved = _with_target_in(state, target, hex)
    dangers = _advanced_dangers if context.is_advanced else _dangers
    found = sorted(dangers(context, moved, moved.units[target.id]), key=lambda pair: (-pair[0], pair[1].unit))
    return [danger for _, danger in found]


def _with_target_in(state: State, target: Unit, hex: Hex) -> State:
    """The position with the target in a hex; what sheltered it elsewhere does not shelter it there."""
    if target.hex == hex:
        return state
    markers = UnitMarkers(suppression=target.markers.suppression, passengers=target.markers.passengers)
    there = replace(target, hex=hex, markers=markers)
    features = tuple(one for one in state.features if one.unit != target.id)
    return replace(state, units={**state.units, target.id: there}, features=features)


def _dangers(context: Context, state: State, target: Unit) -> Iterator[tuple[int, Danger]]:
    enemies = [unit for unit in state.units.values() if unit.side != target.side]
    for enemy in spotters_live(context, state, enemies, target):
        card = context.cards[enemy.card]
        for shot in shots_at(context, enemy, target):
            attack = Attack(target.id, (shot,), overwatch=False, moving=False)
            facts, number = number_of(context, state, attack, shot)
            weapon = card.weapons[shot.weapon]
            assert enemy.hex is not None  # noqa: S101 - it spots from somewhere
            assert target.hex is not None  # noqa: S101
            reach = distance(enemy.hex, target.hex)
            text = (
                f"{card.name} {enemy.id}, {weapon.name} {weapon.ammo[shot.ammo].type}: range {reach} "
                f"({facts.range_factor}), hits on {number.total}, penetration {weapon.penetration(shot.ammo, reach)}"
            )
            yield number.total, Danger(enemy.id, text, number)


@rule("6.5.2", "6.5.4", editions=("panzer-na",))
def _advanced_dangers(context: Context, state: State, target: Unit) -> Iterator[tuple[int, Danger]]:
    """AP and GP fire of every weapon that bears, by the chance that it hits or has an effect (6.5.2, 6.5.4)."""
    for enemy in sorted(state.units.values(), key=lambda unit: unit.id):
        if enemy.side == target.side or not enemy.in_play or enemy.hex is None:
            continue
        shots = list(shots_of(context, state, enemy, target))
        if shots and sees(context, state, enemy, target, overwatch=True):
            for shot in shots:
                chance, told, number = _chance(context, state, enemy, shot, target)
                yield chance, Danger(enemy.id, f"{context.cards[enemy.card].name} {enemy.id}, {told}", number)


def _chance(context: Context, state: State, enemy: Unit, shot: WeaponShot, target: Unit) -> tuple[int, str, Breakdown]:
    """Of a hundred rolls those that hit, or have an effect; the shot in words; and what leads to it."""
    assert enemy.hex is not None  # noqa: S101 - it fires from somewhere
    assert target.hex is not None  # noqa: S101
    arm, reach = context.guns(enemy)[shot.weapon], distance(enemy.hex, target.hex)
    weapon, aim = arm.weapon, Aim(enemy, arm)
    if shot.fire is FireKind.AP:
        ammo = weapon.ammo[shot.row]
        facts = shot_of(context, state, aim, ammo, target, moving=False)
        number = hit_number(facts, context.tables, context.edition)
        told = f"hits on {number.total}, penetration {ammo.penetration(reach)}"
        return number.total, f"{weapon.name} {ammo.type}: range {reach} ({facts.range_factor}), {told}", number
    blast = struck(context, state, target, blast_of(context, state, aim, shot.row, target), moving=False)
    least = context.tables["gp_combat"].number(blast.facts.defense, blast.facts.factor, "N") + 1 - blast.modifier.total
    told = f"GP {blast.facts.factor} against {blast.facts.defense}, an effect on {least} or more"
    chance = min(100, max(0, 101 - least))
    return chance, f"{weapon.name} GP: range {reach} ({blast.facts.range_factor}), {told}", blast.modifier
