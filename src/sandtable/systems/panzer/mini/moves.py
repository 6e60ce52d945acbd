"""9.1 A move on its way: what was driven and spent so far, and the steps that are still to come."""

from __future__ import annotations

import msgspec

from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.plane.points import Point
from sandtable.systems.panzer.frames import Frame
from sandtable.systems.panzer.terrain import Rate, TerrainId
from sandtable.systems.panzer.unit import UnitId

__all__ = ["InchStep", "MoveProgress", "Moving", "Term", "Wall"]


class MoveProgress(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a move stands."""

    driven: int = 0
    """How far it has come, in thousandths of an inch."""
    spent: int = 0
    rate: Rate | None = None
    """Road or path as long as its allowance holds (9.5), None across country."""
    lost: str = ""
    """Why it does not move at the rate of a road or path."""
    lost_rule: str = ""
    turned: bool = False
    """Whether it has paid for turning (9.3.5)."""
    pivots: tuple[tuple[int, int], ...] = ()
    """Turns within the last inch: where on the way, and how far (9.4)."""
    hurt_at: int | None = None
    """What it had spent when it was damaged on its way: the rest alone is halved (8.4.7.4)."""


class Term(msgspec.Struct, frozen=True):
    """A part of what a step costs."""

    value: int
    label: str
    rule: str


class Wall(msgspec.Struct, frozen=True):
    """A building that a step enters or leaves (9.7.2)."""

    kind: TerrainId
    leaves: bool = False


class InchStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a vehicle does up to the next inch mark, or to the end of its way."""

    at: Point
    heading: int
    ground: str
    """The dearest ground of it (9.3.1)."""
    base: int
    """What that costs."""
    terms: tuple[Term, ...]
    after: MoveProgress
    upon: str = ""
    """Who stands there already: it cannot end there (9.9)."""
    edge: str = ""
    """The edge by which it leaves the table (9.8)."""
    walls: tuple[Wall, ...] = ()

    @property
    def cost(self) -> Breakdown:
        """All that it costs."""
        terms = tuple(Modifier(term.value, term.label, term.rule) for term in self.terms)
        return Breakdown("Movement cost", "9.3.1", terms, self.base, self.ground)


class Moving(Frame, frozen=True):
    """9.1.1: a vehicle on its way."""

    unit: UnitId
    plan: tuple[InchStep, ...]
    """Steps not yet executed: known to the owner alone."""
    progress: MoveProgress
    free: tuple[Point, int]
    """Where it last stood upon nobody, and its heading: if it has to stop, it stops there (9.9)."""
    damaged: bool = False
    """Whether its allowance is already that of a damaged vehicle."""
    watched: bool = True
    """Whether the opponent has had his chance of overwatch fire since the last thing that it did."""
    interrupted: bool = False
    """Drew fire, or was damaged by a building: the owner decides anew how to go on."""
