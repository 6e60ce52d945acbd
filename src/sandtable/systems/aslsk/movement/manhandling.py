"""6.5 Gun Movement: the DR before a Gun is pushed into a hex, and what it says."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import roll_dr
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.common.fact import HALVES
from sandtable.systems.aslsk.common.facts import manhandling_events as mh
from sandtable.systems.aslsk.movement.movement_costs import entry_halves
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, Weapon, WeaponId

__all__ = ["MOVES", "STAYS", "STOPS", "manhandling_number", "push"]

MOVES, STOPS, STAYS = "moves", "moves and stops", "stays"


@rule("6.5")
def manhandling_number(
    context: Context, state: State, weapon: Weapon, units: Sequence[Unit], *, start: Hex | None, to: Hex
) -> Breakdown:
    """The highest DR that moves a Gun: its M# less TEM and MF, more hands, a leader and a road (6.5)."""
    table, place = context.tables["manhandling"], context.ground.place(to)
    drms = []
    if place.tem:
        drms.append((place.tem, place.kind.value))
    drms.append((2 * entry_halves(context, state, start, to) // HALVES, "MF"))
    extra = _extra_hands(context, weapon, units)
    if extra:
        drms.append((extra, "extra units"))
    owner = next(unit for unit in units if unit.id == weapon.owner)
    if context.card(owner).kind is UnitKind.SQUAD:
        drms.append((table.number("squad"), "pushed by a squad"))
    if start is not None and context.ground.has_road(start, NEIGHBOURS[start].index(to)):
        drms.append((table.number("road_hexside"), "road hexside"))
    leaders = [unit for unit in units if context.card(unit).is_leader]
    best = min(leaders, key=lambda unit: leadership(context, unit), default=None)
    if best is not None and leadership(context, best) < 0:
        drms.append((leadership(context, best), f"leadership of {best.id}"))
    gun = context.weapon_card(weapon).gun
    assert gun is not None  # noqa: S101 - only Guns are pushed
    terms = tuple(Modifier(-drm, why, "6.5") for drm, why in drms)
    return Breakdown("Manhandling number", "6.5", terms, gun.manhandling, "M#")


def _extra_hands(context: Context, weapon: Weapon, units: Sequence[Unit]) -> int:
    table = context.tables["manhandling"]
    total = 0
    for unit in units:
        card = context.card(unit)
        if unit.id != weapon.owner and card.is_mmc:
            total += table.number("extra_squad" if card.kind is UnitKind.SQUAD else "extra_crew_or_half_squad")
    return max(total, table.number("most_for_extra_units"))


@rule("6.5")
def push(
    context: Context, play: Play, weapon_id: WeaponId, movers: tuple[UnitId, ...], *, start: Hex | None, to: Hex
) -> str:
    """Roll to move a Gun: under the number it moves on, equal it moves and stops, above it stays (6.5)."""
    state = play.state
    units = [state.units[unit_id] for unit_id in movers]
    number = manhandling_number(context, state, state.weapons[weapon_id], units, start=start, to=to)
    roll = roll_dr(play, f"manhandling of {weapon_id}", (number.total - 1, number.total))
    result = MOVES if roll.total < number.total else STOPS if roll.total == number.total else STAYS
    play.emit(mh.ManhandlingRolled(movers, weapon_id, to, roll.faces, number, result))
    return result
