"""Whether to fire: Prep Fire against moving, First Fire against waiting, and all other fire for what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sandtable.bots.aslsk.armour.ambush import barrels_at_movers
from sandtable.bots.aslsk.armour.antitank import ordnance_at_vehicle
from sandtable.bots.aslsk.armour.evading import evasion_ideas
from sandtable.bots.aslsk.armour.gunnery import gun_ideas
from sandtable.bots.aslsk.armour.salvoes import salvo_ideas
from sandtable.bots.aslsk.armour.screening import screen_ideas
from sandtable.bots.aslsk.eye import likelihood
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.unmasking import unmasking
from sandtable.bots.aslsk.volleys import Volley, volleys
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.geo.hex import distance
from sandtable.systems.aslsk.common.actions import Done, FireOrdnance, HoldFire
from sandtable.systems.aslsk.common.experience import morale_level
from sandtable.systems.aslsk.common.stacking import held
from sandtable.systems.aslsk.common.vehicles_here import target_hexes
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode, Use, mode_of
from sandtable.systems.aslsk.pieces.cards import WeaponKind
from sandtable.systems.aslsk.pieces.state import (
    FirePhase,
    FirstFire,
    Hold,
    Mark,
    Moving,
    Unit,
    Vehicle,
    VehicleId,
)
from sandtable.systems.aslsk.support_weapons.ordnance_choices import charge_branches, ordnance_branches

__all__ = ["fire_ideas", "first_fire_ideas"]

LEAST = 0.02
"""Points of harm for which a shot is worth the trouble where it costs nothing."""
HIT = 0.4
"""Chance that light ordnance hits, roughly."""
SHOWN = 6
MOST = 3
"""Attacks on one hex that are weighed."""
NEAR = 3
"""Hexes within which somebody in the open is a target for those who have fired."""


def fire_ideas(
    sketch: Sketch, frame: FirePhase, gain_of: Callable[[Unit], float], drive_gain: Callable[[Vehicle], float]
) -> list[Idea]:
    """What to fire at in a fire phase; the gains are those of a unit or vehicle that moves instead (3.2.5)."""
    context, state = sketch.context, sketch.state
    mode = mode_of(state.phase)
    found: list[Idea] = []
    for branch in charge_branches(state):
        found += [Idea(action, 5.0, _told("the charge goes off", 5.0)) for action in branch.then]
    exposed = {one.hex for one in state.vehicles.values() if one.exposed and one.in_play and one.side == sketch.enemy}
    for target in sorted({*held(context, state, sketch.seat)[1], *[hex for hex in exposed if hex is not None]}):
        ground = Fireground(context, state, mode, sketch.seat, target)
        for volley in volleys(sketch, ground, frame.attacked)[:MOST]:
            if volley.harm < LEAST:
                continue
            cost = _cost(sketch, volley, gain_of if mode is FireMode.PREP else None)
            worth = volley.harm * sketch.weights.firing - cost
            found.append(Idea(volley.action, worth, partial(_reasons, sketch, volley, cost)))
        found += _ordnance(sketch, ground, gain_of if mode is FireMode.PREP else None)
    found += gun_ideas(sketch, mode, drive_gain if mode is FireMode.PREP else None)
    for target in target_hexes(context, state, sketch.seat) if state.vehicles else ():
        ground = Fireground(context, state, mode, sketch.seat, target)
        found += salvo_ideas(sketch, ground, frame.attacked, drive_gain if mode is FireMode.PREP else None)
        found += ordnance_at_vehicle(sketch, ground, gain_of=gain_of if mode is FireMode.PREP else None)
    found = [idea for idea in found if idea.worth > LEAST]
    found.sort(key=lambda idea: -idea.worth)
    if mode is FireMode.PREP and frame.smoke:
        found = [*screen_ideas(sketch, found, gain_of, drive_gain), *found]
    return [*found[:SHOWN], Idea(Done(), 0.0, _told("no more fire is worth it", 0.0))]


def _cost(sketch: Sketch, volley: Volley, gain_of: Callable[[Unit], float] | None) -> float:
    """What firing takes away: the move of those who fire, a hiding place, and now and then a weapon."""
    cost = unmasking(sketch, [sketch.state.units[unit_id] for unit_id in volley.units])
    for firer in volley.group:
        if firer.weapon is not None:
            card = sketch.context.weapon_card(firer.weapon)
            cost += (13 - min(card.breakdown, card.removal, 12)) / 36 * sketch.book.arms[card.id] * 0.5
        if firer.use is Use.PROTECTIVE:
            cost += 0.35 * sketch.price(firer.unit)
    if gain_of is not None:
        cost += sum(gain_of(sketch.state.units[unit_id]) for unit_id in volley.units)
    return cost


def _ordnance(sketch: Sketch, ground: Fireground, gain_of: Callable[[Unit], float] | None) -> Iterator[Idea]:
    """Mortars and anti-tank weapons: the chance of a hit, then the IFT (3.2.4)."""
    context, state, harms = sketch.context, sketch.state, sketch.book.harms
    targets = [unit for unit in sketch.there.get(ground.target, ()) if unit.side == sketch.enemy]
    for branch in ordnance_branches(ground):
        action = next(iter(branch.then), None)
        if not isinstance(action, FireOrdnance) or VehicleId(action.victim) in state.vehicles:
            continue
        weapon = state.weapons.get(action.weapon)
        owner = state.units[weapon.owner] if weapon is not None else state.units[action.unit]
        if owner.hex is None or not ground.sees(owner.hex):
            continue
        tem = context.ground.place(ground.target).tem
        fp = 12.0
        if weapon is not None:
            card = context.weapon_card(weapon)
            fp = 2.0 if card.kind is WeaponKind.MTR else float(card.infantry_column or 8)
        chance = max(0.08, HIT - 0.08 * tem) * likelihood(context, owner.hex, ground.target)
        harm = chance * sum(
            sketch.loss(unit, harms.of_fp(fp, 0, morale_level(context, unit), broken=unit.broken)) for unit in targets
        )
        rate = 1.5 if weapon is not None and context.weapon_card(weapon).rof > 1 else 1.0
        cost = unmasking(sketch, (owner,)) + (gain_of(owner) if gain_of is not None else 0.0)
        yield Idea(action, harm * rate - cost - 0.01, _told(f"{fp:g} FP if it hits, about {chance:.0%}", harm * rate))


def _told(what: str, points: float) -> Callable[[], Sequence[Reason]]:
    return lambda: (Reason(what, points),)


def _reasons(sketch: Sketch, volley: Volley, cost: float) -> list[Reason]:
    attack = volley.attack
    reach = min(distance(hex, attack.target) for hex in volley.hexes)
    drm = attack.drm.total + min(
        (sum(term.value for term in attack.own_drm.get(unit_id, ())) for unit_id in attack.targets), default=0
    )
    ift = sketch.book.harms.ift
    where = "in its own hex" if reach == 0 else "next to it" if reach == 1 else f"at {reach} hexes"
    what = f"{ift.fp(attack.column)} FP column with {drm:+d} on {', '.join(attack.targets)} {where}"
    if volley.likely < 1:
        what += f", {volley.likely:.0%} likely in sight"
    found = [Reason(what, round(volley.harm, 2))]
    if cost > 0.05:
        found.append(Reason("the firers do not move", -round(cost, 2)))
    return found


# --- Defensive First Fire -------------------------------------------------------------------------------------------


def first_fire_ideas(sketch: Sketch, frame: FirstFire) -> list[Idea]:
    """Fire at those who have just spent MF, or wait for a better target (3.3.3)."""
    context, state = sketch.context, sketch.state
    moving = state.stack[-2]
    assert isinstance(moving, Moving)  # noqa: S101 - it is asked inside a move
    ground = Fireground(context, state, FireMode.FIRST, sketch.seat, frame.hex, moving=moving)
    patience = _patience(sketch, moving)
    found = []
    for volley in volleys(sketch, ground, frame.attacked, moving):
        cost = _cost(sketch, volley, None)
        wait = patience * _freshness(volley)
        worth = volley.harm * sketch.weights.firing * _urgency(sketch, frame) - cost - wait
        reasons = partial(_fire_now, sketch, volley, cost, wait)
        found.append(Idea(volley.action, worth, reasons))
    urgent = _urgency(sketch, frame)
    found += [idea._replace(worth=idea.worth * urgent - patience / 2) for idea in _ordnance(sketch, ground, None)]
    others = (*barrels_at_movers(sketch, ground, moving), *salvo_ideas(sketch, ground, frame.attacked, None))
    found += [idea._replace(worth=idea.worth * urgent - patience) for idea in others]
    found += evasion_ideas(sketch, frame, moving) if state.vehicles else ()
    found = [idea for idea in found if idea.worth > 0]
    found.sort(key=lambda idea: -idea.worth)
    return [*found[:SHOWN], Idea(_holding(sketch, spent=not found), 0.0, _told("waits for a better target", 0.0))]


def _holding(sketch: Sketch, *, spent: bool) -> HoldFire:
    """No fire now; with nothing left but spent firers, none until somebody comes close or into the open (3.3.3)."""
    fresh = any(unit.good_order and unit.mark is Mark.NONE and sketch.context.card(unit).is_mmc for unit in sketch.mine)
    if fresh or not spent or sketch.state.holds.get(sketch.seat) is not None:
        return HoldFire()
    return HoldFire(Hold(NEAR, adjacent=True))


def _fire_now(sketch: Sketch, volley: Volley, cost: float, wait: float) -> list[Reason]:
    return [*_reasons(sketch, volley, cost), Reason("what waiting could bring", -round(wait, 2))]


def _freshness(volley: Volley) -> float:
    """How much is given up: those who have fired already have little to wait for."""
    fresh = sum(firer.use is Use.PLAIN for firer in volley.group)
    return fresh / max(1, len(volley.group)) * (1 + 0.25 * (len(volley.hexes) - 1))


def _urgency(sketch: Sketch, frame: FirstFire) -> float:
    """Movers at a place that the side must hold are stopped at once."""
    value = sketch.held_value(frame.hex)
    return 1.0 + min(1.0, 0.2 * value)


def _patience(sketch: Sketch, moving: Moving) -> float:
    """Points of harm that waiting could bring: more, the more enemies are still to move."""
    waiting = [
        unit
        for unit in sketch.theirs
        if unit.good_order and not unit.moved and unit.id not in moving.stack and unit.mark.value == ""
    ]
    share = len(waiting) / max(1, len(sketch.theirs))
    going = 0.5 if _has_mf(moving) else 0.0
    return sketch.weights.patience * sketch.style.patience * (share + going)


def _has_mf(moving: Moving) -> bool:
    """Whether the movers could still go on."""
    left = [moving.allowance.get(unit_id, 0) - moving.spent.get(unit_id, 0) for unit_id in moving.movers]
    return not moving.assault and bool(left) and min(left) >= 2
