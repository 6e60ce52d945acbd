"""Open questions in a whole game on a table: judged, refused, told, sampled, played by bots and learners."""

from __future__ import annotations

from io import StringIO
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from sandtable import testing
from sandtable.bots import make_bot
from sandtable.bots.policy import Question
from sandtable.cli.terminal.choosing import choose
from sandtable.cli.terminal.talk import Talk
from sandtable.core.codec import digest
from sandtable.core.decision import Drawing, Seat, Stroke
from sandtable.core.errors import BadInput, Refusal, Refused
from sandtable.core.forced import forced_answer
from sandtable.core.game import Game
from sandtable.core.tree.drawing import read_drawing_text
from sandtable.geo.boards import Boards
from sandtable.geo.plane.points import Point
from sandtable.rl.stages import Stage
from sandtable.session.presenting.choice import find_action, judge, tell_node
from sandtable.session.presenting.route import find_route
from sandtable.sim.balance import LossPlace
from sandtable.sim.board import draw_board, on_paper
from sandtable.sim.pages.heat import heat_map
from sandtable.sim.perft import has_open_questions, perft
from sandtable.testing.drawing import check_wild, mutated
from tests.tabletop import BLUE, RED, Action, Deploy, Drive, Shell, State, Tabletop, Tank, TankId
from tests.tabletop_ground import DrivePath, Field, sees, struck, target_of
from tests.tabletop_system import FOOTINGS, tabletop_game, tabletop_library, tabletop_ruleset

R1, R2, B1, B2 = (TankId(name) for name in ("r1", "r2", "b1", "b2"))


def put(x: int, y: int, heading: int) -> tuple[Stroke, ...]:
    return (Stroke("put", (x, y), heading),)


def deployed() -> Game[Any, Any, Any]:
    """A game whose first tank drives next: red at the road and in the east, blue at their edge."""
    game = tabletop_game()
    for tank, x, y, heading in (
        (R1, 16_500, 3000, 1800),
        (R2, 30_000, 3000, 1800),
        (B1, 22_000, 27_000, 0),
        (B2, 5000, 27_000, 0),
    ):
        game.play(RED if tank in (R1, R2) else BLUE, Deploy(tank, put(x, y, heading)))
    game.play(RED, Shell(put(18_000, 20_000, 0)))
    return game


def driving(tank: str = "r1", **standing: tuple[int, int, int]) -> DrivePath[Drive]:
    """The question where a tank drives, with others where they stand."""
    table = tabletop_ruleset().table
    places = {key: (Point(x, y), heading) for key, (x, y, heading) in standing.items()}
    return DrivePath(
        Field(table, places), tank, lambda strokes: Drive(TankId(tank), strokes), lambda action: action.strokes
    )


def test_the_game_conforms() -> None:
    game = tabletop_game()
    report = testing.check_scenario(game.ruleset, game.header, games=2, seed=1, thorough=0.4)
    assert not report.failures, report.failures[0].message
    assert report.decisions > 20


@pytest.mark.parametrize(
    ("text", "rule", "reason", "remedy", "upto"),
    [
        ("go 30,16", "2.3", "a stream and no bridge", "30,11", 0),
        ("go 30,5; go 30,17", "2.3", "a stream and no bridge", "30,11", 1),
        ("go 30,8; go 35.8,8", "2.1", "leaves the table", "35,8", 1),
        ("go 26,8", "2.4", "a house in the way", "", 0),
        ("go 30,3.5; go 25,3.5; go 17,3.5; go 17,7", "2.2", "of 24", "18.5,3.5", 2),
        ("go 30,4; go 22,3", "2.4", "stand on r2", "22,3", 1),
        ("fly 30,4", "2.1", "no stroke", "30,3", 0),
        ("along river to 3,3", "2.1", "no stroke", "30,3", 0),
        ("go 30,3", "2.1", "no stroke", "30,3", 0),
    ],
)
def test_a_drawing_is_judged_with_rule_reason_and_how_far_it_holds(
    text: str, rule: str, reason: str, remedy: str, upto: int
) -> None:
    node = driving(r1=(30_000, 3000, 1800), r2=(22_000, 3000, 1800))
    with pytest.raises(Refused) as refused:
        node.branch(text)
    refusal = refused.value.refusal
    assert (refusal.rule, reason in refusal.reason) == (rule, True), refusal
    assert refusal.remedy.startswith(f"as far as {remedy}")
    strokes = read_drawing_text(text)
    assert strokes is not None
    judged = node.judge(strokes)
    assert judged.upto == upto
    assert node.judge(strokes[:upto]).refusal is None


def test_an_inch_of_road_is_cheap_and_a_bridge_carries_it_over_the_stream() -> None:
    node = driving(r1=(16_000, 1000, 1800))
    judged = node.judge((Stroke("along", (22_000, 22_000), ref="mill road"),))
    assert judged.refusal is None
    assert judged.marks[-1].at == (22_000, 22_000)
    assert judged.marks[-1].spent == len(judged.marks) == 23
    woods = driving(r1=(22_000, 8000, 2700)).judge((Stroke("go", (18_500, 8000)),))
    assert [mark.spent for mark in woods.marks] == [2, 4, 8, 12]


def test_a_hill_is_climbed_by_its_slope_alone() -> None:
    node = driving(r1=(15_000, 12_500, 2700))
    assert node.judge((Stroke("go", (9000, 12_500)),)).refusal is None
    other = driving(r1=(8000, 6000, 1800))
    refusal = other.judge((Stroke("go", (8000, 12_000)),)).refusal
    assert refusal is not None
    assert refusal.rule == "2.3"


def test_a_refused_drawing_changes_nothing() -> None:
    game = deployed()
    before, lines = digest(game.state), len(game.lines)
    for strokes in ((Stroke("go", (16_500, 40_000)),), (Stroke("go", (30_000, 3000)),), put(1, 1, 1)):
        with pytest.raises(Refused):
            game.play(RED, Drive(R1, strokes))
    assert digest(game.state) == before
    assert len(game.lines) == lines


def test_mutated_drawings_are_judged_as_the_rules_refuse_them() -> None:
    """Judge, refusal, `in` and key say the same of what is moved by 1 to 5,000 units, dropped, doubled or swapped."""
    rng = Random(4)
    game = deployed()
    seen = {True: 0, False: 0}
    for question in (tabletop_game(), game):
        decision = question.decision
        assert decision is not None
        (seat,) = decision.asked
        options = decision.options(seat)
        node = options.root
        assert isinstance(node, Drawing)
        before = digest(question.state)
        for _ in range(150):
            strokes = node.sketch(rng)
            for _ in range(rng.randint(1, 4)):
                strokes = mutated(strokes, rng)
            check_wild(node, strokes, options.refusal)
            legal = node.worded(strokes) in options
            assert legal is (node.judge(strokes).refusal is None)
            seen[legal] += 1
        assert digest(question.state) == before
    assert seen[True] > 10
    assert seen[False] > 10


class Disagreeing(Tabletop):
    """Refuses what its judge allows."""

    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        found = super().refusal(state, seat, action)
        if found is None and isinstance(action, Deploy) and action.strokes[0].heading != 1800:
            return Refusal("1.1", "it must look south")
        return found


def test_the_suite_catches_a_judge_that_is_not_the_rules() -> None:
    game = tabletop_game()
    rules = Disagreeing(tabletop_ruleset().context)
    testing.check_options(tabletop_ruleset(), game.state, RED, Random(0))
    with pytest.raises(testing.Broken, match="drawing"):
        testing.check_options(rules, game.state, RED, Random(0))


def test_no_open_question_is_answered_without_asking() -> None:
    game = deployed()
    decision = game.decision
    assert decision is not None
    assert forced_answer(game.ruleset, decision.options(RED)) is None


def test_a_client_is_told_what_it_may_draw_and_comes_with_a_text() -> None:
    game = deployed()
    decision = game.decision
    assert decision is not None
    options = decision.options(RED)
    told = tell_node(options.root)
    assert told.shape == "sweep"
    assert told.sketch is not None
    assert (told.sketch.start, told.sketch.heading, told.sketch.base) == ((16_500, 3000), 1800, (1000, 1000))
    assert set(told.sketch.rails) == {"mill road"}
    assert told.branches[0].key == "stay"
    assert all(branch.leaf for branch in told.branches)
    assert find_action(options, ("go 16.5,3.5; face 10",), "") == Drive(
        R1, (Stroke("go", (16_500, 3500)), Stroke("face", heading=100))
    )
    assert judge(options, (), ("go 16.5,3.5",)) == ()
    (refusal,) = judge(options, (), ("go 16.5,33.5",))
    assert refusal.remedy.startswith("as far as")
    with pytest.raises(BadInput, match="no drawing"):
        judge(options, (), ("over there",))
    first = tabletop_game().decision
    assert first is not None
    root = tell_node(first.options(RED).root)
    assert root.shape == "put"
    assert root.sketch is not None
    assert root.sketch.region == (((0, 0), (36_000, 0), (36_000, 8000), (0, 8000)),)


def test_the_way_to_a_drawn_answer_is_its_text() -> None:
    game = deployed()
    decision = game.decision
    assert decision is not None
    drive = Drive(R1, (Stroke("go", (16_500, 3500)),))
    route = find_route(decision.options(RED), drive)
    assert route is not None
    assert route.keys == ("go 16.5,3.5",)
    assert find_route(decision.options(RED), Drive(R1, (Stroke("go", (16_500, 33_500)),))) is None


def test_in_the_terminal_one_picks_a_suggestion_or_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    game = deployed()
    decision = game.decision
    assert decision is not None
    screen = StringIO()
    talk = Talk(Console(file=screen, highlight=False, width=160), lambda _: False)
    words = iter(["go 16.5,33.5", "over there", "go 16.5,3.5"])
    monkeypatch.setattr(talk, "choice", lambda prompt: next(words))
    assert choose(talk, decision.options(RED).root) == Drive(R1, (Stroke("go", (16_500, 3500)),))
    told = screen.getvalue()
    assert "as far as" in told
    assert "not understood" in told
    words = iter(["1"])
    assert choose(talk, decision.options(RED).root) == Drive(R1, ())


def test_perft_counts_suggestions_and_says_so() -> None:
    game = tabletop_game()
    decision = game.decision
    assert decision is not None
    assert perft(game.ruleset, game.state, 1) == len(list(decision.options(RED)))
    assert has_open_questions(game.ruleset, game.state, 1)


def test_a_learner_chooses_among_suggestions() -> None:
    decision = deployed().decision
    assert decision is not None
    stage = Stage(decision.options(RED), 16)
    stage.choose(0)
    assert stage.action == Drive(R1, ())


@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_bots_draw(bot: str) -> None:
    game = deployed()
    decision = game.decision
    assert decision is not None
    question: Question[Any] = Question(game.ruleset, game.state, RED)
    action = make_bot(bot).consider(question, Random(1)).action
    assert action in decision.options(RED)


def test_a_pack_with_a_faulty_table_says_which() -> None:
    Boards(tabletop_library(), FOOTINGS).check()
    faulty = tabletop_library(**{"boards/meadow.yaml": b"{id: field, table: {width: 36, depth: 30}}"})
    with pytest.raises(BadInput, match=r"packs/tabletop/boards/meadow.yaml: id: 'field'"):
        Boards(faulty, FOOTINGS).check()


def test_tanks_stand_where_they_were_put() -> None:
    game = deployed()
    assert game.state.tanks[B2] == Tank(B2, BLUE, Point(5000, 27_000), 0)


def test_a_report_draws_the_table() -> None:
    rules = tabletop_ruleset()
    drawn = "".join(draw_board(rules.table))
    assert drawn.count("<polygon") == 7
    assert "The mill" in drawn
    assert on_paper(rules.table, "12.5,30") == (250.0, 600.0)
    lost: Any = SimpleNamespace(
        sides=[SimpleNamespace(side="red")], games=2, places=(LossPlace("12.5,30", {"red": 2.0}),)
    )
    assert 'cx="250.0" cy="600.0"' in heat_map(rules, lost)


@pytest.mark.parametrize(
    ("a", "b", "is_seen"),
    [
        ((25_500, 4000), (25_500, 13_000), False),  # the house is midway
        ((25_500, 6000), (25_500, 17_500), True),  # it is close to the first
        ((17_000, 2000), (17_000, 12_000), False),  # woods
        ((2000, 3000), (12_000, 3000), True),
        ((14_200, 4000), (15_600, 3900), True),  # past a corner of the woods
    ],
)
def test_what_a_tank_sees(a: tuple[int, int], b: tuple[int, int], is_seen: bool) -> None:
    field = Field(tabletop_ruleset().table, {})
    assert sees(field, Point(*a), Point(*b)) is is_seen
    assert sees(field, Point(*b), Point(*a)) is is_seen


def test_shells_strike_whoever_lies_half_under_them() -> None:
    standing = {"a": (Point(10_000, 10_000), 0), "b": (Point(12_000, 10_000), 0), "c": (Point(12_001, 10_000), 0)}
    field = Field(tabletop_ruleset().table, standing)
    assert struck(field, Point(10_000, 10_000), 0) == ["a", "b"]


def test_a_tank_fires_at_the_nearest_ahead() -> None:
    standing = {
        "r1": (Point(2000, 3000), 900),
        "b1": (Point(12_000, 3000), 0),
        "b2": (Point(8000, 3000), 0),
        "b3": (Point(2000, 5000), 0),
    }
    field = Field(tabletop_ruleset().table, standing)
    assert target_of(field, "r1", ["b1", "b2", "b3"]) == "b2"
    assert target_of(field, "r1", ["b3"]) is None
