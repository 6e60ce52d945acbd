"""``sandtable sim``: many games of a scenario between bots, and what they say about its balance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import Json, PackFolders, Switches, say

if TYPE_CHECKING:
    from sandtable.sim.balance import Balance
    from sandtable.sim.compare import Comparison, Suggestion
    from sandtable.sim.lab import Lab, LabResult

__all__ = ["sim"]


def sim(
    scenario: Annotated[str, typer.Argument(help="A scenario, or a file that holds one.")],
    *,
    games: Annotated[int, typer.Option("--games", min=1, help="How many games at most.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="The same seed plays the same games.")] = 0,
    bots: Annotated[str, typer.Option("--bots", help="One for both sides, or two with a comma.")] = "greedy",
    jobs: Annotated[int | None, typer.Option("--jobs", min=1, help="Processes; all cores if left out.")] = None,
    cluster: Annotated[str | None, typer.Option("--cluster", help="Play on the dask cluster at this address.")] = None,
    change: Annotated[
        list[str] | None, typer.Option("--set", metavar="PATH=VALUE", help="Compare with this change; may be repeated.")
    ] = None,
    tries: Annotated[
        list[str] | None,
        typer.Option("--try", metavar="PATH=VALUE[,...]", help="A tweak to choose from; may be repeated."),
    ] = None,
    option: Switches = None,
    band: Annotated[float, typer.Option("--band", min=0.01, max=0.4, help="Balanced is one half, give or take.")] = 0.1,
    every: Annotated[bool, typer.Option("--all", help="Play all games, even when the answer is clear.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Keep the games here; the same run goes on from it.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a report with plots.")] = None,
    log: Annotated[Path | None, typer.Option("--log", help="Write one of the games as a log.")] = None,
    game: Annotated[int, typer.Option("--game", min=0, help="Which one --log writes, from 0.")] = 0,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Simulate a scenario: is it balanced, and what decides it?"""
    import os

    from sandtable.cli.lab.pages import check_file, check_page, write_file, write_page
    from sandtable.cli.lab.progress import Progress
    from sandtable.cli.lab.team import the_team
    from sandtable.cli.output import emit, the_packs, the_switches
    from sandtable.sim.lab import Lab, Order

    order = Order(
        scenario=scenario,
        bots=tuple(name.strip() for name in bots.split(",")),
        games=games,
        seed=seed,
        changes=tuple(change or ()),
        tries=tuple(_changes(one) for one in tries or ()),
        band=band,
        stop_early=not every,
        options=tuple(the_switches(option).items()),
    )
    cores = jobs or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else jobs or os.cpu_count() or 1
    with Progress("games") as progress:
        lab = Lab(order, the_packs(pack), out, progress.stage)
        if html is not None:
            check_page(html)
        if log is not None:
            check_file(log, "--log")
        try:
            with the_team(cores, cluster) as team:
                result = lab.run(team)
        except KeyboardInterrupt:
            kept = (
                f"the games so far are kept in {out}; the same command goes on from there" if out else "nothing is kept"
            )
            say(f"stopped: {kept}")
            raise
    if html is not None:
        write_page(html, html_page(lab, result))
    if log is not None:
        from sandtable.sim.gamelog import log_of

        write_file(log, "--log", log_of(lab.plain, seed, game))
    if json:
        emit(result)
    else:
        _show(result)


def _changes(text: str) -> tuple[str, ...]:
    """The changes of one tweak: parted by commas, but not by those within brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(part.strip() for part in parts)


def html_page(lab: Lab, result: LabResult) -> str:
    """The report."""
    from sandtable.sim.pages.report import html_report
    from sandtable.sim.setting import bound

    return html_report(bound(lab.plain), result.balance, result.comparison, result.suggestion)


def _show(result: LabResult) -> None:
    _show_balance(result.balance)
    if result.comparison is not None:
        _show_comparison(result.comparison, result.balance.sides[0].side)
    if result.suggestion is not None:
        _show_suggestion(result.suggestion, result.balance.sides[0].side)


def _show_balance(balance: Balance) -> None:
    from sandtable.cli.output import grid, screen

    out = screen()
    out.print(f"{balance.title}, {balance.games} games, seed {balance.seed}")
    table = grid("side", "bot", "won", "share", "95 %", "points", "lost a game")
    for side in balance.sides:
        lost = ", ".join(f"{number:.1f} {kind}" for kind, number in side.lost.items())
        bounds = f"{side.share.low:.1%} to {side.share.high:.1%}"
        table.add_row(
            side.side, side.bot, str(side.wins), f"{side.share.estimate:.1%}", bounds, f"{side.points:.0f}", lost
        )
    out.print(table)
    first = balance.sides[0].side
    margin = balance.margin
    out.print(
        f"drawn: {balance.draws}; lead of {first} {margin.estimate:+.1f} ({margin.low:+.1f} to {margin.high:+.1f})"
    )
    for part in [part for part in balance.deciding if part.swing or part.spread][:4]:
        out.print(
            f"decided by {part.part}: the greatest part in {part.largest:.0%} of the won games, needed in "
            f"{part.needed:.0%}; {part.swing:+.1f} points for {first}"
        )
    for ending in balance.endings[:4]:
        won = ", ".join(f"{side} {number}" for side, number in ending.won.items()) or "nobody"
        out.print(f"ended in {ending.games / balance.games:.0%}: {ending.what} (won by {won})")
    out.print(f"verdict: {balance.verdict} ({balance.anytime.low:.1%} to {balance.anytime.high:.1%} at all times)")
    if balance.cut_short:
        say(f"{balance.cut_short} answers were cut short by the clock: these games cannot be repeated exactly")


def _show_comparison(comparison: Comparison, side: str) -> None:
    shift, margin = comparison.shift, comparison.margin_shift
    print(
        f"with {', '.join(comparison.changes)}: share of {side} {comparison.share.estimate:.1%}, "
        f"{shift.estimate:+.1%} ({shift.low:+.1%} to {shift.high:+.1%}); "
        f"lead {margin.estimate:+.1f} ({margin.low:+.1f} to {margin.high:+.1f}); "
        f"{comparison.pairs} pairs, {comparison.better} better, {comparison.worse} worse, "
        f"by chance {comparison.chance:.3f}"
    )


def _show_suggestion(suggestion: Suggestion, side: str) -> None:
    from sandtable.cli.output import grid, screen

    table = grid("tweak", "size", f"share of {side}", "95 %", "shift")
    for trial in suggestion.trials:
        found = trial.comparison
        bounds = f"{found.share.low:.1%} to {found.share.high:.1%}"
        told = ", ".join(found.changes)
        table.add_row(told, f"{trial.size:.2f}", f"{found.share.estimate:.1%}", bounds, f"{found.shift.estimate:+.1%}")
    screen().print(table)
    if suggestion.changes:
        print(f"smallest tweak that balances: {', '.join(suggestion.changes)}; it {suggestion.reason}")
    else:
        print(f"no tweak is suggested: {suggestion.reason}")
