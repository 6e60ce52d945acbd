"""6.5.4.2 to 6.5.4.5 GP fire on a unit: what it strikes, what comes of it, and who bails out.

Whoever fires says so in a :class:`BlastFacts` whose part of the target is still empty; :func:`struck` fills it in. The
same functions serve Direct and Indirect Fire, aircraft and overruns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.dice import Kinds
from sandtable.core.modifier import Breakdown
from sandtable.systems.panzer import events as shared
from sandtable.systems.panzer.advanced_card import AdvancedCard, Damage, UnitClass
from sandtable.systems.panzer.combat.bail_out import (
    crew_leaves,
    passenger_escapes,
    passenger_leaves,
    suppressed_leaves,
)
from sandtable.systems.panzer.combat.fire_events import BailOutRolled, BlastResolved, CrewBailedOut
from sandtable.systems.panzer.combat.gp_effects import GpEffect, brews_up_on, foot_effect, turret_on, vehicle_effect
from sandtable.systems.panzer.combat.gp_fire import defense_of, gp_modifiers, gp_result, passenger_defense
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.facts import LOST, BlastFacts, BlastKind, Harm, HarmKind
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.features import occupied
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.spotting.standing import cover_of
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import Floor, Suppression
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.percentile import D10, D100
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import MOVING_COMMANDS, UnitId

__all__ = [
    "Struck",
    "apply_effect",
    "bail_out",
    "gp_attack",
    "gp_strike",
    "is_vehicle",
    "lose_vehicle",
    "outcome_of",
    "strike_passengers",
    "struck",
]

BOOK = ("panzer-na",)
_FROM_ABOVE = (BlastKind.INDIRECT, BlastKind.PLANNED, BlastKind.AIR)
"""Fire against which only a roof is cover (6.5.4.3)."""


class Struck(NamedTuple):
    """GP fire on one unit, measured."""

    facts: BlastFacts
    defense: Breakdown
    modifier: Breakdown


def _facts(context: Context, unit: Unit) -> MoveFacts:
    facts = context.move_facts(unit)
    assert facts is not None  # noqa: S101 - of the Advanced Game only
    return facts


def _card(context: Context, unit: Unit) -> AdvancedCard:
    return _facts(context, unit).card


def is_vehicle(context: Context, unit: Unit) -> bool:
    """Whether a unit is a vehicle, and no leg or towed unit."""
    return context.cards[unit.card].unit_class is UnitClass.VEHICLE


@rule("6.5.4.3", editions=BOOK)
def _vehicle_cover(context: Context, state: State, unit: Unit, kind: BlastKind) -> Cover:
    """Cover of a vehicle against GP fire: from above only a building or an Improved Position (6.5.4.3)."""
    cover = cover_of(context, state, unit, fire=True)
    if kind not in _FROM_ABOVE:
        return cover
    roofed = unit.markers.floor is Floor.INSIDE or occupied(state.features, unit.id, FeatureKind.IMPROVED_POSITION)
    return cover if roofed else Cover.NONE


@rule("6.5.4.2", "6.5.4.2.1", "6.5.4.2.2", "6.5.4.2.3", editions=BOOK)
def struck(context: Context, state: State, target: Unit, fire: BlastFacts, *, moving: bool) -> Struck:
    """The fire as it strikes a unit (6.5.4.2, 6.5.4.3).

    ``moving`` is a vehicle whose command its owner has shown; a leg or towed unit moves if its command lies face up.
    """
    card = _card(context, target)
    vehicle = is_vehicle(context, target)
    carrier = target.markers.carrier
    if carrier:
        defense = passenger_defense(under_cover=_card(context, state.units[carrier]).under_cover)
    else:
        crawls = target.markers.crawling
        on_the_move = not vehicle and target.known and target.command in MOVING_COMMANDS and not crawls
        cover = cover_of(context, state, target, fire=True)
        defense = defense_of(card, cover, full_cover=target.markers.full_cover, moving=on_the_move)
    facts = replace(
        fire,
        defense=defense.total,
        target_type=card.target_type,
        is_vehicle=vehicle,
        moving=vehicle and moving,
        cover=_vehicle_cover(context, state, target, fire.kind) if vehicle else Cover.NONE,
        crawling=target.markers.crawling,
        behind_wall=fire.behind_wall and not vehicle and not carrier,
        entrenched=not carrier and occupied(state.features, target.id, FeatureKind.HASTY_ENTRENCHMENT) is not None,
    )
    return Struck(facts, defense, gp_modifiers(facts, context.tables))


def outcome_of(context: Context, unit: Unit, found: Struck, roll: int) -> GpEffect:
    """What an unmodified roll (100) does to the unit (6.5.4.4)."""
    final = roll + found.modifier.total
    facts = found.facts
    result = gp_result(context.tables["gp_combat"], facts.factor, facts.defense, final)
    if facts.is_vehicle:
        return vehicle_effect(facts, result, final)
    return foot_effect(_facts(context, unit).unit_class, result)


@rule("6.5.4.4", "6.5.4.4.2", "6.5.4.4.3", editions=BOOK)
def _hit(context: Context, play: Play, unit_id: UnitId, source: str, found: Struck, *, weapon: str) -> list[Harm]:
    """Roll (100) for one unit and apply what comes of it at once (6.5.4.4)."""
    unit, facts = play.state.units[unit_id], found.facts
    kinds = Kinds(lambda roll: outcome_of(context, unit, found, roll))
    roll = play.dice.roll(D100, f"{source} at {unit_id}", kinds).total
    result = gp_result(context.tables["gp_combat"], facts.factor, facts.defense, roll + found.modifier.total)
    effect = outcome_of(context, unit, found, roll)
    play.emit(
        BlastResolved(
            source=source,
            target=unit_id,
            weapon=weapon,
            factor=facts.factor,
            range_factor=facts.range_factor.value,
            defense=facts.defense,
            modifier=found.modifier,
            roll=roll,
            result=result.value,
            effect=effect.value,
        )
    )
    kind = apply_effect(context, play, unit, effect, facts)
    return [] if kind is None else [Harm(unit_id, kind)]


def apply_effect(context: Context, play: Play, unit: Unit, effect: GpEffect, facts: BlastFacts) -> HarmKind | None:
    """What an effect does, and what of it may make somebody bail out."""
    cited = "6.5.4.4.2" if facts.is_vehicle else "6.5.4.4.3"
    anew = None if facts.is_vehicle or unit.markers.suppression is Suppression.ON else HarmKind.SUPPRESSED
    match effect:
        case GpEffect.SUPPRESSED:
            play.emit(shared.UnitSuppressed(unit.id, cited))
            return anew
        case GpEffect.REDUCED:
            play.emit(shared.UnitReduced(unit.id))
            play.emit(shared.UnitSuppressed(unit.id, cited))
            return anew
        case GpEffect.ELIMINATED:
            play.emit(shared.UnitEliminated(unit.id))
            return None
        case GpEffect.TRACK:
            if unit.markers.track:
                return HarmKind.TK_AGAIN
            play.emit(shared.VehiclePartHit(unit.id, "track"))
            return HarmKind.TK
        case GpEffect.DAMAGED:
            return _damage(context, play, unit)
        case GpEffect.LOST:
            on = brews_up_on(facts)
            brews = play.dice.roll(D10, f"{unit.id} is lost", (on,)).total <= on
            return lose_vehicle(context, play, unit, HarmKind.BU if brews else HarmKind.KO)
        case GpEffect.NONE:
            return None


@rule("6.5.2.2.4", "6.5.4.4.2", editions=BOOK)
def _damage(context: Context, play: Play, unit: Unit) -> HarmKind:
    """A Damaged result: turret or hull by a roll (10); the second one knocks the vehicle out (6.5.2.2.4)."""
    if unit.markers.is_damaged or unit.damaged:
        return lose_vehicle(context, play, unit, HarmKind.KO)
    on = turret_on(is_armed=context.cards[unit.card].armed)
    turret = bool(on) and play.dice.roll(D10, f"damage of {unit.id}", (on,)).total <= on
    play.emit(shared.VehiclePartHit(unit.id, "turret" if turret else "hull"))
    return HarmKind.DM


@rule("6.5.4.4.2", editions=BOOK)
def lose_vehicle(context: Context, play: Play, unit: Unit, lost: HarmKind) -> HarmKind:
    """A vehicle is lost; when it brews up its own in the hex are Suppressed, but for those Under Cover (6.5.4.4.2)."""
    assert unit.hex is not None  # noqa: S101 - it was struck there
    if lost is HarmKind.KO:
        play.emit(ev.VehicleKnockedOut(unit.id, unit.hex))
        return lost
    play.emit(ev.VehicleBrewedUp(unit.id, unit.hex))
    for near in sorted(play.state.units.values(), key=lambda one: one.id):
        if near.side != unit.side or near.hex != unit.hex or not near.in_play:
            continue
        carrier = near.markers.carrier
        if not carrier or not _card(context, play.state.units[carrier]).under_cover:
            play.emit(shared.UnitSuppressed(near.id, "6.5.4.4.2"))
    return lost


@rule("6.5.4.2.3", editions=BOOK)
def gp_strike(
    context: Context, play: Play, target: UnitId, fire: BlastFacts, source: str, *, weapon: str = "", moving: bool
) -> list[Harm]:
    """GP fire on a unit, and on each of its passengers with a roll of its own; the results apply as they come.

    Bailing out comes after all fire on the vehicle (:func:`bail_out`).
    """
    found = struck(context, play.state, play.state.units[target], fire, moving=moving)
    harms = _hit(context, play, target, source, found, weapon=weapon)
    return harms + strike_passengers(context, play, target, fire, source, weapon=weapon)


@rule("6.5.4.2.3", "5.1.3.4", editions=BOOK)
def strike_passengers(
    context: Context, play: Play, vehicle: UnitId, fire: BlastFacts, source: str, *, weapon: str
) -> list[Harm]:
    """GP fire on the passengers of a vehicle: of hand-held weapons they alone feel it (6.5.4.2.3, 5.1.3.4)."""
    harms: list[Harm] = []
    for unit_id in play.state.units[vehicle].markers.passengers:
        found = struck(context, play.state, play.state.units[unit_id], fire, moving=False)
        harms += _hit(context, play, unit_id, source, found, weapon=weapon)
    return harms


_ROWS = {HarmKind.ND: Damage.ND, HarmKind.DM: Damage.DM, HarmKind.KO: Damage.KO, HarmKind.BU: Damage.BU}
"""Rows of the Bail Out Table; every other one is that of a Track hit."""
_OF_CREW = (HarmKind.ND, HarmKind.TK, HarmKind.DM)
_OF_RIDERS = (*_OF_CREW, HarmKind.TK_AGAIN)


@rule("6.5.2.6.1", "6.5.2.6.2", "6.5.4.5", "5.15", editions=BOOK)
def bail_out(context: Context, play: Play, target: UnitId, harms: Sequence[Harm], *, indirect: bool) -> None:
    """After all combat on a vehicle: its crew first, then those on it (5.15, 6.5.2.6, 6.5.4.5)."""
    vehicle = play.state.units[target]
    kinds = [harm.kind for harm in harms if harm.unit == target]
    riders = vehicle.markers.passengers
    lost = next((kind for kind in kinds if kind in LOST), None)
    if lost is not None:
        _escape(context, play, target, riders, _ROWS[lost])
        return
    if not context.plays(Module.BAIL_OUT) or not is_vehicle(context, vehicle):
        return
    if _crew_leaves(context, play, target, [kind for kind in kinds if kind in _OF_CREW]):
        for rider in riders:
            _get_off(play, target, rider, "6.5.2.6.1")
        return
    causes = [kind for kind in kinds if kind in _OF_RIDERS]
    for rider in riders:
        own = [harm.kind for harm in harms if harm.unit == rider and harm.kind is HarmKind.SUPPRESSED]
        _rider_leaves(context, play, rider, [*causes, *own[:1]], indirect=indirect)


def _rolls_out(play: Play, unit_id: UnitId, cause: HarmKind, number: Breakdown, *, at_least: bool = False) -> bool:
    """Roll (100) for a unit that may leave."""
    cut = number.total - 1 if at_least else number.total
    roll = play.dice.roll(D100, f"{unit_id} bails out", (cut,)).total
    leaves = roll >= number.total if at_least else roll <= number.total
    play.emit(BailOutRolled(unit_id, cause.value, number, roll, leaves))
    return leaves


@rule("6.5.2.6.1", "6.5.4.5", editions=BOOK)
def _crew_leaves(context: Context, play: Play, target: UnitId, causes: Sequence[HarmKind]) -> bool:
    """Whether the crew abandons the vehicle for one of these hits (6.5.2.6.1)."""
    if play.state.units[target].markers.bailed:
        return False
    for cause in causes:
        number = crew_leaves(context.tables, _ROWS.get(cause), context.grade(target))
        if _rolls_out(play, target, cause, number):
            play.emit(CrewBailedOut(target))
            return True
    return False


def _get_off(play: Play, carrier: UnitId, rider: UnitId, cited: str) -> None:
    """A passenger is in the hex of its vehicle, Suppressed; it keeps its facing."""
    unit = play.state.units[rider]
    assert unit.hex is not None  # noqa: S101 - where its vehicle is
    play.emit(ev.UnitDismounted(carrier, rider, unit.hex, unit.facing, 0))
    play.emit(shared.UnitSuppressed(rider, cited))


@rule("6.5.2.6.2", "6.5.4.5", editions=BOOK)
def _rider_leaves(context: Context, play: Play, rider: UnitId, causes: Sequence[HarmKind], *, indirect: bool) -> None:
    """Whether a passenger leaves a vehicle whose crew stays; not from Under Cover for its hits (6.5.2.6.2, 6.5.4.5)."""
    tables, grade = context.tables, context.grade(rider)
    carrier = play.state.units[rider].markers.carrier
    sheltered = _card(context, play.state.units[carrier]).under_cover
    for cause in causes:
        if cause is HarmKind.SUPPRESSED:
            number = suppressed_leaves(tables, grade, indirect=indirect)
        elif sheltered:
            continue
        else:
            number = passenger_leaves(tables, _ROWS.get(cause), grade)
        if _rolls_out(play, rider, cause, number):
            _get_off(play, carrier, rider, "6.5.2.6.2")
            return


@rule("6.5.2.6.2", "6.5.4.5", editions=BOOK)
def _escape(context: Context, play: Play, target: UnitId, riders: Sequence[UnitId], lost: Damage) -> None:
    """Passengers of a vehicle that is lost get away, Suppressed, or are lost with it (6.5.2.6.2)."""
    cause = HarmKind(lost.value)
    for rider in riders:
        towed = _facts(context, play.state.units[rider]).unit_class is UnitClass.TOWED
        number = passenger_escapes(context.tables, lost, context.grade(rider), is_towed=towed)
        if _rolls_out(play, rider, cause, number, at_least=True):
            _get_off(play, target, rider, "6.5.2.6.2")
        else:
            play.emit(shared.UnitEliminated(rider))


def gp_attack(context: Context, play: Play, target: UnitId, fire: BlastFacts, source: str, *, moving: bool) -> None:
    """One GP attack on a unit from the first roll to the last bail-out (6.5.4, 6.5.4.5).

    A leg or towed unit that moves is easier to hit, so its owner has to say so (6.5.4.2.2).
    """
    unit = play.state.units[target]
    if not is_vehicle(context, unit) and unit.command in MOVING_COMMANDS:
        reveal(play, target)
    harms = gp_strike(context, play, target, fire, source, moving=moving)
    indirect = fire.kind in (BlastKind.INDIRECT, BlastKind.PLANNED)
    bail_out(context, play, target, harms, indirect=indirect)
