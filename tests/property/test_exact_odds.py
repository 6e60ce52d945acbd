"""Exact odds against dice: samples of an attack fall as the odds say, within their error."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from sandtable.core.decision import Seat
from sandtable.core.dice import Cuts, Dice, DiceSpec, Roll, SeededDice
from sandtable.core.odds import odds, settle
from sandtable.core.ruleset import Ruleset
from sandtable.systems.panzer.hex.actions import Engage, Fire
from sandtable.systems.panzer.unit import WeaponShot
from tests.panzer.advanced_fire import ap, engage, gp, loaded_truck
from tests.rulebook.engine import BLUE, RED, Play, both_books, fire, move, play
from tests.whole import share

SAMPLES = 100_000
LONG = share(20_000, whole=100_000)
"""Of an attack with so many rolls that hardly two samples are alike: each of them is played."""
ERRORS = 4.5
"""Standard errors allowed for each outcome; a fair die exceeds that once in 150,000 times."""
Faces = tuple[tuple[int, ...], ...]
OPEN = ". . . . . ."

TOGETHER = """
r1 light A1 NE FIRE
r2 light A1 NE SHORT_HALT damaged
b1 tank D1 NW MOVE known
b2 truck F1 N
"""
REVEALED = """
r1 heavy A1 NE FIRE
r2 truck A1 NE
b1 tank D1 NW SHORT_HALT
b2 truck F1 N
"""


def in_combat(book: str, units: str) -> tuple[Play, Seat, Fire]:
    game = play(book, OPEN, units, open="direct fire", first="red", wrecks={"C1": "BU"})
    firers = [name for name in ("r1", "r2") if game.unit(name).card != "truck"]
    return game, RED, fire("b1", *firers)


def on_the_move(book: str) -> tuple[Play, Seat, Fire]:
    game = play(
        book, OPEN, "r1 tank A1 NE MOVE damaged\nr2 truck A1 NE\nb1 light F1 SE OW", open="movement", first="blue"
    )
    game.do(RED, move("r1"))
    return game, BLUE, fire("r1", "b1")


class Samples:
    """Plays something with dice again and again; where the dice fall as they have fallen before, so does the rest."""

    def __init__(self, run: Callable[[Dice], str], seed: str) -> None:
        self._run = run
        self._live = SeededDice(seed)
        self._next: dict[Faces, DiceSpec] = {}
        """By all faces so far: what is rolled next."""
        self._ends: dict[Faces, str] = {}
        self._fallen: Faces = ()
        self._given = 0

    def take(self) -> str:
        """One of them."""
        self._fallen = ()
        while self._fallen in self._next:
            self._fallen += (self._live.roll(self._next[self._fallen], "").faces,)
        if self._fallen not in self._ends:
            self._given = 0
            end = self._run(self)
            self._ends[self._fallen] = end
        return self._ends[self._fallen]

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """What has fallen already, then live dice."""
        if self._given == len(self._fallen):
            self._next[self._fallen] = dice
            self._fallen += (self._live.roll(dice, why).faces,)
        self._given += 1
        return Roll(dice, self._fallen[self._given - 1], why)


@pytest.mark.slow
@pytest.mark.rules("4.4.3.2", "4.4.3.2.3", "4.4.3.2.6")
@pytest.mark.parametrize(("book", "case"), [("panzer-na", "together"), ("mbt", "revealed"), ("mbt", "overwatch")])
def test_samples_agree_with_the_exact_odds(book: str, case: str) -> None:
    if case == "overwatch":
        game, seat, attack = on_the_move(book)
    else:
        game, seat, attack = in_combat(book, TOGETHER if case == "together" else REVEALED)
    agree(game.rules, game.state, seat, attack, f"{book} {case}")


@pytest.mark.slow
@pytest.mark.rules("5.15", "5.16.2.1", "6.5.2.1", "6.5.2.2", "6.5.2.5", "6.5.2.6.2", system="panzer-na")
@pytest.mark.rules("6.5.4.4", "6.5.4.4.2", "6.5.4.4.3", "6.5.4.5", system="panzer-na")
@pytest.mark.parametrize("kind", [ap, gp])
def test_samples_of_advanced_fire_agree_with_the_exact_odds(kind: Callable[[str], WeaponShot]) -> None:
    """Up to three hits (ROF F) on a truck with a squad: ammunition, hits, places, damage, and who bails out."""
    field = loaded_truck()
    agree(field.rules, field.state, RED, engage("b1", kind("r1")), f"advanced {kind.__name__}", number=LONG)


def agree(
    rules: Ruleset[Any, Any, Any], state: Any, seat: Seat, attack: Fire | Engage, seed: str, *, number: int = SAMPLES
) -> None:
    """So many samples fall as the exact odds say."""
    chances = {chance.what: Fraction(chance.exact) for chance in odds(rules, state, [(seat, attack)])}
    assert sum(chances.values()) == 1
    assert len(chances) > 1
    samples = Samples(lambda dice: rules.consequence(state, settle(rules, state, [(seat, attack)], dice)), seed)
    fell = Counter(samples.take() for _ in range(number))
    assert set(fell) <= set(chances)
    for what, chance in chances.items():
        expected = float(chance)
        error = sqrt(expected * (1 - expected) / number)
        assert abs(fell[what] / number - expected) <= ERRORS * error, what


@pytest.mark.rules("4.4.3.2.3", "4.4.3.2.6")
@both_books
def test_exact_odds_of_one_shot_are_the_hit_number(book: str) -> None:
    game = play(
        book, OPEN, "r1 tank A1 NE FIRE\nb1 tank D1 NW N/C known\nb2 truck F1 N", open="direct fire", first="red"
    )
    found = {chance.what: chance.exact for chance in odds(game.rules, game.state, [(RED, fire("b1", "r1"))])}
    assert found == {"b1 KO": "9/10", "no effect": "1/10"}


@pytest.mark.rules("4.4.1", "4.4.3.2.6")
@both_books
def test_exact_odds_of_two_shots_follow_the_whole_chain(book: str) -> None:
    """Two light guns on a front of 10: the first hit damages, the second knocks out."""
    units = "r1 light A1 NE FIRE\nr2 light A1 NE FIRE\nb1 tank D1 NW N/C known\nb2 truck F1 N"
    game = play(book, OPEN, units, open="direct fire", first="red")
    found = {chance.what: chance.exact for chance in odds(game.rules, game.state, [(RED, fire("b1", "r1", "r2"))])}
    assert found == {"b1 KO": "81/100", "b1 damaged": "9/50", "no effect": "1/100"}
