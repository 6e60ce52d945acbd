"""The report of a batch as a page: the answer in words, figures, plots and the board."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from sandtable.sim.balance import Balance, Bounds, SideResult
from sandtable.sim.compare import Comparison, Suggestion
from sandtable.sim.pages import plots
from sandtable.sim.pages.heat import heat_map
from sandtable.sim.pages.page import dot, page, panel, table
from sandtable.sim.pages.plots import named

__all__ = ["html_report"]

SIGNS = 8
"""Signs of winning that are listed."""


def html_report(
    ruleset: object,
    balance: Balance,
    comparison: Comparison | None = None,
    suggestion: Suggestion | None = None,
) -> str:
    """The page of a batch."""
    one = balance.sides[0]
    cards = [
        panel("Win chance", _bar(balance) + _sides(balance.sides), width=12),
        _tweaks(balance, suggestion),
        _changed(one.side, comparison),
        panel("How sure that is", plots.share(balance, balance.band), _sure(balance)),
        panel("Victory margins", plots.margins(balance), _margin(balance)),
        panel("Lead over time", plots.lead(balance), "Median, and the middle half of the games."),
        panel("What decided it", plots.deciding(balance), "Colour: the side that the part favours on average."),
        panel("How games ended", _endings(balance), width=6),
        panel("What goes with winning", _signs(balance), _won_and_lost(one.side), 6 if balance.deciding else 12),
        panel("Losses by kind", plots.losses(balance), "Up to the end of each turn, a game on average.", 8),
        panel(_length_title(balance), plots.settled(balance) + plots.lengths(balance), "", 4),
        panel("Where units are lost", heat_map(ruleset, balance), _heat_note(balance), 12),
    ]
    grid = f'<div class="grid">{"".join(cards)}</div>'
    return page(f"{balance.title}: balance", _head(balance) + grid + _foot(balance))


def _head(balance: Balance) -> str:
    one, two = balance.sides[0], balance.sides[1]
    verdict = named(balance.verdict)
    for side in (one.side, two.side):
        verdict = verdict.replace(side, named(side))
    bounds = balance.anytime
    return (
        f"<h1>{escape(balance.title)}</h1>"
        f'<p class="soft">{escape(balance.scenario)} · {escape(balance.system)} · {balance.games:,} games, seed '
        f"{balance.seed} · {dot(0, one.side)} ({escape(one.bot)}) against {dot(1, two.side)} ({escape(two.bot)})"
        f"{_changes(balance.changes)}</p>"
        f'<p class="answer"><b>{escape(verdict)}.</b> {escape(named(one.side))} takes {one.share.estimate:.0%} of the '
        f"games between these two players, surely between {bounds.low:.0%} and {bounds.high:.0%}.</p>"
    )


def _foot(balance: Balance) -> str:
    bots = ",".join(dict.fromkeys(side.bot for side in balance.sides))
    changes = "".join(f" --set {change}" for change in balance.changes)
    command = (
        f"sandtable sim {balance.scenario} --games {balance.games} --seed {balance.seed} --bots {bots} --all{changes}"
    )
    cut = ""
    if balance.cut_short:
        cut = f" {balance.cut_short} answers were cut short by the clock: these games cannot be repeated exactly."
    return (
        f"<footer>A draw counts as half of a win. Balanced means within {balance.band:.0%} of one half. "
        f"The same games again: <code>{escape(command)}</code>.{cut}</footer>"
    )


def _changes(changes: Sequence[str]) -> str:
    return " · with " + ", ".join(f"<code>{escape(change)}</code>" for change in changes) if changes else ""


def _bar(balance: Balance) -> str:
    one, two = balance.sides[0], balance.sides[1]
    games = max(1, balance.games)
    parts = [
        (one.wins, "var(--one)", named(one.side)),
        (balance.draws, "var(--grey)", "drawn"),
        (two.wins, "var(--two)", named(two.side)),
    ]
    spans = [
        f'<span title="{escape(name)} {number / games:.1%}" style="flex:{number} 0 0;background:{colour}">'
        f"{_label(name, number / games)}</span>"
        for number, colour, name in parts
        if number
    ]
    return f'<div class="bar">{"".join(spans)}</div>'


def _label(name: str, share: float) -> str:
    """As much as fits."""
    if share < 0.12:
        return ""
    return f"{escape(name)} {share:.0%}" if share > 0.3 else f"{share:.0%}"


def _sides(sides: Sequence[SideResult]) -> str:
    heads = ("side", "bot", "won", "share", "95 % interval", "points a game", "lost a game")
    rows = [
        (
            dot(place, side.side),
            escape(side.bot),
            str(side.wins),
            f"{side.share.estimate:.1%}",
            f"{side.share.low:.1%} to {side.share.high:.1%}",
            f"{side.points:.1f}",
            escape(", ".join(f"{number:.1f} {kind}" for kind, number in side.lost.items()) or "nothing"),
        )
        for place, side in enumerate(sides)
    ]
    return table(heads, rows, (2, 3, 4, 5))


def _sure(balance: Balance) -> str:
    return f"Blue: the interval that holds at all times at once. Green: balanced, {_band(balance)}."


def _band(balance: Balance) -> str:
    return f"{0.5 - balance.band:.0%} to {0.5 + balance.band:.0%}"


def _margin(balance: Balance) -> str:
    return f"On average {_signed(balance.margin)} points for {named(balance.sides[0].side)}."


def _signed(bounds: Bounds) -> str:
    return f"{bounds.estimate:+.1f} ({bounds.low:+.1f} to {bounds.high:+.1f})"


def _endings(balance: Balance) -> str:
    seats = [side.side for side in balance.sides]
    rows = [
        (
            escape(ending.what),
            f"{ending.games / max(1, balance.games):.1%}",
            *(f"{ending.won.get(seat, 0) / ending.games:.0%}" for seat in seats),
        )
        for ending in balance.endings
    ]
    heads = ("how", "games", *(f"{named(seat)} won" for seat in seats))
    return table(heads, rows, range(1, 2 + len(seats)))


def _signs(balance: Balance) -> str:
    rows = [
        (escape(sign.what), f"{sign.won:.2f}", f"{sign.lost:.2f}", f"{sign.telling:.0%}")
        for sign in balance.signs[:SIGNS]
        if sign.telling >= 0.05
    ]
    return table(("what", "won", "lost", "telling"), rows, (1, 2, 3))


def _won_and_lost(side: str) -> str:
    return f"Averages in the games that {named(side)} won and lost."


def _length_title(balance: Balance) -> str:
    return "When it is settled, and how long it lasts" if balance.settled else "How long it lasts"


def _heat_note(balance: Balance) -> str:
    one, two = (named(side.side) for side in balance.sides[:2])
    return f"A disk for the losses in a hex: blue {one}, orange {two}; its area and figure are losses a game."


def _changed(side: str, comparison: Comparison | None) -> str:
    return panel("What the change does", _compared(side, [comparison]), _PAIRS, 12) if comparison is not None else ""


def _tweaks(balance: Balance, suggestion: Suggestion | None) -> str:
    if suggestion is None:
        return ""
    told = f"<p>{_suggested(suggestion)}</p>"
    drawn = plots.trials(balance, suggestion.trials, balance.band)
    compared = _compared(balance.sides[0].side, [trial.comparison for trial in suggestion.trials])
    return panel("Tweaks tried", told + drawn + compared, _PAIRS, 12)


_PAIRS = "The same games with the same dice, as it is and with the change; luck that both share drops out of the shift."


def _compared(side: str, comparisons: Sequence[Comparison]) -> str:
    rows = [
        (
            ", ".join(f"<code>{escape(change)}</code>" for change in one.changes),
            f"{one.share.estimate:.1%}",
            f"{one.shift.estimate:+.1%} ({one.shift.low:+.1%} to {one.shift.high:+.1%})",
            _signed(one.margin_shift),
            f"{one.better} : {one.worse}",
            f"{one.chance:.3f}",
            str(one.pairs),
            f"{one.shared:.2f}",
        )
        for one in comparisons
    ]
    heads = (
        "change",
        f"share of {named(side)}",
        "shift",
        "shift of the lead",
        "better : worse",
        "by chance",
        "pairs",
        "shared luck",
    )
    return table(heads, rows, range(1, 8))


def _suggested(suggestion: Suggestion) -> str:
    if not suggestion.changes:
        return f"No change is suggested: {escape(suggestion.reason)}."
    told = ", ".join(f"<code>{escape(change)}</code>" for change in suggestion.changes)
    return f"<b>The smallest that balances is {told}</b>: it {escape(suggestion.reason)}."
