"""A game keeps its newest states and every 64th; all others are the same as they were when they are asked for."""

from random import Random

from sandtable.core.decision import Decision
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.log import FORMAT, Header
from sandtable.core.states import KEPT, States
from sandtable.testing import crowd
from sandtable.testing.crowd.pieces import Scenario
from tests.branching import fork


def long_game(lines: int) -> tuple[Game[crowd.State, object, object], list[crowd.State]]:
    """A game with many lines, some taken back, and every state of it."""
    rules = crowd.CrowdRules(Scenario("few", "crowd", "", 20, "original", 120))
    game: Game[crowd.State, object, object] = Game.start(rules, Header(FORMAT, "crowd", 1, {}, {}), SeededDice(1))  # type: ignore[arg-type]
    rng, every = Random(2), [game.state]
    while len(game.lines) < lines:
        decision = game.decision
        assert decision is not None
        seat = decision.asked[0]
        if all(unit.is_done for unit in game.state.units.values() if unit.side == seat):
            game.play(seat, crowd.Pass())
        elif rng.random() < 0.1 and game.undo_refusal(seat) is None:
            game.undo(seat)
        else:
            game.play(seat, busy(decision, rng))
        every.append(game.state)
    return game, every


def busy(decision: Decision[object], rng: Random) -> object:
    """Something that a unit does."""
    while isinstance(action := decision.options(decision.asked[0]).sample(rng), crowd.Pass):
        pass
    return action


def test_states_that_were_not_kept_come_back_as_they_were() -> None:
    game, every = long_game(400)
    back = sum(not hasattr(line, "events") for line in game.lines)
    assert back > 5
    assert game.states.kept <= KEPT + 1 + len(every) // KEPT + 1 + back
    order = list(range(len(every)))
    Random(3).shuffle(order)
    assert all(game.states[at] == every[at] for at in order)
    assert game.states == every
    assert game.states[100:110] == every[100:110]
    assert game.states[-1] is game.state


def test_reading_on_folds_every_line_once_more() -> None:
    game, every = long_game(400)
    folded = 0
    fold = game.ruleset.fold

    def counted(state: crowd.State, event: object) -> crowd.State:
        nonlocal folded
        folded += 1
        return fold(state, event)

    game.ruleset.fold = counted  # type: ignore[method-assign]
    assert list(game.states) == every
    assert folded <= sum(len(getattr(line, "events", ())) for line in game.lines)


def test_a_fork_goes_its_own_way() -> None:
    game, every = long_game(200)
    branch = fork(game, SeededDice(5))
    assert isinstance(branch.states, States)
    seat = branch.decision.asked[0] if branch.decision is not None else None
    assert seat is not None
    branch.play(seat, crowd.Pass())
    assert (len(game.lines), len(branch.lines)) == (200, 201)
    assert branch.states[:200] == every
