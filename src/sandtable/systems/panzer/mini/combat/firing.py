"""8.2, 8.3 Who may fire on whom: range, field-of-fire, spotting apart; and announcing it."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.core.frames import Opened
from sandtable.geo.plane.points import range_inches
from sandtable.systems.panzer.actions import Fire
from sandtable.systems.panzer.combat.announcing import Gunnery, announce_fire
from sandtable.systems.panzer.mini.combat.frames import Volley
from sandtable.systems.panzer.mini.combat.measures import Aim, refuse_shot
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.handler import Play
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.unit import Shot, UnitId

__all__ = ["announce", "gunnery_of", "refuse_engaged", "refuse_fire", "shots_at"]

BOOK = ("panzer-mini",)


@rule("8.1", "8.2", "8.4.1.1", editions=BOOK)
def refuse_fire(context: Context, state: State, shot: Shot, target: Unit, *, overwatch: bool) -> Refusal | None:
    """Why this weapon and ammunition cannot be fired at the target, spotting apart (8.2)."""
    firer = state.units[shot.firer]
    card = context.card_of(firer)
    if not 0 <= shot.weapon < len(card.weapons):
        return Refusal("8.4.1.1", f"{card.name} has no weapon {shot.weapon}", f"0 to {len(card.weapons) - 1}")
    weapon = card.weapons[shot.weapon]
    if not 0 <= shot.ammo < len(weapon.ammo):
        return Refusal("8.1", f"the {weapon.name} has no AP ammunition {shot.ammo}", "its AP row")
    if firer.at is None or target.at is None:
        return Refusal("8.2", "both vehicles must be on the table", "bring both on to the table first")
    return refuse_shot(context, Aim(firer, shot.weapon, shot.ammo, overwatch), target)


def shots_at(context: Context, state: State, firer: Unit, target: Unit, *, overwatch: bool) -> list[Shot]:
    """The weapons and ammunition that the firer can use on the target, spotting apart."""
    if firer.at is None or target.at is None:
        return []
    distance = range_inches(firer.at, target.at)
    return [
        shot
        for number, weapon in enumerate(context.card_of(firer).weapons)
        for index, ammo in enumerate(weapon.ammo)
        # Most are out of range, and nobody asks for the reason.
        if ammo.range_factor(distance) is not None
        for shot in (Shot(firer.id, number, index),)
        if refuse_fire(context, state, shot, target, overwatch=overwatch) is None
    ]


def gunnery_of(context: Context, state: State, *, overwatch: bool) -> Gunnery:
    """What the options of fire ask of the table."""
    units = state.units

    def words(shot: Shot) -> str:
        weapon = context.card_of(units[shot.firer]).weapons[shot.weapon]
        return f"{weapon.name} {weapon.ammo[shot.ammo].type.value}"

    return Gunnery(
        shots=lambda firer, target: shots_at(context, state, units[firer], units[target], overwatch=overwatch),
        name=lambda unit: context.name(units[unit]),
        words=words,
    )


@rule("8.3.1", "8.3.2", editions=BOOK)
def refuse_engaged(target: UnitId, number: str) -> Refusal:
    """All fire on one target is announced before any of it is resolved (8.3.1, 8.3.2)."""
    return Refusal(number, f"the fire on {target} was announced and resolved already", "announce it together")


@rule("8.3", "8.4.5.3.1", editions=BOOK)
def announce(play: Play, action: Fire, *, overwatch: bool) -> None:
    """All fire on one target is announced (8.3); with a Track hit from an earlier step it is stationary (8.4.5.3.1)."""
    moving = announce_fire(play, action, overwatch=overwatch)
    if play.state.units[action.target].markers.track:
        moving = False
    play.emit(Opened(Volley(action.target, action.shots, overwatch, moving)))
