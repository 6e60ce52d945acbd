"""3.8 Close combat: the choices. Leaders and the units that they fight with, and who attacks whom.

A leader and the unit that he fights with are one body: they attack together and are attacked together. A declaration
is built body by body: one attacks nobody, joins an attack, or opens one on enemy bodies that nobody attacks yet, so
that every declaration is reached in exactly one way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Action, ArrangeLeaders, ChooseCombat, DeclareCloseCombat
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.stacking import at, friends_at
from sandtable.systems.aslsk.phases.close_combat import Body, bodies, combat_hexes, fighters, has_mmc
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, CloseCombats, State, UnitId

__all__ = [
    "arrange_options",
    "combat_options",
    "declare_options",
    "refuse_arrange",
    "refuse_combat",
    "refuse_declare",
]


def combat_options(context: Context, state: State, frame: CloseCombats) -> Node[Action]:
    """The hex whose close combat comes next (3.8)."""

    def ways() -> Iterator[Branch[Action]]:
        for hex in combat_hexes(context, state, frame):
            label = context.label(hex)
            then = Leaf[Action](ChooseCombat(hex))
            yield Branch(label, "hex", f"Close combat in {label}", then, label, is_hex=True)

    return Pick(ways)


def refuse_combat(context: Context, state: State, frame: CloseCombats, hex: Hex) -> Refusal | None:
    """Why there is no close combat to resolve in a hex (3.8)."""
    if hex not in combat_hexes(context, state, frame):
        names = ", ".join(context.label(there) for there in combat_hexes(context, state, frame))
        return Refusal("3.8", "no close combat is to be resolved there", f"one of {names}")
    return None


# --- leaders ----------------------------------------------------------------------------------------------------


def arrange_options(context: Context, state: State, frame: CloseCombat) -> Node[Action]:
    """For each leader the unit that he fights with, or alone (3.8)."""
    units = fighters(context, state, frame.hex, frame.asked)
    leaders = [unit.id for unit in units if context.card(unit).is_leader]
    return _arranging(context, state, frame, leaders, {})


def _arranging(
    context: Context, state: State, frame: CloseCombat, leaders: list[UnitId], pairs: dict[UnitId, UnitId]
) -> Node[Action]:
    if not leaders:
        return Leaf[Action](ArrangeLeaders(pairs))
    leader, rest = leaders[0], leaders[1:]

    def ways() -> Iterator[Branch[Action]]:
        # With a unit first: the plain answer of somebody who has no plan.
        for unit in fighters(context, state, frame.hex, frame.asked):
            more = {**pairs, leader: unit.id}
            if refuse_arrange(context, state, frame, ArrangeLeaders(more)) is None:
                then = _arranging(context, state, frame, rest, more)
                yield Branch(unit.id, "unit", f"{leader} fights with {unit.id}", then, leader)
        yield Branch("alone", "pass", f"{leader} fights alone", _arranging(context, state, frame, rest, pairs), leader)

    return Pick(ways)


@rule("3.8")
def refuse_arrange(context: Context, state: State, frame: CloseCombat, action: ArrangeLeaders) -> Refusal | None:
    """Why leaders may not be arranged like this: each with one unbroken unit of his side in the hex (3.8)."""
    units = {unit.id: unit for unit in fighters(context, state, frame.hex, frame.asked)}
    for leader, unit_id in action.pairs.items():
        if leader not in units or not context.card(units[leader]).is_leader:
            return Refusal("3.8", f"{leader!r} is no unbroken leader of {frame.asked} in the hex", "name one who is")
        if unit_id not in units or unit_id == leader:
            return Refusal(
                "3.8",
                f"{unit_id!r} is no unit that {leader} can fight with",
                "name an unbroken unit of his side in the hex",
            )
        if unit_id in action.pairs:
            return Refusal("3.8", f"{unit_id} fights with another unit himself", "name that unit for both")
    return None


# --- attacks ----------------------------------------------------------------------------------------------------


def _attackers(context: Context, state: State, frame: CloseCombat) -> list[Body]:
    return bodies(fighters(context, state, frame.hex, frame.asked), frame.pairs)


def _defenders(context: Context, state: State, frame: CloseCombat) -> list[Body]:
    enemies = tuple(unit for unit in at(context, state, frame.hex) if unit.side != frame.asked)
    return bodies(enemies, frame.pairs)


def declare_options(context: Context, state: State, frame: CloseCombat) -> Node[Action]:
    """Who attacks whom (3.8)."""
    return _declaring(context, state, _attackers(context, state, frame), _defenders(context, state, frame), ())


def _declaring(
    context: Context, state: State, own: list[Body], enemies: list[Body], attacks: tuple[CcAttack, ...]
) -> Node[Action]:
    if not own:
        return Leaf[Action](DeclareCloseCombat(attacks))
    body, rest = own[0], own[1:]
    names = " and ".join(body)

    def ways() -> Iterator[Branch[Action]]:
        for size in range(len(enemies), 0, -1):
            for some in combinations(enemies, size):
                left = [enemy for enemy in enemies if enemy not in some]
                on = tuple(unit_id for enemy in some for unit_id in enemy)
                then = _declaring(context, state, rest, left, (*attacks, CcAttack(body, on)))
                yield Branch(f"on {','.join(on)}", "target", f"{names} attack{_s(body)} {', '.join(on)}", then, body[0])
        for index, attack in enumerate(attacks):
            if not (has_mmc(context, state, body) and has_mmc(context, state, attack.by)):
                continue
            more = CcAttack((*attack.by, *body), attack.against)
            joined = (*attacks[:index], more, *attacks[index + 1 :])
            label = f"{names} join{_s(body)} {', '.join(attack.by)} against {', '.join(attack.against)}"
            yield Branch(f"with {index}", "target", label, _declaring(context, state, rest, enemies, joined), body[0])
        yield Branch("none", "pass", f"{names}: no attack", _declaring(context, state, rest, enemies, attacks), body[0])

    return Pick(ways)


def _s(body: Body) -> str:
    """The ending of a verb: one attacks, two attack."""
    return "" if len(body) > 1 else "s"


@rule("3.8")
def refuse_declare(context: Context, state: State, frame: CloseCombat, action: DeclareCloseCombat) -> Refusal | None:
    """Why close combat may not be declared like this: none attacks or is attacked twice, bodies stay whole (3.8)."""
    own = {unit.id for unit in fighters(context, state, frame.hex, frame.asked)}
    theirs = {unit.id for unit in at(context, state, frame.hex)} - {
        unit.id for unit in friends_at(context, state, frame.hex, frame.asked)
    }
    seen: set[UnitId] = set()
    for attack in action.attacks:
        if not attack.by or not attack.against:
            return Refusal("3.8", "an attack needs units on both sides", "name at least one of each")
        for unit_id, allowed in (*((name, own) for name in attack.by), *((name, theirs) for name in attack.against)):
            if unit_id not in allowed:
                return Refusal(
                    "3.8",
                    f"{unit_id!r} may not attack, or be attacked, in this hex",
                    "name fighters of your own, and enemies in the hex",
                )
            if unit_id in seen:
                return Refusal("3.8", f"{unit_id} attacks or is attacked once only", "name each in one attack")
            seen.add(unit_id)
        group = {*attack.by, *attack.against}
        attackers = [body for body in _attackers(context, state, frame) if group & set(body)]
        for body in (*attackers, *_defenders(context, state, frame)):
            if group & set(body) and not set(body) <= group:
                return Refusal("3.8", f"{' and '.join(body)} fight as one", "name them together")
        lone = [body for body in attackers if not has_mmc(context, state, body)]
        if lone and len(attackers) > 1:
            names = " and ".join(lone[0])
            return Refusal(
                "3.8",
                f"{names} stood apart when leaders were arranged, and so attack{_s(lone[0])} alone",
                "declare an attack of their own",
            )
    return None
