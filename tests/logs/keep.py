"""``python -m tests.logs.keep``: plays every scenario that has no log here yet, and keeps the log.

Logs are kept for ever as they were written, whatever the program becomes: they are what players have on their disks.
So nothing here is written anew; a later version of a system adds logs of its own beside the old ones.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random
from typing import Any

from sandtable import catalog
from sandtable.bots import ask, make_bot
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import dump

HERE = Path(__file__).parent
BOT = "random"


def played(scenario: str) -> tuple[str, str]:
    """The name of a log, by scenario and behaviour version, and its text."""
    ruleset, header = catalog.open_scenario(scenario)
    rng = Random(f"kept {scenario}")
    bot = make_bot(BOT, None)
    game: Game[Any, Any, Any] = Game.start(ruleset, header, SeededDice(f"kept {scenario}"))
    while (decision := game.decision) is not None:
        seat = decision.asked[0]
        game.play(seat, ask(bot, ruleset, game.state, seat, rng))
    return f"{scenario}.v{header.version}.jsonl.gz", "".join(dump(header, game.lines))


def main() -> None:
    """Add what is missing."""
    for system in catalog.system_ids():
        version = catalog.system(system).card.version
        for scenario, _, _ in catalog.library(system).section("scenarios"):
            if not (HERE / f"{scenario}.v{version}.jsonl.gz").exists():
                name, text = played(scenario)
                (HERE / name).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
                print(name, len(text))  # noqa: T201 - what it is for


if __name__ == "__main__":
    main()
