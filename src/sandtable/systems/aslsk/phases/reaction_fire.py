"""3.3.4 Close Combat Reaction Fire: Infantry attacks a vehicle that spends MP in its hex, as it does in the CCPh.

It is Defensive First Fire like any other: whoever has fired attacks as Subsequent First Fire or Final Protective Fire,
as often as the vehicle spends MP there, and is marked for it. The vehicle does not strike back.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Action, ReactionFire
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.facts.melee_events import AfvFaced
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.effects.morale import settle_leader_losses
from sandtable.systems.aslsk.fire.firers import Fireground
from sandtable.systems.aslsk.fire.protective_fire import check_protective_fire
from sandtable.systems.aslsk.phases.paatc import dares
from sandtable.systems.aslsk.phases.vehicle_assault import assault_vehicle
from sandtable.systems.aslsk.pieces.state import FirstFire, Mark, Unit, UnitId

__all__ = ["can_react", "react", "reaction_branches", "refuse_reaction"]


@rule("3.3.4")
def _refuse_unit(ground: Fireground, unit: Unit) -> Refusal | None:
    """Why a unit may not attack a vehicle in its hex: Good Order, unpinned, and a shot left (3.3.4)."""
    if not unit.good_order:
        return Refusal("3.3.4", f"{unit.id} is not in Good Order", "attack with a unit that is")
    if unit.pinned:
        return Refusal("3.3.4", f"{unit.id} is pinned", "attack with a unit that is not")
    if ground.spent_shots(unit.id):
        return Refusal("3.3.3", f"{unit.id} has attacked here as often as MP were spent", "attack when it spends more")
    return None


def _teams(ground: Fireground, frame: FirstFire) -> Iterator[tuple[UnitId, ...]]:
    """Every unit of the hex that may attack, and every MMC with a SMC."""
    context = ground.context
    friends = friends_at(context, ground.state, frame.hex, frame.asked)
    able = [unit for unit in friends if _refuse_unit(ground, unit) is None]
    leaders = [unit for unit in able if context.card(unit).is_leader]
    for unit in able:
        yield (unit.id,)
    for index, unit in enumerate(able):
        for leader in leaders:
            # Two SMC are named in their order.
            if unit.id != leader.id and (context.card(unit).is_mmc or index < able.index(leader)):
                yield (unit.id, leader.id)


def can_react(ground: Fireground, frame: FirstFire) -> bool:
    """Whether somebody may attack the vehicle that has just spent MP in his hex."""
    vehicle = ground.state.vehicles.get(frame.vehicle)
    return vehicle is not None and vehicle.in_play and next(_teams(ground, frame), None) is not None


def reaction_branches(ground: Fireground, frame: FirstFire) -> Iterator[Branch[Action]]:
    """Attacks on the vehicle by those in its hex (3.3.4)."""
    if can_react(ground, frame):
        for team in _teams(ground, frame):
            leaf = Leaf[Action](ReactionFire(team, frame.vehicle))
            words = f"{' and '.join(team)}: close combat on {frame.vehicle}"
            yield Branch(f"react {'+'.join(team)}", "target", words, leaf, team[0])


@rule("3.3.4")
def refuse_reaction(ground: Fireground, frame: FirstFire, action: ReactionFire) -> Refusal | None:
    """Why this attack may not be made: one unit, or one with a SMC, in the hex of the vehicle (3.3.4)."""
    if not frame.vehicle or action.vehicle != frame.vehicle:
        return Refusal("3.3.4", f"{action.vehicle!r} has not just spent MP", "attack the vehicle that moves")
    if not can_react(ground, frame):
        return Refusal(
            "3.3.4", f"nobody in the hex of {action.vehicle} may attack it", "hold fire, or fire from elsewhere"
        )
    for unit_id in action.units:
        unit = ground.state.units.get(unit_id)
        if unit is None or unit.side != frame.asked or unit.hex != frame.hex:
            return Refusal(
                "3.3.4",
                f"{unit_id!r} is no unit of {frame.asked} in the hex of {action.vehicle}",
                "name one that is there",
            )
        refusal = _refuse_unit(ground, unit)
        if refusal is not None:
            return refusal
    if action.units not in list(_teams(ground, frame)):
        return Refusal("3.8", "one unit attacks a vehicle, or one and then a SMC", "name them so")
    return None


@rule("3.3.4")
def react(context: Context, play: Play, action: ReactionFire) -> tuple[UnitId, ...]:
    """The PAATC of a MMC that has not passed it for this AFV, the attack, markers and the NMC of FPF (3.3.4).

    Returns who has attacked: nobody where the MMC failed its check.
    """
    state = play.state
    units = [state.units[unit_id] for unit_id in action.units]
    for unit in units:
        if context.card(unit).is_leader or action.vehicle in unit.faced:
            continue
        if not dares(context, play, unit.id):
            return ()
        play.emit(AfvFaced(unit.id, action.vehicle))
    fired = _has_fired(units[0])
    protective = tuple(unit.id for unit in units if unit.mark is Mark.FINAL_FIRE)
    found = assault_vehicle(context, play, action.units, action.vehicle, has_fired=fired)
    for unit in units:
        if play.state.units[unit.id].on_map:
            weapons = tuple(weapon.id for weapon in weapons_of(context, play.state, unit.id))
            mark = Mark.FIRST_FIRE if unit.mark is Mark.NONE else Mark.FINAL_FIRE
            play.emit(ev.MarksPlaced(mark, (unit.id,), weapons))
    check_protective_fire(context, play, protective, found.roll, found.losses)
    settle_leader_losses(context, play, found.losses)
    return action.units


def _has_fired(unit: Unit) -> bool:
    """Whether a unit, or a weapon of it, has fired in this MPh (3.3.4)."""
    return unit.mark is not Mark.NONE or bool(unit.used)
