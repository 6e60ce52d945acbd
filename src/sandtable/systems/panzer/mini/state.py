"""What changes in a game on a table: units, patches of terrain, who spots whom, objectives, and the open questions.

Frozen throughout; dicts are treated as immutable. No table, no cards and no dice in here. Places are points in
thousandths of an inch, headings tenths of a degree clockwise from north.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from sandtable.core.codec import Digested
from sandtable.core.decision import Seat
from sandtable.geo.plane.headings import turned
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.markers import NO_MARKERS, UnitMarkers
from sandtable.systems.panzer.objective import Objective
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.terrain import TerrainId
from sandtable.systems.panzer.unit import Command, Spot, Status, UnitId

__all__ = ["RUBBLE", "SMOKE", "WRECK", "FieldOfFire", "Hold", "Patch", "State", "Unit", "Until"]

Corners = tuple[Point, ...]
_IN_PLAY = Status.IN_PLAY
WRECK, SMOKE = TerrainId("wreck"), TerrainId("brew_up_smoke")
"""What a lost vehicle leaves behind (5.5.1.2, 5.5.1.22)."""
RUBBLE = TerrainId("rubble")
"""What a building or bridge is when it is destroyed (5.5.1.1)."""


class FieldOfFire(StrEnum):
    """The four fields-of-fire to which a turret may point, seen from the hull (8.2.1.1, 10.2)."""

    FRONT = "front"
    RIGHT = "right"
    REAR = "rear"
    LEFT = "left"

    @property
    def turn(self) -> int:
        """How far it lies clockwise of the hull's front, in tenths of a degree."""
        return _TURNS[self]


_TURNS = {FieldOfFire.FRONT: 0, FieldOfFire.RIGHT: 900, FieldOfFire.REAR: 1800, FieldOfFire.LEFT: 2700}


class Unit(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A vehicle on its base, with the markers beside it."""

    id: UnitId
    side: Seat
    card: CardId
    at: Point | None = None
    """Centre of its base; None while it is not on the table."""
    heading: int = 0
    """Which way its hull faces (4.3)."""
    turret: FieldOfFire = FieldOfFire.FRONT
    """Where its turret points (8.2.1.1); of one without a turret, the front."""
    status: Status = Status.IN_PLAY
    command: Command = Command.NONE
    known: bool = True
    """Whether the opponent knows the order: it was revealed, or there is none on the table."""
    spot: Spot = Spot.NONE
    """The SPOT marker as of the last Spotting Phase."""
    new_spot: Spot = Spot.NONE
    """A SPOT marker placed this turn, partly under the order (8.1.1.2.3)."""
    damaged: bool = False
    fired: bool = False
    """Has fired this turn, or wasted its fire (8.1.1.2.2, 8.1.1.2.4)."""
    moved: bool = False
    """Has executed its MOVE, or the move part of its SHORT HALT, this turn."""
    enters_turn: int = 0
    """For one that is held off the table: the first turn on which it may enter (9.8)."""
    markers: UnitMarkers = NO_MARKERS
    """Track hits, and the markers of the Advanced Game."""

    @property
    def in_play(self) -> bool:
        """On the table and working."""
        return self.status is _IN_PLAY

    @property
    def turret_heading(self) -> int:
        """Which way its turret faces."""
        return turned(self.heading, self.turret.turn)


class Until(StrEnum):
    """How long a force does not want to be asked whether it fires on a vehicle that moves (8.3.2)."""

    WITHIN = "within"
    """It comes within so many inches of a vehicle whose order lies face down."""
    LEAVES_COVER = "leaves cover"
    STOPS = "stops"
    """It has driven the last inch of its move."""
    MOVE_ENDS = "move ends"
    """Not at all while it moves."""


class Hold(msgspec.Struct, frozen=True, omit_defaults=True):
    """A standing order: overwatch holds its fire on vehicles that move until something happens."""

    until: Until
    inches: int = 0
    mover: UnitId = UnitId("")
    """The vehicle that moves; "" for all that move in this step."""


class Patch(msgspec.Struct, frozen=True, omit_defaults=True):
    """Terrain that comes and goes: a wreck, its smoke, later rubble and shells (5.5.1.18, 5.5.1.22)."""

    kind: TerrainId
    outline: Corners
    """Corners, as of the features of the table."""
    of: UnitId = UnitId("")
    """The vehicle that a wreck was."""


class State(Digested, frozen=True, gc=False, omit_defaults=True):
    """Everything that changes."""

    turn: int
    phase: Phase
    first: str
    """First Player of the turn, "" until initiative is settled."""
    units: dict[UnitId, Unit]
    patches: tuple[Patch, ...] = ()
    terrain: int = 0
    """How often the patches have changed: what was seen before counts for the same number only."""
    spotted: dict[UnitId, tuple[UnitId, ...]] = msgspec.field(default_factory=dict)
    """Spotter to targets, as fixed in the Spotting Phase (5.0)."""
    sightings: str = ""
    """Fingerprint of ``spotted``."""
    objectives: dict[str, Objective] = msgspec.field(default_factory=dict)
    exits: dict[str, int] = msgspec.field(default_factory=dict)
    """Vehicles that have left by each of the scenario's exits, by its number (9.8)."""
    zones: dict[str, str] = msgspec.field(default_factory=dict)
    """Where each force sets up, by the name of the zone; a force that has not chosen is not in it."""
    holds: dict[Seat, Hold] = msgspec.field(default_factory=dict)
    """Standing orders of the forces for overwatch on those who move, known to each alone."""
    stack: tuple[Frame, ...] = ()
    ended: str = ""
    """Why the game is over, "" while it runs."""

    def digested(self) -> State:
        """Who spots whom is in it by its fingerprint."""
        return replace(self, spotted={}) if self.sightings else self
