"""6.6.1.2 A Hand-to-Hand combat, roll-off by roll-off."""

from __future__ import annotations

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import Changed, Opened
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.combat.close_combat import (
    Bout,
    bout_lost_by_attacker,
    bout_lost_by_defender,
)
from sandtable.systems.panzer.combat.hand_to_hand import Fighters, fight_modifiers
from sandtable.systems.panzer.frames import PrimaryChoice
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.close_combat.charges import (
    classes_of,
    facts_of,
    has_advanced,
    has_flamethrower,
    heights,
    without_first,
)
from sandtable.systems.panzer.hex.movement.close_combat.moving_in import after_attack
from sandtable.systems.panzer.hex.state import CloseAttack
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import UnitId

__all__ = ["fight"]

_BOOK = ("panzer-na",)


@rule("6.6.1.2.1", "6.6.1.2.2", "6.6.1.2.3", editions=_BOOK)
def fight(context: Context, play: Play, frame: CloseAttack, ready: list[UnitId]) -> None:
    """One roll-off of a Hand-to-Hand combat; the combat goes on until a side is gone (6.6.1.2.3)."""
    state, tables, charge = play.state, context.tables, frame.charges[0]
    target = state.units[frame.target]
    classes = classes_of(context, state, ready)
    defender = facts_of(context, target).unit_class
    attack = fight_modifiers(
        Fighters(
            unit=classes[0],
            grade=context.grade(ready[0]),
            others=tuple(classes[1:]),
            advanced=has_advanced(charge, ready),
            dismounted=charge.dismounted,
            uphill=heights(context, state.units[ready[0]], target) > 0,
            flamethrower=has_flamethrower(context, ready),
        ),
        tables,
    )
    defense = fight_modifiers(
        Fighters(
            unit=defender,
            grade=context.grade(target.id),
            suppressed=target.markers.is_suppressed,
            flamethrower=has_flamethrower(context, [target.id]),
        ),
        tables,
    )
    rolls = (
        play.dice.roll(D100, f"{ready[0]} fights {target.id}").total,
        play.dice.roll(D100, f"{target.id} fights back").total,
    )
    told = ev.BoutRolled(target.id, tuple(ready), attack, defense, rolls)
    play.emit(told)
    if not told.margin:
        return
    bout = Bout(tuple(classes), defender)
    if told.margin > 0:
        after = bout_lost_by_defender(bout)
        play.emit(ev.UnitEliminated(target.id) if after.defender is None else ev.UnitReduced(target.id))
        if after.is_over:
            play.emit(Changed(without_first(frame)))
            after_attack(context, play, target, ready)
        return
    after = bout_lost_by_attacker(bout)
    reduced = len(after.attackers) == len(bout.attackers)
    play.emit(ev.UnitReduced(ready[0]) if reduced else ev.UnitEliminated(ready[0]))
    left = tuple(ready if reduced else ready[1:])
    if left:
        play.emit(Changed(replace(frame, charges=(replace(charge, units=left), *frame.charges[1:]))))
    leaders = _leaders(left, after.attackers, reduced=reduced)
    if len(leaders) > 1:
        play.emit(Opened(PrimaryChoice(leaders)))


@rule("6.6.1.2.3", editions=_BOOK)
def _leaders(left: tuple[UnitId, ...], classes: tuple[UnitClass, ...], *, reduced: bool) -> tuple[UnitId, ...]:
    """Who may lead on: a squad in place of one that was reduced, anybody in place of one that is gone (6.6.1.2.3)."""
    if not reduced:
        return left
    others = zip(left[1:], classes[1:], strict=True)
    return (left[0], *(one for one, kind in others if kind is UnitClass.SQUAD))
