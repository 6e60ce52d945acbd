"""What a player asks at the side of the map: what could hit this hex, and why something cannot be picked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Refusal
from sandtable.core.view import Danger
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.panzer.hex.combat.fire import number_of, shots_at
from sandtable.systems.panzer.hex.command.commands import commanded, refuse_command
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.spotting.spotting import spotters_live
from sandtable.systems.panzer.hex.state import Attack, Command, Movement, Moving, PlacingCommands, State, Unit, UnitId

__all__ = ["threats", "why_not"]


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


def why_not(
    context: Context, state: State, seat: Seat, keys: Sequence[str], ref: str, *, is_hex: bool
) -> Refusal | None:
    """Why ``ref`` cannot be picked below ``keys`` now, where the rules have more to say than a plain no.

    A vehicle that is pressed while another moves stands for the hex that it is in.
    """
    frame = state.stack[-1] if state.stack else None
    if isinstance(frame, PlacingCommands) and keys and not is_hex:
        unit = next((unit for unit in commanded(state, seat) if unit.id == ref), None)
        if unit is not None and keys[-1] in set(Command):
            return refuse_command(context, state, unit, Command(keys[-1]))
    if isinstance(frame, Movement | Moving):
        name = frame.unit if isinstance(frame, Moving) else UnitId(keys[0]) if keys else None
        label = ref if is_hex else _place_of(context, state, ref)
        if name in state.units and label:
            return _unreached(context, state, state.units[name], label)
    return None


def _place_of(context: Context, state: State, name: str) -> str:
    unit = state.units.get(UnitId(name))
    return context.game_map.label(unit.hex) if unit is not None and unit.hex is not None else ""


def _unreached(context: Context, state: State, unit: Unit, label: str) -> Refusal | None:
    """Why a vehicle does not get to a hex in one move."""
    try:
        hex = context.game_map.hex(label)
    except BadInput:
        return None
    if unit.hex is None:
        return Refusal("4.5.1.1.9", f"{unit.id} enters through its entry hexes only")
    mover = Mover(context, state, unit)
    if hex in mover.enemies:
        return Refusal("4.5.1.1.10", f"a move may not end in {label} with an opposing vehicle", "pass through it")
    barred = _barred_all_round(mover, hex)
    if barred is not None:
        return barred
    cross_country, path, road = mover.allowances()
    reason = f"{label} is out of reach of {unit.id}: it may spend {cross_country}, {path} on paths or {road} on roads"
    return Refusal("4.5.1.1.1", reason)


def _barred_all_round(mover: Mover, hex: Hex) -> Refusal | None:
    """The reason, if no neighbour leads into the hex."""
    refusals = []
    for direction, neighbour in enumerate(NEIGHBOURS[hex]):
        if neighbour in mover.rules.ground.map.hexes:
            step = mover.table.explained(neighbour, (direction + 3) % 6)
            if not isinstance(step, Refusal):
                return None
            refusals.append(step)
    return refusals[0] if refusals else None
