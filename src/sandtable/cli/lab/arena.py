"""``sandtable arena``: bots against one another on both sides of scenarios, with ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import Json, PackFolders

if TYPE_CHECKING:
    from sandtable.sim.arena import ArenaResult
    from sandtable.sim.balance import Bounds

__all__ = ["arena"]


def arena(
    scenario: Annotated[
        str, typer.Argument(help="A scenario, several with commas, a system for all of its, or `all`.")
    ],
    *,
    bots: Annotated[
        str, typer.Option("--bots", help="Two or more, with commas: greedy,captain:1:bold")
    ] = "greedy,random",
    games: Annotated[int, typer.Option("--games", min=2, help="Games for each pair of bots in each scenario.")] = 20,
    seed: Annotated[int, typer.Option("--seed", help="The same seed plays the same games.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to share the work.")] = 1,
    cluster: Annotated[str | None, typer.Option("--cluster", help="Play on the dask cluster at this address.")] = None,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Let bots play one another, half of the games on each side.

    Games come in mirrored pairs, so an odd number is made even.
    """
    from sandtable.bots import make_bot
    from sandtable.cli.lab.progress import Progress
    from sandtable.cli.lab.team import the_team
    from sandtable.cli.output import emit, the_packs
    from sandtable.core.errors import BadInput, Fault
    from sandtable.sim.arena import play_arena

    extra = the_packs(pack)
    names = [name.strip() for name in bots.split(",") if name.strip()]
    for name in names:
        make_bot(name, where="--bots")
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadInput([Fault("--bots", bots, "two bots or more, each of them once")])
    scenarios = _scenarios(scenario, extra)
    with the_team(jobs, cluster) as team, Progress("games") as progress:
        result = play_arena(scenarios, names, games + games % 2, seed, team=team, extra=extra, tell=progress.tell)
    if json:
        emit(result)
    else:
        _show(result)


def _scenarios(text: str, extra: object) -> list[str]:
    """The scenarios that a word stands for."""
    from sandtable import catalog

    packs = list(extra) if isinstance(extra, list) else []
    if text == "all":
        return [head.id for head in catalog.scenarios(None, packs)]
    if text in catalog.system_ids():
        return [head.id for head in catalog.scenarios(text, packs)]
    return [name.strip() for name in text.split(",") if name.strip()]


def _show(result: ArenaResult) -> None:
    from sandtable.cli.output import grid, screen

    out = screen()
    for pairing in result.pairings:
        table = grid("scenario", "won", "drawn", "lost", "share", "95 %", "pairs", "by seat")
        for row in pairing.scenarios:
            seats = ", ".join(f"{seat} {share:.0%}" for seat, share in row.by_seat.items())
            pairs = f"{row.pairs_won}:{row.pairs_lost}"
            figures = [str(number) for number in (row.wins, row.draws, row.losses)]
            table.add_row(row.scenario, *figures, f"{row.share.estimate:.0%}", _bounds(row.share), pairs, seats)
        out.print(f"{pairing.bot} against {pairing.rival}, {pairing.games} games, seats changed after each")
        out.print(table)
        out.print(
            f"{pairing.bot} takes {pairing.share.estimate:.1%} of the games ({_bounds(pairing.share)}): "
            f"{pairing.wins} won, {pairing.draws} drawn, {pairing.losses} lost; "
            f"{pairing.pair_share.estimate:.1%} of the mirrored pairs ({_bounds(pairing.pair_share)}); "
            f"{pairing.lead.estimate:+.0f} points a game\n"
        )
    table = grid("bot", "rating", "95 %", "games")
    for rating in result.ratings:
        table.add_row(rating.bot, str(rating.rating), f"{rating.low} to {rating.high}", str(rating.games))
    out.print(table)


def _bounds(bounds: Bounds) -> str:
    return f"{bounds.low:.0%} to {bounds.high:.0%}"
