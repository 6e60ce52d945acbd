"""1.3 Who may know what of groups: where they are to land, who jumps with whom, which are chosen, when and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.pieces.state import Phase, State, Unit, Vehicle, Whereabouts
from sandtable.systems.aslsk.scenario.draft import Muster

__all__ = ["group_variants", "has_secret_groups", "without_groups"]


def has_secret_groups(context: Context, state: State, holder: Seat) -> bool:
    """Whether a side has a rendezvous or groups that nobody else knows of."""
    drop, muster = context.scenario.draft.drop, context.scenario.draft.muster
    jumps = drop is not None and drop.side == holder and state.phase is Phase.SETUP
    return jumps or (muster is not None and muster.side == holder)


@rule("1.3")
def without_groups(context: Context, state: State, seat: Seat | None) -> State:
    """The state without what the others have arranged in secret (1.3)."""
    drop, muster = context.scenario.draft.drop, context.scenario.draft.muster
    if drop is not None and drop.side != seat and state.phase is Phase.SETUP:
        state = replace(state, rendezvous={}, companions={})
    if muster is not None and muster.side != seat and state.brought and not _has_come(muster, state):
        turns = {force: one.enters.turn for force, one in context.scenario.forces.items() if one.enters is not None}
        state = _due(replace(state, brought={}), {force: turns[force] for force in muster.groups})
    return state


def _has_come(muster: Muster, state: State) -> bool:
    """Whether the one group that comes first is there, so that everybody knows the turn of the others."""
    pieces: list[Unit | Vehicle] = [*state.units.values(), *state.vehicles.values()]
    return muster.one_first and any(
        one.force in muster.groups and one.place is not Whereabouts.DUE_LATER for one in pieces
    )


def _due(state: State, turns: Mapping[str, int]) -> State:
    """The state with other turns for groups that are still to come."""

    def waits(one: Unit | Vehicle) -> bool:
        return one.force in turns and one.place is Whereabouts.DUE_LATER

    units = {one.id: replace(one, turn=turns[one.force]) for one in state.units.values() if waits(one)}
    vehicles = {one.id: replace(one, turn=turns[one.force]) for one in state.vehicles.values() if waits(one)}
    return replace(state, units={**state.units, **units}, vehicles={**state.vehicles, **vehicles})


def group_variants(context: Context, state: State, seat: Seat | None) -> Iterator[State]:
    """States that ``seat`` cannot tell from this one: another rendezvous, other groups and turns."""
    drop, muster = context.scenario.draft.drop, context.scenario.draft.muster
    if drop is not None and drop.side != seat and state.rendezvous and state.phase is Phase.SETUP:
        elsewhere = min(context.game_map.hexes - {*state.rendezvous.values()})
        yield replace(state, rendezvous={**state.rendezvous, drop.groups[1]: elsewhere})
    if muster is None or muster.side == seat or not state.brought or muster.side not in state.set_up:
        return
    pieces: list[Unit | Vehicle] = [*state.units.values(), *state.vehicles.values()]
    turns = {
        force: {one.turn for one in pieces if one.force == force and one.place is Whereabouts.DUE_LATER}
        for force in muster.groups
        if all(one.place is Whereabouts.DUE_LATER for one in pieces if one.force == force)
    }
    for first, second in pairwise([force for force, due in turns.items() if len(due) == 1]):
        (one,), (other,) = turns[first], turns[second]
        yield _due(state, {first: other, second: one})
