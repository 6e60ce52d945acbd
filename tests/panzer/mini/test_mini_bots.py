"""Bots on a table: greedy fires, drives and watches by rules of thumb, and every answer of it is legal."""

from __future__ import annotations

from random import Random

from sandtable.bots import ask, make_bot
from sandtable.systems.panzer.mini import events as ev
from sandtable.systems.panzer.mini.actions import Fire, PlaceCommands
from sandtable.systems.panzer.unit import Command
from tests.panzer.mini.games import events_of, game_of
from tests.panzer.mini.range import SOVIET, Story, forces, panzer, tank


def test_greedy_plays_the_miniatures() -> None:
    game, bot, rng = game_of("pm-b-the-ridge"), make_bot("greedy", None), Random(1)
    for _ in range(24):
        assert game.decision is not None
        seat = game.decision.asked[0]
        game.play(seat, ask(bot, game.ruleset, game.state, seat, rng))
    assert any(isinstance(event, ev.UnitMoved) for event in events_of(game))


def test_greedy_orders_fire_where_it_pays_and_fires_on_the_better_target() -> None:
    panzers = [panzer(heading=90), panzer(at="17,13") | {"id": "front"}]
    spotted = {"tank": ("panzer", "front")}
    story, bot = Story(forces(panzers, [tank()], open="orders", spotted=spotted)), make_bot("greedy", None)
    orders = ask(bot, story.rules, story.state, SOVIET, Random(1))
    assert isinstance(orders, PlaceCommands)
    assert set(orders.commands.values()) == {Command.FIRE}
    story = Story(forces(panzers, [tank(command="FIRE")], open="direct fire", spotted=spotted))
    fired = ask(bot, story.rules, story.state, SOVIET, Random(1))
    assert isinstance(fired, Fire)
    assert fired.target == "panzer"
