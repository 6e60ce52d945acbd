"""Random games of the Advanced Game at close quarters end: infantry, guns, trucks, buildings and terrain counters."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import SeededDice
from sandtable.geo.boards import situation_map
from sandtable.sim.playout import play_out, start
from sandtable.systems.panzer.hex.actions import Action
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.hex.system import PanzerSystem
from tests.rulebook.engine import card_pack

NA = "panzer-na"
CELLS = """
    . . b . . s
    . w . . . .
    . . . b w .
    s . . . . .
"""


def force(side: str, *hexes: str, facing: str) -> dict[str, Any]:
    cards = ("tank", "squad", "gun", "truck", "squad")
    units = [
        {"id": f"{side[0]}{index}", "card": card, "at": at, "facing": facing}
        for index, (card, at) in enumerate(zip(cards, hexes, strict=True))
    ]
    return {"id": side, "title": side.title(), "grade": "Seasoned", "units": units}


@cache
def ruleset() -> PanzerRules:
    legend = {"b": "brick_building", "w": "medium_grove", "s": "scrub"}
    draft: dict[str, Any] = {
        "id": "close",
        "system": NA,
        "title": "At close quarters",
        "turns": 4,
        "status": "test",
        "level": "advanced",
        "map": {"drawing": {"cells": CELLS, "legend": legend}},
        "sides": [
            force("red", "A1", "B1", "B2", "B2", "C1", facing="SE"),
            force("blue", "F4", "E3", "E4", "E4", "D3", facing="NW"),
        ],
        "features": [
            {"kind": "wire", "at": ["C2"]},
            {"kind": "block", "at": ["D2"]},
            {"kind": "hasty entrenchment", "at": ["C3"]},
        ],
        "conditions": {"dust": True, "desert_buildings": True},
    }
    library = catalog.library(NA, [card_pack(NA)])
    system = catalog.system(NA)
    assert isinstance(system, PanzerSystem)
    game_map = situation_map(draft["map"], library, "close")
    return PanzerRules(system.card, system.context(draft, game_map, library, "close", situation=True))


@pytest.mark.rules("6.0", system="panzer-na")
@pytest.mark.parametrize("seed", range(10))
def test_a_random_game_ends_and_what_is_drawn_is_never_refused(seed: int) -> None:
    rules = ruleset()

    def choose(state: State, decision: Decision[Action], seat: Seat, rng: Random) -> Action:
        action = decision.options(seat).sample(rng)
        assert rules.refusal(state, seat, action) is None
        return action

    dice = SeededDice(f"close {seed}")
    played = play_out(rules, start(rules, dice), dice, Random(seed), choose=choose)
    assert played.outcome is not None
