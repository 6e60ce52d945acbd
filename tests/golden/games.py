"""The golden games: which they are, how they were played, and how they are told.

Each is a short scenario of this folder, played with seeded dice by two computer players. ``NAME.jsonl`` is the log,
``NAME.txt`` the game in words.
"""

from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sandtable import catalog
from sandtable.catalog import OpenLog
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import Entry, dump

HERE = Path(__file__).parent


class Golden(NamedTuple):
    """A game worth keeping."""

    scenario: str
    bot: str
    seed: int

    @property
    def name(self) -> str:
        return f"{self.scenario}-{self.bot}"

    @property
    def log(self) -> Path:
        return HERE / f"{self.name}.jsonl"

    @property
    def story(self) -> Path:
        return HERE / f"{self.name}.txt"


GAMES = (
    *(Golden(scenario, bot, 1987) for scenario in ("panzer-na", "mbt") for bot in ("random", "greedy")),
    *(Golden(scenario, bot, 1987) for scenario in ("aslsk3", "goss", "panzer-mini") for bot in ("random", "greedy")),
)


def play(golden: Golden) -> str:
    """Play the game and give its log."""
    from sandtable.bots import ask, make_bot

    path = HERE / f"{golden.scenario}.yaml"
    ruleset, header = catalog.open_scenario(str(path))
    bot = make_bot(golden.bot, None)
    rng = Random(f"{golden.name} {golden.seed}")
    game: Game[Any, Any, Any] = Game.start(ruleset, header, SeededDice(f"dice {golden.name} {golden.seed}"))
    while (decision := game.decision) is not None:
        seat = decision.asked[0]
        game.play(seat, ask(bot, ruleset, game.state, seat, rng))
    return "".join(dump(header, game.lines))


def tell(found: OpenLog) -> str:
    """The game in words: every action, every event, every number with its reasons, and how it ended."""
    lines = []
    ruleset = found.ruleset
    state = ruleset.setup()
    for entry in found.log.lines:
        assert isinstance(entry, Entry)
        said = "" if entry.action is None else f" {entry.seat}: {ruleset.describe(entry.action)}"
        lines.append(f"[{entry.seq}]{said}")
        for event in entry.events:
            state = ruleset.fold(state, event)
            if text := ruleset.narrate(event):
                lines.append(f"  {text}")
            lines += [f"    {breakdown.explain()}" for breakdown in ruleset.breakdowns(event)]
    outcome = ruleset.outcome(state)
    assert outcome is not None
    return "\n".join([*lines, outcome.summary, ""])
