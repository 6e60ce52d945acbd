"""4.0 The units of a library: how the packs' card files are read and checked, and cards are made of them.

A file holds types, formations or both. A later pack's type or formation replaces an earlier one's of the same id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from sandtable.core.content.reading import convert, read_yaml
from sandtable.core.content.rule import rule
from sandtable.core.errors import Faults
from sandtable.systems.goss.pieces.card import (
    Card,
    CardId,
    Echelon,
    FormationId,
    Kind,
    MovementClass,
    Nation,
    Size,
    Trait,
    TypeId,
)
from sandtable.systems.goss.pieces.unit_type import Formation, FormationUnit, UnitType

__all__ = ["Shelf", "parse_shelf", "with_counters"]

_MOST_STEPS = {Size.BATTALION: 3, Size.COMPANY: 2, Size.Z_STEP: 1}
_WEIGHTS = ("", "H", "VH")
_DIVIDED = frozenset((Kind.ANTI_TANK, Kind.FLAK, Kind.TANKS, Kind.TANK_DESTROYERS))
"""Kinds of which there are Z-steps (18.8.0)."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    book: str
    types: tuple[UnitType, ...] = ()
    formations: tuple[Formation, ...] = ()


class Shelf(msgspec.Struct, frozen=True):
    """All types, formations and cards of a game's packs."""

    types: Mapping[TypeId, UnitType]
    formations: Mapping[FormationId, Formation]
    cards: Mapping[CardId, Card]


def parse_shelf(files: Mapping[str, bytes]) -> Shelf:
    """Read card files, content by place; raise :class:`BadInput` with the faults of all files."""
    return _shelf_of(tuple(files.items()))


@lru_cache(maxsize=8)
def _shelf_of(files: tuple[tuple[str, bytes], ...]) -> Shelf:
    """Cards do not change: games of the same packs share them."""
    faults = Faults()
    types: dict[TypeId, UnitType] = {}
    formations: dict[FormationId, Formation] = {}
    places: dict[str, str] = {}
    for where, data in files:
        with faults.gathering():
            file = read_yaml(data, _File, where)
            found = Faults(where)
            for field, thing in _things(file):
                place = f"{where}: {field}"
                folder = where.rpartition("/")[0]
                if places.get(f"{field.partition('[')[0]} {thing.id}", "").startswith(f"{folder}/"):
                    found.add(f"{field}.id", f"{thing.id} stands twice", "an id of its own")
                places[f"{field.partition('[')[0]} {thing.id}"] = place
                if isinstance(thing, UnitType):
                    types[thing.id] = thing
                    _check_type(thing, field, found)
                else:
                    formations[thing.id] = thing
            found.check()
    for formation in formations.values():
        _check_formation(formation, places[f"formations {formation.id}"], types, faults)
    faults.check()
    cards = {card.id: card for formation in formations.values() for card in _cards(formation, types)}
    return Shelf(types, formations, cards)


def _things(file: _File) -> Iterator[tuple[str, UnitType | Formation]]:
    for index, unit in enumerate(file.types):
        yield f"types[{index}]", unit
    for index, formation in enumerate(file.formations):
        yield f"formations[{index}]", formation


def with_counters(shelf: Shelf, drafts: Mapping[str, Mapping[str, Any]], where: str) -> Shelf:
    """The shelf with counters that one file brings: by formation and name, each a type with what is other on it.

    Raise :class:`BadInput` with the faults of all of them.
    """
    faults = Faults(where)
    cards = dict(shelf.cards)
    for name, draft in drafts.items():
        place = f"counters.{name}"
        formation_id, _, unit_id = name.partition("/")
        formation = shelf.formations.get(FormationId(formation_id))
        kind = shelf.types.get(TypeId(str(draft.get("type", ""))))
        if formation is None or not unit_id:
            faults.add(place, "of no formation of the packs", "formation and name, e.g. 61-inf/1-481")
        elif kind is None:
            faults.add(f"{place}.type", f"no type {draft.get('type')!r}", "one of the packs' types")
        else:
            changes = {key: value for key, value in draft.items() if key not in ("type", "regiment")}
            with faults.gathering():
                changed = convert({**msgspec.to_builtins(kind), **changes}, UnitType, f"{where}: {place}")
                _check_type(changed, place, faults)
                unit = FormationUnit(unit_id, kind.id, str(draft.get("regiment", "")))
                cards[CardId(name)] = _card(unit, changed, formation)
    faults.check()
    return msgspec.structs.replace(shelf, cards=cards)


@rule("4.1.4", "4.3.0", "4.3.1", "4.3.2", "4.3.3")
def _check_type(unit: UnitType, field: str, faults: Faults) -> None:
    """What the book says of every unit (4.1.1-4.3.3)."""
    most = _MOST_STEPS[unit.size]
    if not 1 <= unit.steps <= most:
        faults.add(f"{field}.steps", f"{unit.steps} of a {unit.size}", f"1 to {most} (4.1.1, 4.1.2)")
    if (unit.reduced is None) is (unit.steps > 1):
        faults.add(f"{field}.reduced", "of a unit with two or three steps and of no other", "one, or none (4.2.0)")
    if unit.z_step is not None and (unit.size is not Size.COMPANY or unit.steps > 1 or unit.kind not in _DIVIDED):
        faults.add(
            f"{field}.z_step", "of a unit that has none", "only of AT, AFV and Flak companies of one step (18.8.0)"
        )
    if unit.movement is MovementClass.LEG and Trait.PERSONNEL not in unit.traits:
        faults.add(f"{field}.movement", "Leg, and no personnel", "Leg units are personnel (4.3.1)")
    if (unit.movement is MovementClass.STATIC) is not (unit.ma == 0):
        faults.add(f"{field}.ma", f"{unit.ma} of a {unit.movement} unit", "0 of Static units and of no other (4.3.3)")
    if unit.kind is Kind.HEADQUARTERS and unit.movement is not MovementClass.MECH:
        faults.add(f"{field}.movement", f"{unit.movement} of an HQ", "Mech (4.3.2)")
    if unit.kind is Kind.HYBRID and (unit.movement is not MovementClass.MECH or len(unit.components) != unit.steps):
        faults.add(
            f"{field}.components", "a hybrid that is not Mech, or not made of its steps", "Mech, a part a step (4.1.4)"
        )
    if (unit.range > 0) is not (unit.barrage > 0):
        faults.add(f"{field}.range", "a range and a barrage factor belong together", "both or neither (11.3.1)")
    if unit.weight not in _WEIGHTS:
        faults.add(f"{field}.weight", f"{unit.weight!r}", "H, VH or nothing (17.3.2a)")
    fields = set(unit.__struct_fields__)
    for name in unit.known:
        if name not in fields:
            faults.add(f"{field}.known.{name}", "no field of a type", ", ".join(sorted(fields)))


def _check_formation(formation: Formation, place: str, types: Mapping[TypeId, UnitType], faults: Faults) -> None:
    """Every unit once and of a type that there is, and an HQ among them."""
    seen: set[str] = set()
    for index, unit in enumerate(formation.units):
        if unit.id in seen:
            faults.add(f"{place}.units[{index}].id", f"{unit.id} stands twice", "a unit once")
        seen.add(unit.id)
        if unit.type not in types:
            faults.add(f"{place}.units[{index}].type", f"no type {unit.type!r}", "one of types")
    is_flak = all(unit.type in types and Trait.LUFTWAFFE in types[unit.type].traits for unit in formation.units)
    if not formation.hq and not is_flak:
        faults.add(f"{place}.hq", "none", "one of its units")
    elif formation.hq and formation.hq not in seen:
        faults.add(f"{place}.hq", f"no unit {formation.hq!r} in it", "one of its units")


def _cards(formation: Formation, types: Mapping[TypeId, UnitType]) -> Iterator[Card]:
    for unit in formation.units:
        yield _card(unit, types[unit.type], formation)


def _card(unit: FormationUnit, kind: UnitType, formation: Formation) -> Card:
    echelon: Echelon | None = formation.echelon if unit.id == formation.hq else None
    nation: Nation = formation.nation
    return Card(
        id=CardId(f"{formation.id}/{unit.id}"),
        title=unit.title or unit.id,
        nation=nation,
        kind=kind.kind,
        size=kind.size,
        steps=kind.steps,
        full=kind.full,
        reduced=kind.reduced,
        z_step=kind.z_step,
        movement=kind.movement,
        ma=kind.ma,
        offensive=kind.ratings[0],
        defensive=kind.ratings[1],
        arm_attack=kind.arm[0],
        arm_defence=kind.arm[1],
        at=kind.at,
        barrage=kind.barrage,
        range=kind.range,
        gun=kind.gun,
        calibre=kind.calibre,
        weight=kind.weight,
        traits=frozenset(kind.traits),
        components=kind.components,
        formation=formation.id,
        regiment=unit.regiment,
        echelon=echelon,
        status=kind.status,
        source=kind.source,
        known=kind.known,
    )
