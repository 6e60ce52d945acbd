"""The plots of a report as SVG, drawn with matplotlib (the extra ``lab``).

Every function gives the text of one ``<svg>`` to put into a page. Nothing of it depends on the clock or on chance, so
the same batch gives the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any

from sandtable.core.errors import BadInput, Fault
from sandtable.sim.balance import Balance
from sandtable.sim.compare import Trial
from sandtable.sim.statistics import anytime

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "COLOURS",
    "deciding",
    "figure",
    "lead",
    "lengths",
    "losses",
    "margins",
    "settled",
    "share",
    "to_svg",
    "trials",
]

COLOURS = ("#3b6ea5", "#b3542d", "#5d8a4b", "#7a5ea8")
"""First side, second side, and more."""
GREY = "#8a8f98"


def figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches."""
    try:
        from matplotlib.figure import Figure as NewFigure
    except ImportError:
        raise BadInput([Fault("--html", "matplotlib is not installed", "the extra `lab`")]) from None
    return NewFigure(figsize=(width, height), layout="constrained")


def to_svg(drawn: Figure) -> str:
    """The figure as the text of an SVG element."""
    import matplotlib as mpl

    out = StringIO()
    with mpl.rc_context({"svg.hashsalt": "sandtable", "svg.fonttype": "none", "font.size": 9}):
        drawn.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    text = text[text.index("<svg") :]
    # The size is the page's to set; the view box keeps the shape.
    return re.sub(r'<svg ([^>]*?)height="[^"]*"([^>]*?)width="[^"]*"', r"<svg \1\2", text, count=1)


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    drawn = figure(width, height)
    axes = drawn.add_subplot()
    _plain(axes)
    return drawn, axes


def _plain(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="y", color="#8884", linewidth=0.5)
    axes.set_axisbelow(True)


def share(balance: Balance) -> str:
    """The first side's share of the games as they came in, with the interval that holds at all times."""
    drawn, axes = _axes(6.4, 2.9)
    points, low, middle, high = 0.0, [], [], []
    for number, result in enumerate(balance.results, start=1):
        points += result
        interval = anytime(points, number, planned=balance.planned)
        low.append(interval.low)
        middle.append(interval.estimate)
        high.append(interval.high)
    games = range(1, len(middle) + 1)
    axes.fill_between(games, low, high, color=COLOURS[0], alpha=0.18, linewidth=0)
    axes.plot(games, middle, color=COLOURS[0], linewidth=1.6)
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    axes.axhspan(0.4, 0.6, color="#8882", linewidth=0)
    axes.set_ylim(0, 1)
    axes.set_xlim(1, max(2, len(middle)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xlabel("games played")
    axes.set_ylabel(f"share of {balance.sides[0].side}")
    return to_svg(drawn)


def margins(balance: Balance) -> str:
    """How clear the games were."""
    drawn, axes = _axes(6.4, 2.6)
    values = balance.margins
    reach = max(1, *(abs(value) for value in values)) if values else 1
    bins = 24
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value + reach) / (2 * reach) * bins))] += 1
    width = 2 * reach / bins
    places = [-reach + (place + 0.5) * width for place in range(bins)]
    colours = [COLOURS[0] if place > 0 else COLOURS[1] for place in places]
    axes.bar(places, counts, width=width * 0.92, color=colours)
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel(f"points of {balance.sides[0].side} over {balance.sides[1].side}")
    axes.set_ylabel("games")
    return to_svg(drawn)


def lengths(balance: Balance) -> str:
    """How long the games were."""
    drawn, axes = _axes(3.6, 2.4)
    longest = max(balance.turns, default=1)
    counts = [balance.turns.count(turn) for turn in range(1, longest + 1)]
    axes.bar(range(1, longest + 1), counts, color=GREY, width=0.8)
    axes.set_xlabel("last turn")
    axes.set_ylabel("games")
    return to_svg(drawn)


def lead(balance: Balance) -> str:
    """Who is ahead when: median and middle half."""
    drawn, axes = _axes(6.4, 2.6)
    turns = range(1, len(balance.lead_by_turn) + 1)
    low, middle, high = zip(*balance.lead_by_turn, strict=True) if balance.lead_by_turn else ((), (), ())
    axes.fill_between(turns, low, high, color=COLOURS[0], alpha=0.2, linewidth=0)
    axes.plot(turns, middle, color=COLOURS[0], linewidth=1.8, marker="o", markersize=3)
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel("end of turn")
    axes.set_ylabel(f"lead of {balance.sides[0].side}")
    return to_svg(drawn)


def losses(balance: Balance) -> str:
    """Pieces lost by kind, turn by turn, a panel for each side."""
    drawn = figure(6.8, 2.8)
    panels: Any = drawn.subplots(1, len(balance.sides), sharey=True, squeeze=False)[0]
    for axes, side in zip(panels, balance.sides, strict=True):
        _plain(axes)
        rows = balance.lost_by_turn.get(side.side, {})
        bottom = [0.0] * len(balance.lead_by_turn)
        turns = range(1, len(bottom) + 1)
        for place, (kind, row) in enumerate(rows.items()):
            top = [a + b for a, b in zip(bottom, row, strict=True)]
            axes.fill_between(turns, bottom, top, label=kind, alpha=0.85, linewidth=0, color=_shade(place, len(rows)))
            bottom = top
        axes.set_title(side.side, fontsize=9, loc="left")
        axes.set_xlabel("end of turn")
        if rows:
            axes.legend(fontsize=7, frameon=False, loc="upper left")
    panels[0].set_ylabel("lost so far, a game")
    return to_svg(drawn)


def _shade(place: int, number: int) -> tuple[float, float, float]:
    import matplotlib as mpl

    shade = mpl.colormaps["viridis"](0.15 + 0.7 * place / max(1, number - 1))
    return shade[0], shade[1], shade[2]


def deciding(balance: Balance) -> str:
    """Which parts of the points made the winner's lead, and which he could not have done without."""
    parts = [part for part in balance.deciding if part.spread or part.swing][:10]
    drawn, axes = _axes(6.4, 0.8 + 0.32 * max(1, len(parts)))
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color="#8884", linewidth=0.5)
    names = [part.part for part in parts]
    axes.barh(names, [part.largest for part in parts], color=[_of_side(part.swing) for part in parts], alpha=0.85)
    axes.plot([part.needed for part in parts], names, "D", color="#222a", markersize=5, label="not won without it")
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xlabel("won games in which it was the greatest part of the lead")
    axes.legend(fontsize=7, frameon=False, loc="lower right")
    return to_svg(drawn)


def _of_side(swing: float) -> str:
    return COLOURS[0] if swing > 0 else COLOURS[1]


def settled(balance: Balance) -> str:
    """When games are decided."""
    drawn, axes = _axes(3.6, 2.4)
    axes.plot(range(1, len(balance.settled) + 1), balance.settled, color=COLOURS[2], marker="o", markersize=3)
    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xlabel("end of turn")
    axes.set_ylabel("winner leads for good")
    return to_svg(drawn)


def trials(balance: Balance, tried: Sequence[Trial]) -> str:
    """The share with each change, beside the plain scenario."""
    rows = [("as it is", balance.sides[0].share)]
    rows += [(", ".join(trial.comparison.changes), trial.comparison.share) for trial in tried]
    drawn, axes = _axes(6.8, 0.9 + 0.34 * len(rows))
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color="#8884", linewidth=0.5)
    axes.axvspan(0.4, 0.6, color="#8882", linewidth=0)
    for place, (_, bounds) in enumerate(rows):
        colour = GREY if not place else COLOURS[0]
        axes.plot([bounds.low, bounds.high], [place, place], color=colour, linewidth=1.6)
        axes.plot([bounds.estimate], [place], "o", color=colour, markersize=6)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.axvline(0.5, color=GREY, linewidth=0.8)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xlabel(f"share of {balance.sides[0].side}")
    return to_svg(drawn)
