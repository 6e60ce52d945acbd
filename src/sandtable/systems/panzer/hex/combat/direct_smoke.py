"""6.1.4.3.10, 5.16.2.3 Smoke rounds by Direct Fire: one hex, in line of sight, field-of-fire and range."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import GpKind
from sandtable.systems.panzer.combat.ammo_limits import is_short
from sandtable.systems.panzer.combat.fire_events import AmmoRolled, UnitFired
from sandtable.systems.panzer.command.sharing import reveal, sharers
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import FireSmoke
from sandtable.systems.panzer.hex.combat.shared_commands import refuse_shared_place
from sandtable.systems.panzer.hex.combat.weapons import bears, leg_bears, refuse_arm
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import Feature
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.spotting.standing import floor_height
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import Spot, UnitId

__all__ = ["fire_smoke", "refuse_smoke", "smoke_hexes", "smokers"]

_BOOK = ("panzer-na",)
BY_HAND = -1
"""The weapon number of an engineer's smoke, which reaches an adjacent hex."""


def smokers(context: Context, state: State, unit: Unit) -> Iterator[tuple[UnitId, int]]:
    """A unit with each of its weapons that can put smoke somewhere."""
    weapons = [index for index, arm in enumerate(context.guns(unit)) if arm.weapon.smoke]
    if context.scenario.roster[unit.id].roles.engineer:
        weapons.append(BY_HAND)
    for weapon in weapons:
        if next(smoke_hexes(context, state, unit, weapon), None) is not None:
            yield unit.id, weapon


def smoke_hexes(context: Context, state: State, unit: Unit, weapon: int) -> Iterator[Hex]:
    """The hexes that a unit can put smoke into, the nearest first."""
    if unit.hex is None:
        return
    here, reach = unit.hex, 1
    if weapon != BY_HAND:
        row = context.guns(unit)[weapon].weapon.gp_row(GpKind.DIRECT)
        reach = 0 if row is None else row.R.E
    own = {one.hex for one in state.units.values() if one.side == unit.side and one.in_play}
    # What is seen from the ground is known; what is seen from a floor is looked for hex by hex.
    upstairs = floor_height(context, state, unit) > 0
    near = context.game_map.hexes if upstairs else context.ground_at(state).field_of_sight(here)
    for far, hex in sorted((distance(here, hex), hex) for hex in near if hex not in own):
        if far > reach:
            return
        if refuse_smoke(context, state, unit, weapon, hex) is None:
            yield hex


@rule("6.1.4.3.10", "5.6", "6.2.1.1.4", editions=_BOOK)
def refuse_smoke(context: Context, state: State, unit: Unit, weapon: int, hex: Hex) -> Refusal | None:
    """Why a unit may not put smoke into a hex (6.1.4.3.10)."""
    number = "6.1.4.3.10"
    if unit.hex is None or hex not in context.game_map.hexes:
        return Refusal(number, "no such hex on the mapboard", "name a hex of the mapboard")
    far = distance(unit.hex, hex)
    if weapon == BY_HAND:
        refusal = _refuse_by_hand(context, state, unit, far, hex)
    else:
        refusal = _refuse_weapon(context, state, unit, weapon, hex)
    if refusal is not None:
        return refusal
    if not context.ground_at(state).sees_up(unit.hex, hex, floor_height(context, state, unit), 0):
        return Refusal(number, f"{unit.id} has no line of sight to the hex", "choose a hex in its line of sight")
    if any(one.side == unit.side and one.in_play and one.hex == hex for one in state.units.values()):
        return Refusal(number, "the hex contains friendly units", "a hex without any")
    return refuse_shared_place(context, state, unit, hex)


def _refuse_by_hand(context: Context, state: State, unit: Unit, far: int, hex: Hex) -> Refusal | None:
    if not context.scenario.roster[unit.id].roles.engineer:
        return Refusal("6.1.4.3.10", f"{unit.id} is no engineer", "a weapon that fires smoke")
    if far != 1:
        return Refusal("6.1.4.3.10", f"the hex is {far} hexes away", "an adjacent hex")
    if not leg_bears(state, unit, hex):
        return Refusal("4.4.3.1", f"the hex is outside the field-of-fire of {unit.id}", "choose a hex in front of it")
    return None


def _refuse_weapon(context: Context, state: State, unit: Unit, weapon: int, hex: Hex) -> Refusal | None:
    arms = context.guns(unit)
    if not 0 <= weapon < len(arms) or not arms[weapon].weapon.smoke:
        return Refusal("6.1.4.3.10", f"{unit.id} has no smoke for weapon {weapon}", "name a weapon that fires smoke")
    arm = arms[weapon]
    row = arm.weapon.gp_row(GpKind.DIRECT)
    assert unit.hex is not None  # noqa: S101 - checked before
    if row is None or row.factor(distance(unit.hex, hex)) is None:
        return Refusal("6.1.4.3.10", f"the hex is out of range of the {arm.weapon.name}", "as far as its GP fire")
    if not bears(context, state, unit, arm, hex):
        return Refusal("4.4.3.1", f"the hex is outside the {arm.weapon.name}'s field-of-fire", "choose a hex in it")
    return refuse_arm(context, state, unit, arm)


@rule("6.1.4.3.10", "5.16.2.3", editions=_BOOK)
def fire_smoke(context: Context, play: Play, action: FireSmoke) -> None:
    """Smoke in the hex, unless the rounds are short; the unit is marked all the same (5.16.2.3)."""
    unit = play.state.units[action.firer]
    reveal(play, unit.id)
    if len(sharers(play.state.units, unit)) > 1:
        play.emit(ev.SmokeAimed(unit.id, action.hex))
    limit, spot = None, Spot.FIRE_SA
    if action.weapon != BY_HAND:
        weapon = context.guns(unit)[action.weapon].weapon
        limit = weapon.limits.S if context.plays(Module.AMMO_LIMITS) else None
        spot = Spot.FIRE_SA if weapon.small_arms else Spot.FIRE
    if is_short(play.dice, limit, "smoke rounds"):
        play.emit(AmmoRolled(unit.id, "smoke", 1))
    else:
        source = f"{unit.id} turn {play.state.turn}"
        play.emit(ev.FeaturePlaced(Feature(FeatureKind.SMOKE, action.hex, source=source, fresh=True)))
    play.emit(UnitFired(unit.id))
    play.emit(shared.SpotMarked(unit.id, spot))
