"""6.6.1.1 A Close Assault on a vehicle: one roll, and what it does."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.frames import Changed
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.combat.close_assault import (
    AssaultFacts,
    assault_blast,
    assault_defense,
    assault_factor,
    assault_modifiers,
)
from sandtable.systems.panzer.combat.close_combat import (
    Supporter,
    is_supported,
)
from sandtable.systems.panzer.combat.gp_effects import GpEffect, fives_and_tens
from sandtable.systems.panzer.combat.gp_fire import GpResult, gp_result
from sandtable.systems.panzer.facts import LOST, Harm, HarmKind
from sandtable.systems.panzer.hex.combat.gp_results import apply_effect, bail_out, lose_vehicle
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
from sandtable.systems.panzer.hex.state import CloseAttack, State, Unit
from sandtable.systems.panzer.percentile import D100
from sandtable.systems.panzer.unit import UnitId

__all__ = ["assault"]

_BOOK = ("panzer-na",)
_SUPPORTERS = (UnitClass.SQUAD, UnitClass.HALF_SQUAD)


@rule("6.6.1.1.1", "6.6.1.1.2", "6.6.1.1.3", editions=_BOOK)
def assault(context: Context, play: Play, frame: CloseAttack, ready: list[UnitId]) -> None:
    """A Close Assault: one roll (100), and what it does to the vehicle (6.6.1.1.1, 6.6.1.1.3).

    On a bailed out vehicle it is Effective without a roll.
    """
    state, tables = play.state, context.tables
    target = state.units[frame.target]
    facts = _assault_facts(context, state, frame, ready)
    card = facts_of(context, target).card
    defense = assault_defense(card.gp_defense if isinstance(card.gp_defense, int) else 0)
    factor = assault_factor(tables["close_assault"], facts.attacker)
    modifier = assault_modifiers(facts, tables)
    roll, result = 0, GpResult.EFFECTIVE
    if not target.markers.bailed:
        roll = play.dice.roll(D100, f"{ready[0]} assaults {target.id}").total
        result = gp_result(tables["gp_combat"], factor, defense, roll + modifier.total)
    play.emit(ev.AssaultRolled(target.id, tuple(ready), factor, defense, modifier, roll, result.value))
    if result is GpResult.SUPPRESSED:
        play.emit(ev.UnitSuppressed(target.id, "6.6.1.1.3"))
    elif result is GpResult.EFFECTIVE:
        _harm(context, play, target, facts, roll + modifier.total)
    play.emit(Changed(without_first(frame)))
    after_attack(context, play, target, ready)


def _assault_facts(context: Context, state: State, frame: CloseAttack, ready: list[UnitId]) -> AssaultFacts:
    target, charge = state.units[frame.target], frame.charges[0]
    first, *others = classes_of(context, state, ready)
    card = facts_of(context, target).card
    return AssaultFacts(
        attacker=first,
        grade=context.grade(ready[0]),
        others=tuple(others),
        advanced=has_advanced(charge, ready),
        dismounted=charge.dismounted,
        unsupported=not _is_supported(context, state, target),
        uphill=heights(context, state.units[ready[0]], target) > 0,
        flamethrower=has_flamethrower(context, ready),
        target_type=card.target_type,
        moving=bool(frame.moving),
        suppressed=target.markers.is_suppressed,
        helpless=card.helpless,
    )


@rule("6.6.1.1.2", editions=_BOOK)
def _is_supported(context: Context, state: State, target: Unit) -> bool:
    """Whether a vehicle needs no support where it is, or has that of leg units in its hex (6.6.1.1.2)."""
    assert target.hex is not None  # noqa: S101
    ground = context.ground_at(state)
    place = ground.places[target.hex]
    if not any(row.support for row in (*place.footing, *(ground.terrain[kind] for kind in place.terrain))):
        return True
    here = [one for one in state.units.values() if one.hex == target.hex and one.side == target.side and one.in_play]
    riding = {one.markers.carrier for one in here if facts_of(context, one).unit_class in _SUPPORTERS}
    vehicles = sorted(
        one.id
        for one in here
        if facts_of(context, one).unit_class is UnitClass.VEHICLE and (one.id == target.id or one.id not in riding)
    )
    supporters = [
        Supporter(facts.unit_class, one.markers.is_mounted, one.markers.carrier == target.id)
        for one in here
        if (facts := facts_of(context, one)).unit_class.is_leg
    ]
    return is_supported(vehicles.index(target.id), supporters, context.tables)


@rule("6.6.1.1.3", "6.5.4.5", editions=_BOOK)
def _harm(context: Context, play: Play, target: Unit, facts: AssaultFacts, final: int) -> None:
    """An Effective result: fives and tens, or the vehicle is lost; a bailed out one always is (6.6.1.1.3).

    Passengers of one that is lost try to get away.
    """
    blast = assault_blast(context.tables["close_assault"], facts)
    effect = GpEffect.LOST if target.markers.bailed else fives_and_tens(blast, final)
    if effect is GpEffect.LOST and facts.flamethrower:
        harm: HarmKind | None = lose_vehicle(context, play, target, HarmKind.BU)
    else:
        harm = apply_effect(context, play, target, effect, blast)
    if harm is not None and harm in LOST:
        bail_out(context, play, target.id, [Harm(target.id, harm)], indirect=False)
