"""One game of a batch as a log, to be replayed, reviewed or opened in the browser."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec

from sandtable.bots import ask, make_bot
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import FORMAT, Header, dump
from sandtable.sim.setting import Setting, bound

__all__ = ["log_of"]


def log_of(setting: Setting, seed: int, game: int) -> str:
    """The text of the log of game number ``game``: the game that :func:`~sandtable.sim.match.play_game` counts."""
    ruleset = bound(setting)
    header = Header(
        format=FORMAT,
        system=setting.system,
        version=ruleset.card.version,
        packs=dict(setting.digests),
        scenario=msgspec.json.decode(setting.draft),
        seats={seat: f"bot:{name}" for seat, name in setting.bots},
    )
    bots = {Seat(seat): make_bot(name, setting.seconds) for seat, name in setting.bots}
    chance = {seat: Random(f"{seed}/{game}/{seat}") for seat in bots}
    played: Game[Any, Any, Any] = Game.start(ruleset, header, SeededDice(f"{seed}/{game}/dice"))
    while (decision := played.decision) is not None:
        seat = decision.asked[0]
        played.play(seat, ask(bots[seat], ruleset, played.state, seat, chance[seat]))
    return "".join(dump(header, played.lines))
