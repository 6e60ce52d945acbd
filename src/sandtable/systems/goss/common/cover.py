"""8.2, 17.4.1 What hides the units of a hex, and which defensive works a unit is in."""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover, Work, cover_of
from sandtable.systems.goss.ground.ground import Ground
from sandtable.systems.goss.pieces.unit import Mode, Unit

__all__ = [
    "FT_AREA",
    "cover_at",
    "falls_to",
    "ft_owner",
    "has_foreign_ruins",
    "has_shelter",
    "has_strong_works",
    "strong_works",
    "works_of",
]

FT_AREA = "Ft Area"
_NO_SHELTER = frozenset((Mode.EXPLOIT, Mode.STRATEGIC))
_STRONG = frozenset((Work.ET2.value, Work.ET3.value, Work.FORT.value, FT_AREA))


def ft_owner(context: Context, state: State, hex: Hex) -> str:
    """The side whose intact fortified area a hex is; ``""`` if it is none, or destroyed (7.9.1, 17.4.1f)."""
    ground = context.ground.at(hex)
    return "" if ground.is_ft_destroyed or hex in state.ruins else ground.ft_area


def has_foreign_ruins(state: State, hex: Hex, side: Seat) -> bool:
    """Whether a hex has the ruins of a fortified area whose improved positions are not those of a side (17.4.1f)."""
    work = state.work_at(hex)
    return hex in state.ruins and (work is None or work.side != side)


@rule("17.4.1f")
def falls_to(context: Context, state: State, hex: Hex, side: Seat) -> bool:
    """Whether a side that advances into a hex destroys a fortified area there, or takes its ruins (ruling B-34)."""
    return ft_owner(context, state, hex) not in ("", side) or has_foreign_ruins(state, hex, side)


@rule("17.4.1")
def works_of(context: Context, state: State, unit: Unit) -> str:
    """The defensive works that a unit benefits from; ``""`` if it is in none (17.4.1)."""
    if unit.hex is None or unit.is_attacking or unit.mode in _NO_SHELTER:
        return ""
    work = state.work_at(unit.hex)
    if unit.in_works and work is not None:
        return work.kind.value
    return FT_AREA if ft_owner(context, state, unit.hex) == unit.side else ""


def has_strong_works(works: str) -> bool:
    """Whether works are an entrenchment, a Fort or a Ft Area."""
    return works in _STRONG


def strong_works(context: Context, state: State, hex: Hex, side: Seat) -> bool:
    """Whether a hex has an entrenchment, a Fort or a Ft Area of a side."""
    work = state.work_at(hex)
    if work is not None and work.side == side and work.kind.value in _STRONG:
        return True
    return ft_owner(context, state, hex) == side


@rule("11.6.2a", "11.6.2b", "12.2.0", "13.10.4a", "17.4.1d", "17.4.1e")
def has_shelter(context: Context, state: State, hex: Hex, side: Seat) -> bool:
    """Whether attackers may withdraw into works of their hex: any of their own, a Ft Area too (17.4.1d, e)."""
    work = state.work_at(hex)
    if work is not None and work.side == side:
        return True
    return ft_owner(context, state, hex) == side


@rule("8.1.2b", "8.2.0", "17.4.1c")
def cover_at(context: Context, state: State, hex: Hex, against: Seat, *, over_hedges: bool = False) -> Cover:
    """The cover that a hex gives from the eyes of a side, at this time of the day (8.2.0, 8.1.2b)."""
    kept = context.room(_Covers).of(state, context.ground_in(state))
    key = (hex, against, context.is_night(state), over_hedges)
    found = kept.get(key)
    if found is None:
        found = kept[key] = _cover_at(context, state, hex, against, over_hedges=over_hedges)
    return found


class _Covers:
    """The cover of hexes, kept while the works of the map and its ground are the same."""

    def __init__(self, context: Context) -> None:  # noqa: ARG002 - rooms are made so
        self._kept: tuple[object, object, dict[tuple[Hex, Seat, bool, bool], Cover]] = ((), None, {})

    def of(self, state: State, ground: Ground) -> dict[tuple[Hex, Seat, bool, bool], Cover]:
        """What is known with the works of a state on such ground."""
        kept = self._kept
        if kept[0] is not state.works or kept[1] is not ground:
            kept = self._kept = (state.works, ground, {})
        return kept[2]


def _cover_at(context: Context, state: State, hex: Hex, against: Seat, *, over_hedges: bool) -> Cover:
    work = state.work_at(hex)
    is_night = context.is_night(state)
    return cover_of(
        context.charts.cover,
        context.ground_in(state).at(hex),
        work.kind if work is not None else None,
        is_ft_intact=bool(ft_owner(context, state, hex)),
        is_night=is_night,
        is_watched=is_night and any(strong_works(context, state, one, against) for one in NEIGHBOURS[hex]),
        over_hedges=over_hedges,
    )
