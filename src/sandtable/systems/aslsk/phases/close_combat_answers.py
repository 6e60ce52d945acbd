"""3.8 What the odds of close combat leave out: the other side answers, or strikes back after an ambush.

The first side is told what its odds are if the other declares its best answer: the one that costs most FP on average.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.odds import Supposition
from sandtable.systems.aslsk.common.actions import DeclareCloseCombat
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.words import side_name
from sandtable.systems.aslsk.phases.close_combat import fighters
from sandtable.systems.aslsk.phases.close_combat_choices import declare_options
from sandtable.systems.aslsk.phases.close_combat_odds import attack_drm, odds_of
from sandtable.systems.aslsk.pieces.state import CcAttack, CloseCombat, State

__all__ = ["combat_suppositions"]

MOST_ANSWERS = 500
"""Declarations of the other side that are compared."""
_TOTALS = [one + other for one, other in product(range(1, 7), repeat=2)]


@rule("3.8")
def combat_suppositions(
    context: Context, state: State, frame: CloseCombat, action: DeclareCloseCombat
) -> Iterator[Supposition]:
    """What the other side may declare once this declaration is made (3.8)."""
    if frame.second or not action.attacks:
        return
    other = context.other(frame.asked)
    if not fighters(context, state, frame.hex, other):
        return
    if frame.ambusher:
        yield Supposition(f"the {side_name(other)} units that are left attack back", "3.8")
        return
    attacks = _best_answer(context, state, replace(frame, asked=other, second=True))
    words = "; ".join(f"{', '.join(attack.by)} on {', '.join(attack.against)}" for attack in attacks)
    answered = replace(frame, second=True, attacks=attacks)
    yield Supposition(
        f"{side_name(other)} declares its best answer: {words}",
        "3.8",
        replace(state, stack=(*state.stack[:-1], answered)),
    )


def _best_answer(context: Context, state: State, frame: CloseCombat) -> tuple[CcAttack, ...]:
    known: dict[CcAttack, float] = {}

    def worth(attacks: tuple[CcAttack, ...]) -> float:
        for attack in attacks:
            if attack not in known:
                known[attack] = _harm(context, state, frame, attack)
        return sum(known[attack] for attack in attacks)

    found = islice(declare_options(context, state, frame), MOST_ANSWERS)
    return max((one.attacks for one in found if isinstance(one, DeclareCloseCombat)), key=worth)


def _harm(context: Context, state: State, frame: CloseCombat, attack: CcAttack) -> float:
    """FP that an attack costs the attacked on average: all of it below the kill number, half a unit's at it."""
    kill = odds_of(context, state.units, frame.factors, attack).kill.total
    drm = attack_drm(context, state.units, attack, frame.asked, frame.ambusher).total
    total = sum(frame.factors[unit_id] for unit_id in attack.against)
    dead = sum(roll + drm < kill for roll in _TOTALS)
    reduced = sum(roll + drm == kill for roll in _TOTALS)
    return (dead * total + reduced * total / len(attack.against) / 2) / len(_TOTALS)
