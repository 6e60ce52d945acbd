"""Nothing secret reaches the wrong seat: not in a position, an entry, an option, a price, a refusal or a number.

Two ways to show it. Whole games are played over sockets several times, with the same dice and the same open actions
but other secret orders of one side: every text that the other side and a watcher are sent must be the same, byte
for byte. And in random games of the real system everything that a seat can be told is worked out again from
positions that differ only in what is hidden from it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.codec import encode
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.play import Play, Record
from sandtable.session.presenting.choice import tell_node
from sandtable.session.presenting.foresight import foresee, why_not_picked
from sandtable.session.presenting.presenting import present_ask, redacted_log
from tests.branching import fork
from tests.server.fetching import everything, timeless
from tests.server.players import Server, Socket, Visitor, serving
from tests.session.toy_registry import fix_dice

SECRET = [("aim", "aim"), ("none", "none"), ("march", "march"), ("aim", "none"), ("none", "march")]


def settled(table: LiveGame, *sockets: Socket) -> None:
    """Wait for what the server plays by itself, then read until everybody has seen everything.

    No message is sent for it: when a secret answer is given by hand and when by the server differs in time, and
    the numbers of the messages must not show it.
    """
    for _ in range(2000):
        if not table.lock.locked() and not table._driver.is_busy:
            break
        time.sleep(0.002)
    for socket in sockets:
        while socket.v < table.play.v:
            socket.receive()


def red_plays(socket: Socket) -> bool:
    """Red's moves depend on nothing but its own messages: the first thing on the list, always."""
    if socket.ask is None:
        return False
    root = socket.ask["root"]
    if root["shape"] == "assign":
        socket.act(*(slot["values"][0] for slot in root["slots"]), "done")
    elif root["branches"][0]["leaf"]:
        socket.act(root["branches"][0]["key"])
    else:
        node = socket.call("Walk", v=socket.v, keys=[root["branches"][0]["key"]])["node"]
        # One step only: the game should last.
        socket.act(*node["keys"], to=node["destinations"][0]["key"])
    return True


def blue_does_nothing(socket: Socket, orders: tuple[str, str]) -> bool:
    """Blue has secret orders and never shows any of them."""
    if socket.ask is None:
        return False
    root = socket.ask["root"]
    if root["shape"] == "assign":
        socket.act(*orders[: len(root["slots"])], "done")
    else:
        socket.act(next(branch["key"] for branch in root["branches"] if branch["kind"] == "pass"))
    return True


def whole_game(
    server: Server, one: Visitor, other: Visitor, watcher: Visitor, orders: tuple[str, str]
) -> list[list[str]]:
    """All texts that red and a watcher are sent in a game in which blue's orders are ``orders``."""
    made = one.new_table(seats={"red": "me", "blue": "invite"})
    assert other.post(f"/api/join/{made['invites']['blue']}").status_code == 200
    with ExitStack() as stack:
        sockets = []
        for visitor, seat in ((one, "red"), (other, "blue"), (watcher, "")):
            sockets.append(stack.enter_context(visitor.at(made["id"], seat)))
            sockets[-1].until("Snapshot")
        red, blue, third = sockets
        table = server.registry.live(made["id"])
        assert table is not None
        while red.outcome is None:
            # Red first wherever both are asked: the order must not depend on what is hidden either.
            assert red_plays(red) or blue_does_nothing(blue, orders), "nobody is asked"
            settled(table, red, third, blue)
        return [red.texts, third.texts]


def test_other_secret_orders_change_no_byte_of_what_others_are_sent(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    fix_dice(monkeypatch)
    one, other, watcher = server.visitor(), server.visitor(), server.visitor()
    for visitor in (one, other, watcher):
        visitor.get("/api/lobby")
    first, *rest = (whole_game(server, one, other, watcher, orders) for orders in SECRET)
    for texts in rest:
        for mine, theirs in zip(first, texts, strict=True):
            assert len(mine) == len(theirs)
            for a, b in zip(mine, theirs, strict=True):
                assert a == b
    updates = [message for text in first[0] if (message := json.loads(text))["type"] == "Update"]
    assert updates[-1]["outcome"] is not None, "whole games, not a few messages"
    turned = [update["scene"]["tracks"] for update in updates if update["scene"]["tracks"] is not None]
    assert turned[-1][0]["at"] >= 2, "over several turns"
    assert not any('"aim"' in text and '"b1"' in text for text in first[1])


def test_the_comparison_would_notice_a_leak(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """If redaction were forgotten, the test above would fail."""
    from tests.toy import Patrols

    fix_dice(monkeypatch)
    monkeypatch.setattr(Patrols, "redact_action", lambda self, action, by, seat: action)
    one, other, watcher = server.visitor(), server.visitor(), server.visitor()
    for visitor in (one, other, watcher):
        visitor.get("/api/lobby")
    first, second = (whole_game(server, one, other, watcher, orders) for orders in SECRET[:2])
    assert first != second


# --- a secret set-up ---

ROOMS = "sk-3-room-by-room"
Way = Callable[[Socket], None]


def as_suggested(socket: Socket) -> None:
    socket.act("suggested")


def by_hand(socket: Socket) -> None:
    """Unit by unit where there is room, weapons to whoever comes first."""
    while socket.ask is not None and socket.ask["root"]["branches"][0]["key"] != "done":
        way = next(one for one in socket.ask["root"]["branches"] if one["key"] not in ("suggested", "again", "hand"))
        node = socket.call("Walk", v=socket.v, keys=[way["key"]])["node"]
        assert socket.act(way["key"], node["branches"][-1]["key"])["type"] == "Done"


def with_second_thoughts(socket: Socket) -> None:
    """By hand, with a unit taken back, another moved about and a weapon given to somebody else."""
    assert socket.ask is not None
    unit = next(one for one in socket.ask["root"]["branches"] if one["key"] != "suggested")["key"]
    node = socket.call("Walk", v=socket.v, keys=[unit])["node"]
    assert socket.act(unit, node["branches"][3]["key"])["type"] == "Done"
    assert socket.call("Undo", v=socket.v)["type"] == "Done"
    by_hand(socket)
    for order in ("again", "hand"):
        keys = [order]
        for _ in range(2):
            keys.append(socket.call("Walk", v=socket.v, keys=keys)["node"]["branches"][0]["key"])
        assert socket.act(*keys)["type"] == "Done"


def set_up_in_secret(server: Server, people: Sequence[Visitor], first: Way, second: Way) -> list[list[Any]]:
    """What the one who sets up second and a watcher can know of the first, then the first one of the second."""
    one, other, watcher = people
    made = one.new_table(ROOMS, seats={"german": "me", "russian": "invite"}, clock={"per": "game", "seconds": 99999})
    assert other.post(f"/api/join/{made['invites']['russian']}").status_code == 200
    found: list[list[Any]] = []
    with ExitStack() as stack:
        german, russian, third = (
            stack.enter_context(visitor.at(made["id"], seat))
            for visitor, seat in ((one, "german"), (other, "russian"), (watcher, ""))
        )
        for socket in (german, russian, third):
            socket.until("Snapshot")
        table = server.registry.live(made["id"])
        assert table is not None
        mover, asked = (german, russian) if german.ask is not None else (russian, german)
        keys = {german: (one, "german"), russian: (other, "russian"), third: (watcher, "")}
        for actor, way, lookers in ((mover, first, (asked, third)), (asked, second, (mover, third))):
            known: list[Any] = []
            found.append(known)
            way(actor)
            for looker in lookers:
                # Answered after everything that came before it; a snapshot says how things stand.
                looker.call("Threaten", hex="K5")
                looker.send("Resync")
                looker.until("Snapshot")
                known.append(everything(keys[looker][0], made["id"], keys[looker][1]))
            if actor is mover:
                assert actor.act("done")["type"] == "Done"
                settled(table, actor)
                for looker in (asked, third):
                    looker.until("Update")
                known.extend(everything(keys[looker][0], made["id"], keys[looker][1]) for looker in lookers)
            texts = [[timeless(text) for text in looker.texts] for looker in lookers]
            known.append(texts)
            for looker in lookers:
                looker.texts.clear()
    return found


def test_a_secret_set_up_changes_no_byte_of_what_others_can_fetch() -> None:
    """1.3: neither where the units stand, nor whether that is as suggested, nor how often one changed one's mind."""
    with serving() as server:
        people = [server.visitor() for _ in range(3)]
        for visitor in people:
            visitor.get("/api/lobby")
        plain = set_up_in_secret(server, people, as_suggested, as_suggested)
        for way in (by_hand, with_second_thoughts):
            assert set_up_in_secret(server, people, way, as_suggested)[0] == plain[0], "of who sets up first"
            assert set_up_in_secret(server, people, as_suggested, way)[1] == plain[1], "of who sets up second"
        logs = [
            known[at] for known in [*plain[0], *plain[1]] if isinstance(known, dict) for at in known if "/log" in at
        ]
        assert len(logs) == 6
        assert all('"redacted"' in log for log in logs)


# --- the real system ---


def told_to(record: Record, state: Any, seat: str) -> Iterator[tuple[str, bytes]]:
    """Everything that a seat can be told of a position, by name."""
    ruleset = record.ruleset
    viewpoint = Seat(seat) if seat else None
    yield "scene", encode(Record(ruleset, record.lines[-1:], [state]).scene(0, seat))
    known = ruleset.conceal(state, viewpoint)
    yield "ask", encode(present_ask(ruleset, known, seat, 1))
    yield "concealed", encode(known)
    decision = ruleset.decision(known)
    if viewpoint is None or decision is None or viewpoint not in decision.asked:
        return
    options = decision.options(viewpoint)
    for branch in islice(options.root.branches(), 6):
        yield f"walk {branch.key}", encode(tell_node(branch.then, [branch.key]))
    rng = Random(1)
    for _ in range(2):
        action = options.sample(rng)
        # A price that must be sampled is an estimate; the exact ones are compared.
        price = foresee(ruleset, known, viewpoint, action)
        if price.exact:
            yield f"price {action}", encode(price)
    for counter in islice(ruleset.view(known, viewpoint).counters, 4):
        yield f"why {counter.id}", encode(why_not_picked(ruleset, known, viewpoint, (), counter.id))


def random_game(scenario: str, seed: int) -> Game[Any, Any, Any]:
    opened = catalog.open_scenario(scenario)
    return Game.start(opened.ruleset, opened.header, SeededDice(seed))


# Two forces that are in contact: at random, the small scenarios see hardly a shot.
CLASHES = ["na-brigade-clash", "mbt-battalion-attack"]


@pytest.mark.parametrize("scenario", CLASHES)
def test_what_a_seat_is_told_does_not_depend_on_what_is_hidden_from_it(scenario: str) -> None:
    """Each third question about fire or interruption is looked at, of the many others each thirtieth."""
    compared: Counter[str] = Counter()
    game, rng = random_game(scenario, 0), Random(0)
    variants: Callable[[Any, Seat | None], Iterator[Any]] = game.ruleset.hidden_variants  # type: ignore[attr-defined]
    while (decision := game.decision) is not None:
        record = Record(game.ruleset, game.lines, game.states)
        is_fire = decision.depth > 1 or decision.rule.startswith("4.4")
        is_wanted = record.v % (3 if is_fire else 30) == 0
        for seat in game.ruleset.seats if is_wanted else ():
            truth = dict(told_to(record, game.state, seat))
            for other in variants(game.state, seat):
                told = dict(told_to(record, other, seat))
                assert told.keys() == truth.keys()
                for name, text in told.items():
                    assert truth[name] == text, f"{seat} learns something by {name} at line {record.v}"
                    compared[decision.title] += 1
        mover = rng.choice(decision.asked)
        game.play(mover, decision.options(mover).sample(rng))
    assert compared["Announce fire on a target"] > 50, compared
    assert compared["Overwatch fire?"] > 50, compared
    assert sum(compared.values()) > 500


@pytest.mark.parametrize("scenario", ["na-a-patrol-at-tamrad", "mbt-a-crossroads-at-reinbach"])
def test_secret_actions_of_whole_games_look_alike_to_everybody_else(scenario: str) -> None:
    """While the others are still to answer, any secret answer gives the same entry, position and log."""
    compared = 0
    game, rng = random_game(scenario, 3), Random(3)
    while (decision := game.decision) is not None:
        mover = rng.choice(decision.asked)
        if len(decision.asked) > 1:
            looks: dict[str, set[bytes]] = {}
            for _ in range(6):
                branch = fork(game, SeededDice(9))
                branch.play(mover, decision.options(mover).sample(rng))
                play = Play(branch)
                for seat in (*(seat for seat in game.ruleset.seats if seat != mover), ""):
                    entry, scene = play.told(play.v - 1, seat)
                    log = list(redacted_log(branch, branch.header, branch.lines, seat))
                    undo = branch.undo_refusal(Seat(seat)) if seat else None
                    looks.setdefault(seat, set()).add(encode([entry, scene, log[-1], play.ask(seat, play.v), undo]))
            for seat, texts in looks.items():
                assert len(texts) == 1, f"{seat or 'a watcher'} can tell {mover}'s secret answers apart"
                compared += 1
        game.play(mover, decision.options(mover).sample(rng))
    assert compared >= 6


def face_down(message: dict[str, Any], seat: str) -> Iterator[str]:
    """Markers of the other side's counters that a scene shows as hidden, or should."""
    counters = message.get("scene", {}).get("counters") or ()
    for counter in counters["put"] if isinstance(counters, dict) else counters:
        if counter["side"] != seat:
            for marker in counter["markers"]:
                if "face down" in marker["title"]:
                    yield marker["text"]


def test_both_sockets_of_a_real_game_hear_only_what_they_may() -> None:
    """A whole game over the wire: face-down commands of the other side are never named, and no inside is sent."""
    with serving() as server:
        one, other = server.visitor(), server.visitor()
        rows = one.get("/api/lobby").json()["scenarios"]
        scenario = next(row for row in rows if row["id"] == CLASHES[0])
        seats = [side["id"] for side in scenario["sides"]]
        made = one.new_table(scenario["id"], seats={seats[0]: "me", seats[1]: "invite"})
        other.post(f"/api/join/{made['invites'][seats[1]]}")
        with one.at(made["id"], seats[0]) as first, other.at(made["id"], seats[1]) as second:
            sockets = dict(zip(seats, (first, second), strict=True))
            rng = Random(8)
            for socket in sockets.values():
                socket.until("Snapshot")
            while first.outcome is None and second.outcome is None:
                for socket in sockets.values():
                    if socket.ask is not None:
                        choice = socket.choose(rng)
                        answer = socket.call("Act", **choice)
                        # The game may end by an only answer that is played at once.
                        is_over = answer.get("reason") == "the game is over"
                        assert is_over or answer["type"] in ("Done", "Stale"), (choice, answer)
                    # Answered after everything that came before it, so the next look is up to date.
                    socket.call("WhyNot", v=socket.v, keys=[], ref="nothing")
            hidden = 0
            for seat, socket in sockets.items():
                for text in socket.texts:
                    assert not any(word in text for word in ('"digest"', '"state"', '"plan"', '"seed"'))
                    for shown in face_down(json.loads(text), seat):
                        assert shown == "?"
                        hidden += 1
            assert hidden > 50
