"""3.8 Close combat in a hex with a vehicle: which attack a side may make next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.core.errors import Refusal
from sandtable.systems.aslsk.common.actions import Action, CloseAttack, Done
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at, own_vehicles_at
from sandtable.systems.aslsk.phases.close_combat import Body, has_mmc
from sandtable.systems.aslsk.phases.vehicle_combat import (
    close_defence,
    enemies_of,
    fresh_bodies,
    fresh_guns,
    fresh_targets,
)
from sandtable.systems.aslsk.pieces.state import CloseCombat, State, UnitId, Vehicle, VehicleGun

__all__ = ["attack_options", "refuse_attack"]

_PAIR = 2
"""So many units at the most attack a vehicle together, one of them a SMC."""


def attack_options(context: Context, state: State, frame: CloseCombat) -> Node[Action]:
    """One attack, or none any more (3.8)."""

    def ways() -> Iterator[Branch[Action]]:
        own = fresh_bodies(context, state, frame, frame.asked)
        targets = fresh_targets(context, state, frame, frame.asked)
        enemies = enemy_vehicles_at(state, frame.hex, frame.asked)
        for size in range(1, len(own) + 1):
            for some in combinations(own, size):
                if size > 1 and not all(has_mmc(context, state, body) for body in some):
                    continue
                vehicles = enemies if size == 1 else ()
                if vehicles or targets:
                    yield _company_branch(some, targets, vehicles)
        for vehicle in own_vehicles_at(state, frame.hex, frame.asked):
            yield from _vehicle_branches(context, state, frame, vehicle, targets)
        yield Branch("done", "pass", "No more attacks", Leaf[Action](Done()))

    return Pick(ways)


def _company_branch(some: Sequence[Body], targets: Sequence[Body], vehicles: Sequence[Vehicle]) -> Branch[Action]:
    by = _named(some)

    def ways() -> Iterator[Branch[Action]]:
        for vehicle in vehicles:
            for team in _teams(some[0]):
                words = f"{' and '.join(team)} on {vehicle.id}"
                leaf = Leaf[Action](CloseAttack(team, at=vehicle.id))
                yield Branch(f"{'+'.join(team)} on {vehicle.id}", "target", words, leaf, vehicle.id)
        for on in _groups(targets):
            leaf = Leaf[Action](CloseAttack(by, against=on))
            yield Branch(f"on {','.join(on)}", "target", f"on {', '.join(on)}", leaf, on[0])

    return Branch("+".join(by), "unit", f"{' and '.join(by)} attack{'' if by[1:] else 's'}", Pick(ways), by[0])


def _teams(body: Body) -> list[tuple[UnitId, ...]]:
    """Those of a body that may attack a vehicle together: its unit and one leader."""
    return [body] if len(body) <= _PAIR else [(body[0], leader) for leader in body[1:]]


def _groups(targets: Sequence[Body]) -> Iterator[tuple[UnitId, ...]]:
    for size in range(1, len(targets) + 1):
        for some in combinations(targets, size):
            yield _named(some)


def _vehicle_branches(
    context: Context, state: State, frame: CloseCombat, vehicle: Vehicle, targets: Sequence[Body]
) -> Iterator[Branch[Action]]:
    guns = list(fresh_guns(context, frame, vehicle)) if targets else []
    for size in range(len(guns), 0, -1):
        for some in combinations(guns, size):
            names = " + ".join(some)
            words = f"{vehicle.id} attacks with its {names}"
            yield Branch(f"{vehicle.id} {names}", "unit", words, _gun_targets(vehicle, some, targets), vehicle.id)
    if close_defence(context, frame, vehicle) is not None and enemies_of(context, state, frame, frame.asked):
        leaf = Leaf[Action](CloseAttack(vehicle=vehicle.id))
        yield Branch(f"{vehicle.id} defence", "order", f"{vehicle.id} uses its close defence weapon", leaf, vehicle.id)


def _gun_targets(vehicle: Vehicle, guns: tuple[VehicleGun, ...], targets: Sequence[Body]) -> Node[Action]:
    def ways() -> Iterator[Branch[Action]]:
        for on in _groups(targets):
            leaf = Leaf[Action](CloseAttack(vehicle=vehicle.id, guns=guns, against=on))
            yield Branch(f"on {','.join(on)}", "target", f"on {', '.join(on)}", leaf, on[0])

    return Pick(ways)


# --- what is refused --------------------------------------------------------------------------------------------


@rule("3.8")
def refuse_attack(context: Context, state: State, frame: CloseCombat, action: CloseAttack | Done) -> Refusal | None:
    """Why an attack may not be made now (3.8)."""
    if isinstance(action, Done):
        return None
    if action.vehicle:
        return _refuse_vehicle(context, state, frame, action)
    if action.guns:
        return Refusal("3.8", "no vehicle is named that attacks with these weapons", "name the vehicle, or no weapons")
    own = fresh_bodies(context, state, frame, frame.asked)
    taking = [body for body in own if set(body) & set(action.by)]
    if not action.by or not set(action.by) <= {unit_id for body in taking for unit_id in body}:
        return Refusal(
            "3.8",
            f"those who attack are unbroken units of {frame.asked} in the hex that have not attacked",
            "name such a unit",
        )
    if action.at:
        return _refuse_assault(state, frame, action, taking)
    if _named(taking) != action.by:
        return Refusal(
            "3.8", "a unit and the leaders that fight with it attack together, named in that order", "name all of them"
        )
    if len(taking) > 1 and not all(has_mmc(context, state, body) for body in taking):
        return Refusal("3.8", "leaders who stood apart when they were arranged attack alone", "let each attack alone")
    return _refuse_targets(context, state, frame, action)


def _named(some: Sequence[Body]) -> tuple[UnitId, ...]:
    return tuple(unit_id for body in some for unit_id in body)


@rule("3.8")
def _refuse_assault(state: State, frame: CloseCombat, action: CloseAttack, taking: Sequence[Body]) -> Refusal | None:
    """One unit, or one with a SMC, attacks a vehicle, and nobody else in the same attack (3.8)."""
    if action.against:
        return Refusal("3.8", "an attack is on a vehicle or on Infantry", "make two attacks")
    if not any(vehicle.id == action.at for vehicle in enemy_vehicles_at(state, frame.hex, frame.asked)):
        return Refusal("3.8", f"{action.at!r} is no enemy vehicle in the hex", "name one that is")
    if len(taking) > 1:
        return Refusal("3.8", "no two MMC combine against a vehicle", "one unit, with a SMC that fights with it")
    if action.by not in _teams(taking[0]):
        return Refusal("3.8", f"{' and '.join(taking[0])} fight as one", "the unit, with one leader who fights with it")
    return None


def _refuse_vehicle(context: Context, state: State, frame: CloseCombat, action: CloseAttack) -> Refusal | None:
    vehicle = next((one for one in own_vehicles_at(state, frame.hex, frame.asked) if one.id == action.vehicle), None)
    if vehicle is None:
        return Refusal("3.8", f"{action.vehicle!r} is no vehicle of {frame.asked} in the hex", "name one that is")
    if action.by or action.at:
        return Refusal(
            "3.8", "a vehicle attacks Infantry, and attacks alone", "name enemy units, and no units of your own"
        )
    if not action.guns:
        if action.against:
            return Refusal("3.8", "no weapon is named", "a close defence weapon attacks all Infantry in the hex")
        if close_defence(context, frame, vehicle) is None or not enemies_of(context, state, frame, frame.asked):
            why = f"{vehicle.id} has no close defence weapon that it may use now"
            return Refusal("3.8", why, "a BU vehicle that has one, once, after an attack on it")
        return None
    guns = fresh_guns(context, frame, vehicle)
    if len(set(action.guns)) != len(action.guns) or not set(action.guns) <= set(guns):
        usable = ", ".join(guns) or "none"
        return Refusal("3.8", f"{vehicle.id} does not attack with these weapons now", f"its {usable}, each once")
    if list(action.guns) != [gun for gun in guns if gun in action.guns]:
        return Refusal("3.8", f"weapons are named in the order {', '.join(guns)}", "name them so")
    return _refuse_targets(context, state, frame, action)


@rule("3.8")
def _refuse_targets(context: Context, state: State, frame: CloseCombat, action: CloseAttack) -> Refusal | None:
    """Enemy Infantry in the hex that was not attacked yet; those who fight as one are attacked as one (3.8)."""
    targets = fresh_targets(context, state, frame, frame.asked)
    struck = [body for body in targets if set(body) & set(action.against)]
    if not action.against or not set(action.against) <= {unit_id for body in struck for unit_id in body}:
        return Refusal("3.8", "those attacked are enemy units in the hex that were not attacked yet", "name such units")
    if _named(struck) != action.against:
        return Refusal(
            "3.8",
            "units that fight as one are attacked together, named in the order of their stack",
            "name all of them",
        )
    return None
