"""What a player is told before he confirms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots.preview import preview as exact_preview
from sandtable.core.codec import to_plain
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import Refusal
from sandtable.core.game import Game
from sandtable.geo.plane.space import space_of
from sandtable.session.presenting.choice import read_action
from sandtable.session.presenting.foresight import foresee, why_not_picked
from sandtable.session.presenting.wire import Preview, WireChance
from tests.toy_system import toy_game, toy_ruleset


def priced_fire(scenario: str) -> list[Preview]:
    """The prices of all fire that is chosen in some random games."""
    opened = catalog.open_scenario(scenario)
    ruleset: Any = opened.ruleset
    found: list[Preview] = []
    for seed in range(12):
        if len(found) >= 3:
            break
        game, rng = Game.start(ruleset, opened.header, SeededDice(seed)), Random(seed)
        while (decision := game.decision) is not None:
            seat = rng.choice(decision.asked)
            action = decision.options(seat).sample(rng)
            if type(action).__name__ == "Fire":
                found.append(foresee(ruleset, ruleset.conceal(game.state, seat), seat, action))
            game.play(seat, action)
    return found


@pytest.mark.parametrize("scenario", ["na-brigade-clash", "mbt-battalion-attack"])
def test_fire_of_the_real_games_has_exact_odds_and_its_numbers(scenario: str) -> None:
    previews = priced_fire(scenario)
    assert previews, "somebody fires"
    for preview in previews:
        assert preview.exact
        assert sum(chance.probability for chance in preview.chances) == pytest.approx(1)
        assert all(chance.exact for chance in preview.chances)
        nothing = sum(chance.probability for chance in preview.chances if chance.what == "no effect")
        assert preview.effect == pytest.approx(1 - nothing)
        assert any("Hit" in breakdown.title for breakdown in preview.breakdowns)


@pytest.mark.parametrize("scenario", ["na-brigade-clash", "mbt-battalion-attack"])
@pytest.mark.rules("4.4.3.2.2", system="panzer-na")
def test_fire_at_a_face_down_command_shows_both_numbers(scenario: str) -> None:
    """The target's owner may reveal that it moves: the odds say so, and what they are then."""
    revealed = 0
    for preview in priced_fire(scenario):
        for one in (one for one in preview.what_ifs if one.rule == "4.4.3.2.2"):
            revealed += 1
            assert "reveals a moving command" in one.what
            assert one.exact
            assert sum(chance.probability for chance in one.chances) == pytest.approx(1)
            assert _no_effect(one.chances) >= _no_effect(preview.chances), "a moving target is not easier to hit"
            terms = [term.label for breakdown in one.breakdowns for term in breakdown.terms]
            assert any("mov" in label.lower() for label in terms), terms
    assert revealed


def _no_effect(chances: Sequence[WireChance]) -> float:
    return sum(chance.probability for chance in chances if chance.what == "no effect")


def test_a_value_that_a_slot_does_not_offer() -> None:
    game = toy_game()
    known = toy_ruleset().conceal(game.state, Seat("red"))
    why = why_not_picked(toy_ruleset(), known, Seat("red"), ("fly",), "r1")
    assert not why.allowed
    assert why.refusal is not None
    assert "fly" in why.refusal.reason
    assert "march" in why.refusal.remedy


def test_a_system_may_answer_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.core.errors import Refusal
    from tests.toy import Patrols

    own = Refusal("9.9", "because")
    monkeypatch.setattr(Patrols, "why_not", lambda self, state, seat, keys, ref, is_hex: own, raising=False)
    game = toy_game()
    assert why_not_picked(toy_ruleset(), game.state, Seat("red"), ("fly",), "r1").refusal == own


def test_a_counter_with_the_name_of_a_hex_is_told_from_it() -> None:
    """At Tamrad there are a hex B1 and a vehicle B1: each is asked about as itself."""
    opened = catalog.open_scenario("na-a-patrol-at-tamrad")
    ruleset: Any = opened.ruleset
    game, rng = Game.start(ruleset, opened.header, SeededDice(1)), Random(1)
    german = Seat("german")
    moving: list[Any] = []
    while (decision := game.decision) is not None:
        seat = decision.asked[0]
        moving = [branch for branch in decision.options(seat).root.branches() if branch.kind == "unit"]
        if seat == german and moving and decision.options(seat).root.shape == "pick":
            break
        game.play(seat, decision.options(seat).sample(rng))
    known = ruleset.conceal(game.state, german)
    mover = moving[0].key
    place = {piece.id: piece.hex for piece in ruleset.view(known, german).counters}["B1"]
    assert place
    assert place != "B1"
    vehicle = why_not_picked(ruleset, known, german, (mover,), "B1", is_hex=False).refusal
    hex = why_not_picked(ruleset, known, german, (mover,), "B1", is_hex=True).refusal
    assert vehicle is not None
    assert hex is not None
    assert place in vehicle.reason
    assert hex.reason.startswith("B1 is out of reach")
    # Who does not say which is told of the vehicle.
    assert why_not_picked(ruleset, known, german, (mover,), "B1").refusal == vehicle


def test_every_branch_about_a_hex_says_that_it_is() -> None:
    """In every system: what a branch is about is a counter or a hex, as it says."""
    for scenario in ("na-a-patrol-at-tamrad", "mbt-meeting-at-muehlau", "sk-3-room-by-room", "pm-c-the-crossroads"):
        opened = catalog.open_scenario(scenario)
        ruleset: Any = opened.ruleset
        space: Any = space_of(ruleset)
        assert space is not None
        game, rng = Game.start(ruleset, opened.header, SeededDice(3)), Random(3)
        for _ in range(150):
            decision = game.decision
            if decision is None:
                break
            seat = rng.choice(decision.asked)
            node = decision.options(seat).root
            names = {piece.id for piece in ruleset.view(ruleset.conceal(game.state, seat), seat).counters}
            while branches := list(islice(node.branches(), 60)):
                for branch in branches:
                    if branch.is_hex:
                        assert space.label(space.place(branch.ref)) == branch.ref
                    elif branch.ref and branch.kind != "seat":
                        assert branch.ref in names, branch
                node = rng.choice(branches).then
            game.play(seat, decision.options(seat).sample(rng))


def test_what_is_taken_for_granted_may_leave_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action may be legal on the ground and not on the ground that odds take for granted (ASL 3.2.1, 3.3.3)."""
    ruleset, trusting = toy_ruleset(), toy_ruleset()
    game = toy_game()
    decision = game.decision
    assert decision is not None
    seat = decision.asked[0]
    action = next(iter(decision.options(seat)))
    known = ruleset.conceal(game.state, seat)
    monkeypatch.setattr(ruleset, "foresight", lambda _: trusting, raising=False)
    assert foresee(ruleset, known, seat, action).chances
    monkeypatch.setattr(trusting, "refusal", lambda *_: Refusal("3.3.3", "somebody is closer"))
    told = foresee(ruleset, known, seat, action)
    assert (told.chances, told.breakdowns, told.exact) == ((), (), False)
    assert told.units
    assert exact_preview(ruleset, known, seat, action).chances == ()


def test_an_attack_on_a_stack_is_told_target_by_target() -> None:
    """The exact odds of each target by itself (ASL 3.2.3); together they would be too many to read."""
    text = """
system: aslsk3
title: Fire at a stack
phase: PFPh
attacker: german
map: {board: z}
sides:
  - id: german
    units: [{id: a, card: german/4-6-7, at: F3}, {id: b, card: german/4-6-7, at: F3}]
  - id: russian
    units: [{id: r, card: russian/4-4-7, at: F4}, {id: l, card: russian/8-0, at: F4}]
"""
    ruleset, state = catalog.open_situation(text, "stack").position
    decision = ruleset.decision(state)
    assert decision is not None
    (seat,) = decision.asked
    both = next(action for action in decision.options(seat) if "a, b" in ruleset.describe(action))
    told = foresee(ruleset, ruleset.conceal(state, seat), seat, both)
    assert {struck.unit for struck in told.unit_odds} == {"r", "l"}
    for struck in told.unit_odds:
        assert sum(chance.probability for chance in struck.chances) == pytest.approx(1)
        assert any("broken" in chance.what for chance in struck.chances)
    assert {breakdown.title for breakdown in told.breakdowns} >= {"Firepower", "DRM"}
    likeliest = max(
        1 - sum(one.probability for one in struck.chances if one.what == "no effect") for struck in told.unit_odds
    )
    assert told.effect == pytest.approx(likeliest)


def test_the_one_figure_of_an_attack_leaves_out_what_fails_the_firer() -> None:
    """A machine gun that malfunctions (ASL 4.2) is no effect on the target."""
    text = """
system: aslsk3
title: Machine gun
phase: PFPh
attacker: german
map: {board: z}
sides:
  - id: german
    units: [{id: a, card: german/4-6-7, at: F3}]
    weapons: [{id: w, card: german/LMG, owner: a}]
  - id: russian
    units: [{id: r, card: russian/4-4-7, at: F4}]
"""
    ruleset, state = catalog.open_situation(text, "gun").position
    decision = ruleset.decision(state)
    assert decision is not None
    (seat,) = decision.asked
    shot = next(action for action in decision.options(seat) if "w" in ruleset.describe(action).split())
    told = foresee(ruleset, ruleset.conceal(state, seat), seat, shot)
    fails = sum(one.probability for one in told.chances if "malfunctioned" in one.what and "r " not in one.what)
    nothing = sum(one.probability for one in told.chances if one.what == "no effect")
    assert fails > 0
    assert told.effect == pytest.approx(1 - nothing - fails)


def test_a_way_is_told_to_its_end_with_what_is_spent_on_it() -> None:
    """The enemy may fire at every MP of a vehicle (ASL 3.3.2): the way is that of a move at which nobody does."""
    text = """
system: aslsk3
title: A drive in the enemy's sight
phase: MPh
attacker: american
map:
  drawing:
    shifted: even
    cells: |
      .  .  .  .  .  .
      .  .  .  .  .  .
sides:
  - id: american
    vehicles: [{id: M1, card: american/M4A3(75)W, at: A1, vca: NE/SE}]
  - id: german
    units: [{id: g, card: german/4-6-7, at: F2}]
conditions: {year: 1944, month: 7}
"""
    ruleset, state = catalog.open_situation(text, "drive").position
    enter = [{"to": to_plain(ruleset.place(label))} for label in ("B1", "C2")]
    drive = {"type": "MoveVehicle", "vehicle": "M1", "steps": [{"kind": "start"}, *enter, {"kind": "stop"}]}
    action = read_action(ruleset, drive)
    seat = Seat("american")
    told = foresee(ruleset, ruleset.conceal(state, seat), seat, action)
    assert [(step.hex, step.cost) for step in told.steps[:4]] == [("A1", 1), ("B1", 1), ("C2", 1), ("C2", 1)]
    # What is left is spent where it stops, and what a step costs is not told a second time.
    assert sum(step.cost or 0 for step in told.steps) == 15
    assert {step.hex for step in told.steps[4:]} == {"C2"}
    assert told.breakdowns == ()
