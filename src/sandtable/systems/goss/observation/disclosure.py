"""8.4.1-8.4.3 What a side is told of enemy stacks: armour as a class, steps as a number, never who they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import FT_AREA, cover_at, works_of
from sandtable.systems.goss.common.fog import first_of
from sandtable.systems.goss.common.handler import Fact
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover, Work
from sandtable.systems.goss.observation.observing import observes, presence, sees, sees_over_hedges
from sandtable.systems.goss.pieces.card import Kind, Trait
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.pieces.z_steps import density_steps

__all__ = ["ReconReported", "Report", "armour_of", "overlooks", "recon_reports", "spotter_is_told", "told_in_words"]

_NONE, _MIXED, _PURE = "none", "mixed", "pure"


def armour_of(context: Context, units: Iterable[Unit]) -> str:
    """The armour DRM that units can give: ``pure`` if all of them are, ``mixed`` if any has armour, or ``none``."""
    cards = [context.card(unit) for unit in units]
    if cards and all(card.has(Trait.PURE_ARMOUR) for card in cards):
        return _PURE
    return _MIXED if any(card.has(Trait.PURE_ARMOUR) or card.has(Trait.MIXED_ARMOUR) for card in cards) else _NONE


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is told of one hex."""

    hex: Hex
    armour: str
    steps: int | None = None
    """None where the works hide them."""
    top: UnitId = UnitId("")
    """The first unit in works, where that is told (8.4.1b)."""


def _armour_words(label: str, armour: str) -> str:
    return f"{label}: {'no' if armour == _NONE else armour} armour"


class ReconReported(Fact, frozen=True):
    """A recon unit ended its move beside enemy stacks, and its side was told of them (8.4.1)."""

    unit: UnitId
    side: Seat
    reports: tuple[Report, ...] = ()

    def sentence(self, context: Context) -> str:
        """What it saw."""
        told = []
        for one in self.reports:
            words = _armour_words(context.label(one.hex), one.armour)
            words += f", {one.steps} steps" if one.steps is not None else ""
            told.append(words + (f", in the works {context.title(one.top)}" if one.top else ""))
        return f"{context.title(self.unit)} reports {'; '.join(told)}." if told else ""

    def known_to(self, seat: Seat | None) -> Fact | None:
        """Both sides know what was told; a watcher does not."""
        return self if seat is not None or not self.reports else msgspec.structs.replace(self, reports=())

    def reveals(self) -> bool:
        """It tells of hidden units."""
        return True


@rule("8.4.1")
def recon_reports(context: Context, state: State, unit: Unit) -> tuple[Report, ...]:
    """What a recon unit that ends its move is told of the enemy stacks beside it; of nobody if it is no recon unit."""
    if unit.hex is None or context.card(unit).kind is not Kind.RECON:
        return ()
    deployment, enemy = context.deployment(state), context.other(unit.side)
    beside = [hex for hex in NEIGHBOURS[unit.hex] if deployment.held_by(hex, enemy)]
    return tuple(_reported(context, state, hex) for hex in beside)


def _reported(context: Context, state: State, hex: Hex) -> Report:
    """All of a stack's armour; its steps in the open, its first unit in works, and no more of a Fort (8.4.1)."""
    stack = context.deployment(state).at(hex)
    armour = armour_of(context, stack)
    sheltered = [unit for unit in stack if works_of(context, state, unit)]
    if not sheltered:
        return Report(hex, armour, density_steps(unit.steps for unit in stack))
    works = works_of(context, state, sheltered[0])
    if works == Work.FORT:
        return Report(hex, armour)
    top = first_of(context, stack if works == FT_AREA else sheltered, state.tops)
    return Report(hex, armour, top=top.id if top is not None else sheltered[0].id)


@rule("8.4.2")
def overlooks(context: Context, state: State, seat: Seat, hex: Hex) -> bool:
    """Whether a side sees into a stack from a vantage point: in its sight, and in no covering terrain (8.4.2)."""
    if cover_at(context, state, hex, seat) is not Cover.OPEN:
        return False
    mine = context.ground.heights.intersection(context.deployment(state).hexes_of(seat))
    return any(sees(context, state, here, hex) for here in mine)


@rule("8.4.3", "11.2.0")
def spotter_is_told(context: Context, state: State, spotter: Unit, *, is_defensive: bool) -> tuple[Report, ...]:
    """The armour of the hexes that a spotter looks into, told before the target is named (8.4.3)."""
    deployment, enemy = context.deployment(state), context.other(spotter.side)
    return tuple(
        Report(hex, armour_of(context, deployment.at(hex)))
        for hex in sorted(deployment.stacks)
        if deployment.held_by(hex, enemy) and _is_looked_into(context, state, spotter, hex, is_defensive=is_defensive)
    )


def _is_looked_into(context: Context, state: State, spotter: Unit, hex: Hex, *, is_defensive: bool) -> bool:
    here = spotter.hex
    markers = presence(context, state, hex)
    if here is None or not observes(context, state, spotter, hex, markers):
        return False
    over_hedges = sees_over_hedges(context, state, here, hex)
    cover = cover_at(context, state, hex, spotter.side, over_hedges=over_hedges)
    if is_defensive:
        most = Cover.OBSERVATION if distance(here, hex) == 1 and markers.is_designated else Cover.OPEN
    else:
        most = Cover.OBSERVATION if context.ground.at(here).height is not None else Cover.OPEN
    return cover <= most


def told_in_words(context: Context, reports: Iterable[Report]) -> Iterator[str]:
    """Armour by hexes, as a sentence has it."""
    return (_armour_words(context.label(one.hex), one.armour) for one in reports)
