"""Leaving the map in time, smoke before a dash, and setting up by judgement: what bots of the Starter Kit plan."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.bots import Question, ask, make_bot
from sandtable.bots.aslsk.commander import AslskDoctrine
from sandtable.bots.aslsk.leaving import hope_to_leave
from sandtable.bots.aslsk.marching import goings
from sandtable.bots.aslsk.settling import set_up_ideas
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.weights import PLAIN, TUNED, Weights
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.style import CHARACTERS, Character, Style
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.sim.playout import start
from sandtable.systems.aslsk.common.actions import Action, Done, Move, PlaceUnit
from sandtable.systems.aslsk.pieces.state import MoveStep, Phase, StepKind, UnitId, Whereabouts
from tests.aslsk.clash import Clash

rules = pytest.mark.rules
STEADY = CHARACTERS[Character.STEADY]
EXITS = [{"side": "german", "zone": [{"hexes": ["A1", "A2", "A3", "A4", "A5"]}]}]
BREAKOUT: dict[str, Any] = {
    "exits": EXITS,
    "victory": [{"side": "german", "goals": [{"kind": "exit", "at_least": 4}]}],
}
HUNTED: dict[str, Any] = {
    "exits": [{**EXITS[0], "points": False}],
    "victory": [{"side": "russian", "goals": [{"kind": "casualties", "at_least": 4}]}],
}


def sketch_of(clash: Clash, style: Style = STEADY) -> Sketch:
    doctrine = doctrine_of(clash.rules)
    assert isinstance(doctrine, AslskDoctrine)
    return Sketch(doctrine.book, clash.state, Seat(clash.asked), style, rules=clash.context)


@pytest.mark.parametrize(
    ("scenario", "weights"),
    [
        ("sk-1-the-road-into-bretteville", TUNED),
        ("sk-5-the-gun-in-the-village", PLAIN),
        ("s21-clash-at-borisovka", PLAIN),
    ],
)
def test_what_play_of_infantry_has_shown_counts_where_there_is_nothing_else(scenario: str, weights: Weights) -> None:
    ruleset = catalog.open_scenario(scenario).ruleset
    doctrine = doctrine_of(ruleset)
    assert isinstance(doctrine, AslskDoctrine)
    state = start(ruleset, SeededDice("weights"))
    for seat in doctrine.book.seats:
        assert Sketch(doctrine.book, state, seat, STEADY).weights is weights
        assert Sketch(doctrine.book, state, seat, STEADY._replace(plans=False)).weights is PLAIN


def answer(clash: Clash, bot: str) -> Action:
    seat = Seat(clash.asked)
    question: Question[Any] = Question(clash.rules, clash.rules.conceal(clash.state, seat), seat)
    action: Action = make_bot(bot, None).choose(question, Random(1))
    return action


def marching(at: str, **fields: Any) -> Clash:
    return Clash(
        "MPh",
        attacker="german",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": at}]},
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "G5", "broken": True}]},
        **fields,
    )


@rules("3.3", system="aslsk3")
@pytest.mark.parametrize("bot", ["greedy", "captain:2", "captain:3"])
@pytest.mark.parametrize("aims", [BREAKOUT, HUNTED], ids=["for points", "for safety"])
def test_3_3_who_gains_by_it_leaves_the_map(bot: str, aims: dict[str, Any]) -> None:
    for at in ("A3", "C3"):
        found = answer(marching(at, **aims), bot)
        assert isinstance(found, Move)
        assert found.steps[-1].kind is StepKind.EXIT
        assert len(found.steps) == (1 if at == "A3" else 3)


@rules("3.3", system="aslsk3")
def test_3_3_who_is_too_far_off_goes_nearer_to_the_way_out() -> None:
    clash = marching("G2", **BREAKOUT)
    found = answer(clash, "captain:2")
    assert isinstance(found, Move)
    last = found.steps[-1].to
    assert last is not None
    assert last[0] < clash.hex("G2")[0]


@rules("1.3", "3.3", system="aslsk3")
def test_1_3_who_must_leave_the_map_counts_the_turns_that_are_left() -> None:
    begun = sketch_of(marching("G2", turns=6, **BREAKOUT))

    def seen(turn: int, phase: Phase = Phase.MOVEMENT, attacker: str = "german") -> Sketch:
        return begun.of(replace(begun.state, turn=turn, phase=phase, attacker=Seat(attacker)))

    assert [seen(turn).marches_left() for turn in (1, 5, 6)] == [5, 1, 0]
    assert seen(5, Phase.RALLY).marches_left() == 2, "that of this player turn is still to come"
    assert seen(5, attacker="russian").marches_left() == seen(5, attacker="russian").across().marches_left() == 1
    assert seen(5).across().marches_left() == 2
    assert seen(3).is_attacking()
    for turn in (1, 5, 6):
        hopes = [hope_to_leave(seen(turn), way) for way in (0.5, 1.0, 2.0, 9.0)]
        assert hopes == sorted(hopes, reverse=True)
        assert hopes[-1] < 0.01
    early, late = (hope_to_leave(seen(turn), 0.4) - hope_to_leave(seen(turn), 1.0) for turn in (1, 5))
    assert late > 3 * early, "nearer by as much counts more when time is short"


@rules("3.9", system="aslsk3")
def test_3_9_of_a_last_turn_that_is_one_sides_alone_the_other_has_no_march() -> None:
    ruleset = catalog.open_scenario("s27-stand-for-new-zealand").ruleset
    doctrine = doctrine_of(ruleset)
    assert isinstance(doctrine, AslskDoctrine)
    begun = replace(start(ruleset, SeededDice(1)), turn=7, phase=Phase.MOVEMENT)
    first, second = doctrine.book.seats
    left = {
        (mover, seat): Sketch(doctrine.book, replace(begun, attacker=mover), seat, STEADY).marches_left()
        for mover in (first, second)
        for seat in (first, second)
    }
    assert left == {(first, first): 1, (first, second): 1, (second, first): 1, (second, second): 0}


@rules("3.3", system="aslsk3")
def test_3_3_nobody_leaves_without_a_reason_or_before_the_gate_opens() -> None:
    for fields in ({"exits": EXITS}, {**BREAKOUT, "exits": [{**EXITS[0], "from_turn": 5}]}):
        found = answer(marching("A3", **fields), "captain:2")
        assert isinstance(found, Done)


@rules("3.3", system="aslsk3")
def test_3_3_enough_have_left_once_the_points_are_made() -> None:
    clash = marching("A3", **BREAKOUT)
    gone = Clash(
        "MPh",
        attacker="german",
        german={
            "units": [
                {"id": "g", "card": "german/4-6-7", "at": "A3"},
                {"id": "a", "card": "german/4-6-7", "at": "A2"},
                {"id": "b", "card": "german/4-6-7", "at": "A2"},
            ]
        },
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "G5", "broken": True}]},
        **BREAKOUT,
    )
    for name in ("a", "b"):
        ways = [Move((UnitId(name),), (MoveStep(StepKind.EXIT, way=way),)) for way in range(6)]
        gone.play(next(way for way in ways if not gone.why(way)))
    assert isinstance(answer(clash, "captain:2"), Move)
    assert isinstance(answer(gone, "captain:2"), Done)


OPEN = "\n".join([". . . . . . . . ."] * 5)
ACROSS: dict[str, Any] = {
    "places": [{"id": "house", "zone": [{"hexes": ["I3"]}], "holder": "russian"}],
    "victory": [{"side": "german", "goals": [{"kind": "control", "places": ["house"]}]}],
}


def dash(*, guns: bool) -> Clash:
    """A company that means to cross a field, under a machine gun's eyes or not."""
    defender = {"id": "r", "card": "russian/4-4-7", "at": "I3", "broken": not guns}
    men = [{"id": f"g{n}", "card": "german/5-4-8", "at": "D3" if n < 3 else "D4"} for n in range(5)]
    return Clash(
        "MPh",
        OPEN,
        attacker="german",
        german={"units": men},
        russian={"units": [defender], "weapons": [{"id": "mg", "card": "russian/MMG", "owner": "r"}]},
        **ACROSS,
    )


@rules("3.3.1", system="aslsk3")
def test_3_3_1_smoke_is_thought_of_under_fire_only() -> None:
    for guns in (True, False):
        sketch = sketch_of(dash(guns=guns), STEADY._replace(level=3))
        assert sketch.weights.smoke > 0
        ways = goings(sketch, [sketch.state.units[unit] for unit in list(sketch.state.units)[:1]], modes=("",))
        thrown = [way for way in ways if way.action.steps[0].kind is StepKind.SMOKE]
        assert bool(thrown) == guns
        for way in thrown:
            assert way.action.halt
            assert len(way.action.steps) == 1


@rules("3.3.1", system="aslsk3")
def test_3_3_1_smoke_counts_for_more_the_more_are_to_follow() -> None:
    many = dash(guns=True)
    sketch = sketch_of(many, STEADY._replace(level=3))
    first = list(many.state.units.values())[:1]

    def best(sketch: Sketch) -> float:
        ways = goings(sketch, first, modes=("",))
        return max(way.gain for way in ways if way.action.steps[0].kind is StepKind.SMOKE)

    moved = {unit.id: unit for unit in many.state.units.values()}
    alone = {name: unit for name, unit in moved.items() if unit.side != "german" or unit in first}
    assert best(sketch) > best(sketch.of(replace(many.state, units=alone)))


@rules("1.3", system="aslsk3")
def test_1_3_defenders_set_up_their_own_way_and_all_of_it_is_legal() -> None:
    ruleset = catalog.open_scenario("sk-2-the-second-wave").ruleset
    scenario_of = ruleset.context.scenario  # type: ignore[attr-defined]
    dice = SeededDice("set up")
    state = start(ruleset, dice)
    player = make_bot("captain:3", None)
    placed = []
    while state.turn == 0:
        decision = ruleset.decision(state)
        assert decision is not None
        seat = decision.asked[0]
        action = ask(player, ruleset, state, seat, Random(1))
        assert ruleset.refusal(state, seat, action) is None
        if isinstance(action, PlaceUnit):
            placed.append(action)
        state = ruleset.resolve(state, seat, action, dice).state
    units = [unit for unit in state.units.values() if unit.place is Whereabouts.MAP]
    assert {action.unit for action in placed} == {unit.id for unit in units if unit.side == "german"}
    assert all(unit.hex in scenario_of.zones[unit.force] for unit in units)
    moved = {unit.side for unit in units if unit.hex != scenario_of.suggested[unit.id]}
    assert moved == {"german"}, "who attacks starts where the scenario suggests"
    assert all(weapon.owner == scenario_of.possessors[weapon.id] for weapon in state.weapons.values())


@rules("1.3", system="aslsk3")
def test_1_3_the_suggested_hex_is_kept_unless_another_is_clearly_better() -> None:
    ruleset = catalog.open_scenario("sk-2-the-second-wave").ruleset
    doctrine = doctrine_of(ruleset)
    assert isinstance(doctrine, AslskDoctrine)
    state = start(ruleset, SeededDice("set up"))
    sketch = Sketch(doctrine.book, state, Seat("german"), STEADY._replace(level=3))
    ideas = set_up_ideas(sketch)
    first = next(unit for unit in state.units.values() if unit.side == "german")
    meant = doctrine.book.context.scenario.suggested[first.id]
    kept = next(idea for idea in ideas if isinstance(idea.answer, PlaceUnit) and idea.answer.hex == meant)
    assert kept.worth == pytest.approx(1.0)
    sketch.weights = sketch.weights._replace(settle=1000.0)
    assert set_up_ideas(sketch)[0].answer == PlaceUnit(first.id, meant)
