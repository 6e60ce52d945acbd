"""Bots set up unseen in a way that nobody can read in the scenario: drawn by their own chance, and sound (1.3)."""

from collections import defaultdict
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import ask, make_bot
from sandtable.core.dice import SeededDice
from sandtable.core.ruleset import Ruleset
from sandtable.sim.playout import start
from sandtable.systems.aslsk.pieces.state import State, Whereabouts

rules = pytest.mark.rules
SECRET, OPEN = "sk-3-room-by-room", "sk-2-the-second-wave"


def rules_of(scenario: str) -> Ruleset[Any, Any, Any]:
    return catalog.open_scenario(scenario).ruleset


def set_up(ruleset: Ruleset[Any, Any, Any], name: str, seed: int) -> State:
    """The position when both sides have set up, every answer of theirs allowed."""
    dice, rng, bot = SeededDice("set up"), Random(seed), make_bot(name, None)
    state: State = start(ruleset, dice)
    while state.turn == 0:
        decision = ruleset.decision(state)
        assert decision is not None
        seat = decision.asked[0]
        action = ask(bot, ruleset, state, seat, rng)
        assert ruleset.refusal(state, seat, action) is None
        state = ruleset.resolve(state, seat, action, dice).state
    return state


def hexes(state: State, side: str) -> dict[str, Any]:
    return {unit.id: unit.hex for unit in state.units.values() if unit.side == side and unit.place is Whereabouts.MAP}


@rules("1.3", system="aslsk3")
@pytest.mark.parametrize("name", ["greedy", "captain:1", "captain:2"])
def test_1_3_a_secret_set_up_is_drawn_and_sound(name: str) -> None:
    ruleset = rules_of(SECRET)
    scenario = ruleset.context.scenario  # type: ignore[attr-defined]
    states = [set_up(ruleset, name, seed) for seed in (1, 2, 1)]
    assert states[0] == states[2], "the same chance, the same set-up"
    for side in ruleset.seats:
        placed = hexes(states[0], side)
        assert placed != hexes(states[1], side), f"{side} sets up alike whatever its chance"
        assert any(hex != scenario.suggested[unit] for unit, hex in placed.items())
    for state in states:
        stacks = defaultdict(set)
        for unit in state.units.values():
            if unit.place is Whereabouts.MAP:
                assert unit.hex in scenario.zones[unit.force]
                stacks[unit.force, scenario.suggested[unit.id]].add(unit.hex)
        assert all(len(where) == 1 for where in stacks.values()), "stacks stay together"
        assert all(weapon.owner == scenario.possessors[weapon.id] for weapon in state.weapons.values())


@rules("1.3", system="aslsk3")
def test_1_3_where_all_is_seen_chance_sets_nobody_up() -> None:
    ruleset = rules_of(OPEN)
    first, other = (set_up(ruleset, "greedy", seed) for seed in (1, 2))
    assert all(hexes(first, side) == hexes(other, side) for side in ruleset.seats)
