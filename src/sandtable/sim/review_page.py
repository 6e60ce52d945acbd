"""A review as one HTML page: the win-chance curve, luck turn by turn, and the moments that counted."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from sandtable.sim.luck import EntryLuck
from sandtable.sim.plots import COLOURS, figure, to_svg
from sandtable.sim.report import page, panel
from sandtable.sim.review import Review

__all__ = ["review_html"]

SHOWN = 15
"""Entries in the table of those that weighed most."""


def review_html(review: Review) -> str:
    """The page of a review."""
    head = (
        f"<h1>{escape(review.title)}</h1>"
        f'<p class="soft">{escape(review.scenario)}; {review.games} playouts at each point by {escape(review.bots)}</p>'
        f'<p class="answer">{escape(review.outcome or "Not over yet.")}</p>'
    )
    first = review.seats[0]
    cards = [
        panel("Chance to win", _curve(review), f"Share of {first} when bots play on from there, with 95 % bounds.", 12),
        panel(
            "Luck and decisions", _bars(review), f"Points for {first} in each turn, by the evaluation of positions.", 12
        ),
        panel("Turning points", _turning_points(review), width=6),
        panel("Luck", _luck(review), "What all rolls did to each side against their expectation.", 6),
        panel("What weighed most", _entries(review.entries), f"Points for {first}.", 12),
    ]
    return page(f"{review.title}: review", head + f'<div class="grid">{"".join(cards)}</div>')


def _curve(review: Review) -> str:
    drawn = figure(8.6, 2.9)
    axes: Any = drawn.add_subplot()
    places = [point.seq for point in review.curve]
    low = [point.share.low for point in review.curve]
    high = [point.share.high for point in review.curve]
    axes.fill_between(places, low, high, color=COLOURS[0], alpha=0.18, linewidth=0)
    axes.plot(places, [point.share.estimate for point in review.curve], color=COLOURS[0], marker="o", markersize=4)
    axes.axhline(0.5, color="#8a8f98", linewidth=0.8)
    for turn in review.turning_points:
        axes.axvspan(turn.from_seq, turn.to_seq, color=COLOURS[1 if turn.change < 0 else 0], alpha=0.12, linewidth=0)
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xticks(places, [f"turn {point.turn}" for point in review.curve], rotation=30, ha="right")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return to_svg(drawn)


def _bars(review: Review) -> str:
    turns = sorted({entry.turn for entry in review.entries})
    luck = [sum(entry.luck for entry in review.entries if entry.turn == turn) for turn in turns]
    decisions = [sum(entry.decision for entry in review.entries if entry.turn == turn) for turn in turns]
    drawn = figure(8.6, 2.6)
    axes: Any = drawn.add_subplot()
    axes.bar([turn - 0.2 for turn in turns], luck, width=0.38, color=COLOURS[2], label="luck")
    axes.bar([turn + 0.2 for turn in turns], decisions, width=0.38, color=COLOURS[3], label="decisions of both sides")
    axes.axhline(0, color="#8a8f98", linewidth=0.8)
    axes.set_xlabel("turn")
    axes.legend(fontsize=8, frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return to_svg(drawn)


def _turning_points(review: Review) -> str:
    if not review.turning_points:
        return "<p>None: the chance to win never changed much from turn to turn.</p>"
    told = []
    for turn in review.turning_points:
        lines = "".join(f"<li>{escape(line)}</li>" for line in turn.told)
        told.append(
            f"<p><b>Turn {turn.turn}</b>, entries {turn.from_seq} to {turn.to_seq}: {abs(turn.change):.0%} towards "
            f"{escape(turn.towards)}; luck {turn.luck:+.0f}, decisions {turn.decision:+.0f}</p><ul>{lines}</ul>"
        )
    return "".join(told)


def _luck(review: Review) -> str:
    return "".join(
        f"<p><b>{escape(side.seat)}</b>: {side.luck:+.0f} points in {side.rolls} rolls<br>"
        f'<span class="soft">best: {escape(side.best)}<br>worst: {escape(side.worst)}</span></p>'
        for side in review.luck
    )


def _entries(entries: Sequence[EntryLuck]) -> str:
    heavy = sorted(entries, key=lambda entry: -abs(entry.luck) - abs(entry.decision))[:SHOWN]
    rows = [
        f"<tr><td class=n>{entry.seq}</td><td class=n>{entry.turn}</td><td>{escape(entry.seat)}</td>"
        f"<td>{escape(entry.action)}</td><td class=n>{entry.decision:+.1f}</td><td class=n>{entry.luck:+.1f}</td>"
        f"<td>{'exact' if entry.exact else 'sampled'}</td></tr>"
        for entry in sorted(heavy, key=lambda entry: entry.seq)
    ]
    head = "<tr><th class=n>entry<th class=n>turn<th>seat<th>action<th class=n>decision<th class=n>luck<th>odds</tr>"
    return f'<div class="scroll"><table>{head}{"".join(rows)}</table></div>'
