"""The report of a batch as one HTML page that needs nothing else: figures, plots and the answer in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from sandtable.core.ruleset import Ruleset
from sandtable.sim import plots
from sandtable.sim.balance import Balance, Bounds, SideResult
from sandtable.sim.compare import Comparison, Suggestion
from sandtable.sim.heat import heat_map

__all__ = ["STYLE", "html_report", "page", "panel"]

STYLE = """
:root { color-scheme: light dark; --ink: #1e2329; --soft: #5c6570; --paper: #fbfaf7; --card: #ffffff; --line: #e3dfd6;
  --one: #3b6ea5; --two: #b3542d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e4df; --soft: #a2a8b0; --paper: #16191d; --card: #1f2429;
  --line: #343a42; } svg text { fill: #d6d4cf !important; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1060px; margin: 0 auto; padding: 32px 20px 64px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 16px; margin: 0 0 8px; }
p { margin: 0 0 10px; } .soft { color: var(--soft); }
.answer { font-size: 19px; margin: 14px 0 22px; }
.grid { display: grid; grid-template-columns: repeat(12, 1fr); gap: 16px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; min-width: 0; }
.w12 { grid-column: span 12; } .w8 { grid-column: span 8; } .w6 { grid-column: span 6; } .w4 { grid-column: span 4; }
@media (max-width: 800px) { .w8, .w6, .w4 { grid-column: span 12; } }
svg { width: 100%; height: auto; display: block; }
.bar { display: flex; height: 30px; border-radius: 6px; overflow: hidden; font-size: 13px; color: #fff; }
.bar span { padding: 5px 8px; white-space: nowrap; overflow: hidden; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; padding: 5px 10px 5px 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code { background: var(--line); border-radius: 4px; padding: 1px 5px; font-size: 13px; }
.scroll { overflow-x: auto; }
"""


def page(title: str, body: str) -> str:
    """A whole page."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>{body}</main></body></html>\n"
    )


def panel(title: str, content: str, note: str = "", width: int = 6) -> str:
    """A card with a heading."""
    if not content:
        return ""
    told = f'<p class="soft">{escape(note)}</p>' if note else ""
    return f'<section class="card w{width}"><h2>{escape(title)}</h2>{told}{content}</section>'


def html_report(
    ruleset: Ruleset[Any, Any, Any],
    balance: Balance,
    comparisons: Sequence[Comparison] = (),
    suggestion: Suggestion | None = None,
) -> str:
    """The page of a batch."""
    one, two = balance.sides[0], balance.sides[1]
    head = (
        f"<h1>{escape(balance.title)}</h1>"
        f'<p class="soft">{escape(balance.scenario)} of {escape(balance.system)}; {balance.games} games with seed '
        f"{balance.seed}; {escape(one.side)} by {escape(one.bot)}, {escape(two.side)} by {escape(two.bot)}"
        f"{_changes(balance.changes)}</p>"
        f'<p class="answer">{escape(_answer(balance))}</p>'
    )
    cards = [
        panel("Win chance", _bar(balance) + _sides(balance.sides), width=12),
        panel("How sure that is", plots.share(balance), "Band: the interval that holds at all times at once."),
        panel("Victory margins", plots.margins(balance), _margin(balance)),
        panel("Lead over time", plots.lead(balance), "Median, and the middle half of the games."),
        panel("What decided it", plots.deciding(balance), "Colour: the side that the part favours on average."),
        panel("Losses by kind", plots.losses(balance), "Up to the end of each turn, on average.", 8),
        panel("When it is settled", plots.settled(balance) + plots.lengths(balance), "", 4),
        panel("Where units are lost", heat_map(ruleset, balance), _heat_note(balance), 12),
    ]
    if comparisons:
        cards.append(panel("What changes do", _comparisons(comparisons, one.side), _pairs_note(), 12))
    if suggestion is not None:
        told = f"<p>{_suggested(suggestion)}</p>"
        cards.insert(1, panel("Tweaks tried", told + plots.trials(balance, suggestion.trials), width=12))
    return page(f"{balance.title}: balance", head + f'<div class="grid">{"".join(cards)}</div>')


def _answer(balance: Balance) -> str:
    one = balance.sides[0]
    bounds = balance.anytime
    told = f"{one.side} takes {one.share.estimate:.0%} of the games ({bounds.low:.0%} to {bounds.high:.0%})"
    verdict = balance.verdict[0].upper() + balance.verdict[1:]
    return f"{verdict}: {told}, {balance.draws} drawn. That is so between these two players."


def _changes(changes: Sequence[str]) -> str:
    return "; with " + ", ".join(f"<code>{escape(change)}</code>" for change in changes) if changes else ""


def _bar(balance: Balance) -> str:
    one, two = balance.sides[0], balance.sides[1]
    games = max(1, balance.games)
    parts = [
        (one.wins, "var(--one)", one.side),
        (balance.draws, "#8a8f98", "drawn"),
        (two.wins, "var(--two)", two.side),
    ]
    spans = [
        f'<span style="flex:{number} 0 0;background:{colour}">{escape(name)} {number / games:.0%}</span>'
        for number, colour, name in parts
        if number
    ]
    return f'<div class="bar">{"".join(spans)}</div>'


def _sides(sides: Sequence[SideResult]) -> str:
    rows = [
        f"<tr><td>{escape(side.side)}</td><td>{escape(side.bot)}</td><td class=n>{side.wins}</td>"
        f"<td class=n>{side.share.estimate:.1%}</td><td class=n>{_percent(side.share)}</td>"
        f"<td class=n>{side.points:.0f}</td><td>{escape(_lost(side))}</td></tr>"
        for side in sides
    ]
    head = (
        "<tr><th>side<th>bot<th class=n>won<th class=n>share<th class=n>95 % interval<th class=n>points a game"
        "<th>lost a game</tr>"
    )
    return f'<div class="scroll"><table>{head}{"".join(rows)}</table></div>'


def _lost(side: SideResult) -> str:
    return ", ".join(f"{number:.1f} {kind}" for kind, number in side.lost.items()) or "nothing"


def _percent(bounds: Bounds) -> str:
    return f"{bounds.low:.1%} to {bounds.high:.1%}"


def _margin(balance: Balance) -> str:
    bounds = balance.margin
    return f"On average {bounds.estimate:+.1f} ({bounds.low:+.1f} to {bounds.high:+.1f}) for {balance.sides[0].side}."


def _heat_note(balance: Balance) -> str:
    one, two = balance.sides[0].side, balance.sides[1].side
    return f"Disks: losses in a hex, blue of {one}, brown of {two}; figures are losses a game."


def _pairs_note() -> str:
    return "The same games with the same dice, as it is and with the change; shared luck drops out of the difference."


def _comparisons(comparisons: Sequence[Comparison], side: str) -> str:
    rows = []
    for one in comparisons:
        shift, margin = one.shift, one.margin_shift
        rows.append(
            f"<tr><td>{', '.join(f'<code>{escape(change)}</code>' for change in one.changes)}</td>"
            f"<td class=n>{one.share.estimate:.1%}</td>"
            f"<td class=n>{shift.estimate:+.1%} ({shift.low:+.1%} to {shift.high:+.1%})</td>"
            f"<td class=n>{margin.estimate:+.1f} ({margin.low:+.1f} to {margin.high:+.1f})</td>"
            f"<td class=n>{one.better} : {one.worse}</td><td class=n>{one.chance:.3f}</td>"
            f"<td class=n>{one.pairs}</td><td class=n>{one.shared:.2f}</td></tr>"
        )
    head = (
        f"<tr><th>change<th class=n>share of {escape(side)}<th class=n>shift<th class=n>shift of the lead"
        "<th class=n>better : worse<th class=n>by chance<th class=n>pairs<th class=n>shared luck</tr>"
    )
    return f'<div class="scroll"><table>{head}{"".join(rows)}</table></div>'


def _suggested(suggestion: Suggestion) -> str:
    if not suggestion.changes:
        return f"No change is suggested: {escape(suggestion.reason)}."
    told = ", ".join(f"<code>{escape(change)}</code>" for change in suggestion.changes)
    return f"The smallest of them that balances is {told}: it {escape(suggestion.reason)}."
