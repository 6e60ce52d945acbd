"""Questions that a situation file may ask of what is measured on a table: sight, spotting, shots and hits.

ask: {los: ["12.5,30", "40,22"]}
ask: {spots: [tiger, t34]}
ask: {shot: {firer: tiger, target: t34}}
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.core.content.questions import Answer, Question
from sandtable.core.errors import BadInput, Fault
from sandtable.systems.panzer.advanced_card import SizeClass
from sandtable.systems.panzer.cards import CardId, RateOfFire
from sandtable.systems.panzer.combat.ap_fire import hit_number
from sandtable.systems.panzer.combat.ap_hits import cuts_of_hits, hits_of
from sandtable.systems.panzer.mini.cards import MiniCard
from sandtable.systems.panzer.mini.combat.hits import Shell, resolve_hit
from sandtable.systems.panzer.mini.combat.measures import Aim, plates_of, refuse_shot, shot_of
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.sight.sight_report import sight_report
from sandtable.systems.panzer.mini.sight.spotting_ranges import SpottingFacts
from sandtable.systems.panzer.mini.spotting.spotting import can_spot
from sandtable.systems.panzer.mini.state import State, Unit
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot, UnitId

__all__ = ["MEASURED"]


class ShotAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shot that nobody has announced; with a roll, what a hit with it does."""

    firer: str
    target: str
    weapon: int = 0
    ammo: int = 0
    overwatch: bool = False
    moving: bool = False
    roll: int | None = None


class RangeAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell of the Spotting Ranges Table, and what multiplies it."""

    cover: Cover
    size: SizeClass = SizeClass.V
    by_vehicle: bool = True
    spot: Spot = Spot.NONE
    leg_in_full_cover: bool = False
    spotter_full_cover: bool = False


class HitsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hit number, a rate of fire and perhaps a roll."""

    number: int
    rate: RateOfFire
    roll: int | None = None


class GunAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon of a card, and what it does at a range."""

    card: str
    weapon: int = 0
    ammo: int = 0
    range: int | None = None


def _unit(state: State, name: str, where: str) -> Unit:
    unit = state.units.get(UnitId(name))
    if unit is None or unit.at is None:
        raise BadInput([Fault(where, f"no vehicle {name!r} on the table", f"one of {', '.join(state.units)}")])
    return unit


def _los(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    for label in about:
        context.table.place(label, where)
    return sight_report(context.sights(state), context.table, *about)


def _place(context: Context, state: State, about: str, where: str) -> Answer:
    """What a place is to the rules."""
    found = context.ground(state).at(context.table.place(about, where))
    return {
        "level": found.level,
        "height": found.height,
        "terrain": list(found.kinds),
        "cover_spotting": found.cover_spotting.value,
        "cover_fire": found.cover_fire.value,
        "hides_hull": found.hides_hull,
    }


def _spots(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    found = can_spot(context, state, _unit(state, about[0], where), _unit(state, about[1], where))
    limit = found.limit.total if found.limit is not None else None
    return {"spots": found.spots, "reason": found.reason, "range": found.range_inches, "limit": limit}


def _spots_now(context: Context, state: State, about: tuple[str, str], where: str) -> Answer:
    found = can_spot(context, state, _unit(state, about[0], where), _unit(state, about[1], where), live=True)
    return {"spots": found.spots, "reason": found.reason}


def _spotting_range(context: Context, state: State, about: RangeAsked, where: str) -> Answer:  # noqa: ARG001
    facts = SpottingFacts(
        about.cover, about.spot, about.size, about.by_vehicle, about.leg_in_full_cover, about.spotter_full_cover
    )
    told = context.spotting_ranges.told(facts)
    return {"range": told.total, "explained": told.explain()}


def _shot(context: Context, state: State, about: ShotAsked, where: str) -> Answer:
    """The hit number of a shot and how it strikes, as the position stands."""
    firer, target = _unit(state, about.firer, f"{where}.firer"), _unit(state, about.target, f"{where}.target")
    card = context.card_of(firer)
    _check_weapon(card, about.weapon, about.ammo, where)
    aim = Aim(firer, about.weapon, about.ammo, about.overwatch)
    refusal = refuse_shot(context, aim, target)
    if refusal is not None:
        return {"refused": refusal.rule, "reason": refusal.reason}
    facts = shot_of(context, state, aim, target, moving=about.moving)
    number = hit_number(facts, context.tables, context.edition)
    plates = plates_of(context, state, firer, target)
    found: Answer = {
        "range_factor": facts.range_factor.value,
        "net": number.net,
        "number": number.total,
        "angles": list(dict.fromkeys(plate.hull.value for plate in plates)),
        "turret_angles": list(dict.fromkeys(plate.turret.value for plate in plates)),
        "hull_down": plates[0].hull_down,
        "falling": plates[0].falling,
        "explained": number.explain(),
    }
    if about.roll is not None:
        ammo = card.weapons[about.weapon].ammo[about.ammo]
        shell = Shell(ammo, facts.range_factor)
        hit = resolve_hit(context.tables, context.card_of(target), plates[0], shell, about.roll)
        found |= {
            "location": hit.location.value if hit.location is not None else None,
            "armor": hit.margin.base - hit.margin.total if hit.margin is not None else None,
            "damage": hit.damage.value if hit.damage is not None else None,
        }
    return found


def _check_weapon(card: MiniCard, weapon: int, ammo: int, where: str) -> None:
    if not (0 <= weapon < len(card.weapons) and 0 <= ammo < len(card.weapons[weapon].ammo)):
        raise BadInput([Fault(where, f"{card.name} has no AP ammo {ammo} of a weapon {weapon}")])


def _hits(context: Context, state: State, about: HitsAsked, where: str) -> Answer:  # noqa: ARG001
    table = context.tables["ap_hits"]
    found: Answer = {"bands": list(cuts_of_hits(table, about.number, about.rate))}
    if about.roll is not None:
        found["hits"] = hits_of(table, about.number, about.rate, about.roll)
    return found


def _gun(context: Context, state: State, about: GunAsked, where: str) -> Answer:  # noqa: ARG001
    """What stands on a card; with a range, also what a weapon does there."""
    card = context.cards.get(CardId(about.card))
    if card is None:
        raise BadInput([Fault(f"{where}.card", f"no card {about.card!r}")])
    _check_weapon(card, about.weapon, about.ammo, where)
    weapon = card.weapons[about.weapon]
    ammo = weapon.ammo[about.ammo]
    found: Answer = {
        "movement": card.movement_factor,
        "size": card.size,
        "gp_defense": f"{card.gp_defense}{card.target_type.value}",
        "top": card.top,
        "max_range": ammo.R.E,
        "rof": weapon.rof.value,
        "D": ammo.D,
    }
    factor = None if about.range is None else ammo.range_factor(about.range)
    if factor is not None:
        found |= {"range_factor": factor.value, "penetration": ammo.P.of(factor)}
    return found


MEASURED: Mapping[str, Question[Context, State]] = {
    "los": Question(tuple[str, str], _los),
    "place": Question(str, _place),
    "spots": Question(tuple[str, str], _spots),
    "spots_now": Question(tuple[str, str], _spots_now),
    "spotting_range": Question(RangeAsked, _spotting_range),
    "shot": Question(ShotAsked, _shot),
    "hits": Question(HitsAsked, _hits),
    "gun": Question(GunAsked, _gun),
}
