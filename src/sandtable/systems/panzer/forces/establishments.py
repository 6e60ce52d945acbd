"""Tables of organization: what a company or squadron of a book is made of, element by element (5.8.2, 5.9).

A pack lists them in ``formations.yaml``. A formation of a scenario that names one may field less than it has, as forces
in the field did, and never something else. Places do not matter here, so every book of the family can use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from sandtable.core.content.reading import read_yaml
from sandtable.core.content.table import Status
from sandtable.core.errors import Faults
from sandtable.systems.panzer.card_files import CardShelf
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.formations import NO_ROLES, Force, Headquarters, Recruit, Roles

__all__ = ["Element", "Establishment", "Posts", "check_establishments", "parse_establishments"]


class Posts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many units alike in an element."""

    cards: tuple[str, ...]
    """One of these cards: what the formation had varied with the date."""
    count: int = 1
    roles: Roles = NO_ROLES
    attached: tuple[str, ...] = ()

    def takes(self, recruit: Recruit) -> bool:
        """Whether a unit may stand here; a role that a scenario adds, such as FO, is its own affair."""
        return (
            recruit.card in self.cards
            and recruit.roles.command is self.roles.command
            and sorted(recruit.attached) == sorted(self.attached)
        )


class Element(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A headquarters, platoon, troop or section of a formation."""

    name: str
    units: tuple[Posts, ...]
    multiple: int = 1
    """How many such elements there are."""


class Establishment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a formation has at full strength."""

    id: str
    title: str
    nation: str
    level: Headquarters
    elements: tuple[Element, ...]
    status: Status
    source: str

    def places(self) -> Iterator[Posts]:
        """Every place for a unit, one by one."""
        for element in self.elements:
            for place in element.units:
                yield from [place] * (place.count * element.multiple)

    @property
    def strength(self) -> int:
        """How many units it has."""
        return sum(1 for _ in self.places())


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    book: str
    formations: tuple[Establishment, ...]


def parse_establishments(files: Mapping[str, bytes], shelf: CardShelf) -> dict[str, Establishment]:
    """Read ``formations.yaml`` of every pack, a later one replacing by id; raise ``BadInput`` with all faults."""
    faults = Faults()
    found: dict[str, Establishment] = {}
    for where, data in files.items():
        with faults.gathering():
            file = read_yaml(data, _File, where)
            own = Faults(where)
            ids = [one.id for one in file.formations]
            for index, one in enumerate(file.formations):
                if ids.index(one.id) != index:
                    own.add(f"formations[{index}].id", f"{one.id} stands twice", "an id of its own")
                _check(one, f"formations[{index}]", shelf, own)
                found[one.id] = one
            own.check()
    faults.check()
    return found


def _check(one: Establishment, field: str, shelf: CardShelf, faults: Faults) -> None:
    """Every card is known, and somebody commands (5.9.1)."""
    commanded = False
    for e, element in enumerate(one.elements):
        for p, place in enumerate(element.units):
            where = f"{field}.elements[{e}].units[{p}]"
            commanded |= place.roles.command is one.level
            if not place.cards:
                faults.add(f"{where}.cards", "empty", "one card or more")
            if place.count < 1 or element.multiple < 1:
                faults.add(where, "no unit", "a count and a multiple of 1 or more")
            for c, card in enumerate(place.cards):
                known = shelf.cards.get(CardId(card))
                if known is None:
                    faults.add(f"{where}.cards[{c}]", f"no card {card!r}", "a card of the pack")
                elif place.attached and not known.unit_class.is_leg:
                    faults.add(
                        f"{where}.attached", f"{known.name} cannot carry {place.attached[0]}", "a leg unit (5.1.3)"
                    )
            for a, name in enumerate(place.attached):
                if CardId(name) not in shelf.attachments:
                    faults.add(f"{where}.attached[{a}]", f"no attached weapon {name!r}")
    if one.level is Headquarters.NONE or not commanded:
        faults.add(field, f"{one.id} has no headquarters of level {one.level.value!r}", "a unit with roles.command")


def check_establishments(forces: Sequence[Force], known: Mapping[str, Establishment], faults: Faults) -> None:
    """A formation that names an establishment has no unit that is not in it, and not too many of any."""
    for force in forces:
        recruits = {str(recruit.id): recruit for recruit in force.recruits}
        for f, draft in enumerate(force.formations):
            field = f"{force.field}.formations[{f}]"
            if not draft.establishment:
                continue
            one = known.get(draft.establishment)
            if one is None:
                faults.add(f"{field}.establishment", f"no formation {draft.establishment!r}", ", ".join(sorted(known)))
                continue
            listed = [(u, recruits[name]) for u, name in enumerate(draft.units) if name in recruits]
            for u, recruit in _left_over(listed, tuple(one.places())):
                wrong = f"{recruit.id} ({recruit.card}) has no place in {one.title}"
                faults.add(f"{field}.units[{u}]", wrong, f"what {one.id} has, and no more of it")


def _left_over(listed: Iterable[tuple[int, Recruit]], places: Sequence[Posts]) -> list[tuple[int, Recruit]]:
    """Units for which there is no place, when everybody moves up as far as he may."""
    taken: dict[int, Recruit] = {}

    def seat(recruit: Recruit, tried: set[int]) -> bool:
        for index, place in enumerate(places):
            if index not in tried and place.takes(recruit):
                tried.add(index)
                if index not in taken or seat(taken[index], tried):
                    taken[index] = recruit
                    return True
        return False

    return [(u, recruit) for u, recruit in listed if not seat(recruit, set())]
