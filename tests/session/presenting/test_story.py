"""What is to be seen of events: typed, at the places that the viewpoint knows, in every system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from sandtable import catalog
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.session.game.play import Record
from sandtable.session.presenting.wire import Scene, WireBeat, WireEntry
from sandtable.systems.aslsk.common.actions import SetUpAsSuggested
from tests.toy_system import toy_game

SCENARIOS = (
    "toy",
    "na-a-patrol-at-tamrad",
    "mbt-battalion-attack",
    "sk-3-room-by-room",
    "sk-6-steel-in-the-corn",
    "pm-a-first-drive",
)
STRUCK = frozenset(("Shot", "VehicleDamaged", "VehicleKnockedOut", "VehicleBrewedUp", "UnitBroke"))
"""Events of fire with effect."""
UNSEEN = ("fire without a line of sight", "which ", "random selection", "Random Selection")
"""Rolls of which nothing may come that is to be seen."""


class Told(NamedTuple):
    """A line as a watcher is told it, between the positions before and after."""

    before: Scene
    entry: WireEntry
    after: Scene


def played(scenario: str, seed: int) -> Game[Any, Any, Any]:
    """A random game."""
    if scenario == "toy":
        game: Game[Any, Any, Any] = toy_game(SeededDice(seed))
    else:
        opened = catalog.open_scenario(scenario)
        game = Game.start(opened.ruleset, opened.header, SeededDice(seed))
    rng = Random(seed)
    while (decision := game.decision) is not None:
        seat = rng.choice(decision.asked)
        game.play(seat, decision.options(seat).sample(rng))
    return game


def lines(game: Game[Any, Any, Any], seat: str) -> Iterator[Told]:
    record = Record(game.ruleset, game.lines, game.states)
    for seq in range(1, record.v):
        entry, after = record.told(seq, seat)
        yield Told(record.scene(seq - 1, seat), entry, after)


@pytest.mark.parametrize("scenario", ["sk-3-room-by-room", "sk-6-steel-in-the-corn"])
def test_before_a_secret_set_up_is_told_no_moment_of_it_is_shown_to_others(scenario: str) -> None:
    opened = catalog.open_scenario(scenario)
    game: Game[Any, Any, Any] = Game.start(opened.ruleset, opened.header, SeededDice(0))
    first = Seat("german")
    game.play(first, SetUpAsSuggested())
    record = Record(game.ruleset, game.lines, game.states)

    def shown(seat: str) -> list[list[str]]:
        return [sorted(one.id for one in record.scene(seq, seat).counters if one.hex) for seq in range(record.v)]

    beginning, placed = shown(first)
    assert beginning == []
    assert placed
    others = [seat for seat in game.ruleset.seats if seat != first]
    assert {seat: shown(seat) for seat in (*others, "")} == {seat: [[], []] for seat in (*others, "")}


def beats(entry: WireEntry) -> list[WireBeat]:
    return [sentence.beat for sentence in entry.sentences if sentence.beat is not None]


def places(scene: Scene) -> dict[str, str]:
    return {one.id: one.hex for one in scene.counters}


@pytest.fixture(scope="module", params=SCENARIOS)
def game(request: pytest.FixtureRequest) -> Game[Any, Any, Any]:
    """A game in which somebody fires with effect."""
    games = (played(request.param, seed) for seed in range(3, 60))
    return next(one for one in games if _has_shots(one))


def _has_shots(game: Game[Any, Any, Any]) -> bool:
    events = (event for line in game.lines for event in getattr(line, "events", ()))
    return any(type(event).__name__ in STRUCK for event in events)


def test_every_system_shows_fire_dice_results_moves_and_markers(game: Game[Any, Any, Any]) -> None:
    found: Counter[str] = Counter()
    for told in lines(game, ""):
        shown = beats(told.entry)
        found.update(beat.kind for beat in shown)
        found["lines"] += sum(bool(beat.lines) for beat in shown)
        found["dice"] += sum(bool(beat.faces) for beat in shown)
        found["needed"] += sum(bool(beat.needed and beat.rolled and beat.effect) for beat in shown)
    wanted = {"result", "move", "phase", "dice", "needed"}
    if game.ruleset.card.id != "toy":
        wanted |= {"fire", "effect", "mark", "lines"}
    assert all(found[kind] for kind in wanted), found


def test_whoever_moves_is_shown_going_from_where_he_was_to_where_he_is(game: Game[Any, Any, Any]) -> None:
    seen = 0
    for told in lines(game, ""):
        at, end = places(told.before), places(told.after)
        last: dict[str, str] = {}
        for beat in beats(told.entry):
            if beat.kind != "move":
                continue
            for unit in beat.units:
                start = last.get(unit, at.get(unit, ""))
                assert beat.path[0 : len(beat.path) - bool(beat.hex)] in {(start,), ()}
                last[unit] = beat.hex
                seen += 1
        for unit, hex in last.items():
            # Whoever is eliminated on his way is nowhere afterwards.
            assert end.get(unit, "") in {hex, ""}
    assert seen


def test_whoever_is_elsewhere_in_the_end_was_shown_going_there(game: Game[Any, Any, Any]) -> None:
    gone = 0
    for told in lines(game, ""):
        at, end = places(told.before), places(told.after)
        moved = {unit for beat in beats(told.entry) if beat.kind == "move" for unit in beat.units}
        carried = {one.id for one in told.after.counters if one.held_by}
        for unit in {unit for unit, hex in at.items() if hex and end.get(unit) and end[unit] != hex} - carried:
            assert unit in moved, (unit, told.entry)
            gone += 1
    assert gone


def test_fire_leaves_from_where_the_firers_are(game: Game[Any, Any, Any]) -> None:
    for told in lines(game, ""):
        known = set(places(told.before).values()) | set(places(told.after).values())
        moved = {beat.hex for beat in beats(told.entry) if beat.kind == "move"}
        for beat in beats(told.entry):
            for line in beat.lines:
                assert line.a in known | moved
                assert line.b == beat.hex
                assert line.a != line.b


def test_dice_that_fall_are_shown(game: Game[Any, Any, Any]) -> None:
    if game.ruleset.card.id == "toy":
        pytest.skip("the toy tells totals only")
    shown = 0
    for told in lines(game, ""):
        faces = {face for beat in beats(told.entry) for face in beat.faces}
        # Ordnance rolls without a line of sight too: it may break down (3.2.1).
        blind = any(sentence.text.startswith("No LOS") for sentence in told.entry.sentences)
        for roll in told.entry.rolls:
            if not roll.why.startswith(UNSEEN) and not (blind and "To Hit" in roll.why):
                assert set(roll.faces) <= faces or roll.total in faces, roll
                shown += 1
    assert shown


def test_a_seat_is_shown_no_more_than_it_is_told(game: Game[Any, Any, Any]) -> None:
    """Beats name counters and hexes of the views that the seat has anyway."""
    for seat in game.ruleset.seats:
        for told in lines(game, seat):
            ids = set(places(told.before)) | set(places(told.after))
            for beat in beats(told.entry):
                assert set(beat.units) <= ids
