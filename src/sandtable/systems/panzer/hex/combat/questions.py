"""Questions of situation files about fire of the Advanced Game: cards, armor, hits and GP fire (5.0, 6.5.2, 6.5.4)."""

from __future__ import annotations

import msgspec

from sandtable.core.content.questions import Answer, Question, named
from sandtable.core.errors import BadInput, Fault
from sandtable.systems.panzer.advanced_card import GpKind, HitAngle, Inclination, Location
from sandtable.systems.panzer.cards import CardId, RateOfFire
from sandtable.systems.panzer.combat.ap_hits import StruckPlate, armor_at, cuts_of_hits, location_at
from sandtable.systems.panzer.combat.arms import Arm
from sandtable.systems.panzer.combat.gp_fire import gp_result
from sandtable.systems.panzer.hex.combat.gp_results import struck
from sandtable.systems.panzer.hex.combat.measures import Aim, blast_of
from sandtable.systems.panzer.hex.combat.weapons import refuse_weapon
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.markers import HullDown
from sandtable.systems.panzer.unit import FireKind, UnitId, WeaponShot

__all__ = ["FIRE_QUESTIONS"]


class WeaponAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon of a unit, its own or an attached one, and what its GP fire is worth at a range."""

    unit: str
    weapon: int = 0
    range: int = 0


class ArmorAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a shot meets a vehicle."""

    card: str
    angle: HitAngle
    location: Location
    shot: Inclination = Inclination.LEVEL


class HitAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the AP Hit Locations Table."""

    angle: HitAngle
    shot: Inclination = Inclination.LEVEL
    hull_down: HullDown = HullDown.NONE


class HitsAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the AP Number of Hits Table."""

    number: int
    rate: RateOfFire


class GpAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """GP fire that nobody has announced, as the position stands."""

    firer: str
    target: str
    weapon: int = 0
    row: int = 0
    moving: bool = False
    overwatch: bool = False


class GpPairAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell of the GP Combat Results Table, and a modified roll."""

    factor: int
    defense: int
    final: int = 0


def _unit(state: State, name: str, where: str) -> Unit:
    return named(state.units, UnitId(name), "unit", where)


def _arm(context: Context, unit: Unit, weapon: int, where: str) -> Arm:
    arms = context.guns(unit)
    if not 0 <= weapon < len(arms):
        raise BadInput([Fault(f"{where}.weapon", f"{unit.id} has no weapon {weapon}", f"0 to {len(arms) - 1}")])
    return arms[weapon]


def _weapon(context: Context, state: State, about: WeaponAsked, where: str) -> Answer:
    """What the cards say of a weapon."""
    unit = _unit(state, about.unit, f"{where}.unit")
    arm = _arm(context, unit, about.weapon, where)
    weapon, row = arm.weapon, arm.weapon.gp_row(GpKind.DIRECT)
    limits, kind = weapon.limits, arm.kind
    found: Answer = {
        "name": weapon.name,
        "rof": weapon.rof.value,
        "kind": "" if kind is None else kind.value,
        "dual": arm.is_dual,
        "small_arms": weapon.small_arms,
        "ammo": [ammo.type.value for ammo in weapon.ammo],
        "available_from": {ammo.type.value: ammo.available_from for ammo in weapon.ammo if ammo.available_from},
        "gp": [row.kind.value for row in weapon.gp],
        "smoke": weapon.smoke,
        "hull_limited": weapon.hull_limited,
        "limits": {name: getattr(limits, name) for name in limits.__struct_fields__ if getattr(limits, name)},
        "coax_mg": context.advanced_card(unit).coax_mg,
    }
    if row is not None:
        found |= {"minimum": row.minimum, "effectiveness": row.effectiveness, "gp_factor": row.factor(about.range)}
    return found


def _armor(context: Context, state: State, about: ArmorAsked, where: str) -> Answer:  # noqa: ARG001
    card = context.cards.get(CardId(about.card))
    if card is None or card.advanced is None:
        raise BadInput([Fault(f"{where}.card", f"no card {about.card!r} with Advanced values")])
    plate = StruckPlate(about.angle, about.shot, HullDown.NONE)
    told = card.advanced.gp_defense
    return {
        "factor": armor_at(card.advanced.armor, plate, about.location),
        "target_type": card.advanced.target_type.value,
        "gp_defense": told if isinstance(told, int) else told.none,
    }


def _locations(context: Context, state: State, about: HitAsked, where: str) -> Answer:  # noqa: ARG001
    """Where each tens digit strikes, and which of them miss."""
    plate = StruckPlate(about.angle, about.shot, about.hull_down)
    struck_at = [location_at(context.tables["ap_locations"], plate, tens) for tens in range(1, 11)]
    return {
        "locations": ["" if one is None else one.value for one in struck_at],
        "misses": [tens for tens, one in enumerate(struck_at, 1) if one is None],
    }


def _hits(context: Context, state: State, about: HitsAsked, where: str) -> Answer:  # noqa: ARG001
    """The highest rolls of three, two and one hit."""
    return {"cuts": list(cuts_of_hits(context.tables["ap_hits"], about.number, about.rate))}


def _gp(context: Context, state: State, about: GpAsked, where: str) -> Answer:
    """The numbers of a GP shot."""
    firer, target = _unit(state, about.firer, f"{where}.firer"), _unit(state, about.target, f"{where}.target")
    arm = _arm(context, firer, about.weapon, where)
    shot = WeaponShot(firer.id, about.weapon, about.row, FireKind.GP)
    refusal = refuse_weapon(context, state, shot, target)
    if refusal is not None:
        return {"refused": refusal.rule}
    blast = blast_of(context, state, Aim(firer, arm, about.overwatch), about.row, target)
    found = struck(context, state, target, blast, moving=about.moving)
    table, facts = context.tables["gp_combat"], found.facts
    return {
        "factor": facts.factor,
        "range_factor": facts.range_factor.value,
        "defense": facts.defense,
        "modifier": found.modifier.total,
        "none": table.number(facts.defense, facts.factor, "N"),
        "suppressed": table.number(facts.defense, facts.factor, "S"),
    }


def _gp_pair(context: Context, state: State, about: GpPairAsked, where: str) -> Answer:  # noqa: ARG001
    table = context.tables["gp_combat"]
    return {
        "none": table.number(about.defense, about.factor, "N"),
        "suppressed": table.number(about.defense, about.factor, "S"),
        "result": gp_result(table, about.factor, about.defense, about.final).value,
    }


FIRE_QUESTIONS: dict[str, Question[Context, State]] = {
    "weapon": Question(WeaponAsked, _weapon),
    "armor": Question(ArmorAsked, _armor),
    "locations": Question(HitAsked, _locations),
    "hits": Question(HitsAsked, _hits),
    "gp": Question(GpAsked, _gp),
    "gp_pair": Question(GpPairAsked, _gp_pair),
}
