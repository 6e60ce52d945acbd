"""6.6.1.1, 6.6.1.2 Dismount Attacks: a passenger gets off its vehicle straight into close combat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Pick
from sandtable.core.errors import Refusal
from sandtable.core.frames import Opened
from sandtable.geo.hex import DIRECTION_NAMES, distance
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.command.sharing import holder_of
from sandtable.systems.panzer.hex.actions import Action, DismountAttack, Landing, Load
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.close_combat.announcing import refuse_close_target
from sandtable.systems.panzer.hex.movement.transporting import load, loads, refuse_loading
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import Charge, CloseAttack, State, Unit
from sandtable.systems.panzer.unit import Command, refuse_no_target

__all__ = ["dismount_attack", "dismount_attacks", "refuse_dismount_attack"]

_BOOK = ("panzer-na",)


@rule("6.6.1.1", "6.6.1.2", "6.6.7.1.1", "6.6.11", editions=_BOOK)
def refuse_dismount_attack(
    context: Context, state: State, action: DismountAttack, progress: MoveProgress | None
) -> Refusal | None:
    """Why a passenger may not dismount into an attack: it must be a leg unit that has spotted the target (6.6.1.1)"""
    refusal = refuse_loading(context, state, Load(action.carrier, (), (action.landing,)), progress)
    if refusal is not None:
        return refusal
    unit, target = state.units[action.landing.unit], state.units.get(action.target)
    facts = context.move_facts(unit)
    if target is None or target.side == unit.side or not target.in_play or target.hex is None:
        return refuse_no_target(action.target, "6.6.1.1")
    if facts is None or not facts.unit_class.is_leg or facts.markers.is_suppressed:
        return Refusal(
            "6.6.1.1", f"{unit.id} is no unsuppressed squad, half-squad or section", "dismount it without an attack"
        )
    if target.id not in state.spotted.get(unit.id, ()):
        return Refusal("6.6.1.1", f"{unit.id} does not spot {target.id}", "choose a target it spotted")
    bound = state.bound_to.get(holder_of(state.units[action.carrier]))
    if bound is not None and bound != target.id:
        return Refusal("6.6.11", f"{action.carrier} shares its command with units that attack {bound}", "that target")
    return refuse_close_target(context, state, action.landing.hex, target)


def dismount_attacks(
    context: Context, state: State, carrier: Unit, progress: MoveProgress | None
) -> Iterator[Branch[Action]]:
    """Every Dismount Attack of a single passenger."""
    for load_ in loads(context, state, carrier, progress) if carrier.markers.passengers else ():
        for landing in load_.dismount:
            yield from _attacks(context, state, carrier, landing, progress)


def _attacks(
    context: Context, state: State, carrier: Unit, landing: Landing, progress: MoveProgress | None
) -> Iterator[Branch[Action]]:
    for target_id in state.spotted.get(landing.unit, ()):
        target = state.units[target_id]
        if target.hex is None or distance(landing.hex, target.hex) > 1:
            continue
        action = DismountAttack(carrier.id, landing, target_id)
        if refuse_dismount_attack(context, state, action, progress) is None:
            words = f"{landing.unit} dismounts in {context.game_map.label(landing.hex)} and attacks {target_id}"
            yield Branch(words, "attack", words, Pick(partial(_facings, action)), target_id)


def _facings(action: DismountAttack) -> list[Branch[Action]]:
    """Whoever gets off faces any hexside (6.6.7.1.1)."""
    turned = [(name, replace(action.landing, facing=way)) for way, name in enumerate(DIRECTION_NAMES)]
    return [Branch(name, "facing", f"facing {name}", Leaf(replace(action, landing=one))) for name, one in turned]


@rule("6.6.1.1", "6.6.1.2", editions=_BOOK)
def dismount_attack(
    context: Context, play: Play, action: DismountAttack, progress: MoveProgress | None, struck: tuple[str, ...] = ()
) -> None:
    """It gets off and attacks alone; no overwatch is fired at it any more (6.6.1.1).

    Barrages that have ``struck`` its vehicle do not strike it again (6.6.6).
    """
    if play.state.units[action.carrier].command is Command.MOVE:
        play.emit(ev.AttackBound(action.target, (action.carrier,)))
    load(context, play, Load(action.carrier, (), (action.landing,)), progress, struck)
    charge = Charge((action.landing.unit,), action.landing.hex, dismounted=True)
    play.emit(Opened(CloseAttack(action.target, (charge,), led=True, begun=True)))
