"""Where pieces were lost, drawn on the board: a disk in every such hex, sized by how much, coloured by whose."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import cos, pi, sin, sqrt

from sandtable.geo.plane.space import AnyMap, space_of
from sandtable.sim.balance import Balance, LossPlace
from sandtable.sim.board import SIZE, board_box, draw_board, on_paper
from sandtable.sim.pages.plots import COLOURS

__all__ = ["heat_map"]

LEAST, MOST = 0.16, 0.92
"""Radius of a disk, in hex sizes."""


def heat_map(ruleset: object, balance: Balance) -> str:
    """The board with its losses, or "" for a system without a map."""
    board = space_of(ruleset)
    if board is None:
        return ""
    left, top, width, height = board_box(board)
    parts = [*draw_board(board), *_disks(board, balance)]
    told = "The board, with a disk wherever pieces were lost"
    box = f"{left:.0f} {top:.0f} {width:.0f} {height:.0f}"
    return f'<svg role="img" aria-label="{told}" class="board" viewBox="{box}">{"".join(parts)}</svg>'


def _disks(board: AnyMap, balance: Balance) -> Iterator[str]:
    seats = [side.side for side in balance.sides]
    most = max((sum(place.lost.values()) for place in balance.places), default=1.0)
    for place in sorted(balance.places, key=lambda one: sum(one.lost.values())):
        total = sum(place.lost.values())
        x, y = on_paper(board, place.hex)
        radius = SIZE * max(LEAST, MOST * sqrt(total / most))
        yield f"<g><title>{escape(_told(place, balance.games))}</title>"
        yield from _pie(x, y, radius, [place.lost.get(seat, 0.0) / total for seat in seats])
        if radius > SIZE / 2:
            yield (
                f'<text x="{x:.1f}" y="{y + 3:.1f}" text-anchor="middle" font-size="8.5" font-weight="600" '
                f'fill="#fff">{total / max(1, balance.games):.2f}</text>'
            )
        yield "</g>"


def _told(place: LossPlace, games: int) -> str:
    sides = ", ".join(f"{side} {lost / max(1, games):.2f}" for side, lost in place.lost.items())
    return f"{place.hex}: {sides} lost a game"


def _pie(x: float, y: float, radius: float, shares: list[float]) -> Iterator[str]:
    rim = 'stroke="#fff" stroke-width="1"'
    start = 0.0
    for share, colour in zip(shares, COLOURS, strict=False):
        if share >= 0.999:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}" {rim}/>'
        elif share > 0:
            ends = [(x + radius * sin(2 * pi * at), y - radius * cos(2 * pi * at)) for at in (start, start + share)]
            (x0, y0), (x1, y1) = ends
            arc = f"A{radius:.1f},{radius:.1f} 0 {int(share > 0.5)} 1 {x1:.1f},{y1:.1f}"
            path = f"M{x:.1f},{y:.1f}L{x0:.1f},{y0:.1f}{arc}Z"
            yield f'<path d="{path}" fill="{colour}" {rim}/>'
        start += share
