"""6.6.1 Announcing: the Close Assault/Hand-to-Hand Combat step, first the First Player's attacks, then the Second's.

All attacks on a target are announced together. Units may move up one hex for it; those that attack from one hex do so
together (:mod:`~sandtable.systems.panzer.hex.movement.close_combat.attacks` has what comes of it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Gather, Leaf, Node, Pick, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Opened
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.combat.close_combat import advance_cost, refuse_advance, refuse_attacker, refuse_target
from sandtable.systems.panzer.command.sharing import holder_of
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.frames import CloseCombat, Frame, Movement
from sandtable.systems.panzer.hex.actions import Action, AttackClose, Decline
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.movement.close_combat.charges import facts_of
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.shared_ends import refuse_end_apart
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import Charge, CloseAttack, Leg, State, Unit
from sandtable.systems.panzer.unit import Command, UnitId, refuse_no_target, refuse_stranger

__all__ = ["CloseCombatHandler", "first_step", "moving_up", "refuse_close_target"]

_BOOK = ("panzer-na",)


@rule("6.6.1", "6.6", editions=_BOOK)
def first_step(context: Context, first: Seat) -> Frame:
    """How the Movement Phase begins: with close combat in the Advanced Game, else with the Second Player's moves."""
    if context.plays(Module.CLOSE_ASSAULT) or context.plays(Module.HAND_TO_HAND):
        return CloseCombat(first, first=True)
    return Movement(context.other(first), first=False)


def refuse_close_target(context: Context, state: State, start: Hex, target: Unit) -> Refusal | None:
    """Why a target cannot be attacked from a hex."""
    assert target.hex is not None  # noqa: S101 - it is in play
    facts = facts_of(context, target)
    module = Module.CLOSE_ASSAULT if facts.unit_class is UnitClass.VEHICLE else Module.HAND_TO_HAND
    if not context.plays(module):
        return Refusal("6.6.1", f"this scenario has no {module}", "choose another kind of target")
    places = context.ground_at(state).places
    heights = abs(places[target.hex].level - places[start].level)
    return refuse_target(facts, spotted=True, apart=distance(start, target.hex), heights=heights)


def moving_up(context: Context, state: State, unit: Unit, to: Hex) -> MoveProgress | None:
    """The move of one hex with which a unit comes up, None if it cannot make it."""
    if unit.hex is None or to not in NEIGHBOURS[unit.hex] or to not in context.game_map:
        return None
    mover = Mover(context, state, unit)
    start = mover.start()
    turn = (NEIGHBOURS[unit.hex].index(to) - unit.facing) % 6
    after = mover.leg(start, Leg(turn if turn <= 3 else turn - 6))
    return after if after is not None and mover.may_end(after) else None


@rule("6.6.1.1", "6.6.1.2", "6.6.4.4", editions=_BOOK)
def _refuse_moving_up(context: Context, state: State, unit: Unit, to: Hex) -> Refusal | None:
    """An Advancing Attack spends 1 of the allowance, or half of a motorcycle's (6.6.1.1, 6.6.4.4)."""
    refusal = refuse_advance(facts_of(context, unit))
    if refusal is not None:
        return refusal
    if to not in context.game_map.hexes:
        return Refusal("6.6.1.1", f"{unit.id} cannot attack from off the map", "attack from a hex of the mapboard")
    after, label = moving_up(context, state, unit, to), context.game_map.label(to)
    if after is None:
        return Refusal("6.6.1.1", f"{unit.id} cannot move to {label}", "attack from where it is, or from another hex")
    most = advance_cost(facts_of(context, unit), after.cross_country, context.tables)
    if after.spent > most:
        reason = f"{label} costs {after.spent}, and an Advancing Attack may spend {most}"
        return Refusal("6.6.1.1", reason, "attack from where it is, or from another hex")
    return None


@rule("6.6.1.1", "6.6.1.2", "6.6.2", editions=_BOOK)
def _refuse_attacker(
    context: Context, state: State, frame: CloseCombat, target: Unit, attacker: tuple[UnitId, Hex]
) -> Refusal | None:
    """Why a unit may not attack the target from a hex (6.6.1.1, 6.6.1.2)."""
    unit_id, start = attacker
    unit = state.units.get(unit_id)
    if unit is None or unit.side != frame.player or not unit.in_play or unit.hex is None:
        return refuse_stranger(unit_id, frame.player)
    if unit_id in frame.announced:
        return Refusal("6.6.1.1", f"the attack of {unit_id} was announced before", "it may move in the Movement step")
    bound = state.bound_to.get(holder_of(unit), UnitId(""))
    refusal = refuse_attacker(facts_of(context, unit), moved=unit.moved, bound_to=bound, target=target.id)
    if refusal is None and target.id not in state.spotted.get(unit_id, ()):
        refusal = Refusal("6.6.1.1", f"{unit_id} does not spot {target.id}", "choose a target it spotted")
    if refusal is None and start != unit.hex:
        refusal = _refuse_moving_up(context, state, unit, start)
    return refusal or refuse_close_target(context, state, start, target)


@rule("6.2.1.1.4", "6.6.11", editions=_BOOK)
def _refuse_ends(context: Context, state: State, attackers: Mapping[UnitId, Hex]) -> Refusal | None:
    """Who attacks ends his move there, so those who share his command must be able to be with him (6.6.11)"""
    ends = (refuse_end_apart(context, state, state.units[one], start) for one, start in sorted(attackers.items()))
    return next((refusal for refusal in ends if refusal is not None), None)


@rule("6.6.1.1", "6.6.1.2", editions=_BOOK)
def _refuse(context: Context, state: State, frame: CloseCombat, action: AttackClose) -> Refusal | None:
    """Why these attacks may not be announced (6.6.1.1, 6.6.1.2)."""
    target = state.units.get(action.target)
    if target is None or target.side == frame.player or not target.in_play or target.hex is None:
        return refuse_no_target(action.target, "6.6.1")
    if target.id in frame.engaged:
        return Refusal("6.6.1.1", f"attacks on {target.id} were announced before", "all of them at once")
    if not action.attackers:
        return Refusal("6.6.1.1", "nobody attacks", "name at least one unit, or pass")
    refusals = (_refuse_attacker(context, state, frame, target, one) for one in sorted(action.attackers.items()))
    found = next((refusal for refusal in refusals if refusal is not None), None)
    return found or _refuse_ends(context, state, action.attackers)


def _chances(
    context: Context, state: State, frame: CloseCombat, *, known: bool
) -> Iterator[tuple[UnitId, UnitId, Hex]]:
    """Every target, attacker and hex to attack from; whatever the commands are, if they are not ``known``."""
    for unit in sorted(state.units.values(), key=lambda unit: unit.id):
        if unit.side != frame.player or not unit.in_play or unit.hex is None:
            continue
        if unit.known and unit.command is not Command.MOVE:
            continue
        seen = unit if known else replace(unit, command=Command.MOVE)
        supposed = state if known else replace(state, units={**state.units, unit.id: seen})
        for target_id in state.spotted.get(unit.id, ()):
            target = state.units[target_id]
            if target.hex is None or not target.in_play or target_id in frame.engaged:
                continue
            if distance(unit.hex, target.hex) > 2:
                continue
            for start in (unit.hex, *NEIGHBOURS[unit.hex]):
                if distance(start, target.hex) != 1:
                    continue
                if _refuse_attacker(context, supposed, frame, target, (unit.id, start)) is not None:
                    continue
                # Who shares a command with whom is as secret as the command.
                if not known or _refuse_ends(context, state, {unit.id: start}) is None:
                    yield target_id, unit.id, start


class CloseCombatHandler(Handler[CloseCombat]):
    """6.6.1: a player's part of the step."""

    frame = CloseCombat
    answers = (AttackClose, Decline)

    def question(self, state: State, frame: CloseCombat) -> Asking:
        """The player of the step, whatever his commands are."""
        return Asking("6.6.1", "Attack at arm's length?", (frame.player,), guards=True)

    def options(self, state: State, frame: CloseCombat, seat: Seat) -> Node[Action]:
        """To pass, or a target and all who attack it."""
        return Pick(lambda: self._ways(state, frame))

    def _ways(self, state: State, frame: CloseCombat) -> Iterator[Branch[Action]]:
        yield Branch("pass", "pass", "no attack", Leaf(Decline()))
        ways: dict[UnitId, dict[UnitId, list[Hex]]] = {}
        for target, unit, start in _chances(self.context, state, frame, known=True):
            ways.setdefault(target, {}).setdefault(unit, []).append(start)
        for target, attackers in sorted(ways.items()):
            title = self.context.cards[state.units[target].card].name
            yield Branch(target, "target", f"{title} {target}", self._gather(state, target, attackers), target)

    def _gather(self, state: State, target: UnitId, attackers: dict[UnitId, list[Hex]]) -> Gather[Action]:
        label = self.context.game_map.label
        slots = []
        for unit_id, starts in attackers.items():
            unit = state.units[unit_id]
            words = tuple("stays" if start == unit.hex else f"moves up to {label(start)}" for start in starts)
            title = f"{self.context.cards[unit.card].name} {unit_id}"
            slots.append(Slot(unit_id, "attacker", title, tuple(map(label, starts)), words=words))
        return Gather(slots, partial(self._build, target, tuple(attackers.items())))

    def _build(
        self, target: UnitId, attackers: tuple[tuple[UnitId, list[Hex]], ...], chosen: tuple[str, ...]
    ) -> Action:
        label = self.context.game_map.label
        named = {
            unit: start
            for (unit, starts), value in zip(attackers, chosen, strict=True)
            for start in starts
            if label(start) == value
        }
        return AttackClose(target, named)

    def refusal(self, state: State, frame: CloseCombat, seat: Seat, action: Action) -> Refusal | None:
        """Attacks that may not be announced; one may always pass."""
        return _refuse(self.context, state, frame, action) if isinstance(action, AttackClose) else None

    def apply(self, play: Play, frame: CloseCombat, seat: Seat, action: Action) -> None:
        """The attacks are announced, or the player's part is over."""
        if isinstance(action, AttackClose):
            units = tuple(sorted(action.attackers))
            engaged, announced = (*frame.engaged, action.target), (*frame.announced, *units)
            play.emit(Changed(replace(frame, engaged=engaged, announced=announced)))
            play.emit(ev.AttackBound(action.target, units))
            play.emit(Opened(CloseAttack(action.target, _charges(action))))
        else:
            self._next(play, frame)

    @rule("6.6.1.1.1", "6.6.1.2.1", editions=_BOOK)
    def advance(self, play: Play, frame: CloseCombat) -> bool:
        """The First Player's attacks, then the Second Player's, then movement (6.6.1.1.1)."""
        if next(_chances(self.context, play.state, frame, known=False), None) is not None:
            return False
        self._next(play, frame)
        return True

    def _next(self, play: Play, frame: CloseCombat) -> None:
        other = self.context.other(play.state.first)
        following: Frame = CloseCombat(other, first=False) if frame.first else Movement(other, first=False)
        play.emit(Changed(following))


@rule("6.6.1.1", "6.6.1.2", editions=_BOOK)
def _charges(action: AttackClose) -> tuple[Charge, ...]:
    """Units that attack a target from one hex must combine (6.6.1.1, 6.6.1.2)."""
    found: dict[Hex, tuple[UnitId, ...]] = {}
    for unit, start in sorted(action.attackers.items()):
        found[start] = (*found.get(start, ()), unit)
    return tuple(Charge(units, start) for start, units in found.items())
