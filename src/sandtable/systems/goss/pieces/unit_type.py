"""Types and formations as card files hold them: a division is a list of units, each of a type (9.3.3)."""

from __future__ import annotations

import msgspec

from sandtable.core.content.table import Status
from sandtable.systems.goss.pieces.card import (
    Echelon,
    FormationId,
    Kind,
    MovementClass,
    Nation,
    Size,
    Strength,
    Trait,
    TypeId,
)
from sandtable.systems.goss.pieces.history import History

__all__ = ["Formation", "FormationUnit", "UnitType"]


class UnitType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What units of one kind have in common; see :class:`Card` for the fields."""

    id: TypeId
    title: str
    nation: Nation
    kind: Kind
    size: Size
    steps: int
    full: Strength
    reduced: Strength | None = None
    z_step: Strength | None = None
    movement: MovementClass
    ma: int
    ratings: tuple[int | None, int]
    """Offensive and defensive PR."""
    arm: tuple[int, int] = (0, 0)
    """Arm factors of attack and defence."""
    at: int = 0
    barrage: int = 0
    range: int = 0
    gun: str = ""
    calibre: int = 0
    weight: str = ""
    traits: tuple[Trait, ...] = ()
    components: tuple[str, ...] = ()
    history: History
    status: Status = Status.RECONSTRUCTED
    source: str
    known: dict[str, str] = {}


class FormationUnit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit of a formation."""

    id: str
    type: TypeId
    regiment: str = ""
    title: str = ""
    """Its name, where not that of its id."""


class Formation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A division, battle group, or the assets of a corps or army, with the units that are assigned to it."""

    id: FormationId
    title: str
    nation: Nation
    echelon: Echelon
    hq: str
    """The unit that is its HQ: a staff, or the battalion that leads a battle group (9.3.3a); none of Luftwaffe Flak."""
    type: MovementClass
    """Whether it is a Mech or a Leg formation (9.3.4)."""
    units: tuple[FormationUnit, ...]
    status: Status = Status.RECONSTRUCTED
    source: str
