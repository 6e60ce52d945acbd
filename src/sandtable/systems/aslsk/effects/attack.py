"""3.2.3 An attack on the IFT: column, DRM, the DR, cowering, and the result for every target.

Fire attacks, Residual FP, demolition charges, ordnance hits and backblast all end here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.dice import Roll
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import DR
from sandtable.systems.aslsk.effects.effects import apply_results
from sandtable.systems.aslsk.effects.ift import Ift, IftKind, ift_of
from sandtable.systems.aslsk.pieces.state import UnitId

__all__ = ["Attack", "Resolved", "could_inflict_nmc", "put_under_desperation", "resolve_attack", "roll_attack"]

LEAST_DR, LEAST_PLAIN_DR = 2, 3
"""The least DR, and the least that is not doubles."""


class Attack(NamedTuple):
    """All that is settled before the dice fall."""

    kind: str
    target: Hex
    targets: tuple[UnitId, ...]
    column: int
    """Number of the IFT column before cowering."""
    firepower: Breakdown
    drm: Breakdown
    """What modifies the DR against every target."""
    own_drm: dict[UnitId, tuple[Modifier, ...]]
    """What modifies it against single targets besides."""
    cower: int = 0
    """Columns to the left on doubles; 0 if it cannot cower."""
    fussy: bool = False
    """Whether single dice matter: ROF, cowering."""
    dud_at: int = 13
    """Original DR at which it has no effect at all: a panzerfaust's dud (4.4.2)."""
    in_combat: bool = False
    """In close combat, where the loss of a leader causes no check (3.2.3)."""
    marks: tuple[int, ...] = ()
    """Totals at which something else than the result changes: breakdown numbers."""


class Resolved(NamedTuple):
    """What the dice said."""

    roll: Roll
    column: int
    """Number of the column used, after cowering."""
    cowered: bool


def roll_attack(context: Context, play: Play, attack: Attack) -> Roll:
    """The IFT DR."""
    cuts = None if attack.fussy else partial(_cuts, ift_of(context), attack)
    return play.dice.roll(DR, f"{attack.kind} on {context.label(attack.target)}", cuts)


def _drms(attack: Attack) -> set[int]:
    base = attack.drm.total
    return {base + sum(term.value for term in attack.own_drm.get(unit, ())) for unit in attack.targets} or {base}


def _cuts(ift: Ift, attack: Attack) -> tuple[int, ...]:
    """The totals at which a result changes, for exact odds."""
    drms = _drms(attack)
    cuts = {mark - 1 for mark in attack.marks}
    for total in range(2, 12):
        for drm in drms:
            if ift.result(attack.column, total + drm) != ift.result(attack.column, total + 1 + drm):
                cuts.add(total)
    return tuple(sorted(cuts))


@rule("3.2.2", "3.2.3")
def resolve_attack(context: Context, play: Play, attack: Attack, roll: Roll | None = None) -> Resolved:
    """Roll, cower, look the results up and apply them (3.2.2, 3.2.3)."""
    ift = ift_of(context)
    put_under_desperation(play, ift, attack)
    if roll is None:
        roll = roll_attack(context, play, attack)
    cowered = bool(attack.cower) and len(set(roll.faces)) == 1
    column = max(-1, attack.column - attack.cower) if cowered else attack.column
    dud = roll.total >= attack.dud_at
    if dud:
        column = -1
    base = attack.drm.total
    hits = []
    groups: dict[tuple[Modifier, ...], list[UnitId]] = {}
    for unit_id in attack.targets:
        own = attack.own_drm.get(unit_id, ())
        groups.setdefault(own, []).append(unit_id)
        hits.append((unit_id, ift.result(column, roll.total + base + sum(term.value for term in own))))
    for own, units in groups.items():
        drm = attack.drm.plus(own) if own else attack.drm
        play.emit(
            ev.FireResolved(
                kind=f"dud {attack.kind}" if dud else attack.kind,
                target=attack.target,
                targets=tuple(units),
                firepower=attack.firepower,
                drm=drm,
                faces=roll.faces,
                column=ift.fp(column),
                cowered=cowered,
                result=ift.result(column, roll.total + drm.total).text,
            )
        )
    apply_results(context, play, hits, column, in_combat=attack.in_combat)
    return Resolved(roll, column, cowered)


@rule("3.2.3")
def put_under_desperation(play: Play, ift: Ift, attack: Attack) -> None:
    """DM for broken targets if the attack could inflict a NMC, the possibility of cowering considered (3.2.3)."""
    for unit_id in attack.targets:
        unit = play.state.units[unit_id]
        if not unit.broken or unit.dm:
            continue
        drm = attack.drm.total + sum(term.value for term in attack.own_drm.get(unit_id, ()))
        if could_inflict_nmc(ift, attack.column, attack.cower, drm):
            play.emit(ev.Desperation(unit_id, attack.kind))


def could_inflict_nmc(ift: Ift, column: int, cower: int, drm: int) -> bool:
    """Whether some DR gives a NMC or worse; double ones may cower."""
    tries: Sequence[tuple[int, int]] = (
        ((max(-1, column - cower), LEAST_DR), (column, LEAST_PLAIN_DR)) if cower else ((column, LEAST_DR),)
    )
    return any(ift.result(at, dr + drm).kind in _MC_OR_WORSE for at, dr in tries)


_MC_OR_WORSE = frozenset((IftKind.MC, IftKind.K, IftKind.KIA))
