"""What is worked out from states and kept: every :class:`~sandtable.systems.aslsk.common.context.Context` has a memory.

Most of a position stays the same from one question to the next, so what follows from it (who is where, who carries
what, who may fire how far) is kept and follows the changes. What follows from the ground and the charts alone is kept
as long as the game. Nothing of it ever shows: a game is the same with everything forgotten.

The rule for threads, which may share a context: whoever reads takes a thing out once and looks at what it holds, to see
that it was made of the very units he asks about; whoever writes puts a new thing in the place of the old and changes
nothing of what was there. A dict in here only ever gains answers that are the same whoever works them out. So two
threads may work the same out twice, and none sees half of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex, Ranges
from sandtable.systems.aslsk.pieces.cards import CardId
from sandtable.systems.aslsk.pieces.state import (
    Phase,
    Smoke,
    State,
    Unit,
    UnitId,
    Vehicle,
    VehicleGun,
    VehicleId,
    Weapon,
    WeaponId,
)

if TYPE_CHECKING:
    from sandtable.systems.aslsk.common.numbers import Numbers

__all__ = ["Carried", "Changes", "Gunners", "Held", "Memory", "Positions", "Screens", "SmokeDrms"]

Held = tuple[frozenset[Hex], frozenset[Hex]]
"""Hexes with units of a side, and hexes with enemies of it."""


class Positions(msgspec.Struct, frozen=True, gc=False):
    """Where everybody is."""

    units: dict[UnitId, Unit]
    at: dict[Hex, tuple[Unit, ...]]
    held: dict[str, Held]
    """By side, as far as somebody has asked."""
    enemies: dict[str, tuple[Hex, ...]]
    """By side: hexes with enemies of it, in their order."""


class Changes(msgspec.Struct, frozen=True, gc=False):
    """What is not the same in two sets of equally many units."""

    before: dict[UnitId, Unit]
    after: dict[UnitId, Unit]
    units: list[tuple[Unit, Unit]]
    """As they were and as they are."""


class Rearmed(msgspec.Struct, frozen=True, gc=False):
    """What is not the same in two sets of equally many weapons."""

    before: dict[WeaponId, Weapon]
    after: dict[WeaponId, Weapon]
    weapons: list[tuple[Weapon, Weapon]]
    """As they were and as they are."""


class Carried(msgspec.Struct, frozen=True, gc=False):
    """Who possesses what."""

    weapons: dict[WeaponId, Weapon]
    by_owner: dict[UnitId, tuple[Weapon, ...]]


class Gunners(msgspec.Struct, frozen=True):
    """Who possesses Guns."""

    weapons: dict[WeaponId, Weapon]
    units: frozenset[UnitId]


class SmokeDrms(msgspec.Struct, frozen=True):
    """Smoke counters, and what the table makes of them."""

    counters: tuple[Smoke, ...]
    drms: dict[Hex, int]
    """Hindrance DRM of each hex that has some."""
    leaving: int
    """What fire out of one suffers besides."""


class Screens(msgspec.Struct, frozen=True):
    """Vehicles and wrecks, and the hexes in which one hinders sight in a phase."""

    vehicles: dict[VehicleId, Vehicle]
    phase: Phase
    hexes: frozenset[Hex]


class Memory:
    """All that is kept for one context; see the rule for threads above.

    The rooms above this one keep things of their own types here, which are theirs alone to read: these are ``Any``.
    """

    __slots__ = (
        "carried",
        "changes",
        "drive_gates",
        "drive_ways",
        "earlier_carried",
        "earlier_positions",
        "entry_breakdowns",
        "entry_costs",
        "gunners",
        "guns",
        "hidden",
        "home_ways",
        "ift",
        "in_range",
        "looked",
        "muzzles",
        "numbers",
        "positions",
        "ranges",
        "rearmed",
        "rout_covers",
        "rout_maps",
        "rout_views",
        "screens",
        "settled",
        "smoke",
        "unplaced",
        "vehicle_guns",
        "vehicle_numbers",
        "veiled",
        "ways_home",
        "ways_out",
    )

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start anew."""
        self._forget_states()
        self._forget_ground()

    def _forget_states(self) -> None:
        self.positions = Positions({}, {}, {}, {})
        """Those of the last units asked about."""
        self.earlier_positions: tuple[Positions, ...] = ()
        """Of those before, the last first."""
        self.changes = Changes({}, {}, [])
        """The last ones asked about."""
        self.rearmed = Rearmed({}, {}, [])
        """The last ones asked about."""
        self.carried = Carried({}, {})
        self.earlier_carried: tuple[Carried, ...] = ()
        self.gunners = Gunners({}, frozenset())
        self.smoke: SmokeDrms | None = None
        """Of the last Smoke counters asked about."""
        self.screens: Screens | None = None
        """Of the last vehicles asked about."""
        self.hidden: tuple[Any, Any, frozenset[UnitId]] = (None, None, frozenset())
        """The last units and weapons asked about, and who of them is hidden (6.4)."""
        self.looked: State | None = None
        """The last state in which all hidden Guns were looked for (6.4)."""
        self.veiled: tuple[State | None, str | None, State | None] = (None, None, None)
        """The last state with hidden units and a seat, and the state as it looks to that seat (6.4)."""
        self.settled: State | None = None
        """The last state in which nothing was left to settle (3.0)."""
        self.unplaced: tuple[dict[UnitId, Unit] | None, str, tuple[Unit, ...]] = (None, "", ())
        """The last units and side asked about, and who of them is still to be set up (1.3)."""
        self.muzzles: dict[tuple[str, str], Any] = {}
        """By kind of fire and side: the last answer of ``fire.muzzles``."""
        self.rout_maps: Any = None
        """Those of the last position, of ``phases.rout_paths``."""
        self.rout_views: dict[str, Any] = {}
        """By side: what follows from where its enemies were last, of ``phases.rout_steps``."""
        self.rout_covers: dict[str, Any] = {}
        """By side: what follows from who of its enemies stood where last, of ``phases.rout_steps``."""
        self.ways_home: dict[tuple[VehicleId, bool], Any] = {}
        """By vehicle, and whether its crew is exposed: the last way home, of ``vehicles.way_home``."""

    def _forget_ground(self) -> None:
        self.numbers: Numbers | None = None
        """What the charts say."""
        self.guns: tuple[WeaponId, ...] | None = None
        """The Guns of the order of battle (6.0)."""
        self.ift: Any = None
        """The IFT, of ``effects.ift``."""
        self.entry_costs: dict[tuple[Hex, Hex, bool], tuple[int, bool]] = {}
        """By hexside, and whether the road is shunned: what the ground costs, and whether by road."""
        self.entry_breakdowns: dict[tuple[Hex, Hex, bool], Breakdown] = {}
        """The same with the reasons."""
        self.ranges = Ranges()
        """From a hex that is fired at: how far it is to those who may fire."""
        self.in_range: dict[tuple[Hex, int, int], tuple[Hex, ...]] = {}
        """By hex, least and greatest range: the hexes of the map in reach, in their order."""
        self.vehicle_numbers: Any = None
        """What the charts say of vehicles, of ``vehicles.vehicle_numbers``."""
        self.drive_ways: dict[Any, Any] = {}
        """By hex and kind of vehicle: what the ground asks for each way out of it, of ``vehicles.driving_costs``."""
        self.drive_gates: dict[Any, Any] = {}
        """The same for each way into it from off board."""
        self.vehicle_guns: dict[CardId, tuple[VehicleGun, ...]] = {}
        """By counter: what a vehicle has that fires on the IFT (7.8)."""
        self.ways_out: dict[Hex, Any] = {}
        """By hex: what the ground asks for each way out of it, of ``movement.movement_costs``."""
        self.home_ways: dict[str, dict[Hex, tuple[int, ...]]] = {}
        """By force: where a recalled vehicle leaves the map, of ``vehicles.way_home``."""
