"""The doctrine of the Panzer family: its numbers are the rules', its answers legal, its reasons readable."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.bots import Explanation, Question, ask, make_bot
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.panzer.commander import Moment, PanzerDoctrine
from sandtable.bots.panzer.evaluation import standing, worth
from sandtable.bots.panzer.firing import expected, strike_now
from sandtable.bots.panzer.gunnery import DAMAGED_SHARE, Strike
from sandtable.bots.panzer.picture import Picture
from sandtable.bots.panzer.weights import TUNED
from sandtable.bots.style import CHARACTERS, LEVELS, Character
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.ruleset import Ruleset
from sandtable.sim.playout import start
from sandtable.systems.panzer.combat.ap_fire import Effect
from sandtable.systems.panzer.frames import ChooseFirst, DirectFire, Movement, Overwatch, PlacingCommands
from sandtable.systems.panzer.hex.actions import Fire
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.unit import Command, Shot, Spot, Status

AnyRuleset = Ruleset[Any, Any, Any]
STEADY = CHARACTERS[Character.STEADY]
SCENARIOS = ("na-a-patrol-at-tamrad", "mbt-a-crossroads-at-reinbach")


@cache
def moments(scenario: str, seed: int = 5) -> tuple[AnyRuleset, list[tuple[Any, Seat]]]:
    """A game of two greedy players, moment by moment."""
    ruleset = catalog.open_scenario(scenario).ruleset
    dice, rng, bot = SeededDice(seed), Random(seed), make_bot("greedy", None)
    state = start(ruleset, dice)
    seen = []
    while (decision := ruleset.decision(state)) is not None:
        seat = decision.asked[0]
        seen.append((state, seat))
        state = ruleset.resolve(state, seat, ask(bot, ruleset, state, seat, rng), dice).state
    return ruleset, seen


def by_kind(scenario: str) -> dict[type, list[Question[Any]]]:
    """The questions of a game by the frame that asks; only those with more than one answer."""
    ruleset, seen = moments(scenario)
    found = defaultdict(list)
    for state, seat in seen:
        question = Question(ruleset, ruleset.conceal(state, seat), seat)
        if question.options.only() is None:
            found[type(state.stack[-1])].append(question)
    return found


def single_shots(scenario: str) -> Iterator[tuple[Question[Any], Fire, Strike]]:
    """Shots of one vehicle at a target whose command lies open, with what the doctrine makes of them."""
    for question in [*by_kind(scenario)[DirectFire], *by_kind(scenario)[Overwatch]]:
        doctrine = doctrine_of(question.ruleset)
        assert isinstance(doctrine, PanzerDoctrine)
        picture = Picture(doctrine.book, question.known, question.seat, TUNED)
        is_overwatch = isinstance(question.known.stack[-1], Overwatch)
        for answer in question.options:
            if isinstance(answer, Fire) and len(answer.shots) == 1 and picture.unit(answer.target).known:
                firer, target = picture.unit(answer.shots[0].firer), picture.unit(answer.target)
                strike = strike_now(picture, firer, target, overwatch=is_overwatch)
                if answer.shots[0] == Shot(firer.id, strike.weapon, strike.ammo):
                    yield question, answer, strike


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_shot_has_the_numbers_of_the_rules(scenario: str) -> None:
    """4.4.3.2: the quick hit chance and effect are what the rules say when the shot is fired."""
    compared = 0
    for question, answer, strike in single_shots(scenario):
        told = question.preview(answer)
        hits = [number for number in told.breakdowns if number.title == "AP Hit Number"]
        if len(hits) != 1 or strike.effect is Effect.NONE:
            continue
        assert round(100 * strike.chance) == max(0, hits[0].total)
        compared += 1
    assert compared >= 5


def test_shots_one_after_another_take_more_but_never_more_than_all() -> None:
    half = Strike(0, 0, 0.5, Effect.KO, 0.5)
    hurt = Strike(0, 0, 0.5, Effect.DAMAGED, 0.5 * DAMAGED_SHARE)
    assert expected([half], damaged=False) == pytest.approx(0.5)
    assert expected([half, half], damaged=False) == pytest.approx(0.75)
    assert expected([hurt], damaged=False) == pytest.approx(0.5 * DAMAGED_SHARE)
    assert expected([hurt, hurt], damaged=False) == pytest.approx(0.25 + 0.5 * DAMAGED_SHARE)
    assert expected([hurt], damaged=True) == pytest.approx(0.5)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_position_is_worth_the_opposite_to_the_other_side(scenario: str) -> None:
    ruleset, seen = moments(scenario)
    doctrine: Any = doctrine_of(ruleset)
    one, other = ruleset.seats
    for state, _ in seen[::5]:
        leads = [standing(doctrine.book, state, seat) for seat in (one, other)]
        assert leads[0] == pytest.approx(-leads[1])
        told = [worth(Picture(doctrine.book, state, seat, TUNED), STEADY) for seat in (one, other)]
        assert told[0] == pytest.approx(-told[1], abs=0.02 * doctrine.book.stake)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_an_imagined_world_fits_what_the_seat_knows(scenario: str) -> None:
    """Nothing stays hidden in it, and to the seat it looks as the real one does."""
    ruleset, seen = moments(scenario)
    doctrine = doctrine_of(ruleset)
    drawn = set()
    for state, seat in seen[::3]:
        question = Question(ruleset, ruleset.conceal(state, seat), seat)
        for luck in range(4):
            world: Any = doctrine.imagine(question, STEADY, Random(luck))
            assert all(unit.command is not Command.HIDDEN for unit in world.units.values())
            assert ruleset.conceal(world, seat) == question.known
            drawn.add(tuple(unit.command for unit in world.units.values()))
    assert len(drawn) > len(seen[::3])


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_quick_answers_are_legal(scenario: str) -> None:
    ruleset, seen = moments(scenario)
    doctrine = doctrine_of(ruleset)
    for state, seat in seen:
        answer = doctrine.rollout(state, seat, STEADY, Random(1))
        assert ruleset.refusal(state, seat, answer) is None


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ideas_are_legal_and_the_best_comes_first(scenario: str) -> None:
    for kind, questions in by_kind(scenario).items():
        for question in questions[::4]:
            doctrine = doctrine_of(question.ruleset)
            if kind is PlacingCommands:
                slots = doctrine.slots(question, STEADY, Random(1))
                assert slots is not None
                ranked = slots
            else:
                ideas = doctrine.ideas(question, STEADY, Random(1))
                assert ideas[0].answer in question.options
                ranked = [ideas]
            for ideas in ranked:
                assert [idea.worth for idea in ideas] == sorted((idea.worth for idea in ideas), reverse=True)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_kept_of_quick_answers_is_what_the_rules_make_of_them(scenario: str) -> None:
    ruleset, seen = moments(scenario)
    remembers = PanzerDoctrine(ruleset)
    for state, seat in 2 * seen[::4]:
        question = Question(ruleset, ruleset.conceal(state, seat), seat)
        now = remembers.imagine(question, STEADY, Random(1))
        rng, fresh, dice, other_dice = Random(2), Random(2), SeededDice(3), SeededDice(3)
        assert now is not None
        last = now.turn + 1
        while (decision := ruleset.decision(now)) is not None and now.turn <= last:
            asked = decision.asked[0]
            forgets = PanzerDoctrine(ruleset)
            forgets.book = remembers.book
            answer = forgets.rollout(now, asked, STEADY, fresh)
            expected_state = ruleset.resolve(now, asked, answer, other_dice).state
            worth_expected = worth(Picture(remembers.book, now, asked, TUNED), STEADY)
            assert remembers.worth(now, asked, STEADY) == worth_expected
            now = remembers.go_on(now, asked, STEADY, rng, dice)
            assert now == expected_state
            assert list(now.units) == list(expected_state.units)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_quick_fire_is_the_fire_that_looks_best(scenario: str) -> None:
    ruleset, seen = moments(scenario)
    doctrine = doctrine_of(ruleset)
    for state, seat in seen:
        if isinstance(state.stack[-1], DirectFire | Overwatch):
            # With all commands known to both, as in an imagined world.
            best = doctrine.ideas(Question(ruleset, state, seat), STEADY, Random(1))[0]
            assert doctrine.rollout(state, seat, STEADY, Random(1)) == best.answer


def test_a_master_looks_to_the_end_of_the_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    question = by_kind(SCENARIOS[0])[Movement][0]
    doctrine: Any = doctrine_of(question.ruleset)
    worth = doctrine.worth
    for level, turns in ((2, 1), (3, 2)):
        ends: list[int] = []

        def judged(state: Any, *given: Any, ends: list[int] = ends) -> Any:
            ends.append(state.turn)
            return worth(state, *given)

        monkeypatch.setattr(doctrine, "worth", judged)
        make_bot(f"captain:{level}", None).choose(question, Random(1))
        assert set(ends) == {question.known.turn + turns}


@pytest.mark.parametrize("level", [2, 3])
def test_a_large_force_has_fewer_looks_so_that_an_answer_takes_no_longer(
    level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is kept by count: with thirty vehicles on the map as with eight, an answer plays so many others at most."""
    ruleset = catalog.open_scenario("na-brigade-clash").ruleset
    state = start(ruleset, SeededDice(1))
    decision = ruleset.decision(state)
    assert decision is not None
    question: Question[Any] = Question(ruleset, ruleset.conceal(state, decision.asked[0]), decision.asked[0])
    doctrine: Any = doctrine_of(ruleset)
    rollout, played = doctrine.rollout, []

    def counted(*given: Any) -> Any:
        played.append(given[1])
        return rollout(*given)

    monkeypatch.setattr(doctrine, "rollout", counted)
    told = make_bot(f"captain:{level}", None).explain(question, Random(1))
    assert 0.5 * LEVELS[level].steps < len(played) <= LEVELS[level].steps
    assert sum(one.worlds > 1 for one in told.considered) >= 2


# --- what is said ---------------------------------------------------------------------------------------


def told_of(kind: type, name: str = "captain:1") -> tuple[Question[Any], Explanation]:
    question = by_kind(SCENARIOS[0])[kind][0]
    return question, make_bot(name, None).explain(question, Random(2))


@pytest.mark.parametrize("name", ["greedy", "captain:1", "captain:2"])
@pytest.mark.parametrize("kind", [PlacingCommands, ChooseFirst, DirectFire, Movement])
def test_the_explanation_is_of_the_choice_that_is_made(kind: type, name: str) -> None:
    question, told = told_of(kind, name)
    chosen = make_bot(name, None).choose(question, Random(2))
    assert told.chosen == question.ruleset.describe(chosen)
    assert told.rule == question.decision.rule
    assert told.considered
    assert told.plan
    assert told.lines()[1] == f"chooses: {told.chosen}"


def test_fire_is_explained_by_odds_and_what_the_target_is_worth() -> None:
    _, told = told_of(DirectFire)
    assert sum(chance.probability for chance in told.odds) == pytest.approx(1)
    assert any(line.startswith("odds: ") and "%" in line for line in told.lines())
    assert any("AP Hit Number" in number for number in told.numbers)
    assert "worth" in told.considered[0].reasons[0].what


def test_a_move_is_explained_by_where_it_goes_and_what_that_brings() -> None:
    _, told = told_of(Movement)
    assert all(" to " in item.what or "stays" in item.what for item in told.considered)
    assert len({item.what for item in told.considered}) == len(told.considered)
    assert {"ground"} <= {reason.what for item in told.considered for reason in item.reasons}


def test_commands_are_explained_vehicle_by_vehicle() -> None:
    question, told = told_of(PlacingCommands, "greedy")
    labels = [slot.label for slot in question.options.root.slots]  # type: ignore[attr-defined]
    assert [item.what.partition(":")[0] for item in told.considered] == labels


def test_worlds_that_were_looked_into_are_named() -> None:
    _, told = told_of(PlacingCommands, "captain:2")
    assert any("imagined worlds" in line for line in told.lines())
    assert told.considered[0].worlds > 1


def others(state: State) -> Iterator[State]:
    """Positions that are like one but for a single thing."""
    yield replace(state, turn=state.turn + 1)
    for name, objective in state.objectives.items():
        held = "" if objective.holder else next(iter(state.units.values())).side
        yield replace(state, objectives={**state.objectives, name: replace(objective, holder=held)})
    for unit in [unit for unit in state.units.values() if unit.hex is not None][::2]:
        farther = Spot.FIRE if (unit.new_spot or unit.spot) is not Spot.FIRE else Spot.MOVE
        other = Command.NONE if unit.command is not Command.NONE else Command.MOVE
        for changed in (
            replace(unit, facing=(unit.facing + 2) % 6),
            replace(unit, damaged=not unit.damaged),
            replace(unit, new_spot=farther),
            replace(unit, moved=not unit.moved),
            replace(unit, command=other),
            replace(unit, status=Status.KNOCKED_OUT, hex=None),
        ):
            yield replace(state, units={**state.units, unit.id: changed})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_quick_move_is_kept_for_positions_alone_in_which_it_is_the_same(scenario: str) -> None:
    ruleset, seen = moments(scenario)
    warm, told = PanzerDoctrine(ruleset), set()
    moving = [
        (state, unit)
        for state, _ in seen
        if isinstance(state.stack[-1], Movement)
        for unit in state.units.values()
        if unit.hex is not None and not unit.moved and unit.command is Command.MOVE
    ]
    for known, mover in (moving[0], moving[len(moving) // 2]):
        for state in (known, *others(known), known):
            unit = state.units[mover.id]
            if unit.hex is None:
                continue
            now = Moment(state, Seat(unit.side), STEADY, Random(0))
            found = warm._quick(now, unit).weighed
            assert found == PanzerDoctrine(ruleset)._quick(now, unit).weighed
            told.add((found.stays, tuple(found.worths)))
    assert len(told) > 12, "much of it makes a difference"
