"""8.4 Fog of war: what a side may know of the other's units, and the same of events and actions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, islice

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.fog import top_of
from sandtable.systems.goss.common.rest import owner_of_rest
from sandtable.systems.goss.common.state import State, Veil, with_units
from sandtable.systems.goss.observation.disclosure import armour_of, overlooks
from sandtable.systems.goss.pieces.unit import Mode, Supply, Unit, UnitId
from sandtable.systems.goss.pieces.z_steps import density_steps

__all__ = ["conceal", "hidden_variants"]

_EXCHANGES = 4
"""How many pairs change places, of the many that could."""


class _Concealed:
    """What each seat may not look at, kept while nothing that it hangs on has changed: the others, and the heights."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._kept: dict[Seat | None, tuple[object, tuple[set[UnitId], tuple[Veil, ...]]]] = {}
        self._known: dict[Seat | None, tuple[object, set[UnitId], dict[UnitId, Unit]]] = {}

    def of(self, state: State, seat: Seat | None) -> tuple[set[UnitId], tuple[Veil, ...]]:
        """The units that a seat may not look at, and where they are."""
        context = self._context
        others = tuple([unit for unit in state.units.values() if unit.side != seat])
        holders = context.deployment(state).holders
        heights = tuple([hex for hex in context.ground.heights if holders.get(hex) == seat])
        scenery = (state.works, state.ruins, state.weather, context.is_night(state))
        facts = (others, heights, state.shown, state.tops, state.veils, scenery)
        kept = self._kept.get(seat)
        if kept is None or kept[0] != facts:
            kept = self._kept[seat] = facts, _hidden(context, state, seat)
        return kept[1]

    def known(self, state: State, seat: Seat | None) -> tuple[dict[UnitId, Unit], tuple[Veil, ...]]:
        """The units that a seat knows, and where there are more: the same mapping while nobody has changed."""
        hidden, veils = self.of(state, seat)
        if not hidden:
            return state.units, state.veils
        kept = self._known.get(seat)
        if kept is None or kept[0] is not state.units or kept[1] is not hidden:
            units = {one: unit for one, unit in state.units.items() if one not in hidden}
            kept = self._known[seat] = state.units, hidden, units
        return kept[2], veils


@rule("8.4.4")
def _hidden(context: Context, state: State, seat: Seat | None) -> tuple[set[UnitId], tuple[Veil, ...]]:
    """The units that a seat may not look at, and where they are."""
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
    return hidden, tuple(sorted(veils, key=lambda veil: veil.hex))


@rule("8.4.0", "8.4.2")
def _veil(context: Context, state: State, hex: Hex, stack: tuple[Unit, ...], seat: Seat | None) -> Veil:
    """What a seat knows of a stack beside its top unit: the markers, and what a vantage point tells (8.4.2)."""
    is_overlooked = seat is not None and overlooks(context, state, seat, hex)
    return Veil(
        hex,
        stack[0].side,
        is_designated=any(unit.is_attacking for unit in stack),
        in_strat=any(unit.mode is Mode.STRATEGIC for unit in stack),
        in_reserve=any(unit.in_reserve for unit in stack),
        steps=density_steps(unit.steps for unit in stack) if is_overlooked else None,
        armour=armour_of(context, stack) if is_overlooked else "",
    )


@rule("8.4.0", "3.5.2")
def conceal(context: Context, state: State, stack: tuple[object, ...], seat: Seat | None) -> State:
    """The state as a seat, or a watcher, may know it."""
    units, veils = context.room(_Concealed).known(state, seat)
    first = context.seats[0]
    rests = {
        name: part
        for name, part in state.rests.items()
        if name in state.rests_shown or owner_of_rest(context, name) in (seat, first)
    }
    used = state.used
    if len(units) < len(state.units):
        used = tuple(use for use in used if use.by not in state.units or use.by in units)
    tops = tuple([one for one in state.tops if one in units]) if state.tops else ()
    return replace(state, units=units, veils=veils, rests=rests, used=used, tops=tops, stack=stack)


@rule("8.4.0", "3.5.2")
def hidden_variants(context: Context, state: State, seat: Seat | None) -> Iterator[State]:
    """States that a seat cannot tell from this one: what is under the top units is another, or in another shape."""
    concealed = conceal(context, state, state.stack, seat)
    hidden = [unit for one, unit in state.units.items() if one not in concealed.units]
    if hidden:
        open_to_view = {veil.hex for veil in concealed.veils if veil.steps is not None}
        yield with_units(state, *(_otherwise(context, unit, is_counted=unit.hex in open_to_view) for unit in hidden))
        yield from islice(_exchanges(context, state, hidden, open_to_view), _EXCHANGES)
    if len(concealed.rests) < len(state.rests):
        yield replace(state, rests=concealed.rests)


def _otherwise(context: Context, unit: Unit, *, is_counted: bool) -> Unit:
    """A hidden unit that is worn, shaken and supplied in another way; reduced, if nobody counts steps (8.4.2)."""
    full = context.card(unit).steps
    return replace(
        unit,
        fatigue=(unit.fatigue + 1) % 3,
        shifts=(unit.shifts + 1) % 3,
        is_depleted=not unit.is_depleted,
        in_battery=not unit.in_battery,
        has_fought=not unit.has_fought,
        supply=Supply.ON_HAND if unit.supply is Supply.GENERAL else Supply.GENERAL,
        mode=Mode.MANEUVER_RESERVE if unit.mode is Mode.TAC and not unit.is_designated else unit.mode,
        steps=unit.steps if is_counted else unit.steps % full + 1,
    )


def _exchanges(
    context: Context, state: State, hidden: Sequence[Unit], open_to_view: Collection[Hex | None]
) -> Iterator[State]:
    """Two hidden units of a side in each other's place, under the same top units and with the markers that lie there.

    Where a vantage point tells steps and armour, both have the same (8.4.2).
    """
    for one, other in combinations(hidden, 2):
        if one.side != other.side or one.hex == other.hex:
            continue
        is_alike = one.steps == other.steps and armour_of(context, (one,)) == armour_of(context, (other,))
        if not is_alike and (one.hex in open_to_view or other.hex in open_to_view):
            continue
        exchanged = with_units(state, _in_place_of(one, other), _in_place_of(other, one))
        if all(_top(context, state, unit.hex) == _top(context, exchanged, unit.hex) for unit in (one, other)):
            yield exchanged


def _in_place_of(unit: Unit, other: Unit) -> Unit:
    return replace(
        unit,
        hex=other.hex,
        in_works=other.in_works,
        mode=other.mode,
        is_designated=other.is_designated,
        in_reserve=other.in_reserve,
    )


def _top(context: Context, state: State, hex: Hex | None) -> UnitId | None:
    top = top_of(context, context.deployment(state).at(hex), state.tops) if hex is not None else None
    return None if top is None else top.id
