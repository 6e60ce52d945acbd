"""A situation file of this system as it is written: map, pieces with their markers, and the phase that is open."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core.situation import SituationStep
from sandtable.systems.aslsk.pieces.armament import Ammo
from sandtable.systems.aslsk.pieces.state import (
    Bog,
    Mark,
    Phase,
    RallyStep,
    Shock,
    SmokeKind,
    Stun,
    VehicleGun,
    WeaponState,
)
from sandtable.systems.aslsk.scenario.draft import Conditions, ExitWay, PlaceDraft, Victory

__all__ = ["SideDraft", "SituationDraft", "UnitDraft", "VehicleDraft", "WeaponDraft"]


class UnitDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit as it stands."""

    id: str
    card: str
    at: str = ""
    """Its hex; left out, it waits off board."""
    broken: bool = False
    dm: bool = False
    pinned: bool = False
    cx: bool = False
    wounded: bool = False
    melee: bool = False
    mark: Mark = Mark.NONE
    forfeited: bool = False
    used: tuple[str, ...] = ()
    directed: tuple[str, ...] = ()
    rallied: bool = False
    moved: bool = False
    advanced: bool = False
    reduced: bool = False


class WeaponDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon as it stands."""

    id: str
    card: str
    owner: str = ""
    at: str = ""
    """Where it lies unpossessed."""
    state: WeaponState = WeaponState.WORKING
    mark: Mark = Mark.NONE
    moved: bool = False
    acquired: str = ""
    acquisition: int = 0
    placed: str = ""
    """Of a DC: the hex in which it lies operably placed, by its ``owner``: his X# and CX count (4.3)."""
    facing: str = ""
    """Of a Gun: the hexspine at which it points, by the hexes that it joins (``D7/E7``) or as ``N/NE``."""
    turned: bool = False
    emplaced: bool = False
    hidden: bool = False
    manhandled: bool = False
    acquired_targets: tuple[str, ...] = ()
    exhausted: tuple[Ammo, ...] = ()


class VehicleDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vehicle as it stands."""

    id: str
    card: str
    at: str = ""
    """Its hex; left out, it waits off board."""
    vca: str = ""
    """The hexspine at which its front points, by the hexes that it joins (``D7/E7``) or as ``N/NE``."""
    tca: str = ""
    """The same of its turret; left out, as its front."""
    exposed: bool = False
    wreck: bool = False
    wrecked_moving: bool = False
    motion: bool = False
    moving_target: bool = False
    was_in_motion: bool = False
    started: bool = False
    trail: dict[str, int] = {}
    """Halves of MP spent in each hex this player turn."""
    bog: Bog = Bog.NONE
    immobilized: bool = False
    shock: Shock = Shock.NONE
    stun: Stun = Stun.NONE
    recalled: bool = False
    low_ammo: bool = False
    broken: dict[VehicleGun, WeaponState] = {}
    mark: Mark = Mark.NONE
    guns_fired: tuple[VehicleGun, ...] = ()
    fired_in: str = ""
    acquired: str = ""
    acquisition: int = 0
    acquired_targets: tuple[str, ...] = ()
    exhausted: tuple[Ammo, ...] = ()
    dispensed: bool = False
    tried_motion: bool = False
    moved: bool = False


class SideDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a situation."""

    id: str
    units: tuple[UnitDraft, ...] = ()
    weapons: tuple[WeaponDraft, ...] = ()
    vehicles: tuple[VehicleDraft, ...] = ()
    elr: int = 5
    title: str = ""
    enters: tuple[str, ...] = ()
    """Hexes through which units off board enter."""


class SituationDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A situation file of this system."""

    system: str
    map: dict[str, Any]
    sides: tuple[SideDraft, ...]
    phase: Phase
    title: str = ""
    rules: tuple[str, ...] = ()
    ruling: str = ""
    note: str = ""
    attacker: str = ""
    """Left out, the first side."""
    player: str = ""
    """Whose part of the phase it is; left out, the one whose comes first."""
    step: RallyStep = RallyStep.RECOVERY
    """Of the RPh."""
    turn: int = 1
    turns: int = 1
    residual: dict[str, int] = {}
    smoke: dict[str, SmokeKind] = {}
    control: dict[str, str] = {}
    places: tuple[PlaceDraft, ...] = ()
    victory: tuple[Victory, ...] = ()
    exits: tuple[ExitWay, ...] = ()
    conditions: Conditions = Conditions()
    steps: tuple[SituationStep, ...] = ()
