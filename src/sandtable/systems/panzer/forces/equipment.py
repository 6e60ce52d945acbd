"""What units are armed with on the day, and faults of what a scenario gives them (5.1.3, 5.16.1, 6.6.7.1).

Nothing here knows where a unit stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Faults
from sandtable.systems.panzer.advanced_card import AdvancedCard, UnitClass
from sandtable.systems.panzer.card_files import CardShelf
from sandtable.systems.panzer.cards import Ammo, Available, Card, CardId, Weapon, date_of
from sandtable.systems.panzer.formations import Force, Recruit
from sandtable.systems.panzer.history import AmmoType
from sandtable.systems.panzer.markers import UnitMarkers
from sandtable.systems.panzer.movement.move_facts import MoveFacts
from sandtable.systems.panzer.movement.transport import refuse_load
from sandtable.systems.panzer.support_cards import Attachment

__all__ = ["BASIC_AMMO", "Armory", "armed_card", "check_equipment", "check_loads", "stocked"]

BOOK = ("panzer-na",)
BASIC_AMMO = AmmoType.AP
"""The one type that is never special (5.16.1)."""
_DATE = re.compile(r"\d{4}-(0[1-9]|1[0-2])")


class Armory(msgspec.Struct, frozen=True):
    """The weapons of one force on the day of the scenario."""

    cards: Mapping[CardId, tuple[Weapon, ...]] = {}
    attached: Mapping[CardId, Weapon] = {}
    """Crew-served weapons by the ids of their cards; a flamethrower is none, as it does not fire (5.1.3.5)."""

    @rule("5.1.1", "5.1.2", "5.1.3", "5.1.3.5", editions=BOOK)
    def arms(self, card: Card, markers: UnitMarkers, attached: Sequence[str]) -> tuple[Weapon, ...]:
        """Its own weapons, then those attached to it; a reduced squad has those of the half-squad (5.1.1, 5.1.3)."""
        name = card.id
        if markers.reduced and card.advanced is not None and card.advanced.half:
            name = CardId(card.advanced.half)
        own = self.cards[name]
        if not attached:
            return own
        return own + tuple(self.attached[CardId(one)] for one in attached if one in self.attached)


@rule("5.16", "5.16.1", editions=BOOK)
def stocked(shelf: CardShelf, date: str, special: Sequence[AmmoType] | None) -> Armory:
    """The weapons of all cards with the ammo that a force has: in date, and issued to it if it is special (5.16.1).

    Without a date all of it is there; with no list of special ammo, all that is in date.
    """

    def issued(weapon: Weapon) -> Weapon:
        kept = tuple(ammo for ammo in weapon.ammo if _has(ammo, date, special))
        return weapon if len(kept) == len(weapon.ammo) else replace(weapon, ammo=kept)

    return Armory(
        {name: tuple(map(issued, card.weapons)) for name, card in shelf.cards.items()},
        {name: issued(one.weapon) for name, one in shelf.attachments.items() if one.weapon is not None},
    )


def _has(ammo: Ammo, date: str, special: Sequence[AmmoType] | None) -> bool:
    if date and ammo.available_from and date < date_of(ammo.available_from):
        return False
    return ammo.type is BASIC_AMMO or special is None or ammo.type in special


def armed_card(card: Card, attached: Sequence[Attachment]) -> Card:
    """The card of a unit with the weapons attached to it, to be read as one; each value keeps its provenance."""
    if not attached:
        return card
    weapons, verbatim = list(card.weapons), dict(card.verbatim)
    for one in attached:
        if one.weapon is not None:
            place = f"weapons.{len(weapons)}."
            verbatim |= {
                place + path[7:]: number for path, number in one.verbatim.items() if path.startswith("weapon.")
            }
            weapons.append(one.weapon)
    return replace(
        card,
        id=CardId("+".join((card.id, *(one.id for one in attached)))),
        name=f"{card.name} with {', '.join(one.name for one in attached)}",
        weapons=tuple(weapons),
        points=card.points + sum(one.points for one in attached),
        notes=(*card.notes, *(note for one in attached for note in one.notes)),
        verbatim=verbatim,
    )


# --- faults -------------------------------------------------------------------------------------------


@rule("5.1.3", "5.9.3", "5.16.1", editions=BOOK)
def check_equipment(
    forces: Sequence[Force], shelf: CardShelf, date: str, faults: Faults, *, needs_values: bool
) -> None:
    """Cards have Advanced values and are in date, attached weapons are carried by leg units, engineers go on foot."""
    if date and not _DATE.fullmatch(date):
        faults.add("date", repr(date), "year and month, such as 1941-11")
        date = ""
    for force in forces:
        for recruit in force.recruits:
            card = shelf.cards.get(recruit.card)
            if card is not None:
                if needs_values and card.advanced is None:
                    wrong = f"{card.name} has no Advanced values"
                    faults.add(f"{recruit.field}.card", wrong, "a card with `advanced`")
                _check_unit(recruit, card, shelf, date, faults)
        _check_special(force, shelf, date, faults)


def _check_unit(recruit: Recruit, card: Card, shelf: CardShelf, date: str, faults: Faults) -> None:
    field = recruit.field
    _check_date(card.name, card.available, date, f"{field}.card", faults)
    is_leg = card.unit_class.is_leg
    if recruit.roles.engineer and not is_leg:
        faults.add(f"{field}.roles.engineer", f"{card.name} is no leg unit", "a leg unit (5.9.3)")
    if recruit.attached and not is_leg:
        wrong = f"{card.name} cannot carry {recruit.attached[0]}"
        faults.add(f"{field}.attached", wrong, "a squad, half-squad or section (5.1.3)")
    for index, name in enumerate(recruit.attached):
        found = shelf.attachments.get(CardId(name))
        if found is None:
            near = [str(one) for one in shelf.attachments if shelf.attachments[one].nation == card.nation]
            faults.add(f"{field}.attached[{index}]", f"no attached weapon {name!r}", f"one of {', '.join(near)}")
        else:
            _check_date(found.name, found.available, date, f"{field}.attached[{index}]", faults)


def _check_date(name: str, available: Available, date: str, field: str, faults: Faults) -> None:
    if date and available.first and date < available.first:
        faults.add(field, f"{name} in {date}", f"from {available.first} on")
    if date and available.last and available.last < date:
        faults.add(field, f"{name} in {date}", f"until {available.last}")


def _check_special(force: Force, shelf: CardShelf, date: str, faults: Faults) -> None:
    """Special ammo that a force is issued must be that of one of its weapons, and in date (5.16.1)."""
    listed = list(_ammo_of(force, shelf))
    for index, kind in enumerate(force.special_ammo or ()):
        field = f"{force.field}.special_ammo[{index}]"
        dates = [date_of(ammo.available_from) for ammo in listed if ammo.type is kind]
        if kind is BASIC_AMMO:
            faults.add(field, kind.value, "special ammo; AP is there without saying (5.16.1)")
        elif not dates:
            faults.add(field, f"no weapon of {force.title} has {kind.value}", "left out")
        elif date and date < min(dates):
            faults.add(field, f"{kind.value} in {date}", f"from {min(dates)} on (5.16.1)")


def _ammo_of(force: Force, shelf: CardShelf) -> Iterator[Ammo]:
    for recruit in force.recruits:
        card = shelf.cards.get(recruit.card)
        for weapon in card.weapons if card else ():
            yield from weapon.ammo
        for name in recruit.attached:
            one = shelf.attachments.get(CardId(name))
            yield from one.weapon.ammo if one is not None and one.weapon is not None else ()


@rule("6.6.7.1", editions=BOOK)
def check_loads(forces: Sequence[Force], cards: Mapping[CardId, Card], faults: Faults) -> None:
    """Passengers at the start fit on their vehicles (6.6.7.1)."""
    for force in forces:
        known = {recruit.id: recruit for recruit in force.recruits if recruit.card in cards}
        loads: dict[str, list[Recruit]] = {}
        for recruit in known.values():
            if recruit.transport in known:
                loads.setdefault(recruit.transport, []).append(recruit)
        for name, riding in loads.items():
            carrier = next(recruit for recruit in known.values() if recruit.id == name)
            facts = [_facts(recruit, cards) for recruit in riding]
            if _facts(carrier, cards).unit_class is not UnitClass.VEHICLE:
                faults.add(f"{riding[0].field}.carried_by", f"{name} is no vehicle", "a vehicle of the force")
                continue
            refused = refuse_load(_facts(carrier, cards), facts)
            if refused is not None:
                faults.add(f"{riding[-1].field}.carried_by", refused.reason, f"{refused.remedy} ({refused.rule})")


def _facts(recruit: Recruit, cards: Mapping[CardId, Card]) -> MoveFacts:
    card = cards[recruit.card]
    return MoveFacts(
        name=recruit.id,
        unit_class=card.unit_class,
        card=card.advanced or AdvancedCard(),
        attached=bool(recruit.attached),
    )
