"""Reviews: the curve, turning points, and luck against decision."""

from functools import cache
from random import Random
from statistics import fmean

import msgspec
import pytest

from sandtable import catalog
from sandtable.bots import ask, make_bot
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.style import CHARACTERS, Character
from sandtable.core.codec import encode
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.errors import BadInput
from sandtable.core.game import Game
from sandtable.core.log import dump
from sandtable.core.ruleset import Outcome
from sandtable.sim.balance import Bounds
from sandtable.sim.case import open_case
from sandtable.sim.luck import EntryLuck
from sandtable.sim.pages.review_page import review_html
from sandtable.sim.review import CurvePoint, Review, TurningPoint, _ending, _turning_points, review_text
from tests.forging import sealed
from tests.golden.games import HERE

SCENARIOS = {
    "panzer-na": str(HERE / "panzer-na.yaml"),
    "mbt": str(HERE / "mbt.yaml"),
    "aslsk3": "sk-3-room-by-room",
    "panzer-mini": str(HERE / "panzer-mini.yaml"),
}
LONGEST = 80


@cache
def text_of(name: str) -> str:
    """A log: a whole game of greedy against itself, or the beginning of one by chance."""
    ruleset, header = catalog.open_scenario(SCENARIOS[name])
    game = Game.start(ruleset, header, SeededDice("review"))
    rng = Random("review")
    bot = make_bot("random" if name == "aslsk3" else "greedy", None)
    for _ in range(LONGEST):
        decision = game.decision
        if decision is None:
            break
        seat = decision.asked[0]
        game.play(seat, ask(bot, ruleset, game.state, seat, rng))
    return "".join(dump(header, game.lines))


@cache
def reviewed(name: str) -> Review:
    return review_text(text_of(name), games=2, bot="random")


SYSTEMS = ("panzer-na", "mbt", "aslsk3", "panzer-mini")


@pytest.mark.parametrize("name", SYSTEMS)
def test_luck_and_decision_add_up_to_what_happened(name: str) -> None:
    found = reviewed(name)
    assert found.entries
    assert not any(entry.note for entry in found.entries)
    for entry in found.entries:
        assert entry.before + entry.decision + entry.luck == pytest.approx(entry.after, abs=0.03)
        assert sum(roll.luck for roll in entry.rolls) == pytest.approx(entry.luck, abs=0.01 * (1 + len(entry.rolls)))
    rolled = sum(len(entry.rolls) for entry in open_case(text_of(name), "log").exchanges)
    assert sum(len(entry.rolls) for entry in found.entries) == rolled > 0


def test_what_was_expected_of_a_shot_is_its_average() -> None:
    case = open_case(text_of("panzer-na"), "log")
    ruleset, first = case.ruleset, case.ruleset.seats[0]
    doctrine, style = doctrine_of(ruleset), CHARACTERS[Character.STEADY]
    shots = [
        (exchange, entry)
        for exchange, entry in zip(case.exchanges, reviewed("panzer-na").entries, strict=True)
        if len(exchange.entries) == 1 and entry.action.startswith("fire") and entry.luck
    ]
    assert shots
    for exchange, entry in shots[:2]:
        shot = exchange.entries[0]
        values = [
            doctrine.worth(
                ruleset.resolve(exchange.before, Seat(shot.seat), shot.action, SeededDice(n)).state, first, style
            )
            for n in range(1500)
        ]
        spread = max(values) - min(values)
        assert entry.exact
        assert fmean(values) == pytest.approx(entry.rolls[0].expected, abs=0.06 * spread)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_curve_goes_through_every_turn_to_the_end(name: str) -> None:
    found = reviewed(name)
    assert [point.turn for point in found.curve] == sorted(point.turn for point in found.curve)
    assert all(point.share.low <= point.share.estimate <= point.share.high for point in found.curve)
    if name != "aslsk3":
        last = found.curve[-1]
        assert last.known
        assert last.share.low == last.share.estimate == last.share.high
        assert found.outcome


def test_the_same_review_on_two_cores() -> None:
    told: list[tuple[int, int]] = []
    two = review_text(text_of("panzer-na"), games=2, bot="random", jobs=2, tell=lambda *now: told.append(now))
    assert encode(two) == encode(reviewed("panzer-na"))
    assert told[-1][0] == told[-1][1] == len(told)


def test_a_turning_point_is_a_change_that_is_more_than_noise() -> None:
    seats = catalog.open_scenario("na-a-patrol-at-tamrad").ruleset.seats
    curve = [
        CurvePoint(seq, turn, Bounds(share, share, share), 0.0)
        for seq, turn, share in ((0, 1, 0.5), (4, 2, 0.55), (8, 3, 0.1), (12, 4, 0.9))
    ]
    entries = [
        EntryLuck(6, 6, 2, "german", "fire", 0, decision=20, luck=-70, after=-50),
        EntryLuck(7, 7, 2, "german", "wait", 0, decision=0, luck=0, after=-50),
        EntryLuck(10, 10, 3, "british", "move", 0, decision=60, luck=0, after=10),
    ]
    found = list(_turning_points(seats, curve, entries, 100))
    assert [(turn.turn, turn.towards, turn.luck, turn.decision) for turn in found] == [
        (3, "german", 0, 60),
        (2, "british", -70, 20),
    ]
    assert found[1].told == ("german: fire (decision +20, luck -70)",)
    # With so few games even half of the way may be chance.
    assert [turn.turn for turn in _turning_points(seats, curve, entries, 4)] == [3]


def test_what_was_taken_back_does_not_count() -> None:
    ruleset, header = catalog.open_scenario("na-a-patrol-at-tamrad")
    game = Game.start(ruleset, header, SeededDice(1))
    rng = Random(1)
    decision = game.decision
    assert decision is not None
    seat = decision.asked[0]
    game.play(seat, decision.options(seat).sample(rng))
    game.undo(seat)
    again = game.decision
    assert again is not None
    game.play(seat, again.options(seat).sample(rng))
    found = review_text("".join(dump(header, game.lines)), games=2, bot="random")
    assert [entry.seq for entry in found.entries] == [0, 3]


def test_an_old_log_is_reviewed_as_far_as_it_goes() -> None:
    text = sealed(text_of("panzer-na").replace('"dice":[1,100]', '"dice":[1,20]'))
    assert text != text_of("panzer-na")
    found = review_text(text, games=2, bot="random")
    other = [entry for entry in found.entries if entry.note]
    assert other
    assert all("the rules of today" in entry.note and entry.luck == 0 for entry in other)


def test_a_review_is_plain_data_and_a_page() -> None:
    found = reviewed("panzer-na")
    assert msgspec.json.decode(encode(found), type=Review) == found
    page = review_html(found)
    assert page.count("<svg") == page.count("</svg>") == 2
    assert "Turning points" in page


def test_the_winner_is_named() -> None:
    assert _ending(Outcome("russian", "the last turn is over", "1.3", {})) == "the last turn is over; russian wins"
    assert _ending(Outcome("red", "red is through", "1", {})) == "red is through"
    assert _ending(Outcome("", "a draw", "1", {})) == "a draw"


def test_what_is_no_log_is_refused() -> None:
    with pytest.raises(BadInput, match="no log header"):
        review_text("nonsense")
    with pytest.raises(BadInput, match="no entries"):
        review_text(text_of("panzer-na").split("\n", 1)[0] + "\n")


def test_the_words_of_a_turning_point_are_the_percentages_of_the_curve() -> None:
    point = TurningPoint(3, 9, 2, 0.1251, 0.4549, 0.58, "red", 1.0, 2.0, ())
    shares = {3: 0.4549, 9: 0.58}
    curve = tuple(CurvePoint(seq, 2, Bounds(share, share, share), 0.0) for seq, share in shares.items())
    told = Review("x", "X", ("red", "blue"), "", "greedy", 10, curve, (point,), (), ()).lines()
    assert "red takes 45%" in told[1]
    assert any("red from 45% to 58%" in line for line in told)
