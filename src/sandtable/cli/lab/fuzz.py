"""``sandtable fuzz``: random games, every state of them checked; a failure leaves a log that can be loaded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sandtable.cli.output import FAILED, Json, PackFolders, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sandtable.testing import Failure, Report

__all__ = ["fuzz"]


def fuzz(
    scenario: Annotated[str | None, typer.Argument(help="One scenario; all of them if left out.")] = None,
    *,
    games: Annotated[int, typer.Option("--games", min=1, help="How many games in all.")] = 20,
    seed: Annotated[int, typer.Option("--seed", help="The same seed plays the same games.")] = 0,
    thorough: Annotated[
        float, typer.Option("--thorough", min=0, max=1, help="Share of the states with the costly checks.")
    ] = 0.05,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes to share the work.")] = 1,
    out: Annotated[Path, typer.Option("--out", help="Folder for the logs of failures.")] = Path("fuzz-failures"),
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Play random games and check every state.

    No crash, no dead end, no leak, no bad undo; nothing illegal accepted, nothing legal refused.
    """
    from sandtable import catalog
    from sandtable.cli.bench.brought import make_stress
    from sandtable.cli.output import emit, the_packs
    from sandtable.testing import Report

    extra = the_packs(pack)
    names = [scenario] if scenario is not None else [head.id for head in catalog.scenarios(None, extra)]
    if scenario is not None:
        make_stress(scenario)
        catalog.open_scenario(scenario, extra)
    total = Report()
    shares = [(name, _share(games, len(names), place)) for place, name in enumerate(names)]
    work = [(name, share, seed, thorough, tuple(pack or ())) for name, share in shares if share]
    for name, report in _run(work, jobs):
        total.games += report.games
        total.decisions += report.decisions
        total.failures = [*total.failures, *report.failures]
        say(f"{name}: {report.games} games, {report.decisions} decisions, {len(report.failures)} failures")
    saved = [_save(failure, out) for failure in total.failures]
    if json:
        failures = [
            {"scenario": f.scenario, "seed": f.seed, "message": f.message, "log": str(path)}
            for f, path in zip(total.failures, saved, strict=True)
        ]
        emit({"games": total.games, "decisions": total.decisions, "failures": failures})
    else:
        for failure, path in zip(total.failures, saved, strict=True):
            print(f"{failure.scenario}, seed {failure.seed}: {failure.message}\n  log: {path}")
        print(f"{total.games} games, {total.decisions} decisions, {len(total.failures)} failures")
    if total.failures:
        raise typer.Exit(FAILED)


Task = tuple[str, int, int, float, tuple[Path, ...]]


def _share(games: int, parts: int, place: int) -> int:
    """The games of one scenario, so that they add up."""
    return games // parts + (place < games % parts)


def _run(work: Sequence[Task], jobs: int) -> Iterator[tuple[str, Report]]:
    if jobs == 1:
        yield from ((task[0], play_task(task)) for task in work)
        return
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        yield from zip((task[0] for task in work), pool.map(play_task, work), strict=True)


def play_task(task: Task) -> Report:
    """Play the games of one scenario; a function of the module, so that other processes can run it."""
    from sandtable import catalog
    from sandtable.cli.bench.brought import make_stress
    from sandtable.cli.output import the_packs
    from sandtable.testing import check_scenario

    name, games, seed, thorough, folders = task
    make_stress(name)
    found = catalog.open_scenario(name, the_packs(folders))
    return check_scenario(found.ruleset, found.header, games, seed, thorough)


def _save(failure: Failure, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{Path(failure.scenario).stem}-{failure.seed.replace('/', '-')}.log"
    path.write_text(failure.log, encoding="utf-8")
    return path
