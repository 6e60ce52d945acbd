"""Dice: seeded, scripted, recorded, enumerating."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core.dice import (
    Dice,
    DiceSpec,
    Kinds,
    RecordedDice,
    RecordingDice,
    Roll,
    ScriptedDice,
    SeededDice,
    enumerate_rolls,
)
from sandtable.core.errors import BadInput, RulesBug

D100 = DiceSpec(1, 100)
TWO_SIX = DiceSpec(2, 6)


def test_spec_knows_its_bounds() -> None:
    assert str(TWO_SIX) == "2d6"
    assert (TWO_SIX.lowest, TWO_SIX.highest) == (2, 12)


def test_seeded_dice_repeat_with_their_seed() -> None:
    one, other = SeededDice(7), SeededDice(7)
    assert [one.roll(D100, "x") for _ in range(20)] == [other.roll(D100, "x") for _ in range(20)]


def test_seeded_dice_reach_every_face_and_no_other() -> None:
    dice = SeededDice("faces")
    seen = {face for _ in range(500) for face in dice.roll(TWO_SIX, "x").faces}
    assert seen == {1, 2, 3, 4, 5, 6}


def test_scripted_dice_give_totals_and_faces() -> None:
    dice = ScriptedDice([57, [3, 4]])
    assert dice.roll(D100, "hit").total == 57
    assert dice.left == 1
    assert dice.roll(TWO_SIX, "kill").faces == (3, 4)


@pytest.mark.parametrize(
    ("script", "spec", "wrong"),
    [
        ([], D100, "no roll left for hit"),
        ([101], D100, "101 is no roll of 1d100"),
        ([0], D100, "0 is no roll"),
        ([7], TWO_SIX, "7 is no roll of 2d6"),
        ([[1, 7]], TWO_SIX, "is no roll of 2d6"),
    ],
)
def test_scripted_dice_reject_what_cannot_fall(script: list[int], spec: DiceSpec, wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        ScriptedDice(script).roll(spec, "hit")


def test_recorded_dice_answer_only_what_was_recorded() -> None:
    recording = RecordingDice(SeededDice(3))
    roll = recording.roll(D100, "hit")
    assert recording.rolls == [roll]
    assert RecordedDice([roll]).roll(D100, "hit") == roll
    for spec, why in ((TWO_SIX, "hit"), (D100, "kill")):
        with pytest.raises(RulesBug):
            RecordedDice([roll]).roll(spec, why)
    with pytest.raises(RulesBug):
        RecordedDice([]).roll(D100, "hit")


def test_enumeration_without_cuts_meets_every_face_once() -> None:
    found = list(enumerate_rolls(lambda dice: dice.roll(TWO_SIX, "x").faces))
    assert len(found) == len({faces for faces, _ in found}) == 36
    assert {weight for _, weight in found} == {Fraction(1, 36)}


@given(st.sets(st.integers(-3, 110)), st.sampled_from([D100, TWO_SIX, DiceSpec(3, 4)]))
def test_enumeration_by_cuts_groups_what_the_rule_tells_apart(cuts: set[int], spec: DiceSpec) -> None:
    def band(total: int) -> int:
        return sum(total > cut for cut in cuts)

    weights: Counter[int] = Counter()
    branches = 0
    for total, weight in enumerate_rolls(lambda dice: dice.roll(spec, "x", tuple(cuts)).total):
        weights[band(total)] += weight  # type: ignore[assignment]
        branches += 1
    exact: Counter[int] = Counter()
    for faces, weight in enumerate_rolls(lambda dice: dice.roll(spec, "x").total):
        exact[band(faces)] += weight  # type: ignore[assignment]
    assert weights == exact
    assert branches == len(exact)
    assert sum(weights.values()) == 1


def test_enumeration_follows_rolls_that_depend_on_rolls() -> None:
    def run(dice: Dice) -> str:
        if dice.roll(D100, "hit", (40,)).total > 40:
            return "miss"
        return "kill" if dice.roll(DiceSpec(1, 10), "kill", (3,)).total <= 3 else "hit"

    totals: dict[str, Fraction] = {}
    for what, weight in enumerate_rolls(run):
        assert what not in totals
        totals[what] = weight
    assert totals == {"miss": Fraction(60, 100), "kill": Fraction(12, 100), "hit": Fraction(28, 100)}


def test_roll_total_is_the_sum_of_its_faces() -> None:
    assert Roll(TWO_SIX, (2, 5), "x").total == 7


def test_a_roll_without_end_is_refused() -> None:
    def until_six(dice: Dice) -> int:
        while dice.roll(DiceSpec(1, 6), "six").total != 6:
            pass
        return 6

    with pytest.raises(BadInput, match="rolls in a row"):
        list(enumerate_rolls(until_six))


def test_too_many_ways_are_refused() -> None:
    with pytest.raises(BadInput, match="more than 50 ways"):
        list(enumerate_rolls(lambda dice: dice.roll(D100, "any").total, most=50))


def test_recorded_dice_know_what_is_left() -> None:
    dice = RecordedDice([Roll(D100, (3,), "hit"), Roll(D100, (4,), "hit")])
    dice.roll(D100, "hit")
    assert [roll.total for roll in dice.left] == [4]


def test_enumeration_by_kinds_groups_totals_wherever_they_lie() -> None:
    found = list(enumerate_rolls(lambda dice: dice.roll(D100, "x", Kinds(lambda total: total % 10)).total))
    assert [total for total, _ in found] == [1, *range(10, 1, -1)]
    assert {weight for _, weight in found} == {Fraction(1, 10)}
    even = dict(enumerate_rolls(lambda dice: dice.roll(TWO_SIX, "x", lambda: Kinds(lambda total: total % 2)).total))
    assert even == {2: Fraction(1, 2), 3: Fraction(1, 2)}
