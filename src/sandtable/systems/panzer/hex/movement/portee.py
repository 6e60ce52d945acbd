"""5.2.1 Portées: the gun is unloaded from its truck, and taken up again.

A Portée is one counter. Its gun is a unit that waits aboard, off the map, until the counter is replaced by those of the
truck and the gun.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Pick
from sandtable.core.errors import Refusal
from sandtable.geo.hex import DIRECTION_NAMES
from sandtable.systems.panzer.advanced_card import Portee
from sandtable.systems.panzer.cards import CardId
from sandtable.systems.panzer.combat.bail_out import refuse_crewless
from sandtable.systems.panzer.command.sharing import reveal
from sandtable.systems.panzer.hex import events as ev
from sandtable.systems.panzer.hex.actions import Action, LoadGun, UnloadGun
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.positions import leave_position, take_position
from sandtable.systems.panzer.hex.movement.shared_ends import refuse_end_apart
from sandtable.systems.panzer.hex.movement.transporting import after_loading
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.transport import mounting_cost, refuse_mount
from sandtable.systems.panzer.unit import portee_gun

__all__ = ["gun_branches", "refuse_gun", "shift_gun"]

_BOOK = ("panzer-na",)
_NUMBER = "5.2.1"


def _portee(context: Context, unit: Unit) -> Portee | None:
    """What a vehicle is made of that began as a Portée."""
    card = context.cards[context.scenario.units[unit.id].card]
    return card.advanced.portee if context.is_advanced and card.advanced is not None else None


def refuse_gun(
    context: Context, state: State, action: UnloadGun | LoadGun, progress: MoveProgress | None
) -> Refusal | None:
    """Why the gun of a Portée is not unloaded, or taken up again; ``progress`` as for other passengers (5.2.1)"""
    unit = state.units[action.unit]
    facings = (action.facing, action.gun_facing) if isinstance(action, UnloadGun) else (action.facing,)
    if any(not 0 <= facing < len(DIRECTION_NAMES) for facing in facings):
        return Refusal(_NUMBER, f"facings of {facings}", "0 to 5, clockwise from N")
    if isinstance(action, UnloadGun):
        refusal = _refuse_unloading(context, state, unit, progress)
    else:
        refusal = _refuse_taking_up(context, state, unit, progress)
    if refusal is None and progress is not None and _after(context, state, action, progress) is None:
        reason = f"{unit.id} could not go on facing {DIRECTION_NAMES[action.facing]}"
        return Refusal(_NUMBER, reason, "choose a facing along its route")
    return refusal


@rule("5.2.1", "6.6.7.1.1", editions=_BOOK)
def _refuse_unloading(context: Context, state: State, unit: Unit, progress: MoveProgress | None) -> Refusal | None:
    """It dismounts as towed units do, for half of the allowance of a Portée that moves (5.2.1)"""
    made_of = _portee(context, unit)
    if made_of is None or unit.card == made_of.truck or unit.hex is None:
        return Refusal(_NUMBER, f"{unit.id} is no Portée on the mapboard", "a Portée with its gun aboard")
    if unit.markers.bailed:
        return refuse_crewless(unit.id)
    if unit.markers.turret_damaged:
        return Refusal(_NUMBER, f"the gun of {unit.id} is damaged", "leave the gun aboard")
    if state.units[portee_gun(unit.id)].moved:
        return Refusal(_NUMBER, f"the gun of {unit.id} has spent its movement on mounting", "it gets off next turn")
    if progress is not None and after_loading(context, state, unit, progress) is None:
        return Refusal("6.6.7.1.1", f"{unit.id} has not half of its allowance left", "dismount the gun earlier")
    return None


@rule("5.2.1", "6.6.7.1.1", "6.2.1.1.4", editions=_BOOK)
def _refuse_taking_up(context: Context, state: State, unit: Unit, progress: MoveProgress | None) -> Refusal | None:
    """It mounts as towed units do, but a truck that moves spends all of its allowance on it (5.2.1)"""
    made_of = _portee(context, unit)
    if made_of is None or unit.card != made_of.truck or unit.hex is None:
        return Refusal(_NUMBER, f"{unit.id} is no truck of a Portée on the mapboard", "the truck of the gun")
    gun = state.units[portee_gun(unit.id)]
    if gun.hex is None or not gun.in_play:
        return Refusal(_NUMBER, f"{gun.id} is not on the mapboard", "take up a gun that is in play")
    if unit.markers.passengers:
        return Refusal(_NUMBER, f"{unit.id} carries {', '.join(unit.markers.passengers)}", "they get off first")
    passenger, carrier = context.move_facts(gun), context.move_facts(unit)
    assert passenger is not None  # noqa: S101 - of the Advanced Game only
    assert carrier is not None  # noqa: S101
    if progress is not None and (progress.spent or progress.entered):
        return Refusal(_NUMBER, f"{unit.id} has spent a part of its allowance", "before it moves")
    apart = 0 if gun.hex == unit.hex else 1
    refusal = refuse_mount(passenger, carrier, apart=apart, moved=gun.moved)
    return refusal or refuse_end_apart(context, state, gun, unit.hex)


def _after(context: Context, state: State, action: UnloadGun | LoadGun, progress: MoveProgress) -> MoveProgress | None:
    """The move after it: half of the allowance spent, or all of it, and the counter turned as one likes (5.2.1)"""
    unit = state.units[action.unit]
    mover = Mover(context, state, unit)
    if isinstance(action, UnloadGun):
        after = after_loading(context, state, unit, progress)
        return None if after is None else mover.faced(after, action.facing)
    assert mover.facts is not None  # noqa: S101 - of the Advanced Game only
    spent, spent_route = (
        mounting_cost(mover.facts, allowance, context.tables, portee_loads=True)
        for allowance in (progress.cross_country, max(progress.track, progress.path, progress.road))
    )
    return replace(progress, spent=spent, spent_route=spent_route, paid=True, loaded=True, facing=action.facing)


@rule("5.2.1", editions=_BOOK)
def shift_gun(
    context: Context, play: Play, action: UnloadGun | LoadGun, progress: MoveProgress | None
) -> MoveProgress | None:
    """Truck and gun lie in place of the Portée, or the Portée in place of the two; the move after it (5.2.1)"""
    unit = play.state.units[action.unit]
    made_of, gun = _portee(context, unit), play.state.units[portee_gun(unit.id)]
    assert made_of is not None  # noqa: S101 - it was checked
    assert unit.hex is not None  # noqa: S101
    after = None if progress is None else _after(context, play.state, action, progress)
    cost = 0 if after is None or progress is None else after.spent - progress.spent
    if isinstance(action, UnloadGun):
        truck = CardId(made_of.truck)
        play.emit(ev.GunUnloaded(unit.id, gun.id, truck, unit.hex, action.facing, action.gun_facing, cost))
        take_position(context, play, gun.id)
    else:
        reveal(play, gun.id)
        leave_position(play, gun, moves=True)
        portee = context.scenario.units[unit.id].card
        play.emit(ev.GunLoaded(unit.id, gun.id, portee, action.facing, cost))
    return after


def gun_branches(context: Context, state: State, unit: Unit, progress: MoveProgress | None) -> Iterator[Branch[Action]]:
    """To unload the gun of a Portée, or to take it up again, each counter facing any way."""
    if unit.hex is None or _portee(context, unit) is None:
        return
    names = DIRECTION_NAMES

    def may(action: UnloadGun | LoadGun) -> bool:
        return refuse_gun(context, state, action, progress) is None

    def gun_ways(facing: int) -> Callable[[], list[Branch[Action]]]:
        return lambda: [
            Branch(f"gun {name}", "facing", f"the gun facing {name}", Leaf[Action](UnloadGun(unit.id, facing, way)))
            for way, name in enumerate(names)
        ]

    off = [way for way in range(len(names)) if may(UnloadGun(unit.id, way, way))]
    if off:
        turned = [Branch(names[w], "facing", f"the truck facing {names[w]}", Pick(gun_ways(w))) for w in off]
        yield Branch("unload gun", "load", "unload the gun", Pick(lambda: turned))
    on = [way for way in range(len(names)) if may(LoadGun(unit.id, way))]
    if on:
        leaves = [Branch(names[w], "facing", f"facing {names[w]}", Leaf[Action](LoadGun(unit.id, w))) for w in on]
        yield Branch("load gun", "load", "take the gun up", Pick(lambda: leaves))
