"""Costs and refusals of a move in words (4.5.1.1.1 to 4.5.1.1.10).

Everything here is said of numbers that ``movement_costs`` and ``mover`` have worked out: a breakdown adds up to what
the vehicle spends, and a refusal names the rule that stopped it.
"""

from __future__ import annotations

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal, RulesBug
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import DIRECTION_NAMES, NEIGHBOURS, Hex
from sandtable.systems.panzer.hex.movement.movement_costs import StepCost
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.routes import Route
from sandtable.systems.panzer.hex.progress import FORBIDDEN, WHOLE, MoveProgress, Rate, spent_at
from sandtable.systems.panzer.hex.state import Leg, LegKind
from sandtable.systems.panzer.markers import Floor
from sandtable.systems.panzer.movement.speed import Gait

__all__ = ["explain_step", "explain_turn", "refuse_end", "refuse_entry", "refuse_leg"]

_ONE_HEX = "a move of just one hex that pays for no turn is always allowed (4.5.1.1.3)"


@rule("4.5.1.1.4")
def explain_turn(mover: Mover, before: MoveProgress, turn: int, rate: Rate) -> Breakdown:
    """What a turn in the hex costs at ``rate`` (4.5.1.1.4)"""
    table = mover.table
    turned = before.turned + abs(turn)
    if turned <= table.free_turn:
        return Breakdown("Turn cost", "4.5.1.1.4", base_label="one hexside a hex is free")
    if before.turned > table.free_turn:
        return Breakdown("Turn cost", "4.5.1.1.4", base_label="paid for in this hex already")
    cost, cost_route = mover.turns[before.hex]
    label = f"{turned} hexsides in {mover.label(before.hex)}"
    smoke = (Modifier(table.smoke_turn, "Brew-Up Smoke", "4.5.1.1.2"),) if before.hex in mover.smoke else ()
    return Breakdown("Turn cost", "4.5.1.1.4", smoke, cost if rate is Rate.CROSS_COUNTRY else cost_route, label)


@rule("4.5.1.1.2", "4.5.1.1.7")
def explain_step(mover: Mover, before: MoveProgress | None, after: MoveProgress, rate: Rate) -> Breakdown:
    """What the last step of ``after`` cost at ``rate`` (4.5.1.1.2, 4.5.1.1.7)

    ``before`` is the move before the step; nothing for a reserve that enters.
    """
    if before is not None and before.floor is not after.floor and (before.hex == after.hex or after.floor):
        where = f"in the buildings of {mover.label(after.hex)}" if after.floor else f"out to {mover.label(after.hex)}"
        number = "6.6.4.1" if Floor.UP in (before.floor, after.floor) else "6.6.3"
        return Breakdown("Movement cost", number, (), after.spent - before.spent, where)
    table = mover.table
    hex, at_route = after.hex, rate is not Rate.CROSS_COUNTRY
    key = None if before is None else before.hex, hex, after.way, after.backing, at_route, hex in mover.smoke
    told = table.told.get(key)
    if told is None:
        cost = table.entry(hex, after.way) if before is None else table.explained(before.hex, after.way)
        if isinstance(cost, Refusal):
            raise RulesBug(f"a step was made that is refused: {cost}")
        if cost.whole:
            return _hedgerow_told(mover, cost, after.cross_country)
        told = table.told[key] = _step_told(mover, cost, hex, reverse=after.backing, rate=rate)
    exceeds = after.entered == 1 and spent_at(after, rate) > after.allowance(rate)
    return told.plus([Modifier(0, f"beyond the allowance: {_ONE_HEX}", "4.5.1.1.3")]) if exceeds else told


def _step_told(mover: Mover, cost: StepCost, hex: Hex, *, reverse: bool, rate: Rate) -> Breakdown:
    table = mover.table
    label = mover.label(hex)
    cross_country = rate is Rate.CROSS_COUNTRY
    base = cost.base if cross_country else cost.route_base
    what = cost.base_label if cross_country else f"along the {cost.route.name.capitalize()}"
    number = cost.base_rule if cross_country else "4.5.1.1.5"
    terms = list(cost.adders if cross_country else cost.route_adders)
    if reverse:
        terms.insert(0, Modifier(base * (table.reverse_factor - 1), "reverse: twice the terrain", "4.5.1.1.7"))
    if hex in mover.smoke:
        terms.append(Modifier(table.smoke, "Brew-Up Smoke", "4.5.1.1.2"))
    where = f"{what}, off the mapboard from" if cost.to is None else f"{what} in"
    return Breakdown("Movement cost", number, tuple(terms), base, f"{where} {label}")


def _hedgerow_told(mover: Mover, cost: StepCost, whole: int) -> Breakdown:
    """Across a Hedgerow; no route crosses it there, so the move is cross-country (4.5.1.1.2)"""
    where = "off the mapboard" if cost.to is None else f"to {mover.label(cost.to)}"
    return Breakdown("Movement cost", "4.5.1.1.2", (), whole, f"across a Hedgerow {where}: the whole allowance")


# --- why not --------------------------------------------------------------------------------------------


def refuse_leg(mover: Mover, now: MoveProgress, leg: Leg) -> Refusal:
    """Why the leg cannot be made, for one that ``Mover.leg`` does not allow."""
    if now.exited:
        return Refusal("4.5.1.1.9", f"{mover.unit.id} has left the mapboard and may not return", "end the move there")
    turned = mover.turn(now, leg.turn) if leg.turn else now
    if turned is None:
        return _refuse_turn(mover, now, leg.turn)
    if leg.step not in (LegKind.FORWARD, LegKind.REVERSE):
        return _refuse_indoors(mover, turned, leg.step)
    return _refuse_step(mover, turned, reverse=leg.step is LegKind.REVERSE, on_route=now.on_route and now.entered > 0)


@rule("4.5.1.1.9")
def refuse_entry(mover: Mover, hex: Hex, facing: int) -> Refusal:
    """Why a reserve cannot enter, for an entry that ``Mover.enter`` does not allow (4.5.1.1.9)"""
    if hex in mover.closed:
        return _refuse_closed(mover, hex)
    cost = mover.table.entry(hex, facing)
    if isinstance(cost, Refusal):
        return cost
    reason = f"{mover.label(hex)} is prohibited to {mover.unit.id} except at Path or Road speed"
    return Refusal("4.5.1.1.5", reason, "enter along the route, clear of wrecks and enemies")


def _refuse_closed(mover: Mover, hex: Hex) -> Refusal:
    """A hex that a terrain counter closes (6.1.4.3)"""
    return Refusal(mover.closed[hex], f"{mover.label(hex)} is closed to {mover.unit.id}", "go round it")


@rule("4.5.1.1.4")
def _refuse_turn(mover: Mover, now: MoveProgress, turn: int) -> Refusal:
    """A vehicle may never exceed its allowance by turning, nor turn off its route (4.5.1.1.4, 4.5.1.1.5)"""
    cost = explain_turn(mover, now, turn, Rate.CROSS_COUNTRY).total
    if not cost or (now.on_route and now.spent > now.cross_country):
        return _leaves_route("the turn", now.spent + cost, now.cross_country)
    left = max(0, now.cross_country - now.spent)
    where = mover.label(now.hex)
    reason = f"turning {abs(turn)} hexsides in {where} costs {cost}, and {left} of {now.cross_country} is left"
    return Refusal("4.5.1.1.4", reason, "one hexside a hex is free")


@rule("6.6.3", "6.6.4.1", editions=("panzer-na",))
def _refuse_indoors(mover: Mover, now: MoveProgress, how: LegKind) -> Refusal:
    """Why a unit cannot go up, down, into a building or out of it (6.6.3, 6.6.4.1)"""
    name = mover.unit.id
    if how in (LegKind.UP, LegKind.DOWN):
        reason = f"{name} cannot go {how.value} in {mover.label(now.hex)}, or has not enough left"
        return Refusal("6.6.4.1", reason, "a leg unit that marches, in buildings of two storeys or with flat roofs")
    way = "out of" if how is LegKind.OUT else "into"
    reason = f"{name} cannot go {way} a building here, or has not enough left"
    return Refusal("6.6.3", reason, "a tracked vehicle with overhead protection and without passengers")


@rule("4.5.1.1.2", "4.5.1.1.3")
def _refuse_step(mover: Mover, now: MoveProgress, *, reverse: bool, on_route: bool) -> Refusal:
    """A step that is barred, or that costs more than is left (4.5.1.1.3)"""
    direction = (now.facing + 3) % 6 if reverse else now.facing
    beyond = NEIGHBOURS[now.hex][direction]
    if beyond in mover.closed:
        return _refuse_closed(mover, beyond)
    cost = mover.table.explained(now.hex, direction)
    if isinstance(cost, Refusal):
        return cost
    if now.floor is Floor.UP:
        return Refusal("6.6.4.1", f"{mover.unit.id} is up in the buildings", "go down first")
    limited = _refuse_limited(mover, now, reverse=reverse)
    if limited is not None:
        return limited
    where = "off the mapboard" if cost.to is None else f"into {mover.label(cost.to)}"
    if now.on_route and cost.route is not Route.NONE and cost.to not in mover.barred:
        return Refusal(
            "4.5.1.1.5", f"the step {where} is beyond every allowance for the route", "end the move before it"
        )
    if cost.base >= FORBIDDEN:
        reason = f"the terrain {where} is prohibited to {mover.unit.id} except at Path or Road speed"
        return Refusal("4.5.1.1.5", reason, "follow the route for the entire move, clear of wrecks and enemies")
    price = mover.price(now, reverse=reverse)
    if on_route:
        return _leaves_route(f"the step {where}", now.spent + price, now.cross_country)
    if cost.whole:
        reason = f"the Hedgerow on the way {where} takes the whole allowance"
        return Refusal("4.5.1.1.2", reason, _ONE_HEX)
    left = max(0, now.cross_country - now.spent)
    return Refusal("4.5.1.1.3", f"the step {where} costs {price}, and {left} of {now.cross_country} is left", _ONE_HEX)


@rule("6.5.2.2.1", "6.6.4.2", "6.6.4.3", "6.6.5", "6.6.7.1", editions=("panzer-na",))
def _refuse_limited(mover: Mover, now: MoveProgress, *, reverse: bool) -> Refusal | None:
    """What holds a unit beside its allowance: a Track hit, a gun in tow, the limits of guns and gaits (6.6.4, 6.6.5)"""
    going, name = mover.going, mover.unit.id
    if mover.is_stuck:
        return Refusal("6.5.2.2.1", f"{name} has a Track hit or no crew and moves no more", "stay")
    if reverse and not mover.reverses:
        return Refusal("6.6.7.1", f"{name} tows a gun and may not move in reverse", "turn and go forward")
    if going.most_hexes is not None and now.entered >= going.most_hexes:
        if not going.most_hexes:
            return Refusal("6.6.5", f"{name} is too heavy to be manhandled", "a vehicle that tows it")
        number = "6.6.4.3" if now.gait is Gait.CRAWL else "6.6.5"
        return Refusal(number, f"{name} moves {going.most_hexes} hex a turn", "end the move")
    if going.most_heights is not None and now.spent < now.cross_country:
        reason = f"a quickmarch changes {going.most_heights} Height at most, or too little is left"
        return Refusal("6.6.4.2", reason, "end the move before it, or march")
    return None


@rule("4.5.1.1.5")
def _leaves_route(what: str, spent: int, cross_country: int) -> Refusal:
    """Path and Road speed are for moves that follow the route to their end (4.5.1.1.5)"""
    if spent >= FORBIDDEN:
        reason = f"{what} leaves the route, and a cross-country move could not have come through prohibited terrain"
    elif spent >= WHOLE:
        reason = f"{what} leaves the route across a Hedgerow, which takes the whole cross-country allowance"
    else:
        reason = f"{what} makes the entire move cross-country: it would spend {spent} of {cross_country}"
    return Refusal("4.5.1.1.5", reason, "follow the route, clear of wrecks, enemies and over-stacked hexes")


@rule("4.5.1.1.5", "4.5.1.1.10")
@rule("6.2.1.1.4", editions=("panzer-na",))
def refuse_end(mover: Mover, now: MoveProgress) -> Refusal:
    """Why the move may not end as it stands, for one that ``Mover.may_end`` does not allow (4.5.1.1.10)"""
    where = mover.label(now.hex)
    if now.hex in mover.enemies and not now.exited:
        return Refusal("4.5.1.1.10", f"a move may not end in {where} with an opposing unit", "pass through it")
    if not mover.is_among_sharers(now):
        reason = f"{mover.unit.id} shares its command, and {where} is too far from where those who share it end"
        return Refusal("6.2.1.1.4", reason, "an end within Command Range of all of them")
    if now.on_route and now.entered and now.askew:
        way = DIRECTION_NAMES[now.facing]
        reason = f"at Path or Road speed a vehicle may not turn to {way} at the end: it keeps facing along the route"
        return Refusal("4.5.1.1.5", reason, "keep facing along the route")
    if now.on_route and now.entered:
        rate = now.route_rate
        reason = f"a move with {now.roads} Road and {now.paths} Path hexes has the {rate.capitalize()} allowance of "
        return Refusal(
            "4.5.1.1.5", f"{reason}{now.allowance(rate)}, and spends {now.spent_route}", "end the move earlier"
        )
    return Refusal(
        "4.5.1.1.4", f"turning in {where} spends {now.spent} of {now.cross_country}", "one hexside a hex is free"
    )
