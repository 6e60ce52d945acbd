"""The plots of a report as SVG, drawn with matplotlib (the extra ``lab``).

Every function gives the text of one ``<svg>`` to put into a page. Ink is ``currentColor``, so a plot follows the page
into the dark. Nothing of it depends on the clock or on chance: the same batch gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, ParamSpec

from sandtable.core.extras import needs_extra
from sandtable.sim.balance import Balance
from sandtable.sim.compare import Trial
from sandtable.sim.statistics import anytime

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "GREY",
    "check_plots",
    "deciding",
    "lead",
    "lengths",
    "losses",
    "margins",
    "named",
    "new_axes",
    "per_cent",
    "plot",
    "settled",
    "share",
    "to_svg",
    "trials",
]

COLOURS = ("#2c78b8", "#d0661b", "#3d8f70", "#8b68b0")
"""First side, second side, and more: blue and orange, which every kind of colour vision keeps apart."""
GREY = "#8a8f98"
_INK, _GRID = "#010203", "#040506"
"""Stand-ins, replaced by what the page makes of them."""
_STYLE: dict[Any, Any] = {
    "svg.hashsalt": "sandtable",
    "svg.fonttype": "none",
    "font.size": 9.5,
    "axes.titlesize": 10,
    "axes.labelsize": 9.5,
    "text.color": _INK,
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "axes.linewidth": 0.7,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
}
P = ParamSpec("P")


def check_plots(where: str = "--html") -> None:
    """Raise :class:`BadInput` if there is nothing to draw with."""
    with needs_extra("lab", where, "drawing the plots"):
        import matplotlib.figure  # noqa: F401


def plot(draw: Callable[P, str]) -> Callable[P, str]:
    """A function that draws in our style."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> str:
        check_plots()
        import matplotlib as mpl

        with mpl.rc_context(_STYLE):
            return draw(*args, **kwargs)

    return styled


def to_svg(drawn: Figure, told: str) -> str:
    """The figure as the text of an SVG element; ``told`` is for those who cannot see it."""
    out = StringIO()
    drawn.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :].replace(_INK, "currentColor").replace(_GRID, "currentColor")
    # Several plots stand in one page: names of groups, which nothing refers to, would clash there.
    text = re.sub(r'<g id="[^"]*"', "<g", text)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # The size is the page's to set; the view box keeps the shape.
    text = re.sub(r'<svg ([^>]*?)height="[^"]*"([^>]*?)width="[^"]*"', r"<svg \1\2", text, count=1)
    wide = ' class="wide"' if drawn.get_figwidth() > 7 else ""
    return text.replace("<svg ", f'<svg role="img" aria-label="{escape(told)}"{wide} ', 1)


def new_axes(width: float, height: float, grid: str = "y") -> tuple[Figure, Axes]:
    """A figure of so many inches with one plot in it."""
    from matplotlib.figure import Figure as NewFigure

    drawn = NewFigure(figsize=(width, height), layout="constrained")
    axes = drawn.add_subplot()
    _plain(axes, grid)
    return drawn, axes


def _plain(axes: Any, grid: str = "y") -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis=grid, color=_GRID, linewidth=0.5, alpha=0.16)
    axes.set_axisbelow(True)


def per_cent(axis: Any) -> None:
    """Shares as per cent."""
    axis.set_major_formatter(lambda value, _: f"{value:.0%}")


def named(side: str) -> str:
    """A side as a heading has it."""
    return side[:1].upper() + side[1:]


def _turn_ticks(axes: Any, turns: int) -> None:
    step = max(1, -(-turns // 10))
    axes.set_xticks(range(1, turns + 1, step))
    axes.set_xlabel("turn")


@plot
def share(balance: Balance, band: float) -> str:
    """The first side's share of the games as they came in, with the interval that holds at all times."""
    drawn, axes = new_axes(5.6, 2.9)
    points, low, middle, high = 0.0, [], [], []
    for number, result in enumerate(balance.results, start=1):
        points += result
        interval = anytime(points, number, planned=balance.planned)
        low.append(interval.low)
        middle.append(interval.estimate)
        high.append(interval.high)
    games = range(1, len(middle) + 1)
    axes.axhspan(0.5 - band, 0.5 + band, color=COLOURS[2], alpha=0.14, linewidth=0)
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    axes.fill_between(games, low, high, color=COLOURS[0], alpha=0.22, linewidth=0)
    axes.plot(games, middle, color=COLOURS[0], linewidth=1.8)
    axes.set_ylim(0, 1)
    axes.set_xlim(1, max(2, len(middle)))
    per_cent(axes.yaxis)
    axes.set_xlabel("games played")
    axes.set_ylabel(f"share of {named(balance.sides[0].side)}")
    return to_svg(drawn, "Share of the first side after each game, with its interval")


@plot
def margins(balance: Balance) -> str:
    """How clear the games were; bars for leads of the first side, of the second, and for level games."""
    drawn, axes = new_axes(5.6, 2.9)
    values = balance.margins
    reach = max([1, *(abs(value) for value in values)])
    # An odd number of bars, so that one of them stands on zero alone.
    width = max(1.0, 2 * reach / 24)
    counts: dict[int, int] = {}
    for value in values:
        place = 0 if not value else int((abs(value) - 1) // width + 1) * (1 if value > 0 else -1)
        counts[place] = counts.get(place, 0) + 1
    for place, count in sorted(counts.items()):
        middle = (abs(place) - 0.5) * width * (1 if place > 0 else -1) if place else 0.0
        colour = COLOURS[0] if place > 0 else COLOURS[1] if place < 0 else GREY
        axes.bar(middle, count, width=width * (0.9 if place else 0.4), color=colour)
    axes.axvline(0, color=GREY, linewidth=0.8)
    one, two = (named(side.side) for side in balance.sides[:2])
    axes.set_xlabel(f"points: {two} ahead ←   → {one} ahead")
    axes.set_ylabel("games")
    return to_svg(drawn, "How many games ended with which lead in points")


@plot
def lengths(balance: Balance) -> str:
    """How long the games were."""
    drawn, axes = new_axes(3.9, 2.3)
    longest = max(balance.turns, default=1)
    counts = [balance.turns.count(turn) / max(1, balance.games) for turn in range(1, longest + 1)]
    axes.bar(range(1, longest + 1), counts, color=GREY, width=0.8)
    _turn_ticks(axes, longest)
    axes.set_xlabel("last turn")
    per_cent(axes.yaxis)
    axes.set_ylabel("games")
    return to_svg(drawn, "Share of the games by their last turn")


@plot
def lead(balance: Balance) -> str:
    """Who is ahead when: median and middle half."""
    drawn, axes = new_axes(5.6, 2.9)
    turns = range(1, len(balance.lead_by_turn) + 1)
    low, middle, high = zip(*balance.lead_by_turn, strict=True) if balance.lead_by_turn else ((), (), ())
    axes.fill_between(turns, low, high, color=COLOURS[0], alpha=0.22, linewidth=0)
    axes.plot(turns, middle, color=COLOURS[0], linewidth=1.8, marker="o", markersize=4)
    axes.axhline(0, color=GREY, linewidth=0.8)
    _turn_ticks(axes, len(turns))
    axes.set_xlabel("end of turn")
    axes.set_ylabel(f"lead of {named(balance.sides[0].side)}, points")
    return to_svg(drawn, "Lead of the first side at the end of each turn")


@plot
def losses(balance: Balance) -> str:
    """Pieces lost by kind, turn by turn, a panel for each side."""
    from matplotlib.figure import Figure as NewFigure

    drawn = NewFigure(figsize=(7.4, 3.3), layout="constrained")
    panels: Any = drawn.subplots(1, len(balance.sides), sharey=True, squeeze=False)[0]
    for axes, side, colour in zip(panels, balance.sides, COLOURS, strict=False):
        _plain(axes)
        rows = balance.lost_by_turn.get(side.side, {})
        bottom = [0.0] * len(balance.lead_by_turn)
        turns = range(1, len(bottom) + 1)
        for place, (kind, row) in enumerate(sorted(rows.items(), key=lambda item: -item[1][-1])):
            top = [a + b for a, b in zip(bottom, row, strict=True)]
            label = f"{kind} ({row[-1]:.1f})"
            axes.fill_between(turns, bottom, top, label=label, linewidth=0, color=_shade(colour, place, len(rows)))
            bottom = top
        axes.set_title(named(side.side), loc="left")
        _turn_ticks(axes, len(bottom))
        axes.set_xlabel("end of turn")
        if rows:
            handles, labels = axes.get_legend_handles_labels()
            axes.legend(handles[::-1], labels[::-1], fontsize=8, frameon=False, loc="upper left")
    panels[0].set_ylabel("lost so far, a game")
    return to_svg(drawn, "Pieces lost by side and kind up to the end of each turn")


def _shade(colour: str, place: int, number: int) -> tuple[float, float, float]:
    """A side's colour, the lighter the later in the list."""
    light = 0.72 * place / max(1, number - 1) if number > 1 else 0.0
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red + (1 - red) * light, green + (1 - green) * light, blue + (1 - blue) * light


@plot
def deciding(balance: Balance) -> str:
    """Which parts of the points made the winner's lead, and which he could not have done without."""
    parts = [part for part in balance.deciding if part.spread or part.swing][:10]
    if not parts:
        return ""
    drawn, axes = new_axes(5.6, max(1.9, 0.95 + 0.36 * len(parts)), grid="x")
    names = [part.part for part in parts]
    colours = [COLOURS[0] if part.swing > 0 else COLOURS[1] for part in parts]
    axes.barh(
        names, [part.largest for part in parts], color=colours, height=0.62, label="the greatest part of the lead"
    )
    axes.plot([part.needed for part in parts], names, "D", color=_INK, markersize=5, label="not won without it")
    axes.invert_yaxis()
    axes.set_xlim(0, 1)
    per_cent(axes.xaxis)
    axes.set_xlabel("won games")
    axes.legend(fontsize=8, frameon=False, loc="lower right")
    return to_svg(drawn, "Parts of the points, and in how many won games each was the greatest or was needed")


@plot
def settled(balance: Balance) -> str:
    """When games are decided."""
    if not balance.settled:
        return ""
    drawn, axes = new_axes(3.9, 2.3)
    axes.plot(range(1, len(balance.settled) + 1), balance.settled, color=COLOURS[2], marker="o", markersize=4)
    axes.set_ylim(0, 1.04)
    per_cent(axes.yaxis)
    _turn_ticks(axes, len(balance.settled))
    axes.set_xlabel("end of turn")
    axes.set_ylabel("winner leads for good")
    return to_svg(drawn, "Share of the games whose winner leads from the end of each turn on")


@plot
def trials(balance: Balance, tried: Sequence[Trial], band: float) -> str:
    """The share with each change, beside the plain scenario."""
    rows = [("as it is", balance.sides[0].share)]
    rows += [(", ".join(trial.comparison.changes), trial.comparison.share) for trial in tried]
    drawn, axes = new_axes(8.4, 0.9 + 0.36 * len(rows), grid="x")
    axes.axvspan(0.5 - band, 0.5 + band, color=COLOURS[2], alpha=0.14, linewidth=0)
    axes.axvline(0.5, color=GREY, linewidth=0.8)
    for place, (_, bounds) in enumerate(rows):
        colour = GREY if not place else COLOURS[0]
        axes.plot([bounds.low, bounds.high], [place, place], color=colour, linewidth=2)
        axes.plot([bounds.estimate], [place], "o", color=colour, markersize=7)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    per_cent(axes.xaxis)
    axes.set_xlabel(f"share of {named(balance.sides[0].side)}, with 95 % intervals")
    return to_svg(drawn, "Share of the first side as it is and with each change")
