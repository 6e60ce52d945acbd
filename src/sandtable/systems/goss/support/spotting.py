"""11.2.1, 11.2.1a, 11.2.2 Spotters: who may call for fire, on which hexes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.observation.observing import (
    observes_from_the_air,
    observes_hex,
    reach_from,
    sees,
    sees_feature,
)
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Mode, Unit
from sandtable.systems.goss.support.capacity import spotting_targets
from sandtable.systems.goss.support.falling_back import OUT_OF_REACH
from sandtable.systems.goss.support.fire_plan import FirePlan
from sandtable.systems.goss.support.guns import Call, call_of, in_range, loaded

__all__ = ["ADVANCED", "MISSION", "SPOTTED", "plan_for", "spotter_refusal", "spotting", "target_refusal", "targets"]

SPOTTED, MISSION, ADVANCED = "spotted", "mission", "advanced"
_MOST_SPOTTERS = 2


@rule("11.2.1", "11.2.1a", "5.5.5", "15.7.0")
def spotter_refusal(context: Context, state: State, unit: Unit) -> Refusal | None:
    """Why a unit may not spot (any more) in this Combat Phase (11.2.1a)."""
    card = context.card(unit)
    most = spotting_targets(size_of(card, unit.steps), is_hybrid=card.is_hybrid)
    if most == 0:
        return Refusal("11.2.1a", "a Z-step unit never spots", "a larger unit")
    if unit.mode is Mode.STRATEGIC:
        return Refusal("5.5.5", "a unit in Strat mode does not spot", "a unit in another mode")
    if unit.is_isolated:
        return Refusal("15.7.0", "an isolated unit does not spot", "another unit")
    if state.has_used(ADVANCED, unit.id):
        return Refusal("11.2.1a", "it has advanced after a mission", "another unit")
    spotted = [use for use in state.used if use.what == SPOTTED]
    if sum(use.by == unit.id for use in spotted) >= most:
        return Refusal("11.2.1a", "it has spotted for as many hexes as it may", "another unit")
    from_here = {use.by for use in spotted if use.hex == unit.hex}
    if unit.id not in from_here and len(from_here) >= _MOST_SPOTTERS:
        return Refusal("11.2.1a", "two units of its hex have spotted", "a unit of another hex")
    return None


@rule("11.0", "11.2.1", "11.2.2", "11.6.3c")
def target_refusal(context: Context, state: State, seat: Seat, spotter: Unit | None, hex: Hex) -> Refusal | None:
    """Why a hex is no target: nobody there, fired at before, out of sight (11.2.2); ``spotter`` None: from the air."""
    if not context.deployment(state).held_by(hex, context.other(seat)):
        return Refusal("11.2.2", "no enemy is there", "a hex that the enemy holds")
    refusal = _spared(state, hex)
    if refusal is not None or _is_seen(context, state, seat, spotter, hex):
        return refusal
    return Refusal("11.2.1", "it is not observed", "a hex that the spotter observes")


@rule("11.0", "11.6.3c")
def _spared(state: State, hex: Hex) -> Refusal | None:
    """Why nobody calls for fire on a hex, whoever stands there (any more) in this Combat Phase."""
    if state.has_used(MISSION, hex=hex):
        return Refusal("11.0", "a mission was called on it in this Combat Phase", "another hex")
    if state.has_used(OUT_OF_REACH, hex=hex):
        return Refusal("11.6.3c", "who retreated there cannot be a target in this Combat Phase", "another hex")
    return None


@rule("11.2.1")
def _is_seen(context: Context, state: State, seat: Seat, spotter: Unit | None, hex: Hex) -> bool:
    """Whether a spotter observes a hex, or aircraft if there is none."""
    if spotter is None:
        return observes_from_the_air(context, state, seat, hex)
    assert spotter.hex is not None  # noqa: S101 - spotters stand on the map
    return observes_hex(context, state, spotter, hex) or sees_feature(context, state, spotter.hex, hex)


def plan_for(
    context: Context, state: State, seat: Seat, spotter: Unit | None, hex: Hex, *, is_defensive: bool
) -> FirePlan:
    """What may be fired for a spotter on a hex."""
    return FirePlan(context, state, call_of(context, state, seat, spotter, hex, is_defensive=is_defensive))


def targets(
    context: Context, state: State, seat: Seat, spotter: Unit | None, *, is_defensive: bool
) -> Iterator[tuple[Hex, FirePlan]]:
    """Hexes that a spotter may call fire on, with what can be fired there."""
    yield from _Calls(context, state, seat, is_defensive=is_defensive).targets(spotter)


def spotting(
    context: Context, state: State, seat: Seat, *, is_defensive: bool
) -> Iterator[tuple[Unit | None, Hex, FirePlan]]:
    """All who may spot, first from the air, each with the hexes that he may call fire on and what can be fired."""
    calls = _Calls(context, state, seat, is_defensive=is_defensive)
    if calls.held:
        spotters = (unit for unit in state.units.values() if unit.side == seat and calls.may_call(unit))
        for spotter in chain((None,), spotters):
            for hex, plan in calls.targets(spotter):
                yield spotter, hex, plan


class _Calls:
    """The calls of a side, with what they share: who is loaded, where it reaches, the plans of like spotters."""

    def __init__(self, context: Context, state: State, seat: Seat, *, is_defensive: bool) -> None:
        self._context, self._state, self._seat, self._is_defensive = context, state, seat, is_defensive
        self._guns = loaded(context, state, seat, is_defensive=is_defensive)
        self._plans: dict[object, FirePlan] = {}
        self._seen: dict[Hex, list[Hex]] = {}
        self.held = [hex for hex in in_range(context, state, seat, self._guns) if _spared(state, hex) is None]

    def may_call(self, unit: Unit) -> bool:
        """Whether a unit may spot, and looks into a hex where there is a target."""
        is_placed = unit.hex is not None and bool(self._in_sight(unit.hex))
        return is_placed and spotter_refusal(self._context, self._state, unit) is None

    def _in_sight(self, here: Hex) -> list[Hex]:
        """Where fire may be called that a line of sight leads to from a hex, the same for all who stand there."""
        seen = self._seen.get(here)
        if seen is None:
            context, state = self._context, self._state
            near = reach_from(context, state, here)
            seen = [hex for hex in self.held if distance(here, hex) <= near and sees(context, state, here, hex)]
            self._seen[here] = seen
        return seen

    def targets(self, spotter: Unit | None) -> Iterator[tuple[Hex, FirePlan]]:
        """Hexes that a spotter may call fire on, with what can be fired there."""
        context, state = self._context, self._state
        for hex in self.held if spotter is None or spotter.hex is None else self._in_sight(spotter.hex):
            if _is_seen(context, state, self._seat, spotter, hex):
                plan = self._plan(call_of(context, state, self._seat, spotter, hex, is_defensive=self._is_defensive))
                if plan.is_possible():
                    yield hex, plan

    def _plan(self, call: Call) -> FirePlan:
        """The plan of a call: the same for all of a formation who may call for as much (11.2.4, 11.2.5)."""
        formation = self._context.formation_of(call.spotter) if call.spotter is not None else None
        key = (call.hex, formation, call.capacity, call.most)
        found = self._plans.get(key)
        if found is None:
            found = self._plans[key] = FirePlan(self._context, self._state, call, self._guns)
        return found
