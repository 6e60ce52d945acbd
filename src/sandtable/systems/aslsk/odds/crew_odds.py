"""7.12 Exact odds of an attack on the IFT against a crew that is Crew Exposed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from sandtable.core.dice import Dice, Roll, enumerate_rolls
from sandtable.core.ruleset import NO_EFFECT
from sandtable.systems.aslsk.common.consequence import vehicle_change
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.common.dice import DR
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.effects.attack import Attack, Resolved
from sandtable.systems.aslsk.fire.crews import strike_crews
from sandtable.systems.aslsk.pieces.state import State, VehicleId

__all__ = ["crew_odds"]


def crew_odds(context: Context, state: State, attack: Attack, vehicle_id: VehicleId) -> dict[str, Fraction]:
    """The chance of each thing that the attack may do to the crew of one vehicle; every DR is played through."""
    ways: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    for faces in product(range(1, 7), repeat=2):
        cowers = attack.cower if faces[0] == faces[1] else 0
        ways.setdefault((max(-1, attack.column - cowers), sum(faces)), []).append(faces)
    found: dict[str, Fraction] = {}
    for (column, _), rolls in ways.items():
        resolved = Resolved(Roll(DR, rolls[0], attack.kind), column, cowered=False)

        def struck(dice: Dice, resolved: Resolved = resolved) -> str:
            """What becomes of the vehicle."""
            play = Play(state, fold, dice)
            strike_crews(context, play, attack, resolved, (vehicle_id,))
            return vehicle_change(state.vehicles[vehicle_id], play.state.vehicles[vehicle_id]) or NO_EFFECT

        for what, chance in enumerate_rolls(struck):
            found[what] = found.get(what, Fraction(0)) + chance * Fraction(len(rolls), 36)
    return found
