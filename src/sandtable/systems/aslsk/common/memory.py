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
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.pieces.state import Smoke, State, Unit, UnitId, Weapon, WeaponId

if TYPE_CHECKING:
    from sandtable.systems.aslsk.common.numbers import Numbers

__all__ = ["Carried", "Changes", "Held", "Memory", "Positions", "SmokeDrms"]

Held = tuple[frozenset[Hex], frozenset[Hex]]
"""Hexes with units of a side, and hexes with enemies of it."""


class Positions(msgspec.Struct, frozen=True):
    """Where everybody is."""

    units: dict[UnitId, Unit]
    at: dict[Hex, tuple[Unit, ...]]
    held: dict[str, Held]
    """By side, as far as somebody has asked."""
    enemies: dict[str, tuple[Hex, ...]]
    """By side: hexes with enemies of it, in their order."""


class Changes(msgspec.Struct, frozen=True):
    """What is not the same in two sets of equally many units."""

    before: dict[UnitId, Unit]
    after: dict[UnitId, Unit]
    units: list[tuple[Unit, Unit]]
    """As they were and as they are."""


class Carried(msgspec.Struct, frozen=True):
    """Who possesses what."""

    weapons: dict[WeaponId, Weapon]
    by_owner: dict[UnitId, tuple[Weapon, ...]]


class SmokeDrms(msgspec.Struct, frozen=True):
    """Smoke counters, and what the table makes of them."""

    counters: tuple[Smoke, ...]
    drms: dict[Hex, int]
    """Hindrance DRM of each hex that has some."""
    leaving: int
    """What fire out of one suffers besides."""


class Memory:
    """All that is kept for one context; see the rule for threads above.

    The rooms above this one keep things of their own types here, which are theirs alone to read: these are ``Any``.
    """

    __slots__ = (
        "carried",
        "changes",
        "earlier_carried",
        "earlier_positions",
        "entry_breakdowns",
        "entry_costs",
        "ift",
        "in_range",
        "muzzles",
        "numbers",
        "positions",
        "rout_maps",
        "settled",
        "smoke",
        "ways_out",
    )

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Start anew."""
        self.positions = Positions({}, {}, {}, {})
        """Those of the last units asked about."""
        self.earlier_positions: tuple[Positions, ...] = ()
        """Of those before, the last first."""
        self.changes = Changes({}, {}, [])
        """The last ones asked about."""
        self.carried = Carried({}, {})
        self.earlier_carried: tuple[Carried, ...] = ()
        self.smoke: SmokeDrms | None = None
        """Of the last Smoke counters asked about."""
        self.settled: State | None = None
        """The last state in which nothing was left to settle (3.0)."""
        self.muzzles: dict[tuple[str, str], Any] = {}
        """By kind of fire and side: the last answer of ``fire.muzzles``."""
        self.rout_maps: Any = None
        """Those of the last position, of ``phases.rout_paths``."""
        self.numbers: Numbers | None = None
        """What the charts say."""
        self.ift: Any = None
        """The IFT, of ``effects.ift``."""
        self.entry_costs: dict[tuple[Hex, Hex, bool], tuple[int, bool]] = {}
        """By hexside, and whether the road is shunned: what the ground costs, and whether by road."""
        self.entry_breakdowns: dict[tuple[Hex, Hex, bool], Breakdown] = {}
        """The same with the reasons."""
        self.in_range: dict[tuple[Hex, int, int], tuple[Hex, ...]] = {}
        """By hex, least and greatest range: the hexes of the map in reach, in their order."""
        self.ways_out: dict[Hex, Any] = {}
        """By hex: what the ground asks for each way out of it, of ``movement.movement_costs``."""
