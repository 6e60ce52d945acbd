"""3.8 Close combat attacks: firepower, odds, kill number, DRM, and the ambush that may come before.

No weapon, no TEM and no PBF counts. A leader who fights with a unit adds his one FP and may direct its attack.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import is_inexperienced, leadership
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.common.vehicles_here import own_vehicles_at
from sandtable.systems.aslsk.pieces.state import CcAttack, State, Unit, UnitId

__all__ = ["LEADER_FP", "Odds", "ambush_drm", "attack_drm", "cc_firepower", "director", "odds_against", "odds_of"]

LEADER_FP = 1


class Odds(NamedTuple):
    """Attack to defence, as a column of the CCT."""

    name: str
    kill: Breakdown
    below: int
    """Columns under 1-1."""


def cc_firepower(context: Context, unit: Unit) -> int:
    """Printed FP of a MMC, one of a SMC, whether broken or not (3.8)."""
    card = context.card(unit)
    return LEADER_FP if card.is_leader else card.fp


def _bounds(name: str) -> tuple[int, int]:
    attack, _, defence = name.rsplit(maxsplit=1)[-1].partition("-")
    return int(attack), int(defence)


@rule("3.8")
def odds_of(context: Context, units: Mapping[UnitId, Unit], factors: Mapping[UnitId, int], attack: CcAttack) -> Odds:
    """The odds of an attack, rounded down to a column of the CCT; a pinned attacker has half FP (3.8)."""
    terms = []
    twice = 0
    for unit_id in attack.by:
        pinned = units[unit_id].pinned
        twice += factors[unit_id] * (1 if pinned else 2)
        terms.append(f"{factors[unit_id]}{'/2' if pinned else ''} {unit_id}")
    defence = sum(factors[unit_id] for unit_id in attack.against)
    against = [f"{factors[unit_id]} {unit_id}" for unit_id in attack.against]
    return odds_against(context, twice, 2 * defence, f"{' + '.join(terms)} to {' + '.join(against)}")


def odds_against(context: Context, attack: int, defence: int, words: str) -> Odds:
    """The column of the CCT that an attack on a defence reaches, and its kill number (3.8)."""
    table = context.tables["close_combat"]
    names = [str(value) for value in table.axes[0].values]
    column = _column(names, attack, defence)
    kill = Breakdown("Kill number", "3.8", (), table.number(names[column]), f"{words}: {names[column]}")
    return Odds(names[column], kill, max(0, names.index("1-1") - column))


def _column(names: Sequence[str], attack: int, defence: int) -> int:
    """Index of the rightmost column whose odds the attack reaches."""
    best = 0
    for index, name in enumerate(names):
        most, least = _bounds(name)
        if name.startswith("under"):
            continue
        reached = attack * least > most * defence if name.startswith("over") else attack * least >= most * defence
        if reached:
            best = index
    return best


@rule("3.8")
def attack_drm(context: Context, units: Mapping[UnitId, Unit], attack: CcAttack, seat: str, ambusher: str) -> Breakdown:
    """The DRM of a close combat attack (3.8).

    What speaks against the attackers counts if it is true of one of them; what speaks for them only if it is true of
    all that they attack.
    """
    table = context.tables["close_combat_drm"]
    by = [units[unit_id] for unit_id in attack.by]
    on = [units[unit_id] for unit_id in attack.against]
    causes = [
        ("by_ambusher", "by the ambusher", ambusher == seat),
        ("on_ambusher", "on the ambusher", bool(ambusher) and ambusher != seat),
        ("by_cx", "by CX", any(unit.cx for unit in by)),
        ("on_cx", "on CX", all(unit.cx for unit in on)),
        ("on_broken", "on broken units", all(unit.broken for unit in on)),
    ]
    terms = [Modifier(table.number(key), label, "3.8") for key, label, holds in causes if holds]
    leader = director(context, by)
    if leader is not None:
        terms.append(Modifier(leadership(context, leader), f"leadership of {leader.id}", "3.8"))
    return Breakdown("CC DRM", "3.8", tuple(terms))


def director(context: Context, by: Sequence[Unit]) -> Unit | None:
    """The leader whose DRM helps an attack most: not alone, unpinned, and not to its harm (3.8)."""
    if not any(context.card(unit).is_mmc for unit in by):
        return None
    leaders = [unit for unit in by if context.card(unit).is_leader and not unit.pinned and _helps(context, unit, by)]
    best = min(leaders, key=lambda unit: leadership(context, unit), default=None)
    return best if best is not None and leadership(context, best) < 0 else None


def _helps(context: Context, leader: Unit, by: Sequence[Unit]) -> bool:
    if not context.scenario.conditions.own_leaders:
        return True
    nation = context.card(leader).nationality
    return all(context.card(unit).nationality is nation for unit in by)


@rule("3.8", "5.4")
def ambush_drm(context: Context, state: State, hex: Hex, seat: str) -> Breakdown:
    """A side's ambush drm, each cause once even if only a part of the force has it (3.8)."""
    table = context.tables["ambush"]
    units = friends_at(context, state, hex, seat)
    causes: list[tuple[str, str, bool]] = [
        ("cx", "CX", any(unit.cx for unit in units)),
        ("pinned", "pinned", any(unit.pinned for unit in units)),
        ("inexperienced", "Inexperienced", any(is_inexperienced(context, state, unit) for unit in units)),
    ]
    vehicles = own_vehicles_at(state, hex, seat)
    causes.append(("vehicle", "vehicle", bool(vehicles)))
    causes.append(("shut", "BU or stunned", any(not one.exposed or one.is_stunned for one in vehicles)))
    terms = [Modifier(table.number(key), label, "3.8") for key, label, holds in causes if holds]
    leader = _best(context, units) if len(units) > 1 else None
    if leader is not None and leadership(context, leader):
        terms.append(Modifier(leadership(context, leader), f"leadership of {leader.id}", "3.8"))
    special = context.scenario.conditions.ambush
    drms = [special[unit.force] for unit in units if unit.force in special]
    if drms:
        terms.append(Modifier(min(drms), "scenario", "1.3"))
    return Breakdown(f"Ambush drm of {seat}", "3.8", tuple(terms))


def _best(context: Context, units: Iterable[Unit]) -> Unit | None:
    leaders = [unit for unit in units if context.card(unit).is_leader and not unit.broken and not unit.pinned]
    return min(leaders, key=lambda unit: leadership(context, unit), default=None)
