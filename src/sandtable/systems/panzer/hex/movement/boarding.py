"""6.6.7.1 The choice of who gets on and off a vehicle in a hex, all at once, and of who bails out of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Branch, Gather, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.geo.hex import DIRECTION_NAMES, NEIGHBOURS, Hex, distance
from sandtable.systems.panzer.hex.actions import Action, BailOut, Landing, Load
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.movement.portee import gun_branches
from sandtable.systems.panzer.hex.movement.transporting import (
    bail_outs,
    may_load,
    refuse_crowd,
    refuse_landing,
    refuse_mounting,
)
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.transport import reach_aboard
from sandtable.systems.panzer.unit import MOVING_COMMANDS, UnitId

__all__ = ["bail_out_branch", "load_branch", "may_board", "resting_carriers"]

_ABOARD, _AFOOT, _MOUNTS = "aboard", "afoot", "mounts"


def load_branch(context: Context, state: State, carrier: Unit, progress: MoveProgress | None) -> Branch[Action] | None:
    """A place for every passenger and everybody who could get on; None if nobody can get on or off here."""
    if not may_load(context, state, carrier, progress):
        return None
    boarding = _Boarding(context, state, carrier)
    node: Assign[Action] = Assign(boarding.slots, boarding.build, judge=boarding.judge)
    return Branch("passengers", "load", "take passengers on or off", node)


def may_board(context: Context, state: State, carrier: Unit, progress: MoveProgress | None) -> bool:
    """Whether anybody could get on or off the vehicle now, the gun of a Portée among them."""
    if may_load(context, state, carrier, progress):
        return True
    return next(gun_branches(context, state, carrier, progress), None) is not None


@rule("6.6.7.1.1", editions=("panzer-na",))
def resting_carriers(context: Context, state: State, side: Seat) -> list[Unit]:
    """Vehicles that do not move this turn, and may take passengers on or off all the same (6.6.7.1.1)"""
    return [
        unit
        for unit in state.units.values()
        if unit.side == side
        and unit.in_play
        and unit.hex is not None
        and unit.command not in MOVING_COMMANDS
        and may_board(context, state, unit, None)
    ]


class _Boarding:
    """Who could get on and off a vehicle."""

    def __init__(self, context: Context, state: State, carrier: Unit) -> None:
        self._context, self._state, self._carrier = context, state, carrier
        self._landings: dict[str, dict[str, Landing]] = {}
        self.slots: list[Slot] = []
        for unit_id in carrier.markers.passengers:
            landings = self._landings[unit_id] = dict(self._ways_off(unit_id))
            words = ("stays aboard", *(f"gets off in {value}" for value in landings))
            self.slots.append(self._slot(unit_id, (_ABOARD, *landings), words))
        for unit in sorted(state.units.values(), key=lambda unit: unit.id):
            if unit.id != carrier.id and self._can_mount(unit):
                self.slots.append(self._slot(unit.id, (_AFOOT, _MOUNTS), ("stays here", "gets on")))

    def _slot(self, unit_id: UnitId, values: tuple[str, ...], words: tuple[str, ...]) -> Slot:
        title = f"{self._context.cards[self._state.units[unit_id].card].name} {unit_id}"
        return Slot(unit_id, "unit", title, values, words=words, plain=values[0])

    def _ways_off(self, unit_id: UnitId) -> list[tuple[str, Landing]]:
        """Where a passenger may get off, and facing which way: any (5.5, 6.6.7.1.1)."""
        context, carrier = self._context, self._carrier
        assert carrier.hex is not None  # noqa: S101 - it was asked whether somebody may get on or off
        facts = context.move_facts(self._state.units[unit_id])
        assert facts is not None  # noqa: S101 - of the Advanced Game only
        places: tuple[Hex, ...] = (carrier.hex, *(NEIGHBOURS[carrier.hex] if reach_aboard(facts) else ()))
        found = []
        for hex in places:
            landing = Landing(unit_id, hex, carrier.facing)
            if refuse_landing(context, self._state, carrier, landing) is not None:
                continue
            label = context.game_map.label(hex)
            turned = enumerate(DIRECTION_NAMES)
            found += [(f"{label} facing {name}", Landing(unit_id, hex, way)) for way, name in turned]
        return found

    def _can_mount(self, unit: Unit) -> bool:
        near = unit.hex is not None and self._carrier.hex is not None and distance(unit.hex, self._carrier.hex) <= 1
        return (
            near
            and unit.side == self._carrier.side
            and refuse_mounting(self._context, self._state, self._carrier, unit.id) is None
        )

    def build(self, chosen: tuple[str, ...]) -> Action:
        """What they do."""
        dismount, mount = [], []
        for slot, value in zip(self.slots, chosen, strict=True):
            if value == _MOUNTS:
                mount.append(UnitId(slot.key))
            elif value in self._landings.get(slot.key, {}):
                dismount.append(self._landings[slot.key][value])
        return Load(self._carrier.id, tuple(mount), tuple(dismount))

    def judge(self, chosen: Sequence[str]) -> Refusal | None:
        """Somebody must get on or off, and all that are aboard then must have room; who is open may still leave."""
        pairs = list(zip(self.slots, chosen, strict=True))
        if not any(value not in (_ABOARD, _AFOOT) for _, value in pairs):
            return Refusal("6.6.7.1.1", "nobody mounts or dismounts", "choose somebody")
        mounting = [UnitId(slot.key) for slot, value in pairs if value == _MOUNTS]
        staying = [UnitId(slot.key) for slot, value in pairs if value == _ABOARD]
        return refuse_crowd(self._context, self._state, self._carrier, staying, mounting)


def bail_out_branch(context: Context, state: State, carrier: Unit) -> Branch[Action] | None:
    """Any number of the passengers bail out; None if nobody may."""
    units = [unit for action in bail_outs(context, state, carrier) for unit in action.units]
    if not units:
        return None
    slots = []
    for unit_id in units:
        words = tuple(f"bails out facing {way}" for way in DIRECTION_NAMES)
        title = f"{context.cards[state.units[unit_id].card].name} {unit_id}"
        slots.append(Slot(unit_id, "unit", title, tuple(DIRECTION_NAMES), words=words))
    node: Gather[Action] = Gather(slots, partial(_bail_out, tuple(units)))
    return Branch("bail out", "bail out", "passengers bail out", node)


def _bail_out(units: tuple[UnitId, ...], chosen: tuple[str, ...]) -> Action:
    return BailOut({unit: DIRECTION_NAMES.index(way) for unit, way in zip(units, chosen, strict=True) if way})
