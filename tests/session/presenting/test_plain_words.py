"""What players read in any system is made for people: no names of code, no None, no numbers of entries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.cli.terminal.looking import describe_hex, describe_stakes
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.view import View
from sandtable.geo.map import map_of
from sandtable.session.game.play import Record
from sandtable.session.presenting.atlas import draw_map, legend_of
from sandtable.session.presenting.choice import tell_node
from sandtable.session.presenting.foresight import why_not_picked
from sandtable.session.presenting.wire_questions import WireNode
from tests.toy_system import toy_game

ENGINE = re.compile(
    r"\bNone\b|\bTrue\b|\bFalse\b"  # Python's own words
    r"|\b[a-z]+_[a-z_]+\b"  # names of code
    r"|\b[A-Z][a-z]+[A-Z]\w+\("  # structs
    r"|<[A-Za-z]+\.|Hex\(|\{|\}"
    r"|is not among|not among the answers|[Ee]ntry \d+ of|command has no effect|no branch"
)
SCENARIOS = ["na-a-patrol-at-tamrad", "mbt-a-crossroads-at-reinbach", "sk-1-the-road-into-bretteville"]
EVERY = [*SCENARIOS, "pm-a-first-drive", "toy"]


def started(scenario: str, seed: int) -> Game[Any, Any, Any]:
    if scenario == "toy":
        return toy_game()
    found = catalog.open_scenario(scenario)
    return Game.start(found.ruleset, found.header, SeededDice(f"words {seed}"))


def of_view(view: View) -> Iterator[str]:
    yield from describe_stakes(view)
    if view.prompt is not None:
        yield view.prompt.title
    for counter in view.counters:
        yield counter.face.title
        yield from (f"{value.name} {value.text}".replace("_", "", 1) for value in counter.face.values)
        yield from (f"{marker.text} {marker.title}" for marker in counter.markers)
    yield from (f"{sign.marker.text} {sign.marker.title}" for sign in view.hex_markers)
    yield from (box.title for box in view.boxes)
    for track in view.tracks:
        yield from (track.title, *track.steps)


def of_node(node: WireNode) -> Iterator[str]:
    yield from (branch.label for branch in node.branches)
    yield from (way.label for way in node.destinations[:20])
    for slot in node.slots:
        yield slot.label
        yield from slot.words


def texts(game: Game[Any, Any, Any]) -> Iterator[str]:
    """All that the page and the terminal show of where a game stands, to everybody."""
    ruleset, last = game.ruleset, len(game.lines) - 1
    record = Record(ruleset, game.lines, game.states)
    for seat in ("", *ruleset.seats):
        entry = record.entry(last, seat)
        yield entry.text
        for sentence in entry.sentences:
            yield sentence.text
            yield from (breakdown.text for breakdown in sentence.breakdowns)
        yield from (roll.why for roll in entry.rolls)
    decision = game.decision
    for seat in decision.asked if decision is not None else ():
        known = ruleset.conceal(game.state, seat)
        asked = ruleset.decision(known)
        assert asked is not None
        options = asked.options(seat)
        yield from of_node(tell_node(options.root))
        view = ruleset.view(game.state, seat)
        yield from of_view(view)
        for counter in view.counters[:3]:
            refusal = why_not_picked(ruleset, known, seat, (), counter.id).refusal
            yield "" if refusal is None else f"{refusal.reason} {refusal.remedy}"


@pytest.mark.parametrize("scenario", EVERY)
def test_what_players_read_is_made_for_people(scenario: str) -> None:
    game, rng = started(scenario, 1), Random(1)
    offences: set[str] = set()
    for _ in range(90):
        offences |= {text for text in texts(game) if ENGINE.search(text)}
        decision = game.decision
        if decision is None:
            break
        seat = decision.asked[0]
        game.play(seat, decision.options(seat).sample(rng))
    assert sorted(offences) == []


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_a_hex_is_is_said_in_words(scenario: str) -> None:
    game = started(scenario, 1)
    game_map = map_of(game.ruleset)
    assert game_map is not None
    drawing = draw_map(game_map, legend_of(catalog.system(game.header.system), catalog.library(game.header.system)))
    view = game.ruleset.view(game.state, game.ruleset.seats[0])
    told = {line for hex in drawing.hexes for line in describe_hex(view, drawing, hex.label)}
    facts = {f"{name.replace('_', ' ')} {text}" for row in drawing.legend.values() for name, text in row.facts.items()}
    assert sorted(line for line in told | facts if ENGINE.search(line)) == []
