"""8.2, 8.4 What can hit a place: every enemy weapon that bears on it, with its hit number, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.view import Danger
from sandtable.geo.plane.points import Point, range_inches
from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.mini.combat.measures import Aim, refuse_shot, shot_of
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import Command

__all__ = ["threats"]


def threats(context: Context, state: State, seat: Seat | None, at: Point) -> list[Danger]:
    """What the enemy could hit a unit of ``seat`` with that stood at a place and kept still.

    The first own unit is taken for its size; nothing is asked of face-down orders.
    """
    mine = [unit for _, unit in sorted(state.units.items()) if unit.side == seat and unit.in_play]
    if not mine:
        return []
    target = replace(mine[0], at=at)
    found = sorted(_dangers(context, state, target, at), key=lambda pair: (-pair[0], pair[1].unit))
    return [danger for _, danger in found]


def _dangers(context: Context, state: State, target: Unit, at: Point) -> Iterator[tuple[int, Danger]]:
    sights = context.sights(state)
    for enemy in state.units.values():
        if enemy.side == target.side or not enemy.in_play or enemy.at is None or not sights.sees(enemy.at, at):
            continue
        firer = replace(enemy, command=Command.NONE)
        for weapon, one in enumerate(context.card_of(enemy).weapons):
            for ammo in range(len(one.ammo)):
                aim = Aim(firer, weapon, ammo)
                if refuse_shot(context, aim, target) is None:
                    facts = shot_of(context, state, aim, target, moving=False)
                    number = hit_number(facts, context.tables, context.edition)
                    words = f"range {range_inches(enemy.at, at)} ({facts.range_factor.value}), hits on {number.total}"
                    yield number.total, Danger(enemy.id, f"{context.name(enemy)}, {one.name}: {words}", number)
