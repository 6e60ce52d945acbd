"""3.2 Reading the Dice: two ten-sided dice are 1 to 100, one is 1 to 10, and rolls ask for the right one."""

from collections import Counter
from itertools import product

import pytest

from sandtable.core.dice import Cuts, DiceSpec, Roll, ScriptedDice, SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.odds import settle
from sandtable.systems.panzer.percentile import D10, D100, read_percentile
from tests.rulebook.engine import RED, both_books, fire, play

FIELD = ". . . . . . .\n. . . . . . ."


@pytest.mark.rules("3.2")
def test_3_2_every_pair_of_dice_is_another_number_from_1_to_100() -> None:
    numbers = [read_percentile(tens, units) for tens, units in product(range(10), repeat=2)]
    assert sorted(numbers) == list(range(1, 101))
    assert Counter(numbers).most_common(1)[0][1] == 1


@pytest.mark.rules("3.2")
@pytest.mark.parametrize(
    ("tens", "units", "number"),
    [(2, 7, 27), (7, 2, 72), (0, 1, 1), (0, 9, 9), (1, 0, 10), (9, 0, 90), (9, 9, 99), (0, 0, 100)],
)
def test_3_2_one_die_is_the_tens_and_the_other_the_units(tens: int, units: int, number: int) -> None:
    assert read_percentile(tens, units) == number


@pytest.mark.rules("3.2")
def test_3_2_a_ten_is_the_face_that_is_printed_0() -> None:
    """Faces may be written as they are printed or as they count."""
    assert read_percentile(10, 3) == read_percentile(0, 3) == 3
    assert read_percentile(4, 10) == read_percentile(4, 0) == 40
    assert (D10.lowest, D10.highest) == (1, 10)
    assert (D100.lowest, D100.highest) == (1, 100)


@pytest.mark.rules("3.2")
@pytest.mark.parametrize("face", [0, 101, -1])
def test_3_2_no_roll_is_outside_its_range(face: int) -> None:
    with pytest.raises(BadInput):
        ScriptedDice([face]).roll(D100, "test")


@pytest.mark.rules("3.2")
@both_books
def test_3_2_fire_and_initiative_are_rolls_of_100(book: str) -> None:
    game = play(book, FIELD, "r1 tank A1 NE FIRE\nb1 slab D1 NW N/C", open="direct fire", first="red")
    dice = Watched(0)
    settle(game.rules, game.state, [(RED, fire("b1", "r1"))], dice)
    assert dice.asked
    assert set(dice.asked) == {D100}


class Watched(SeededDice):
    """Dice that note what they are asked for."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.asked: list[DiceSpec] = []

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        self.asked.append(dice)
        return super().roll(dice, why, cuts)
