"""What an update carries: from what one had and what changed comes what one has now, and little of it is sent."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from sandtable import catalog
from sandtable.core.codec import encode, to_plain
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.core.view import FormationShown
from sandtable.session.game.play import Play
from sandtable.session.presenting.changes import ask_change, follow_ask, follow_scene, scene_change
from sandtable.session.presenting.wire_questions import (
    Ask,
    Destination,
    WireBranch,
    WireBudget,
    WireNode,
    WireSlot,
)
from sandtable.testing import crowd


@pytest.fixture
def crowds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    crowd.register()


def begin(scenario: str) -> Play:
    ruleset, header = catalog.open_scenario(scenario)
    return Play(Game.start(ruleset, header, SeededDice(3)))


def act(play: Play, rng: Random) -> None:
    decision = play.decision
    assert decision is not None
    seat = rng.choice(decision.asked)
    play.game.play(seat, decision.options(seat).sample(rng))
    play.advance()


@pytest.mark.parametrize(
    "scenario",
    [
        "crowd-30",
        "na-a-patrol-at-tamrad",
        "mbt-meeting-at-muehlau",
        "sk-3-room-by-room",
        "goss-0-the-lorn-crossing",
        "pm-a-first-drive",
    ],
)
def test_what_one_had_and_what_changed_is_what_one_has(crowds: None, scenario: str) -> None:
    play, rng = begin(scenario), Random(4)
    seats = (*play.ruleset.seats, "")
    had: dict[str, Any] = {seat: (play.scene(0, seat), play.ask(seat, 1)) for seat in seats}
    pages = {seat: to_plain(told) for seat, told in had.items()}
    for _ in range(120):
        if play.decision is None:
            break
        act(play, rng)
        for seat in seats:
            if not play.is_told(seat, play.v - 1):
                continue
            scene, ask = play.scene(play.v - 1, seat), play.ask(seat, play.v)
            change = ask_change(had[seat][1], ask)
            update = to_plain({"ask": ask if change is None else None, "ask_change": change})
            pages[seat] = [
                follow_scene(pages[seat][0], to_plain(scene_change(had[seat][0], scene))),
                follow_ask(pages[seat][1], update),
            ]
            had[seat] = scene, ask
            assert pages[seat] == to_plain([scene, ask])


def test_short_cuts_that_are_gone_do_not_stay() -> None:
    ways = tuple(WireBranch(str(n), "hex", str(n), "", is_hex=False, leaf=False) for n in range(4))
    had = Ask(1, "4.5", "Move", WireNode("path", (), ways, destinations=(Destination("a", "hex", "A1", "A1"),)))
    now = Ask(2, "4.5", "Move", WireNode("path", (), ways))
    change = ask_change(had, now)
    update = to_plain({"ask": now if change is None else None, "ask_change": change})
    assert follow_ask(to_plain(had), update) == to_plain(now)


@pytest.mark.parametrize("limited", [True, False])
def test_budgets_are_those_of_now(*, limited: bool) -> None:
    slots = tuple(WireSlot(str(n), "order", str(n), (), False, (), False, "hold", "1st") for n in range(30))
    fuel = [WireBudget("Fuel", most, "7.5", {"move": 1}) for most in (20, 30)]
    had = Ask(1, "1.1", "Order", WireNode("assign", (), slots=slots, budgets=(fuel[0],), limited=True))
    root = WireNode("assign", (), slots=slots, budgets=(fuel[1],) if limited else (), limited=limited)
    now = Ask(2, "1.1", "Order", root)
    change = ask_change(had, now)
    update = to_plain({"ask": now if change is None else None, "ask_change": change})
    assert follow_ask(to_plain(had), update) == to_plain(now)
    if limited:
        assert len(encode(change)) < 300, "slots that are as they were are not told again"


def test_what_is_as_it_was_is_not_told(crowds: None) -> None:
    play = begin(crowd.CROWD)
    scene = play.scene(0, "west")
    change = scene_change(scene, scene)
    assert change.counters is None
    assert change.stakes is None
    assert len(encode(change)) < 400


def test_of_formations_those_that_changed_are_told(crowds: None) -> None:
    def shown(number: int, *counters: str) -> FormationShown:
        return FormationShown(f"d{number}", f"Division {number}", "west", "", counters)

    tree = tuple(shown(number, f"{number}-1", f"{number}-2") for number in range(40))
    had = msgspec.structs.replace(begin(crowd.FEW).scene(0, "west"), formations=tree)
    now = msgspec.structs.replace(had, formations=(*tree[1:7], shown(7, "7-1"), *tree[8:], shown(40)))
    change = scene_change(had, now).formations
    assert change is not None
    assert (change.gone, change.put, change.order) == (("d0",), (shown(7, "7-1"), shown(40)), None)
    assert follow_scene(to_plain(had), to_plain(scene_change(had, now))) == to_plain(now)
    assert scene_change(now, now).formations is None
