"""11.2-11.6 A mission on one sheet before it is fired: guns, capacity, DRMs, and the exact odds of its volleys."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance
from sandtable.core.ruleset import NO_EFFECT
from sandtable.core.sheet import Sheet, SheetRow, SheetSide
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.unit import Unit
from sandtable.systems.goss.support.fire_plan import Fire, FirePlan
from sandtable.systems.goss.support.firing import Laying, ammo_drm, softened, volleys_of
from sandtable.systems.goss.support.odds import mission_odds
from sandtable.systems.goss.support.spotting import plan_for
from sandtable.systems.goss.support.targets import struck_units
from sandtable.systems.goss.tables.fire_support import NOTHING_HIT, FireResult

__all__ = ["mission_sheet"]


@rule("11.2.4", "11.4.1", "11.5.0", "11.6.0")
def mission_sheet(context: Context, state: State, frame: Laying, action: Fire) -> Sheet:
    """The sheet of a mission on the target that was named."""
    guns = [state.units[shot.unit] for shot in action.guns]
    plan = _plan(context, state, frame)
    volleys = volleys_of(context, frame, plan.volleys(action), guns)
    struck = struck_units(context, state, frame.hex)
    is_hidden = any(veil.hex == frame.hex for veil in state.veils)
    return Sheet(
        title=f"Fire on {context.label(frame.hex)}",
        rule="11.6.0",
        sides=(
            SheetSide(
                frame.player,
                "Barrage points",
                str(plan.strength(action)),
                tuple(SheetRow(shot.unit, str(shot.points)) for shot in action.guns),
            ),
            SheetSide(
                context.other(frame.player),
                "Steps that are known",
                str(sum(unit.steps for unit in struck)),
                tuple(SheetRow(unit.id, str(unit.steps)) for unit in struck),
                "more units may be under the top one (8.4.0)" if is_hidden else "",
            ),
        ),
        line=f"{len(volleys)} volley{'s' * (len(volleys) > 1)}: "
        + ", ".join(f"{one} points {drm:+d}" for one, drm in volleys),
        numbers=(_capacity(plan), frame.drm, ammo_drm(context, guns, len(volleys))),
        odds=_odds(context, state, frame, guns, volleys),
    )


def _plan(context: Context, state: State, frame: Laying) -> FirePlan:
    """What may be fired on the target that was named."""
    spotter = state.units[frame.spotter] if frame.spotter else None
    return plan_for(context, state, frame.player, spotter, frame.hex, is_defensive=frame.is_defensive)


@rule("11.2.4")
def _capacity(plan: FirePlan) -> Breakdown:
    """How many artillery units may take part."""
    call = plan.call
    return Breakdown("Artillery units at most", "11.2.4", base=call.most, base_label=f"{call.capacity} capacity")


@rule("11.6.0")
def _odds(
    context: Context, state: State, frame: Laying, guns: Sequence[Unit], volleys: Sequence[tuple[int, int]]
) -> tuple[Chance, ...]:
    found: dict[FireResult, Fraction] = {}
    for result, chance in mission_odds(context.charts.fire, volleys).items():
        suffered = softened(context, state, frame.hex, guns, result)
        found[suffered] = found.get(suffered, Fraction(0)) + chance
    ranked = sorted(found.items(), key=lambda one: (-one[1], one[0].hits, one[0].shifts))
    return tuple(Chance(_told(result), float(chance), str(chance)) for result, chance in ranked)


def _told(result: FireResult) -> str:
    """A result in words."""
    if result == NOTHING_HIT:
        return NO_EFFECT
    hits = f"{result.hits} numerical hit{'s' if result.hits > 1 else ''}" if result.hits else ""
    return " and ".join(filter(None, (hits, f"{result.shifts} AS" if result.shifts else "")))
