"""The RPh and the RtPh: broken men away from the enemy and to their leaders, weapons into hands (3.1, 3.6)."""

from __future__ import annotations

from itertools import islice

from sandtable.bots.aslsk.barrage import STANDING
from sandtable.bots.aslsk.harm import DR_CHANCES
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.core.decision import Node
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import (
    Action,
    Continue,
    Done,
    KeepDesperation,
    Rally,
    RecoverWeapon,
    RepairWeapon,
    Rout,
    SelfRally,
)
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.phases.rally import rally_number
from sandtable.systems.aslsk.phases.rout import keepable
from sandtable.systems.aslsk.phases.rout_paths import Offer, RoutMap, rout_map
from sandtable.systems.aslsk.pieces.state import Rallying, RallyStep, Routing, Unit

__all__ = ["continue_rout_ideas", "rally_ideas", "rout_ideas"]

MOST = 24
SHOWN = 6
STAYS = -0.5
"""Points for staying where one comes to harm."""


def rally_ideas(sketch: Sketch, frame: Rallying, root: Node[Action]) -> list[Idea]:
    """Every attempt that may help, the likeliest of the dearest first; then the end of the step."""
    if frame.step is RallyStep.DM_REMOVAL:
        return [Idea(KeepDesperation(), 0.0, lambda: (Reason("DM is in the way of rally", 0.0),))]
    found = [Idea(Done(), 0.0)]
    for action in islice(root, MOST):
        match action:
            case Rally():
                leader = sketch.state.units[action.leader]
                found.append(_attempt(sketch, action, sketch.state.units[action.unit], leader))
            case SelfRally():
                found.append(_attempt(sketch, action, sketch.state.units[action.unit], None))
            case RecoverWeapon() | RepairWeapon():
                weapon = sketch.state.weapons[action.weapon]
                found.append(Idea(action, 0.3 * sketch.book.arms[weapon.card]))
            case _:
                pass
    found.sort(key=lambda idea: -idea.worth)
    return found[:SHOWN]


def _attempt(sketch: Sketch, action: Action, unit: Unit, leader: Unit | None) -> Idea:
    number = rally_number(sketch.context, unit, leader)
    chance = sum(share for total, share in DR_CHANCES.items() if total <= number.total)
    worth = chance * sketch.book.worths[unit.card] * 0.5 * sketch.men
    help_given = leadership(sketch.context, leader) if leader is not None else 0
    what = f"{chance:.0%} to rally" + (f" with {help_given:+d}" if help_given else "")
    return Idea(action, worth + 0.01, lambda: (Reason(what, round(worth, 2)),))


def rout_ideas(sketch: Sketch) -> list[Idea]:
    """Where the broken go: out of fire, into cover, to a leader, by a way that is not interdicted (3.6)."""
    context, state = sketch.rules, sketch.state
    found = []
    for unit in sketch.mine:
        if unit.broken and unit.dm and not unit.melee and not unit.routed:
            keep = keepable(context, state, unit)[0]
            for path, crawl in _offers(sketch, unit):
                found.append(_rout(sketch, Rout(unit.id, path, crawl, keep=keep), path, unit))
        if found:
            break
    found.append(Idea(Done(), STAYS, lambda: (Reason("stays", STAYS),)))
    return _best(found)


def _offers(sketch: Sketch, unit: Unit) -> tuple[Offer, ...]:
    """The first of the ways that a unit may rout; those of imagined worlds are kept."""
    routes = rout_map(sketch.rules, sketch.state, unit)
    if sketch.rules is not sketch.context:
        return tuple(islice(routes.offers(), MOST))
    kept, rests_on = sketch.book.routs, routes.rests_on()
    found = kept.get(rests_on)
    if found is None:
        found = kept[rests_on] = tuple(islice(routes.offers(), MOST))
    return found


def continue_rout_ideas(sketch: Sketch, frame: Routing) -> list[Idea]:
    """Where one goes on that was interdicted (3.6)."""
    context, state = sketch.rules, sketch.state
    unit = state.units[frame.unit]
    escort = state.units[frame.escort] if frame.escort else None
    routes = RoutMap(context, state, unit, escort=escort, spent=frame.spent, known=frame.known, under_way=True)
    paths = [path for path, _ in islice(routes.offers(), MOST)]
    return _best([_rout(sketch, Continue(path=path), path, unit) for path in paths])


def _best(found: list[Idea]) -> list[Idea]:
    return sorted(found, key=lambda idea: -idea.worth)[:SHOWN]


def _rout(sketch: Sketch, action: Action, path: tuple[Hex, ...], unit: Unit) -> Idea:
    """A rout by what awaits the unit at its end."""
    if not path:
        return Idea(action, -1.0)
    end = path[-1]
    place = sketch.context.ground.place(end)
    price = sketch.price(unit)
    danger = sketch.threat(end, STANDING, 6)
    leader = any(
        one.side == sketch.seat and one.good_order and sketch.context.card(one).is_leader
        for one in sketch.there.get(end, ())
    )
    exposed = sum(sketch.context.ground.place(hex).open_ground and sketch.threat(hex, STANDING) > 0 for hex in path)
    if isinstance(action, Rout) and action.low_crawl:
        exposed = 0
    worth = price * (0.5 * leader + 0.3 * place.shelter - 0.8 * danger - 0.25 * exposed) - 0.02 * len(path)
    told = [Reason("to a leader", round(0.5 * price, 2))] if leader else []
    if danger > 0.02:
        told.append(Reason(f"{danger:.0%} under fire there", -round(0.8 * danger * price, 2)))
    if exposed:
        told.append(Reason("interdicted on the way", -round(0.25 * exposed * price, 2)))
    return Idea(action, worth, lambda: told)
