"""13.6-13.9 An assault on one sheet before the dice: both stacks, column, shifts, DRM, and the joint odds of the rolls.

Every number is that of :mod:`~sandtable.systems.goss.assault.measure`, which the dice go by too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sandtable.core.content.rule import rule
from sandtable.core.sheet import JointOdds, Sheet, SheetRow, SheetSide
from sandtable.systems.goss.assault.frames import Assault
from sandtable.systems.goss.assault.measure import measure
from sandtable.systems.goss.assault.odds import joint_odds
from sandtable.systems.goss.assault.strength import Share
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.tables.ground_assault import COLUMNS, NO_RESULT, AssaultResult

__all__ = ["assault_sheet"]


@rule("13.6.0", "13.7.0", "13.8.0", "13.9.0")
def assault_sheet(context: Context, state: State, assault: Assault) -> Sheet:
    """The sheet of an assault as it comes to the dice."""
    found = measure(context, state, assault)
    us, them = assault.player, context.other(assault.player)
    ours, theirs = found.shares
    is_hidden = any(veil.hex == assault.target for veil in state.veils)
    moved = "" if found.first == found.column else f", shifted to {COLUMNS[found.column]}"
    return Sheet(
        title=f"Assault on {context.label(assault.target)}",
        rule="13.0",
        sides=(
            SheetSide(us, "Attack strength", str(found.attack), _rows(ours)),
            SheetSide(
                them,
                "Defence strength",
                str(found.defence),
                _rows(theirs),
                "more units may be under the top one (8.4.0): they count too" if is_hidden else "",
            ),
        ),
        line=(
            f"{found.attack} against {found.defence} on terrain line {assault.line}: "
            f"column {COLUMNS[found.first]}{moved}, DRM {found.drm.total:+d}"
        ),
        numbers=(found.shifts, found.drm),
        joint=_joint(joint_odds(context.charts.assault, found.column, found.drm.total), is_partial=is_hidden),
    )


def _rows(shares: Sequence[Share]) -> tuple[SheetRow, ...]:
    return tuple(
        SheetRow(share.id, share.text, ", ".join(f"{reason.label} ({reason.rule})" for reason in share.reasons))
        for share in shares
    )


@rule("13.9.2")
def _joint(odds: Mapping[tuple[AssaultResult, AssaultResult], Fraction], *, is_partial: bool) -> JointOdds:
    """The joint table, from nothing to the worst: what the defender suffers by rows, the attacker by columns."""
    rows = sorted({hit for hit, _ in odds}, key=lambda one: one.severity)
    columns = sorted({struck for _, struck in odds}, key=lambda one: one.severity)
    return JointOdds(
        row_title="On the defender",
        column_title="On the attacker",
        rows=tuple(map(_short, rows)),
        columns=tuple(map(_short, columns)),
        cells=tuple(tuple(float(odds[row, column]) for column in columns) for row in rows),
        note="-: nothing; 2(1): two discretionary hits and one mandatory hit; *: a check of the lead unit (13.9.2)",
        is_partial=is_partial,
    )


def _short(result: AssaultResult) -> str:
    return "-" if result == NO_RESULT else str(result)
