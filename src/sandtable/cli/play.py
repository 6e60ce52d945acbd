"""``sandtable play``: a game in the terminal, against a bot or at one keyboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sandtable.cli.output import PackFolders, Switches, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sandtable.core.content.pack import Pack
    from sandtable.core.game import Game

__all__ = ["play"]

PERSON = "person"


def play(
    scenario: Annotated[str | None, typer.Argument(help="A scenario; the first one if left out.")] = None,
    *,
    seat: Annotated[str | None, typer.Option("--seat", help="The side you play.")] = None,
    bot: Annotated[
        str, typer.Option("--bot", help="Who plays the other: random, greedy or captain:LEVEL:CHARACTER.")
    ] = "greedy",
    hotseat: Annotated[bool, typer.Option("--hotseat", help="Both sides at this keyboard.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed rolls the same dice.")] = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on with a saved game.")] = None,
    log: Annotated[
        Path | None, typer.Option("--log", help="Keep the game in this file, line by line as it is played.")
    ] = None,
    start: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A new game from a log or from a situation file.")
    ] = None,
    at: Annotated[
        int | None, typer.Option("--at", min=0, help="The entry of the log after which it goes on; left out, the last.")
    ] = None,
    option: Switches = None,
    pack: PackFolders = None,
) -> None:
    """Play a scenario in the terminal."""
    import secrets
    from random import Random

    from rich.console import Console

    from sandtable import catalog
    from sandtable.bots import BOTS, make_bot
    from sandtable.cli.output import the_packs, the_switches
    from sandtable.cli.terminal.session import Session
    from sandtable.core.errors import BadInput, Fault
    from sandtable.session.thinking.brain import think_undisturbed
    from sandtable.session.thinking.crew import Crew

    if bot not in BOTS:
        raise catalog.unknown("bot", bot, BOTS)
    if resume is not None and scenario is not None:
        raise BadInput([Fault("play", "a scenario and --resume together", "one or the other")])
    if start is not None and (scenario or resume or option):
        raise BadInput([Fault("play", "--from together with a scenario, --resume or --option", "--from alone")])
    if at is not None and start is None:
        raise BadInput([Fault("play", "--at without --from", "--from LOG --at N")])
    extra = the_packs(pack)
    number = secrets.randbits(64) if seed is None else seed
    if resume is not None:
        game = _resumed(resume, extra, number)
    elif start is not None:
        game = _taken_up(start, at, extra, number, seat=seat, bot=bot, hotseat=hotseat)
    else:
        game = _started(scenario, extra, number, seat=seat, bot=bot, hotseat=hotseat, options=the_switches(option))
    players = {side: game.header.seats.get(side, PERSON) for side in game.ruleset.seats}
    strangers = [name for name in players.values() if name.removeprefix("bot:") not in (PERSON, *BOTS)]
    if strangers:
        raise catalog.unknown("bot", strangers[0], BOTS, f"{resume}: line 1: seats")
    think_undisturbed()
    crew = Crew(game.header, extra)
    bots = {side: make_bot(name.removeprefix("bot:"), helpers=crew) for side, name in players.items() if name != PERSON}
    if len(bots) == len(players):
        raise BadInput([Fault(f"{resume}: line 1: seats", "no person plays", "a game with a person in it")])
    rng = Random(f"bots {number} {len(game.lines)}")
    system = catalog.system(game.header.system)
    library = catalog.library(game.header.system, extra)
    console = Console(highlight=False)
    try:
        Session(game, system, bots, rng=rng, console=console, library=library, log=log, helpers=crew).run()
    finally:
        crew.close()


def _started(
    scenario: str | None,
    extra: Sequence[Pack],
    seed: int,
    *,
    seat: str | None,
    bot: str,
    hotseat: bool,
    options: Mapping[str, str],
) -> Game[Any, Any, Any]:
    from sandtable import catalog
    from sandtable.core.dice import SeededDice
    from sandtable.core.errors import BadInput, Fault
    from sandtable.core.game import Game

    if scenario is None:
        heads = catalog.scenarios(catalog.system_ids()[0], extra)
        if not heads:
            raise BadInput([Fault("play", "there is no scenario", "a pack with one")])
        scenario = heads[0].id
    found = catalog.open_scenario(scenario, extra)
    who = _players(found.ruleset.seats, seat=seat, bot=bot, hotseat=hotseat)
    found = catalog.open_scenario(scenario, extra, options, who)
    return Game.start(found.ruleset, found.header, SeededDice(f"dice {seed}"))


def _players(seats: Sequence[str], *, seat: str | None, bot: str, hotseat: bool) -> dict[str, str]:
    """Who plays which seat."""
    from sandtable import catalog

    if seat is not None and seat not in seats:
        raise catalog.unknown("seat", seat, seats)
    mine = seats if hotseat else (seat or seats[0],)
    return {side: PERSON if side in mine else f"bot:{bot}" for side in seats}


def _taken_up(
    path: Path, at: int | None, extra: Sequence[Pack], seed: int, *, seat: str | None, bot: str, hotseat: bool
) -> Game[Any, Any, Any]:
    """A new game from a moment of a log, or from the position of a situation file."""
    from msgspec.structs import replace

    from sandtable import catalog
    from sandtable.core.dice import SeededDice
    from sandtable.core.errors import BadInput, Fault
    from sandtable.core.game import Game
    from sandtable.core.replay import taken_up
    from sandtable.session.files.exhibit import looks_like_log

    text, dice = catalog.read_text(path), SeededDice(f"dice {seed}")
    if not looks_like_log(text):
        if at is not None:
            raise BadInput([Fault("--at", f"{path} is a situation", "--at with a log")])
        found = catalog.open_game(text, str(path), extra)
        who = _players(found.ruleset.seats, seat=seat, bot=bot, hotseat=hotseat)
        game = Game.start(found.ruleset, replace(found.header, seats=who), dice)
        if game.decision is None:
            raise BadInput([Fault(str(path), "nobody is asked anything there", "a situation with an open question")])
        return game
    opened = catalog.open_log(text, str(path), extra)
    for warning in opened.warnings:
        say(warning)
    who = _players(opened.ruleset.seats, seat=seat, bot=bot, hotseat=hotseat)
    log = replace(opened.log, header=replace(opened.log.header, seats=who))
    return taken_up(opened.ruleset, log, len(log.lines) - 1 if at is None else at, dice)


def _resumed(path: Path, extra: Sequence[Pack], seed: int) -> Game[Any, Any, Any]:
    """The game of a log; one that was cut off before its first entry starts anew."""
    from sandtable import catalog
    from sandtable.core.dice import SeededDice
    from sandtable.core.game import Game
    from sandtable.core.replay import resume

    found = catalog.open_log(catalog.read_text(path), str(path), extra)
    for warning in found.warnings:
        say(warning)
    dice = SeededDice(f"dice {seed} {len(found.log.lines)}")
    if not found.log.lines:
        return Game.start(found.ruleset, found.log.header, dice)
    return resume(found.ruleset, found.log, dice)
