"""Close combat: what an attack does on average, whom to attack, and whether it is worth going in (3.8)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sandtable.bots.aslsk.harm import DR_CHANCES
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.core.decision import Node
from sandtable.systems.aslsk.common.actions import Action, ArrangeLeaders, DeclareCloseCombat
from sandtable.systems.aslsk.common.experience import leadership
from sandtable.systems.aslsk.phases.close_combat_odds import attack_drm, cc_firepower, odds_of
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, Unit, UnitId

__all__ = ["arrange_ideas", "clash", "declare_ideas", "strike_value"]

MOST = 400
"""Declarations that are looked at."""
SHOWN = 5


def _chances(kill: int, drm: int) -> tuple[float, float]:
    """The chance that all are eliminated, and that one is reduced."""
    dead = sum(chance for total, chance in DR_CHANCES.items() if total + drm < kill)
    return dead, sum(chance for total, chance in DR_CHANCES.items() if total + drm == kill)


def _outcome(
    sketch: Sketch, frame: CloseCombat, attack: CcAttack, units: dict[UnitId, Unit]
) -> tuple[str, float, float]:
    """The odds in words, and the two chances of a declared attack."""
    odds = odds_of(sketch.context, units, frame.factors, attack)
    drm = attack_drm(sketch.context, units, attack, sketch.seat, frame.ambusher)
    return odds.name, *_chances(odds.kill.total, drm.total)


def strike_value(sketch: Sketch, frame: CloseCombat, attack: CcAttack) -> float:
    """Points that an attack of units on units brings on average."""
    units = dict(sketch.state.units)
    _, dead, reduced = _outcome(sketch, frame, attack, units)
    prices = [sketch.price(units[unit_id]) for unit_id in attack.against]
    return dead * sum(prices) + reduced * 0.5 * sum(prices) / len(prices)


def declare_ideas(sketch: Sketch, frame: CloseCombat, root: Node[Action]) -> list[Idea]:
    """Who attacks whom: what it kills on average, the most first."""
    units = dict(sketch.state.units)
    known: dict[CcAttack, tuple[float, str]] = {}
    found = []
    for action in islice(root, MOST):
        if not isinstance(action, DeclareCloseCombat):
            continue
        total, words = 0.0, []
        for attack in action.attacks:
            if attack not in known:
                name, dead, reduced = _outcome(sketch, frame, attack, units)
                prices = [sketch.price(units[unit_id]) for unit_id in attack.against]
                worth = dead * sum(prices) + reduced * 0.5 * sum(prices) / len(prices)
                known[attack] = (worth, f"{name} on {', '.join(attack.against)}, {dead:.0%} to eliminate")
            worth, word = known[attack]
            total += worth
            words.append(Reason(word, round(worth, 2)))
        found.append(Idea(action, total, lambda words=tuple(words): words))  # type: ignore[misc]
    found.sort(key=lambda idea: -idea.worth)
    return found[:SHOWN]


def arrange_ideas(sketch: Sketch, root: Node[Action]) -> list[Idea]:
    """Leaders with the strongest unit of the hex: alone a leader is an easy prey."""
    found = []
    for action in islice(root, MOST):
        if isinstance(action, ArrangeLeaders):
            worth = 0.0
            for leader, unit_id in action.pairs.items():
                partner = sketch.state.units[unit_id]
                worth += cc_firepower(sketch.context, partner) - leadership(sketch.context, sketch.state.units[leader])
            found.append(Idea(action, worth))
    found.sort(key=lambda idea: -idea.worth)
    return found[:SHOWN]


def clash(sketch: Sketch, own: Sequence[Unit], enemies: Sequence[Unit]) -> float:
    """Points that going into close combat gains on average, both sides attacking with all they have."""
    context = sketch.context
    units = {unit.id: unit for unit in (*own, *enemies)}
    factors = {unit.id: cc_firepower(context, unit) for unit in units.values()}
    mine, theirs = tuple(unit.id for unit in own), tuple(unit.id for unit in enemies)
    whole = tuple(unit.id for unit in enemies if not unit.broken)
    gained = _strike(sketch, units, factors, CcAttack(mine, theirs), sketch.seat)
    lost = _strike(sketch, units, factors, CcAttack(whole, mine), sketch.enemy) if whole else 0.0
    return gained - lost * sketch.style.care


def _strike(
    sketch: Sketch, units: dict[UnitId, Unit], factors: dict[UnitId, int], attack: CcAttack, seat: str
) -> float:
    odds = odds_of(sketch.context, units, factors, attack)
    drm = attack_drm(sketch.context, units, attack, seat, "")
    dead, reduced = _chances(odds.kill.total, drm.total)
    prices = [sketch.price(units[unit_id]) for unit_id in attack.against]
    return dead * sum(prices) + reduced * 0.5 * sum(prices) / len(prices)
