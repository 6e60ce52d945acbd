"""6.5.1.4, 6.5.1.11 Plots of the artillery, its secrets, whole games with batteries, and faults of their files."""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog, testing
from sandtable.bots import ask, make_bot
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice, SeededDice
from sandtable.core.errors import BadInput
from sandtable.geo.boards import situation_map
from sandtable.systems.panzer.combat.fire_events import BlastResolved
from sandtable.systems.panzer.features import FeatureKind
from sandtable.systems.panzer.fires.missions import Battery, BatteryId, Plot, PlotStep
from sandtable.systems.panzer.fires.planned import is_busy, may_arrive, must_arrive, refuse_step, step_at
from sandtable.systems.panzer.frames import IndirectFire, Plotting
from sandtable.systems.panzer.hex import mission_events as me
from sandtable.systems.panzer.hex.actions import (
    CallFire,
    CheckFire,
    PlanFire,
    RegisterPoint,
    StartPlan,
)
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.secrecy import other_batteries
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.hex.system import PanzerSystem
from tests.panzer.batteries import (
    BATTERY,
    BLUE,
    CLOSED,
    GP,
    LIGHT,
    NA,
    OPEN,
    PASS,
    RED,
    SMOKE,
    battle,
    call,
    next_turn,
    observer,
    unit,
)
from tests.rulebook.engine import Play

rules = pytest.mark.rules


# --- 6.5.1.11 Planned fire -----------------------------------------------------------------------------------


def plot() -> Plot[int]:
    """The five turns of the example, along a line."""
    steps = (
        PlotStep(kind=GP, pattern=CLOSED, target=0, turns=2),
        PlotStep(kind=SMOKE, pattern=OPEN, target=0),
        PlotStep(kind=GP, pattern=OPEN, target=4, turns=2),
    )
    return Plot(6, steps)


@rules("6.5.1.11.1", system=NA)
def test_the_plot_of_the_example_turn_by_turn() -> None:
    found = [step_at(plot(), 6, turn) for turn in range(6, 12)]
    told = [(step.kind, step.pattern) if step is not None else None for step in found]
    assert told == [(GP, CLOSED), (GP, CLOSED), (SMOKE, OPEN), (GP, OPEN), (GP, OPEN), None]


@rules("6.5.1.11.1", "6.5.1.11.3", system=NA)
def test_plots_last_five_turns_and_move_five_hexes_at_most() -> None:
    def why(step: PlotStep[int], before: Plot[int] | None = None, turn: int = 0) -> str:
        refusal = refuse_step(before, turn, step, 8, lambda a, b: abs(a - b))
        return "" if refusal is None else refusal.rule

    short = Plot(2, (PlotStep(kind=GP, pattern=CLOSED, target=0, turns=3),))
    assert why(PlotStep(kind=GP, pattern=CLOSED, target=0), turn=8) == ""
    assert why(PlotStep(kind=GP, pattern=CLOSED, target=0), turn=9) == "6.5.1.11.1"
    assert why(PlotStep(kind=GP, pattern=CLOSED, target=0, turns=6), turn=1) == "6.5.1.11.1"
    assert why(PlotStep(kind=GP, pattern=CLOSED, target=5, turns=2), short) == ""
    assert why(PlotStep(kind=GP, pattern=CLOSED, target=6), short) == "6.5.1.11.3"
    assert why(PlotStep(kind=GP, pattern=CLOSED, target=0, turns=3), short) == "6.5.1.11.1"
    assert why(PlotStep(kind=GP, pattern=CLOSED, target=0), short, 3) == "6.5.1.11.1"
    assert why(PlotStep(kind=LIGHT, pattern=OPEN, target=0), turn=1) == "6.5.1.6.2"


@rules("6.5.1.11.1", "6.5.1.11.2", system=NA)
def test_planned_fire_arrives_a_turn_early_or_late_and_its_battery_waits_a_turn_afterwards() -> None:
    waiting = Battery(id=BatteryId("b1"), side=Seat(RED), plot=plot())
    assert [turn for turn in range(1, 12) if may_arrive(waiting, turn)] == [5, 6, 7]
    assert [turn for turn in range(1, 9) if must_arrive(waiting, turn)] == [7, 8]
    assert [turn for turn in range(1, 8) if is_busy(waiting, turn)] == [5, 6, 7]
    begun = replace(waiting, begun=5)
    assert [turn for turn in range(5, 13) if not is_busy(begun, turn)] == [11, 12]


PLOTTED = {
    **BATTERY,
    "plot": {"turn": 2, "steps": [{"at": "K4", "turns": 2}, {"at": "N4", "kind": "Smoke", "sheaf": "Open"}]},
}


@rules("6.5.1.11", "6.5.1.11.2", "6.5.1.13", "6.5.1.9", system=NA)
def test_planned_fire_needs_no_observer_and_follows_its_plot() -> None:
    tank = unit("t1", "K4", "crusader-i", command="MOVE")
    game = battle(observer(command="N/C"), targets=(tank,), batteries=(PLOTTED,), spotted={})
    assert game.why(RED, StartPlan(BatteryId("b2"))) == "6.5.1.11"
    game.do(RED, StartPlan(BatteryId("b1")), 10)
    (event,) = game.told(BlastResolved)
    assert event.range_factor == "M"
    assert not any("Moving" in term.label for term in event.modifier.terms), "its owner is not asked"
    assert game.why(RED, CheckFire("b1-plan")) == "6.5.1.9"
    assert game.why(RED, StartPlan(BatteryId("b1"))) == "6.5.1.11.2"
    game.do(RED, PASS)
    next_turn(game)
    game.do(RED, PASS, 10)
    assert game.state.missions[0].target == game.hex("K4")
    next_turn(game)
    game.do(RED, PASS, 6)
    assert game.state.missions[0].target == game.hex("N4")
    assert {one.kind for one in game.state.features} == {FeatureKind.SMOKE, FeatureKind.BARRAGE}
    next_turn(game)
    assert not game.state.missions
    assert game.told(me.MissionEnded)[-1].rule == "6.5.1.11.1"


@rules("6.5.1.11.4", system=NA)
def test_planned_smoke_without_shells_leaves_no_counter_and_the_plot_goes_on() -> None:
    smoke = {**BATTERY, "plot": {"turn": 1, "steps": [{"at": "K4", "kind": "Smoke"}, {"at": "K4"}]}}
    game = battle(batteries=(smoke,))
    game.do(RED, StartPlan(BatteryId("b1")), 7)
    assert not game.state.features
    assert not game.state.missions, "no ARTILLERY IMPACT counter tells where it would have fallen"
    assert not game.told(me.MissionSet)
    game.do(RED, PASS)
    next_turn(game)
    game.do(RED, PASS, 10)
    assert {one.kind for one in game.state.features} == {FeatureKind.BARRAGE}


@rules("6.5.1.11.1", "6.5.1.9", system=NA)
def test_a_battery_with_a_plot_that_begins_takes_no_calls() -> None:
    game = battle(batteries=(PLOTTED,))
    assert game.why(RED, call(game)) == "6.5.1.11.1"
    late = {**BATTERY, "plot": {"turn": 9, "steps": [{"at": "K4"}]}}
    free = battle(batteries=(late,))
    assert free.why(RED, call(free)) == ""


# --- plotting, secrets, whole games --------------------------------------------------------------------------

PLANNERS = [
    {"id": "gb1", "card": "german-medium-battery", "attached": "german", "registers": 1},
    {"id": "gb2", "card": "german-heavy-battery", "organic": "german", "plans": True},
]
GERMANS = {
    "id": "german",
    "title": "German",
    "grade": "Seasoned",
    "units": [
        {"id": "fo", "card": "german-section", "at": "B4", "roles": {"observer": True, "command": "CHQ"}},
        {"id": "p1", "card": "pz-iiij", "at": "B5", "facing": "SE"},
        {"id": "m1", "card": "german-section", "at": "A4", "attached": ["grw-34"]},
        {"id": "t1", "card": "opel-blitz", "at": "A5"},
        {"id": "s1", "card": "german-rifle-squad", "carried_by": "t1"},
    ],
    "batteries": PLANNERS,
}
BRITISH = {
    "id": "british",
    "title": "British",
    "grade": "Regulars",
    "units": [
        {"id": "bo", "card": "british-section", "at": "H4", "roles": {"observer": True, "command": "CHQ"}},
        {"id": "c1", "card": "crusader-i", "at": "H5", "facing": "NW"},
        {"id": "g1", "card": "qf-2pdr", "at": "G6", "facing": "NW"},
        {"id": "r1", "card": "british-rifle-squad", "at": "H6"},
    ],
    "batteries": [{"id": "bb1", "card": "british-medium-battery", "organic": "british", "registers": 2, "plans": True}],
}
SKIRMISH: dict[str, Any] = {
    "id": "drafted",
    "system": NA,
    "title": "drafted",
    "turns": 3,
    "status": "test",
    "level": "advanced",
    "map": {"drawing": {"cells": "\n".join([". . . . . . . . . ."] * 8)}},
    "sides": [GERMANS, BRITISH],
}


def bound(draft: dict[str, Any]) -> PanzerRules:
    library, system = catalog.library(NA, []), catalog.system(NA)
    assert isinstance(system, PanzerSystem)
    game_map = situation_map(draft["map"], library, "drafted")
    return PanzerRules(system.card, system.context(draft, game_map, library, "drafted"))


@cache
def skirmish() -> PanzerRules:
    return bound(SKIRMISH)


def begun() -> Play:
    """The skirmish before its first turn."""
    game = battle()
    game.rules = skirmish()
    game.state = game.rules.begin(game.rules.setup(), ScriptedDice(())).state
    return game


@rules("6.5.1.4", "6.5.1.11.1", system=NA)
def test_points_and_plots_are_written_down_before_the_first_turn() -> None:
    game = begun()
    assert isinstance(game.top, Plotting)
    assert game.asked == ("german",)
    d5 = game.hex("D5")
    point = RegisterPoint(BatteryId("gb1"), d5)
    game.do("german", point)
    assert game.why("german", RegisterPoint(BatteryId("gb1"), game.hex("D6"))) == "6.5.1.4"
    assert game.why("german", RegisterPoint(BatteryId("bb1"), d5)) == "6.5.1.4"
    assert game.why("german", PlanFire(BatteryId("gb1"), d5, GP, CLOSED, turn=1)) == "6.5.1.11"
    game.do("german", PlanFire(BatteryId("gb2"), d5, GP, CLOSED, turns=2, turn=2))
    assert game.why("german", PlanFire(BatteryId("gb2"), d5, GP, CLOSED, turn=3)) == "6.5.1.11.1"
    game.do("german", PlanFire(BatteryId("gb2"), d5, SMOKE, OPEN))
    game.do("german", PASS)
    assert game.asked == ("british",)
    _, phase = game.rules.view(game.state, game.rules.seats[1]).tracks
    assert phase.steps[phase.at] == "Plotting"
    game.do("british", PASS)
    _, phase = game.rules.view(game.state, game.rules.seats[1]).tracks
    assert phase.steps[phase.at] == "Command"
    assert game.state.batteries[BatteryId("gb1")].registered == (d5,)
    found = game.state.batteries[BatteryId("gb2")].plot
    assert found is not None
    assert found.turns == 3


@rules("6.5.1.4", "6.5.1.11.1", system=NA)
def test_batteries_points_and_plots_are_their_owners_alone() -> None:
    game = begun()
    before = game.state
    events = game.do("german", RegisterPoint(BatteryId("gb1"), game.hex("D5")))
    british, german = game.rules.seats[1], game.rules.seats[0]
    assert [game.rules.redact(event, british) for event in events] == [None]
    assert game.rules.redact_action(RegisterPoint(BatteryId("gb1"), game.hex("D5")), german, british) is None
    assert game.rules.conceal(game.state, british) == game.rules.conceal(before, british)
    assert set(game.rules.conceal(game.state, british).batteries) == {"bb1"}
    variants = list(game.rules.hidden_variants(game.state, british))
    assert len(variants) >= 2
    seen = game.rules.view(game.state, british)
    assert all(game.rules.view(variant, british) == seen for variant in variants)
    draft = game.rules.conceal_scenario(SKIRMISH, british)
    assert "batteries" not in draft["sides"][0]
    assert "batteries" in draft["sides"][1]
    assert "batteries" in SKIRMISH["sides"][0]


@rules("6.5.1", system=NA)
def test_the_step_comes_before_direct_fire_first_player_first() -> None:
    game = battle(first=RED)
    assert isinstance(game.top, IndirectFire)
    game.do(RED, PASS)
    assert game.asked == (BLUE,)


def test_random_games_with_batteries_end_and_leak_nothing() -> None:
    ruleset, called = skirmish(), 0
    for seed in range(5):
        rng, dice, doubts = Random(seed), SeededDice(seed), Random(seed)
        state = ruleset.begin(ruleset.setup(), dice).state
        for _ in range(1000):
            decision = ruleset.decision(state)
            if decision is None:
                break
            if doubts.random() < 0.05:
                testing.check_secrets(ruleset, state, doubts)
            seat = decision.asked[0]
            action = decision.options(seat).sample(rng)
            assert ruleset.refusal(state, seat, action) is None
            state = ruleset.resolve(state, seat, action, dice).state
            called += isinstance(action, CallFire | StartPlan)
        assert state.ended
    assert called


@cache
def moments(seed: int) -> list[tuple[State, Seat]]:
    """Every fifth question of a random skirmish, with a force that is asked and does not know all."""
    ruleset, rng, dice = skirmish(), Random(seed), SeededDice(seed)
    state, found = ruleset.begin(ruleset.setup(), dice).state, []
    for number in range(1000):
        decision = ruleset.decision(state)
        if decision is None:
            break
        seat = decision.asked[0]
        if number % 5 == 0:
            found.append((state, seat))
        state = ruleset.resolve(state, seat, decision.options(seat).sample(rng), dice).state
    return found


@rules("6.5.1.4", "6.5.1.11.1", system=NA)
@pytest.mark.parametrize(("name", "asked"), [("random", 12), ("greedy", 5), ("captain:1:bold", 3)])
def test_hidden_batteries_points_plots_and_commands_change_no_choice_of_a_bot(name: str, asked: int) -> None:
    ruleset, bot, compared = skirmish(), make_bot(name, None), 0
    found = moments(2)
    for number, (state, seat) in enumerate(found[:: -(-len(found) // asked)]):
        chosen = ask(bot, ruleset, state, seat, Random(number))
        variants = [variant for variant in ruleset.hidden_variants(state, seat) if variant != state]
        for variant in variants[-2:]:
            assert ask(bot, ruleset, variant, seat, Random(number)) == chosen
            compared += 1
    assert compared >= asked


@rules("6.5.1.4", "6.5.1.11.1", system=NA)
def test_hidden_batteries_change_no_offer_refusal_odds_or_event_of_the_other_force() -> None:
    ruleset, fires = skirmish(), 0
    for number, (state, seat) in enumerate(moments(3)):
        decision = ruleset.decision(state)
        assert decision is not None
        own = [decision.options(seat).sample(Random(number + more)) for more in range(3)]
        theirs = RegisterPoint(BatteryId("bb1" if seat == "german" else "gb1"), ruleset.place("D5"))
        told = _told(ruleset, state, seat, own, theirs)
        fires += any(isinstance(action, CallFire) for action in own)
        for variant in other_batteries(state, seat):
            assert _told(ruleset, variant, seat, own, theirs) == told
    assert fires


def _told(ruleset: PanzerRules, state: State, seat: Seat, own: list[Any], theirs: Any) -> list[Any]:
    """All that a force learns when it asks, tries and plays."""
    decision = ruleset.decision(state)
    assert decision is not None
    known = ruleset.conceal(state, seat)
    return [
        decision.wording(seat),
        list(islice(decision.options(seat), 12)),
        ruleset.refusal(state, seat, theirs),
        *(ruleset.refusal(state, seat, action) for action in own),
        *(ruleset.unit_odds(known, action) for action in own if isinstance(action, CallFire)),
        *(
            [ruleset.redact(event, seat) for event in ruleset.resolve(state, seat, action, SeededDice(1)).events]
            for action in own
        ),
    ]


# --- bad input -----------------------------------------------------------------------------------------------


@rules("5.3", "6.5.1.2", "6.5.1.3", system=NA)
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"card": "no-such-battery"}, "sides[0].batteries[0].card"),
        ({"attached": ""}, "sides[0].batteries[0]"),
        ({"organic": "german"}, "sides[0].batteries[0]"),
        ({"attached": "british"}, "sides[0].batteries[0].attached"),
        ({"attached": "", "organic": "nobody"}, "sides[0].batteries[0].organic"),
        ({"id": "fo"}, "sides[0].batteries[0].id"),
        ({"registers": -1}, "sides[0].batteries[0].registers"),
        ({"registered": ["B2"]}, "sides[0].batteries[0].registered"),
    ],
)
def test_faults_of_batteries_name_their_field(changes: dict[str, Any], field: str) -> None:
    side = {**GERMANS, "batteries": [{**PLANNERS[0], **changes}]}
    with pytest.raises(BadInput) as found:
        bound({**SKIRMISH, "sides": [side, BRITISH]})
    assert field in str(found.value)


@rules("6.5.1.3.2", system=NA)
def test_organic_batteries_belong_to_the_highest_formation() -> None:
    formations = [
        {"id": "all", "units": ["fo"]},
        {"id": "part", "units": ["p1", "m1", "t1", "s1"], "parent": "all"},
    ]
    side = {**GERMANS, "formations": formations, "batteries": [{**PLANNERS[1], "organic": "part"}]}
    with pytest.raises(BadInput, match=r"6\.5\.1\.3\.2"):
        bound({**SKIRMISH, "sides": [side, BRITISH]})


def test_a_scenario_without_indirect_fire_has_no_batteries() -> None:
    with pytest.raises(BadInput, match="indirect fire"):
        bound({**SKIRMISH, "without": ["indirect fire"]})
