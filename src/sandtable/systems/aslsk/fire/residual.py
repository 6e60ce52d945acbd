"""3.3.5 Residual Fire: what an attack on movers leaves in their hex, and the attack that it makes on the next.

A weapon that malfunctions or keeps its ROF leaves none: the column is worked out anew as if it had not fired. One IFT
column less for every point of positive DRM that comes from outside the target's hex.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.numbers import numbers_of
from sandtable.systems.aslsk.effects.attack import Attack, resolve_attack
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.fire.drm import Approach, approach_of, cover_terms, mover_terms, target_terms, tem_terms
from sandtable.systems.aslsk.pieces.state import Moving, State, UnitId

__all__ = ["leave_residual", "residual_attack", "residual_left"]


@rule("3.3.5")
def residual_left(context: Context, column: int, lessened: int, *, air_burst: bool = False) -> int:
    """FP of the counter that an attack on this column leaves (3.3.5)."""
    ift = ift_of(context)
    fp = numbers_of(context).residual.get(ift.fp(column), 0)
    if fp == 0:
        return 0
    counters = sorted(set(numbers_of(context).residual.values()))
    index = counters.index(fp) - lessened + air_burst
    return counters[min(index, len(counters) - 1)] if index > 0 else 0


def leave_residual(play: Play, hex: Hex, fp: int) -> None:
    """Place a counter, or replace a smaller one (3.3.5)."""
    before = next((counter.fp for counter in play.state.residual if counter.hex == hex), 0)
    if fp > before:
        play.emit(ev.ResidualPlaced(hex, fp))


def _terms(context: Context, state: State, unit_id: UnitId, approach: Approach) -> tuple[Modifier, ...]:
    unit = state.units[unit_id]
    cover = () if unit.hex is None else cover_terms(context, state, unit, tem_terms(context, (), unit.hex, approach))
    return (*mover_terms(context, state, (), unit, approach), *cover, *target_terms(context, state, unit_id))


@rule("3.3.5")
def residual_attack(context: Context, play: Play, frame: Moving) -> bool:
    """Residual FP attacks those who entered or spent MF there: once, and again only at a better DRM (3.3.5)."""
    state = play.state
    if not state.residual:
        return False
    movers = tuple(unit_id for unit_id in frame.movers if state.units[unit_id].on_map)
    hex = state.units[movers[0]].hex if movers else None
    fp = next((counter.fp for counter in state.residual if counter.hex == hex), 0)
    if hex is None or not fp:
        return False
    approach = approach_of(frame)
    common = _location_terms(context, state, hex, approach)
    own = {unit_id: _terms(context, state, unit_id, approach) for unit_id in movers}
    drm = Breakdown("DRM", "3.3.5", common)
    worst = drm.total + min(sum(term.value for term in terms) for terms in own.values())
    if frame.residual_drm is not None and worst >= frame.residual_drm:
        return False
    play.emit(ev.Changed(replace(frame, residual_drm=worst)))
    ift = ift_of(context)
    column = ift.number(fp)
    firepower = Breakdown("Firepower", "3.3.5", base=fp, base_label="Residual FP", result=ift.fp(column))
    resolve_attack(context, play, Attack("Residual FP", hex, movers, column, firepower, drm, own))
    return True


def _location_terms(context: Context, state: State, hex: Hex, approach: Approach) -> tuple[Modifier, ...]:
    """TEM and Smoke of the hex itself; no Height Advantage, since nobody fires (3.3.5)."""
    terms = tem_terms(context, _NOWHERE, hex, approach)
    smoke = context.smoke_at(state, hex)
    return (*terms, Modifier(smoke, "Smoke", "1.2.5")) if smoke else terms


_NOWHERE: Sequence[Hex] = ()
