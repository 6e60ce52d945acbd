"""8.4 Fog of war: what a side may know of the other's units, and the same of events and actions."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.fog import top_of
from sandtable.systems.goss.common.state import State, Veil
from sandtable.systems.goss.observation.disclosure import armour_of, overlooks
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.pieces.z_steps import density_steps

__all__ = ["conceal", "hidden_variants"]


@rule("8.4.4")
def _known(context: Context, state: State, seat: Seat | None) -> tuple[dict[UnitId, Unit], tuple[Veil, ...]]:
    """The units that a seat knows, and where there are more."""
    deployment = context.deployment(state)
    hidden: set[UnitId] = set()
    veils = set(state.veils)
    for hex, stack in deployment.stacks.items():
        if stack[0].side == seat or (len(stack) == 1 and not stack[0].in_works):
            continue
        top = top_of(context, stack, state.tops)
        under = [unit.id for unit in stack if unit is not top and unit.id not in state.shown]
        if under:
            hidden.update(under)
            veils.add(_veil(context, state, hex, stack, seat))
    if not hidden:
        return state.units, state.veils
    ordered = sorted(veils, key=lambda veil: veil.hex)
    return {one: unit for one, unit in state.units.items() if one not in hidden}, tuple(ordered)


@rule("8.4.0", "8.4.2")
def _veil(context: Context, state: State, hex: Hex, stack: tuple[Unit, ...], seat: Seat | None) -> Veil:
    """What a seat knows of a stack beside its top unit: the markers, and what a vantage point tells (8.4.2)."""
    is_overlooked = seat is not None and overlooks(context, state, seat, hex)
    return Veil(
        hex,
        stack[0].side,
        is_designated=any(unit.is_attacking for unit in stack),
        in_strat=any(unit.mode is Mode.STRATEGIC for unit in stack),
        steps=density_steps(unit.steps for unit in stack) if is_overlooked else None,
        armour=armour_of(context, stack) if is_overlooked else "",
    )


@rule("8.4.0", "3.5.2")
def conceal(context: Context, state: State, stack: tuple[object, ...], seat: Seat | None) -> State:
    """The state as a seat, or a watcher, may know it."""
    units, veils = _known(context, state, seat)
    first = context.seats[0]
    rests = {side: part for side, part in state.rests.items() if side in (seat, first)}
    used = state.used
    if len(units) < len(state.units):
        used = tuple(use for use in used if use.by not in state.units or use.by in units)
    return replace(state, units=units, veils=veils, rests=rests, used=used, stack=stack)


def hidden_variants(context: Context, state: State, seat: Seat | None) -> Iterator[State]:
    """States that a seat cannot tell from this one: without what is under the top units."""
    concealed = conceal(context, state, state.stack, seat)
    if len(concealed.units) < len(state.units):
        hidden = [unit for one, unit in state.units.items() if one not in concealed.units]
        units = state.units | {unit.id: _otherwise(unit) for unit in hidden}
        yield replace(state, units=units)
    if len(concealed.rests) < len(state.rests):
        yield replace(state, rests=concealed.rests)


def _otherwise(unit: Unit) -> Unit:
    """A hidden unit that is worn, shaken and supplied with shells in another way."""
    return replace(unit, fatigue=(unit.fatigue + 1) % 3, shifts=(unit.shifts + 1) % 3, is_depleted=not unit.is_depleted)
