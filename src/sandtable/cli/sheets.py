"""A fight on its sheet, as the terminal shows it: both sides, the numbers, and the exact odds of the dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandtable.core.sheet import JointOdds, Sheet

__all__ = ["show_sheet"]


def show_sheet(sheet: Sheet, title: str) -> None:
    """Print a sheet."""
    from sandtable.cli.output import grid, screen

    out = screen()
    out.print(f"{title}\n\n{sheet.title} ({sheet.rule}). {sheet.line}")
    for side in sheet.sides:
        brought = ", ".join(f"{row.unit} {row.text}" for row in side.rows)
        out.print(f"{side.side}: {side.title} {side.total}" + (f" ({brought})" if brought else ""))
    for number in sheet.numbers:
        out.print(number.explain())
    if sheet.odds:
        table = grid("the dice give", "chance", "exactly")
        for chance in sheet.odds:
            table.add_row(chance.what, f"{chance.probability:.2%}", chance.exact)
        out.print(table)
    if sheet.joint is not None:
        _show_joint(sheet.joint)


def _show_joint(joint: JointOdds) -> None:
    from sandtable.cli.output import grid, screen

    table = grid("", *joint.columns, title=f"{joint.row_title} by rows, {joint.column_title.lower()} by columns")
    for row, cells in zip(joint.rows, joint.cells, strict=True):
        table.add_row(row, *(f"{cell:.1%}" for cell in cells))
    screen().print(table)
    screen().print(joint.note)
