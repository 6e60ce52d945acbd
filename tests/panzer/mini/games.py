"""Games of the miniatures for tests: scenarios of the pack and small ones written in a test."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable import packs
from sandtable.core.content.pack import Library
from sandtable.core.content.scenario import read_draft
from sandtable.core.dice import Dice, SeededDice
from sandtable.core.game import Game
from sandtable.core.log import FORMAT, Entry, Header
from sandtable.core.ruleset import Position
from sandtable.systems.panzer.mini.rules import MiniRules
from sandtable.systems.panzer.mini.system import PANZER_MINIATURES

LIBRARY = Library([packs.shipped("panzer-mini")])


def draft_of(scenario: str) -> dict[str, Any]:
    data, where = LIBRARY.file(f"scenarios/{scenario}.yaml")
    return read_draft(data, where)


def ruleset_of(scenario: str) -> MiniRules:
    return PANZER_MINIATURES.ruleset(draft_of(scenario), LIBRARY, scenario)


def game_of(scenario: str, dice: Dice | None = None) -> Game[Any, Any, Any]:
    header = Header(FORMAT, "panzer-mini", PANZER_MINIATURES.card.version, LIBRARY.digests, draft_of(scenario))
    return Game.start(ruleset_of(scenario), header, dice or SeededDice(1))


def at_random(game: Game[Any, Any, Any], seed: int, steps: int) -> Game[Any, Any, Any]:
    """The game after so many answers at random."""
    rng = Random(seed)
    for _ in range(steps):
        decision = game.decision
        if decision is None:
            break
        seat = decision.asked[0]
        game.play(seat, decision.options(seat).sample(rng))
    return game


def events_of(game: Game[Any, Any, Any]) -> list[Any]:
    return [event for line in game.lines if isinstance(line, Entry) for event in line.events]


def position(**situation: Any) -> Position:
    """A situation as its file would have it, on an empty table unless it says otherwise."""
    drawn = {"table": {"width": 36, "depth": 24}}
    plain = {"system": "panzer-mini", "map": {"drawn": drawn}, **situation}
    return PANZER_MINIATURES.position(plain, LIBRARY, "situation")
