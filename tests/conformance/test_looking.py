"""The search for an action in the tree finds what is said of a step after it was taken."""

from random import Random

from sandtable import catalog
from sandtable.core.decision import Leaf, Node, Path
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.vehicle_actions import MoveVehicle
from sandtable.testing.looking import is_offered


def _drives(root: Node[Action]) -> list[MoveVehicle]:
    """For a vehicle's first leg: its turret turned, and MP declared besides."""
    for unit in root.branches():
        for leg in unit.then.branches() if isinstance(unit.then, Path) else ():
            turret = leg.then.branch("turret")
            if turret is None:
                continue
            turned = next(turret.then.branches()).then
            more = turned.branch("more MP")
            ends = [turned] if more is None else [turned, next(more.then.branches()).then]
            stops = [next(branch.then for branch in end.branches() if branch.kind == "stop") for end in ends]
            return [stop.action for stop in stops if isinstance(stop, Leaf) and isinstance(stop.action, MoveVehicle)]
    return []


def test_a_turret_turned_after_a_step_is_found() -> None:
    found = catalog.open_scenario("s21-clash-at-borisovka")
    game, rng = Game.start(found.ruleset, found.header, SeededDice(1)), Random(1)
    drives: list[MoveVehicle] = []
    while not drives and (decision := game.decision) is not None:
        options = decision.options(decision.asked[0])
        drives = _drives(options.root)
        if not drives:
            game.play(decision.asked[0], options.sample(rng))
    assert [drive.steps[-1].tca >= 0 for drive in drives] == [True, True]
    for drive in drives:
        assert is_offered(found.ruleset, game.state, game.decision.asked[0], drive) is True  # type: ignore[union-attr]
