"""What a player asks at the side of the map: what could hit this hex."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.view import Danger
from sandtable.geo.hex import distance
from sandtable.systems.panzer.frames import Attack
from sandtable.systems.panzer.hex.combat.fire import number_of, shots_at
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.spotting.spotting import spotters_live
from sandtable.systems.panzer.hex.state import State, Unit

__all__ = ["threats"]


def threats(context: Context, state: State, seat: Seat | None, label: str) -> list[Danger]:
    """What the enemy could hit a vehicle of ``seat`` with that stood in the hex and kept still, likeliest first.

    The first own vehicle there is taken, else any own vehicle; nothing is asked of face-down commands.
    """
    hex = context.game_map.hex(label)
    mine = [unit for _, unit in sorted(state.units.items()) if unit.side == seat and unit.in_play]
    target = next((unit for unit in mine if unit.hex == hex), mine[0] if mine else None)
    if target is None:
        return []
    there = replace(target, hex=hex)
    moved = replace(state, units={**state.units, target.id: there})
    found = sorted(_dangers(context, moved, there), key=lambda pair: (-pair[0], pair[1].unit))
    return [danger for _, danger in found]


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
