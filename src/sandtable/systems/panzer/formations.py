"""Forces, formations and what each unit is in them (5.8, 5.9): who belongs to whom, how good they are, what they can.

The draft is what an author writes below a force; :func:`enlist` binds the drafts of a scenario, or adds every fault.
Nothing here knows where a unit stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, NewType

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import Faults
from sandtable.systems.panzer.cards import AmmoType, CardId
from sandtable.systems.panzer.unit import Grade, UnitId

__all__ = [
    "NO_ROLES",
    "Enlisted",
    "Force",
    "Formation",
    "FormationDraft",
    "FormationId",
    "Headquarters",
    "Recruit",
    "Roles",
    "Roster",
    "enlist",
    "with_guns",
]

FormationId = NewType("FormationId", str)


class Headquarters(StrEnum):
    """The Command label of a unit (5.9.1)."""

    NONE = ""
    CHQ = "CHQ"
    """Of a company, battery, squadron or troop."""
    BHQ = "BHQ"
    """Of a battalion."""
    RHQ = "RHQ"
    """Of a regiment or brigade."""


class Roles(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The labels of a unit; they may be combined (5.9)."""

    command: Headquarters = Headquarters.NONE
    """5.9.1: a command unit, and of what."""
    recon: bool = False
    """5.9.2."""
    engineer: bool = False
    """5.9.3: dismounted leg units alone."""
    observer: bool = False
    """5.9.4: an FO unit."""


NO_ROLES = Roles()


class FormationDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A formation as an author writes it below its force."""

    id: str
    units: tuple[str, ...]
    title: str = ""
    grade: Grade | None = None
    """Formation Grade; left out, that of the force (5.8.2)."""
    parent: str = ""
    """The formation that it is part of, if any."""
    establishment: str = ""
    """What it is made of at full strength, by the id in the pack's ``formations.yaml``."""


class Formation(msgspec.Struct, frozen=True):
    """A formation whose every name was checked (5.8.2)."""

    id: FormationId
    side: Seat
    title: str
    grade: Grade
    units: tuple[UnitId, ...]
    parent: str = ""
    hq: UnitId = UnitId("")
    """Its command unit: one of its own, else that of the formation above; "" only in situations (5.9.1)."""


class Enlisted(msgspec.Struct, frozen=True):
    """What a unit is in its force, and never ceases to be (5.8)."""

    formation: FormationId
    grade: Grade
    """Unit Grade (5.8.3)."""
    roles: Roles = NO_ROLES
    attached: tuple[str, ...] = ()
    """The crew-served weapons that it carries, by the ids of their cards (5.1.3)."""
    transport: UnitId = UnitId("")
    """The vehicle that carries it at the start, or ""."""


class Recruit(NamedTuple):
    """A unit as a scenario lists it, and the field where it does."""

    id: UnitId
    field: str
    grade: Grade | None
    roles: Roles
    attached: tuple[str, ...]
    transport: str
    card: CardId


class Roster(msgspec.Struct, frozen=True):
    """Who is who in both forces."""

    units: dict[UnitId, Enlisted] = {}
    formations: dict[FormationId, Formation] = {}


class Force(NamedTuple):
    """One force as a scenario lists it."""

    seat: Seat
    field: str
    title: str
    grade: Grade
    recruits: Sequence[Recruit]
    formations: Sequence[FormationDraft]
    special_ammo: Sequence[AmmoType] | None = None
    """The special ammo that it is issued; None is all that is in date (5.16.1)."""


@rule("5.8", "5.8.1", "5.8.2", "5.8.3", "5.9", "5.9.1", editions=("panzer-na",))
def enlist(forces: Sequence[Force], faults: Faults, *, needs_hq: bool) -> Roster:
    """Bind forces: every unit in one formation, every formation with a headquarters (5.8.2, 5.9.1).

    A force that lists no formation is one. Unit Grade is that of the formation unless the unit says otherwise (5.8.3).
    """
    units: dict[UnitId, Enlisted] = {}
    formations: dict[FormationId, Formation] = {}
    for force in forces:
        known = {recruit.id: recruit for recruit in force.recruits}
        whole = FormationDraft(force.seat, tuple(known), force.title)
        listed = force.formations or (whole,)
        drafts: dict[str, tuple[str, FormationDraft]] = {}
        for index, draft in enumerate(listed):
            field = f"{force.field}.formations[{index}]" if force.formations else f"{force.field}.formations"
            if draft.id in drafts or draft.id in formations:
                faults.add(f"{field}.id", f"{draft.id!r} stands twice")
            drafts[draft.id] = (field, draft)
        joined = _joined(drafts, known, force, faults)
        for field, draft in drafts.values():
            hq = _headquarters(draft, drafts, known, field, faults)
            if not hq and needs_hq:
                faults.add(field, f"{draft.id} has no headquarters", "a unit with roles.command, or a parent with one")
            grade = draft.grade or force.grade
            title = draft.title or draft.id
            members = tuple(UnitId(unit) for unit in draft.units)
            key = FormationId(draft.id)
            formations[key] = Formation(key, force.seat, title, grade, members, draft.parent, hq)
        for recruit in force.recruits:
            if recruit.id in joined:
                formation = formations[joined[recruit.id]]
                units[recruit.id] = Enlisted(
                    formation.id,
                    recruit.grade or formation.grade,
                    recruit.roles,
                    recruit.attached,
                    UnitId(recruit.transport),
                )
    return Roster(units, formations)


@rule("5.2.1", "5.8.2", editions=("panzer-na",))
def with_guns(roster: Roster, guns: Mapping[UnitId, UnitId]) -> Roster:
    """With the guns of Portées, by their vehicles: of the same formation and grade (5.2.1)."""
    units, formations = dict(roster.units), dict(roster.formations)
    for gun, portee in guns.items():
        owner = units[portee]
        units[gun] = Enlisted(owner.formation, owner.grade, transport=portee)
        formation = formations[owner.formation]
        formations[owner.formation] = msgspec.structs.replace(formation, units=(*formation.units, gun))
    return Roster(units, formations)


def _joined(
    drafts: Mapping[str, tuple[str, FormationDraft]], known: Mapping[UnitId, Recruit], force: Force, faults: Faults
) -> dict[UnitId, FormationId]:
    """The formation of every unit: one, no more and no less (5.8.2)."""
    joined: dict[UnitId, FormationId] = {}
    for field, draft in drafts.values():
        if not draft.units:
            faults.add(f"{field}.units", "empty", "one unit or more")
        for index, name in enumerate(draft.units):
            unit = UnitId(name)
            if unit not in known:
                faults.add(f"{field}.units[{index}]", f"{force.seat} has no unit {name!r}")
            elif unit in joined:
                other = joined[unit]
                wrong = f"{name} stands twice" if other == draft.id else f"{name} is in {other} already"
                faults.add(f"{field}.units[{index}]", wrong, "one formation for each unit (5.8.2)")
            else:
                joined[unit] = FormationId(draft.id)
    for recruit in known.values():
        if recruit.id not in joined:
            faults.add(recruit.field, f"{recruit.id} is in no formation", f"one of {', '.join(drafts)}")
    return joined


_RANK = tuple(Headquarters)


def _headquarters(
    draft: FormationDraft,
    drafts: Mapping[str, tuple[str, FormationDraft]],
    known: Mapping[UnitId, Recruit],
    field: str,
    faults: Faults,
) -> UnitId:
    """The command unit over a formation: its own of the highest level, else that of the nearest above (5.9.1)."""
    above: FormationDraft = draft
    passed: list[str] = []
    while True:
        passed.append(above.id)
        own = [known[UnitId(unit)] for unit in above.units if UnitId(unit) in known]
        best = max(own, key=lambda recruit: _RANK.index(recruit.roles.command), default=None)
        if best is not None and best.roles.command is not Headquarters.NONE:
            return best.id
        if not above.parent:
            return UnitId("")
        if above.parent not in drafts or above.parent in passed:
            wrong = f"{above.parent} is above itself" if above.parent in passed else f"no formation {above.parent!r}"
            if above is draft or above.parent in passed:
                faults.add(f"{field}.parent", wrong, "another formation of the force")
            return UnitId("")
        above = drafts[above.parent][1]
