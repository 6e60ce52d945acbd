"""In every system, whatever one side keeps hidden changes no byte that anybody else can fetch.

Two tables are led through the same game with the same dice, up to something that one side does in secret: there it
does one thing at the one and another at the other. All that the other side and a watcher are sent, and all that they
can fetch, must be the same. Each kind of secret is tried for both sides. Secret set-ups and the toy's orders are
compared in ``test_leaks``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.tree.drawing import Stroke
from sandtable.session.game.live_game import LiveGame
from sandtable.systems.aslsk.common import actions as squad
from sandtable.systems.aslsk.pieces.state import FirstFire, Hold
from sandtable.systems.aslsk.pieces.state import Moving as SquadMoving
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.goss.modes import mode_phase as battalion
from sandtable.systems.panzer.hex import actions as tank
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import Moving as TankMoving
from sandtable.systems.panzer.mini import actions as model
from sandtable.systems.panzer.mini.moves import Moving as ModelMoving
from sandtable.systems.panzer.mini.state import Until
from sandtable.systems.panzer.unit import Command
from tests.branching import fork
from tests.server.fetching import everything, timeless
from tests.server.players import Server, Visitor, serving
from tests.session.toy_registry import fix_dice

DICE = 7
MOMENTS = 2
"""How many of the last moments of a game are fetched one by one."""
Turn = tuple[Seat, Any]
AnyGame = Game[Any, Any, Any]
Secrets = Callable[[AnyGame, Seat, Random], Iterator[tuple[Any, Any]]]


class Case(NamedTuple):
    """A game up to something secret, and two ways to do that."""

    before: list[Turn]
    ways: tuple[Any, Any]
    after: list[Turn]
    """What the other side does then."""


# --- secrets of the systems: pairs of actions that differ in what is hidden -----------------------------


def commands(game: AnyGame, hider: Seat, rng: Random) -> Iterator[tuple[Any, Any]]:
    """4.2.1: other commands, face down."""
    decision = game.decision
    assert decision is not None
    one, other = (decision.options(hider).sample(rng) for _ in range(2))
    if isinstance(one, tank.PlaceCommands) and one != other:
        yield one, other


def rest_of_a_move(game: AnyGame, hider: Seat, rng: Random) -> Iterator[tuple[Any, Any]]:
    """A move that is interrupted, and one that would have ended sooner."""
    decision = game.decision
    assert decision is not None
    action = decision.options(hider).sample(rng)
    steps = "legs" if isinstance(action, tank.Move) else "steps" if isinstance(action, squad.Move) else ""
    if not steps:
        return
    long = forked(game, [(hider, action)])
    frame = next((one for one in long.state.stack if isinstance(one, TankMoving | SquadMoving)), None)
    if frame is None or not frame.plan or long.decision is None or hider in long.decision.asked:
        return
    gone = len(getattr(action, steps)) - len(frame.plan)
    short = replace(action, **{steps: getattr(action, steps)[:gone]})
    if gone and game.ruleset.refusal(game.state, hider, short) is None:
        yield action, short


def standing_order(game: AnyGame, hider: Seat, rng: Random) -> Iterator[tuple[Any, Any]]:
    """3.3.3: fire held, or held with an order for later, at the end of a move.

    Before its end the order would show: its owner is not asked again at the next expenditure of MF.
    """
    del rng
    if isinstance(game.state.stack[-1], FirstFire):
        ways = squad.HoldFire(), squad.HoldFire(Hold(open_within=3))
        held = [forked(game, [(hider, way)]) for way in ways]
        if all(one.decision is not None and hider not in one.decision.asked for one in held):
            yield ways


def orders_on_a_table(game: AnyGame, hider: Seat, rng: Random) -> Iterator[tuple[Any, Any]]:
    """6.1.1: Overwatch or nothing, face down; FIRE that has no target would show by itself (8.1.1.2.4)."""
    decision = game.decision
    assert decision is not None
    one = decision.options(hider).sample(rng)
    if isinstance(one, model.PlaceCommands):
        swapped = {Command.OVERWATCH: Command.NONE, Command.NONE: Command.OVERWATCH}
        other = replace(one, commands={unit: swapped.get(order, order) for unit, order in one.commands.items()})
        if one != other and game.ruleset.refusal(game.state, hider, other) is None:
            yield one, other


def rest_of_a_drawing(game: AnyGame, hider: Seat, rng: Random) -> Iterator[tuple[Any, Any]]:
    """9.1.1: a way that is interrupted, and one that would have ended with a turn."""
    decision = game.decision
    assert decision is not None
    action = decision.options(hider).sample(rng)
    if not isinstance(action, model.Move):
        return
    long = forked(game, [(hider, action)])
    frame = next((one for one in long.state.stack if isinstance(one, ModelMoving)), None)
    if frame is None or len(frame.plan) < 2 or long.decision is None or hider in long.decision.asked:
        return
    turning = replace(action, strokes=(*action.strokes, Stroke("face", heading=(frame.plan[-1].heading + 300) % 3600)))
    if game.ruleset.refusal(game.state, hider, turning) is None:
        yield action, turning


def standing_order_on_a_table(game: AnyGame, hider: Seat, rng: Random) -> Iterator[tuple[Any, Any]]:
    """8.3.2: how long fire is held; on the last inch of a move, as before it the next question would show it."""
    del rng
    ways = [model.HoldFire(until) for until in (Until.STOPS, Until.MOVE_ENDS)]
    if all(game.ruleset.refusal(game.state, hider, way) is None for way in ways):
        held = [forked(game, [(hider, way)]) for way in ways]
        if all(one.decision is not None and hider not in one.decision.asked for one in held):
            yield ways[0], ways[1]


def modes_under_the_top(game: AnyGame, hider: Seat, rng: Random) -> Iterator[tuple[Any, Any]]:
    """8.4.0: a unit under one with a PA marker has a marker of its own, or none."""
    decision = game.decision
    assert decision is not None
    action = decision.options(hider).sample(rng)
    if not isinstance(action, battalion.SetModes):
        return
    (looker,) = set(game.ruleset.seats) - {hider}
    seen = game.ruleset.conceal(game.state, looker).units
    units = game.state.units.values()
    marked = {unit.hex for unit in units if unit.id in action.prepared and unit.id in seen}
    for unit in units:
        if unit.side == hider and unit.id not in seen and unit.hex in marked:
            without = tuple(one for one in action.prepared if one != unit.id)
            ways = tuple(replace(action, prepared=some) for some in ((*without, unit.id), without))
            if all(game.ruleset.refusal(game.state, hider, way) is None for way in ways):
                yield ways[0], ways[1]


# --- finding such moments ---


def forked(game: AnyGame, turns: list[Turn]) -> AnyGame:
    """The game with some turns more, by dice that fall as they would in it."""
    branch = fork(game, deepcopy(game.dice))
    for turn in turns:
        branch.play(*turn)
    return branch


@cache
def found(scenario: str, hider_at: int, secrets: Secrets) -> Case:
    """The first such moment of a random game."""
    opened = catalog.open_scenario(scenario)
    ruleset = opened.ruleset
    hider = ruleset.seats[hider_at]
    for seed in range(20):
        game, rng = Game.start(ruleset, opened.header, SeededDice(DICE)), Random(seed)
        turns: list[Turn] = []
        while (decision := game.decision) is not None and len(turns) < 80:
            for one, other in secrets(game, hider, rng) if hider in decision.asked else ():
                after = answers(forked(game, [(hider, one)]), hider, rng)
                forked(game, [(hider, other), *after])
                return Case(turns, (one, other), after)
            mover = decision.asked[-1]
            turns.append((mover, decision.options(mover).sample(rng)))
            game.play(*turns[-1])
    pytest.fail(f"{scenario}: no such moment for {hider}")


def answers(game: AnyGame, hider: Seat, rng: Random) -> list[Turn]:
    """What the others answer until the one who hides something is asked alone: nothing of it depends on the secret."""
    turns: list[Turn] = []
    decision = game.decision
    while decision is not None and decision.asked != (hider,) and len(turns) < 2:
        mover = next(seat for seat in decision.asked if seat != hider)
        depth = decision.depth
        turns.append((mover, decision.options(mover).sample(rng)))
        game.play(*turns[-1])
        decision = game.decision
        if depth > 1:
            # An interruption is over: what is interrupted goes on, and shows.
            return turns[:-1]
    return turns


# --- at a table ---


def known(server: Server, people: list[Visitor], scenario: str, turns: list[Turn], fresh: int) -> list[Any]:
    """All that the other side and a watcher are told and can fetch when ``turns`` are played.

    The last ``fresh`` of them are looked at one by one; the first of these is that of the one who hides something.
    """
    one, other, watcher = people
    hider = turns[-fresh][0]
    looker = next(seat for seat in catalog.open_scenario(scenario).ruleset.seats if seat != hider)
    made = one.new_table(scenario, seats={hider: "me", looker: "invite"}, options={"auto": "off"})
    assert other.post(f"/api/join/{made['invites'][looker]}").status_code == 200
    portal = server.client.blocking_portal
    table, _ = portal.call(server.registry.table, made["id"])
    assert isinstance(table, LiveGame)
    for turn in turns[:-fresh]:
        portal.call(played, table, turn)
    told: list[Any] = []
    with ExitStack() as stack:
        sockets = [
            stack.enter_context(visitor.at(made["id"], seat)) for visitor, seat in ((other, looker), (watcher, ""))
        ]
        for socket in sockets:
            socket.until("Snapshot")
        for turn in turns[-fresh:]:
            portal.call(played, table, turn)
            for socket in sockets:
                # Answered after all that came before it; a snapshot says how things stand.
                socket.call("Threaten", hex="E5")
                socket.send("Resync")
                socket.until("Snapshot")
            told += [everything(other, made["id"], looker, MOMENTS), everything(watcher, made["id"], "", MOMENTS)]
    texts = [[timeless(text).replace(made["id"], "TABLE") for text in socket.texts] for socket in sockets]
    return [*told, *texts]


async def played(table: LiveGame, turn: Turn) -> None:
    """An action at a table, kept and told as any other."""
    async with table.lock:
        await table.commit(table.play.game.play(*turn))


CASES = [
    pytest.param(scenario, secrets, id=f"{scenario}-{secrets.__name__}")
    for scenario, secrets in (
        ("na-brigade-clash", commands),
        ("na-brigade-clash", rest_of_a_move),
        ("mbt-battalion-attack", commands),
        ("mbt-battalion-attack", rest_of_a_move),
        ("sk-1-the-road-into-bretteville", rest_of_a_move),
        ("sk-1-the-road-into-bretteville", standing_order),
        ("goss-0-the-lorn-crossing", modes_under_the_top),
        ("pm-c-the-crossroads", orders_on_a_table),
        ("pm-c-the-crossroads", rest_of_a_drawing),
        ("pm-c-the-crossroads", standing_order_on_a_table),
    )
]


def looks(scenario: str, hider_at: int, secrets: Secrets) -> list[list[Any]]:
    case = found(scenario, hider_at, secrets)
    hider = catalog.open_scenario(scenario).ruleset.seats[hider_at]
    with serving() as server:
        people = [server.visitor() for _ in range(3)]
        for visitor in people:
            visitor.get("/api/lobby")
        return [
            known(server, people, scenario, [*case.before, (hider, way), *case.after], 1 + len(case.after))
            for way in case.ways
        ]


@pytest.mark.parametrize(("scenario", "secrets"), CASES)
@pytest.mark.parametrize("hider_at", [0, 1])
def test_what_is_hidden_changes_no_byte_of_what_others_can_fetch(
    scenario: str, secrets: Secrets, hider_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_dice(monkeypatch, DICE)
    first, second = looks(scenario, hider_at, secrets)
    assert len(first) == len(second)
    for one, other in zip(first, second, strict=True):
        if isinstance(one, dict):
            for address in one.keys() | other.keys():
                assert one.get(address) == other.get(address), address
        assert one == other


def test_every_system_has_its_secrets_compared() -> None:
    compared = {catalog.open_scenario(str(case.values[0])).header.system for case in CASES}
    assert compared == set(catalog.system_ids())


@pytest.mark.parametrize(
    ("rules", "scenario", "secrets"),
    [
        (PanzerRules, "na-brigade-clash", commands),
        (AslskRules, "sk-1-the-road-into-bretteville", standing_order),
    ],
)
def test_the_comparison_would_notice_a_leak(
    rules: Any, scenario: str, secrets: Secrets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If redaction were forgotten, the test above would fail."""
    fix_dice(monkeypatch, DICE)
    monkeypatch.setattr(rules, "redact_action", lambda self, action, by, seat: action)
    first, second = looks(scenario, 0, secrets)
    assert first != second
