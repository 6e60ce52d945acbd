"""A review as one HTML page: the win-chance curve, luck turn by turn, and the moments that counted."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sandtable.sim.luck import EntryLuck
from sandtable.sim.pages.page import dot, page, panel, table
from sandtable.sim.pages.plots import COLOURS, GREY, named, new_axes, per_cent, plot, to_svg
from sandtable.sim.review import Review

__all__ = ["review_html"]

SHOWN = 15
"""Entries in the table of those that weighed most."""
ROLLS = 8
"""Rolls in the table of the luckiest and unluckiest."""


def review_html(review: Review) -> str:
    """The page of a review."""
    first = named(review.seats[0])
    head = (
        f"<h1>{escape(review.title)}: the game again</h1>"
        f'<p class="soft">{escape(review.scenario)} · {review.games} games played on from each point by '
        f"{escape(review.bots)}</p>"
        f'<p class="answer">{escape(named(review.outcome) or "Not over yet")}.</p>'
    )
    curve = f"Share of {first} when bots play on from there, with 95 % bounds; shaded where the game turned."
    bars = f"Points for {first}, above zero, or for the other side, below it, in each turn."
    heavy = f"Points for {first}: what an action was worth on average, and what the dice then made of it."
    cards = [
        panel("Chance to win", _curve(review), curve, 12),
        panel("Luck and decisions", _bars(review), bars, 12),
        panel("Turning points", _turning_points(review), width=6),
        panel("Luck", _luck(review), "What all rolls did to each side against their expectation.", 6),
        panel("What weighed most", _entries(review.entries), heavy, 12),
    ]
    warned = "".join(f"<footer>{escape(warning)}</footer>" for warning in review.warnings)
    return page(f"{review.title}: review", head + f'<div class="grid">{"".join(cards)}</div>' + warned)


@plot
def _curve(review: Review) -> str:
    drawn, axes = new_axes(9.6, 3.1)
    places = [point.seq for point in review.curve]
    low = [point.share.low for point in review.curve]
    high = [point.share.high for point in review.curve]
    for turn in review.turning_points:
        colour = COLOURS[1 if turn.change < 0 else 0]
        axes.axvspan(turn.from_seq, turn.to_seq, color=colour, alpha=0.16, linewidth=0)
    axes.axhline(0.5, color=GREY, linewidth=0.8)
    axes.fill_between(places, low, high, color=COLOURS[0], alpha=0.22, linewidth=0)
    axes.plot(places, [point.share.estimate for point in review.curve], color=COLOURS[0], linewidth=1.8, marker="o")
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlim(min(places, default=0), max(places, default=1))
    per_cent(axes.yaxis)
    starts = {point.turn: point.seq for point in reversed(review.curve) if not point.known}
    axes.set_xticks(list(starts.values()), list(map(str, starts)))
    axes.set_xlabel("beginning of turn")
    axes.set_ylabel(f"share of {named(review.seats[0])}")
    return to_svg(drawn, "The first side's chance to win over the game")


@plot
def _bars(review: Review) -> str:
    turns = sorted({entry.turn for entry in review.entries})
    luck = [sum(entry.luck for entry in review.entries if entry.turn == turn) for turn in turns]
    decisions = [sum(entry.decision for entry in review.entries if entry.turn == turn) for turn in turns]
    drawn, axes = new_axes(9.6, 2.7)
    axes.bar([turn - 0.2 for turn in turns], luck, width=0.38, color=COLOURS[2], label="luck of the dice")
    axes.bar([turn + 0.2 for turn in turns], decisions, width=0.38, color=COLOURS[3], label="decisions of both sides")
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_xticks(turns)
    axes.set_xlabel("turn")
    axes.set_ylabel(f"points for {named(review.seats[0])}")
    axes.legend(fontsize=8.5, frameon=False)
    return to_svg(drawn, "Luck and decisions in each turn")


def _turning_points(review: Review) -> str:
    if not review.turning_points:
        return "<p>None: the chance to win never changed much from turn to turn.</p>"
    told = []
    for turn in review.turning_points:
        lines = "".join(f"<li>{escape(named(line))}</li>" for line in turn.told)
        side = dot(review.seats.index(turn.towards), turn.towards)
        told.append(
            f"<p><b>Turn {turn.turn}</b>, entries {turn.from_seq} to {turn.to_seq}: towards {side}, "
            f"{named(review.seats[0])} from {turn.before:.0%} to {turn.after:.0%}; "
            f"luck {turn.luck:+.0f}, decisions {turn.decision:+.0f} points</p><ul>{lines}</ul>"
        )
    return "".join(told)


def _luck(review: Review) -> str:
    sides = "".join(
        f"<p>{dot(place, side.seat)}: <b>{side.luck:+.0f} points</b> in {side.rolls} rolls<br>"
        f'<span class="soft">best: {escape(side.best)}</span></p>'
        for place, side in enumerate(review.luck)
    )
    rolls = [(entry.turn, roll) for entry in review.entries for roll in entry.rolls]
    heavy = sorted(rolls, key=lambda one: -abs(one[1].luck))[:ROLLS]
    rows = [
        (str(turn), escape(roll.why), "+".join(map(str, roll.faces)), f"{roll.luck:+.1f}")
        for turn, roll in heavy
        if roll.luck
    ]
    return sides + table(("turn", "roll", "faces", f"for {named(review.seats[0])}"), rows, (0, 2, 3))


def _entries(entries: Sequence[EntryLuck]) -> str:
    heavy = sorted(entries, key=lambda entry: -abs(entry.luck) - abs(entry.decision))[:SHOWN]
    rows = [
        (
            str(entry.seq),
            str(entry.turn),
            escape(named(entry.seat)),
            escape(entry.action),
            f"{entry.decision:+.1f}",
            f"{entry.luck:+.1f}",
            "exact" if entry.exact else "sampled",
        )
        for entry in sorted(heavy, key=lambda entry: entry.seq)
    ]
    return table(("entry", "turn", "seat", "action", "decision", "luck", "odds"), rows, (0, 1, 4, 5))
