"""Where sight may not be checked before fire is declared, the bots of the Starter Kit judge it by eye (3.2.1)."""

from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import Question, ask, make_bot
from sandtable.bots.aslsk.commander import AslskDoctrine
from sandtable.bots.aslsk.eye import Eye, as_seen, likelihood
from sandtable.bots.doctrine import doctrine_of
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.geo.hex import Hex, distance
from sandtable.sim.playout import play_out, start
from sandtable.systems.aslsk.common.actions import Action, Fire
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.terrain.ground import Ground
from tests.aslsk.clash import Clash

rules = pytest.mark.rules
HILL = "sk-4-tools-of-the-trade"
LEARNERS = "sk-1-the-road-into-bretteville"


class Blindfold:
    """Ground that tells what is in a hex and lets nobody lay a thread."""

    def __init__(self, ground: Any) -> None:
        self._ground = ground

    def __getattr__(self, name: str) -> Any:
        assert name in {"place", "between", "has_road", "climbs", "descends", "entry_side"}, f"asked for {name}"
        return getattr(self._ground, name)


def context_of(scenario: str) -> Context:
    found: Context = catalog.open_scenario(scenario).ruleset.context  # type: ignore[attr-defined]
    return found


@rules("3.2.1", system="aslsk3")
@pytest.mark.parametrize("scenario", [HILL, "s20-joseph-351"])
def test_3_2_1_what_seems_sure_is_so_almost_always_and_what_is_doubtful_is_not(scenario: str) -> None:
    context = context_of(scenario)
    ground = context.ground
    seen = as_seen(context)
    assert isinstance(ground, Ground)
    sure = right = doubtful = clear = 0
    hexes = sorted(ground.places)[::3]
    for a in hexes:
        for b in hexes:
            if not a < b or distance(a, b) > 9:
                continue
            chance = likelihood(seen, a, b)
            assert chance == likelihood(seen, b, a)
            if chance in (0.0, 1.0):
                sure += 1
                right += ground.clear(a, b) == (chance == 1.0)
            else:
                doubtful += 1
                clear += ground.clear(a, b)
    assert right > 0.95 * sure
    assert 0.3 * doubtful < clear < 0.97 * doubtful
    assert 0.01 * sure < doubtful < 0.2 * sure


@rules("3.2.1", system="aslsk3")
def test_3_2_1_the_eye_never_sees_the_shapes() -> None:
    context = context_of(HILL)
    eye = Eye(Blindfold(context.ground), orchards_in_season=True)
    seen = as_seen(context)
    a, b = context.game_map.hex("U8"), context.game_map.hex("CC7")
    assert eye.likelihood(a, b) == likelihood(seen, a, b)
    assert eye.hindrance(a, b) == seen.ground.hindrance(a, b)


@rules("3.2.1", system="aslsk3")
def test_3_2_1_learners_and_their_opponents_may_look() -> None:
    context = context_of(LEARNERS)
    assert as_seen(context) is context


@rules("3.2.1", system="aslsk3")
@pytest.mark.parametrize("bot", ["greedy", "captain:2"])
def test_3_2_1_no_bot_asks_for_a_line_before_it_declares(bot: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the shapes out of reach every choice of a game is the same."""
    ruleset = catalog.open_scenario("sk-3-room-by-room").ruleset
    doctrine = doctrine_of(ruleset)
    assert isinstance(doctrine, AslskDoctrine)
    player = make_bot(bot, None)
    moments: list[tuple[Any, Seat, int, Any]] = []

    def choose(state: Any, decision: Any, seat: Seat, rng: Random) -> Any:
        seed = rng.getrandbits(32)
        action = ask(player, ruleset, state, seat, Random(seed))
        moments.append((state, seat, seed, action))
        return action

    dice = SeededDice("eye")
    play_out(ruleset, start(ruleset, dice), dice, Random(7), choose=choose, limit=44)
    eye = doctrine.book.context.ground
    assert isinstance(eye, Eye)
    monkeypatch.setattr(eye, "_ground", Blindfold(eye._ground))
    monkeypatch.setattr(eye, "_known", {})
    assert any(isinstance(action, Fire) for *_, action in moments)
    for state, seat, seed, action in moments[::3]:
        assert ask(player, ruleset, state, seat, Random(seed)) == action


DOUBTFUL = """
. . . . . . .
. . b . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""


def doubtful_pair(clash: Clash) -> tuple[Hex, Hex]:
    """Two hexes whose line grazes the hex of the building."""
    seen = as_seen(clash.context)
    hexes = sorted(clash.context.game_map.hexes)
    return next((a, b) for a in hexes for b in hexes if a < b and 0 < likelihood(seen, a, b) < 0.8)


def chosen(clash: Clash) -> Action:
    seat = Seat(clash.asked)
    question: Question[Any] = Question(clash.rules, clash.rules.conceal(clash.state, seat), seat)
    action: Action = make_bot("greedy", None).choose(question, Random(1))
    return action


def facing(a: str, b: str, *more: str, **fields: Any) -> Clash:
    """A German squad against Russians: which of them is in the open is for the test to say."""
    targets = [{"id": f"r{n}", "card": "russian/4-4-7", "at": at} for n, at in enumerate((b, *more))]
    return Clash(
        "DFPh",
        DOUBTFUL,
        attacker="russian",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": a}]},
        russian={"units": targets},
        **fields,
    )


@rules("3.2.1", system="aslsk3")
def test_3_2_1_of_two_like_targets_the_one_in_plain_sight_is_fired_at() -> None:
    clash = facing("A1", "A2")
    a, b = doubtful_pair(clash)
    label = clash.context.label
    seen = as_seen(clash.context)
    plain = next(
        hex
        for hex in sorted(clash.context.game_map.hexes)
        if likelihood(seen, a, hex) == 1.0
        and distance(a, hex) == distance(a, b)
        and clash.context.ground.place(hex).open_ground
    )
    for targets in ((label(b), label(plain)), (label(plain), label(b))):
        action = chosen(facing(label(a), *targets))
        assert isinstance(action, Fire)
        assert action.target == plain


@rules("3.2.1", system="aslsk3")
def test_3_2_1_a_doubtful_line_is_tried_where_there_is_nothing_better() -> None:
    clash = facing("A1", "A2")
    a, b = doubtful_pair(clash)
    action = chosen(facing(clash.context.label(a), clash.context.label(b)))
    assert isinstance(action, Fire)
    assert action.target == b
