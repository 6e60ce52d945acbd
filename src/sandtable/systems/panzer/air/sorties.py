"""Aircraft of a scenario as an author writes them (6.7.1, 6.7.2.1), checked against their cards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import Faults
from sandtable.systems.panzer.air.aircraft import Aircraft, Load, loads_of
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.support_cards import AircraftCard
from sandtable.systems.panzer.unit import Grade, UnitId

__all__ = ["AirForce", "Sortie", "SortieDraft", "bind_sorties"]

EdgeName = Literal["north", "east", "south", "west"]


class SortieDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An aircraft as an author has it."""

    id: str
    card: str
    load: Load | None = None
    """``bombs`` or ``rockets``; left out, what the card has, or its owner chooses (6.7.1)."""
    grade: Grade | None = None
    """Unit Grade; left out, the Force Grade."""
    turn: int = 1
    """First turn on which it may appear (6.7.2.1)."""
    edges: tuple[EdgeName, ...] = ()
    """Edges over which it may appear first; left out, any (6.7.2.1)."""


class Sortie(msgspec.Struct, frozen=True):
    """When and where an aircraft may appear first."""

    turn: int
    edges: tuple[EdgeName, ...]


class AirForce(NamedTuple):
    """The aircraft of one force."""

    seat: Seat
    field: str
    """Where they stand in the file."""
    grade: Grade
    drafts: Sequence[SortieDraft]


@rule("6.7", "6.7.1", editions=("panzer-na",))
def bind_sorties(
    forces: Sequence[AirForce],
    cards: Mapping[CardId, AircraftCard],
    taken: Collection[str],
    faults: Faults,
    *,
    turns: int,
    date: str,
) -> tuple[dict[UnitId, Aircraft], dict[UnitId, Sortie]]:
    """The aircraft of a scenario; only one force has any, and none carries what its card does not list (6.7, 6.7.1)."""
    flying = [force for force in forces if force.drafts]
    for force in flying[1:]:
        faults.add(force.field, "a second force with aircraft", "one force has local air superiority (6.7)")
    aircraft: dict[UnitId, Aircraft] = {}
    sorties: dict[UnitId, Sortie] = {}
    for force in flying:
        for index, draft in enumerate(force.drafts):
            field = f"{force.field}[{index}]"
            if draft.id in aircraft or draft.id in taken:
                faults.add(f"{field}.id", f"{draft.id!r} stands twice")
            if not 1 <= draft.turn <= turns:
                faults.add(f"{field}.turn", str(draft.turn), f"1 to {turns}")
            card = cards.get(CardId(draft.card))
            if card is None:
                faults.add(f"{field}.card", f"no aircraft {draft.card!r}", f"one of {', '.join(sorted(cards))}")
                continue
            served = card.available
            if date and (date < served.first or (served.last and date > served.last)):
                faults.add(f"{field}.card", f"{card.name} did not serve in {date}", f"{served.first} to {served.last}")
            fitting = loads_of(card)
            if draft.load is not None and draft.load not in fitting:
                right = " or ".join(load.value for load in fitting if load) or "no load"
                faults.add(f"{field}.load", f"{card.name} carries no {draft.load.value or 'empty racks'}", right)
            load = draft.load if draft.load is not None else fitting[0]
            unit = UnitId(draft.id)
            chosen = draft.load is None and len(fitting) > 1
            aircraft[unit] = Aircraft(
                unit, force.seat, card.id, draft.grade or force.grade, Load.NONE if chosen else load
            )
            sorties[unit] = Sortie(draft.turn, draft.edges)
    return aircraft, sorties
