"""4.4.1 Direct Fire Step and 4.4.3 AP fire: who may fire on whom, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.frames import Opened
from sandtable.core.modifier import Breakdown
from sandtable.core.ruleset import Resolution
from sandtable.geo.hex import distance, in_arc, opposite
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.cards import ALL_ROUND, Card, Mount, Weapon
from sandtable.systems.panzer.combat.announcing import Gunnery, announce_fire
from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.combat.barrels import field_of_fire, refuse_bearing, refuse_range, refuse_row
from sandtable.systems.panzer.facts import ShotFacts
from sandtable.systems.panzer.frames import Attack
from sandtable.systems.panzer.hex.actions import Fire
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.sight.smoke import smoke_hexes_on_line, smoking
from sandtable.systems.panzer.hex.spotting.standing import cover_of
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import Command, Shot, UnitId

__all__ = [
    "announce",
    "gunnery_of",
    "has_shot",
    "in_field_of_fire",
    "number_of",
    "refuse_engaged",
    "refuse_shot",
    "shots_at",
]


@rule("4.4.3.1", "4.4.3.1.1", "4.4.3.1.2", "4.4.3.1.3", "4.4.3.1.4", "4.4.3.1.5")
def in_field_of_fire(context: Context, weapon: Weapon, firer: Unit, target: Unit) -> bool:
    """Whether the target lies in the weapon's field-of-fire, the arc's edges included (4.4.3.1)."""
    degrees = field_of_fire(context.cards[firer.card], weapon.mount, context.tables["fields_of_fire"])
    return degrees == ALL_ROUND or _in_arc(firer, target, weapon.mount, degrees)


def _in_arc(firer: Unit, target: Unit, mount: Mount, degrees: int) -> bool:
    if firer.hex is None or target.hex is None:
        return False
    facing = opposite(firer.facing) if mount is Mount.REAR else firer.facing
    return in_arc(firer.hex, facing, target.hex, degrees // 2)


def _overwatch_arc(context: Context, card: Card) -> int:
    """Degrees of the front (or rear) field-of-fire that overwatch looks at: limited or 60 (4.4.3.2.2)."""
    return field_of_fire(card, Mount.FRONT, context.tables["fields_of_fire"])


@rule("3.5", "3.5.1", "3.5.2", "4.4.3")
def refuse_shot(context: Context, state: State, shot: Shot, target: Unit) -> Refusal | None:
    """Why this weapon and ammunition cannot be fired at the target, spotting apart (4.4.3)."""
    firer = state.units[shot.firer]
    card = context.cards[firer.card]
    if not 0 <= shot.weapon < len(card.weapons):
        return Refusal("4.4.3", f"{card.name} has no weapon {shot.weapon}", f"0 to {len(card.weapons) - 1}")
    weapon = card.weapons[shot.weapon]
    if not 0 <= shot.ammo < len(weapon.ammo):
        return refuse_row("4.4.3", weapon, f"AP ammunition {shot.ammo}")
    ammo = weapon.ammo[shot.ammo]
    if not any(barrel[:2] == (shot.weapon, shot.ammo) for barrel in context.barrels[firer.card]):
        return Refusal("4.4.3", f"{ammo.type} is not used in the Basic Game", "choose a row of the Basic Game")
    if firer.hex is None or target.hex is None:
        return Refusal("4.4.3", "both vehicles must be on the mapboard", "bring both on to the mapboard first")
    range_hexes = distance(firer.hex, target.hex)
    if ammo.range_factor(range_hexes) is None:
        return refuse_range("3.5.2", f"{weapon.name}'s {ammo.type}", range_hexes, ammo.R.E)
    if not in_field_of_fire(context, weapon, firer, target):
        number = "4.4.3.1.5" if weapon.mount is Mount.REAR else "4.4.3.1.4"
        return refuse_bearing(number, weapon)
    return None


def shots_at(context: Context, firer: Unit, target: Unit) -> Iterator[Shot]:
    """The weapons and ammunition that the firer can use on the target, spotting apart."""
    if firer.hex is None or target.hex is None:
        return
    range_hexes = distance(firer.hex, target.hex)
    for weapon, ammo, mount, degrees, reach in context.barrels[firer.card]:
        if range_hexes <= reach and (degrees == ALL_ROUND or _in_arc(firer, target, mount, degrees)):
            yield Shot(firer.id, weapon, ammo)


def has_shot(context: Context, firer: Unit, target: Unit) -> bool:
    """Whether any weapon reaches the target, spotting apart."""
    here, there = firer.hex, target.hex
    if here is None or there is None:
        return False
    range_hexes = distance(here, there)
    for _, _, mount, degrees, reach in context.barrels[firer.card]:
        if range_hexes <= reach and (degrees == ALL_ROUND or _in_arc(firer, target, mount, degrees)):
            return True
    return False


def gunnery_of(context: Context, state: State) -> Gunnery:
    """What the options of fire ask of the map."""
    units, cards = state.units, context.cards

    def words(shot: Shot) -> str:
        weapon = cards[units[shot.firer].card].weapons[shot.weapon]
        return f"{weapon.name} {weapon.ammo[shot.ammo].type}"

    return Gunnery(
        shots=lambda firer, target: list(shots_at(context, units[firer], units[target])),
        name=lambda unit: f"{cards[units[unit].card].name} {unit}",
        words=words,
    )


def refuse_engaged(target: UnitId) -> Refusal:
    """All fire on one target is announced before any of it is resolved (4.4.1)."""
    return Refusal("4.4.1", f"the fire on {target} was announced and resolved already", "announce it together")


def announce(play: Resolution[State, ev.Event], action: Fire, *, overwatch: bool) -> None:
    """Announce all fire on one target: commands are turned over (4.4.1, 4.4.3.2)."""
    moving = announce_fire(play, action, overwatch=overwatch)
    play.emit(Opened(Attack(action.target, action.shots, overwatch, moving)))


@rule("4.4.3.2.1")
def number_of(context: Context, state: State, attack: Attack, shot: Shot) -> tuple[ShotFacts, Breakdown]:
    """Measure a shot and look its hit number up (4.4.3.2.1 to 4.4.3.2.3)."""
    firer, target = state.units[shot.firer], state.units[attack.target]
    assert firer.hex is not None  # noqa: S101 - both were checked when the fire was announced
    assert target.hex is not None  # noqa: S101
    card = context.cards[firer.card]
    weapon = card.weapons[shot.weapon]
    factor = weapon.range_factor(shot.ammo, distance(firer.hex, target.hex))
    assert factor is not None  # noqa: S101 - within range
    facts = ShotFacts(
        range_factor=factor,
        target_size=context.cards[target.card].size,
        target_moving=bool(attack.moving),
        cover=cover_of(context, state, target, fire=True),
        short_halt=firer.command is Command.SHORT_HALT,
        stabilisation=card.sb,
        shooter_damaged=firer.damaged,
        smoke=len(smoke_hexes_on_line(firer.hex, target.hex, smoking(state))),
        overwatch=attack.overwatch,
        in_field=_in_arc(firer, target, weapon.mount, _overwatch_arc(context, card)),
        commander_sight=card.cis,
    )
    return facts, hit_number(facts, context.tables, context.edition)
