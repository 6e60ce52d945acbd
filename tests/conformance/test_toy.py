"""The suite passes a system that holds its promises, and catches each way of breaking one."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog, testing
from sandtable.core.decision import Assign, Branch, Leaf, Node, Pick, Seat, Slot
from sandtable.core.dice import Dice, SeededDice
from sandtable.core.errors import Refusal
from sandtable.core.frames import Opened
from sandtable.core.log import load
from sandtable.core.ruleset import Resolution, Space
from sandtable.core.view import View
from tests import toy
from tests.toy import Action, Event, Patrols, State
from tests.toy_card import CARD
from tests.toy_system import register_toy, toy_header, toy_library, toy_ruleset


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    register_toy()


def test_the_toy_conforms(registry: None) -> None:
    report = testing.check_system("toy", games=25)
    assert report.games == 25
    assert report.decisions > 200


def failures(kind: type[Patrols], games: int = 12) -> set[str]:
    ruleset = kind(toy_ruleset().scenario, toy_library())
    report = testing.check_scenario(ruleset, toy_header(), games, seed=1)
    for failure in report.failures:
        assert load(failure.log, toy_ruleset(), "log").warning == ""
    return {failure.message.split(":")[0] for failure in report.failures}


class KeepsWhatCannotBeSaved(Patrols):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        march = self.folds[toy.Marched]

        def lose(state: State, event: toy.Marched) -> State:
            after = march(state, event)
            lost = replace(after.pieces[event.piece], order="lost")
            return replace(after, pieces=after.pieces | {event.piece: lost})

        self.folds = {**self.folds, toy.Marched: lose}


class Meddles(Patrols):
    def resolve(self, state: State, seat: Seat, action: Action, dice: Dice) -> Resolution[State, Event]:
        going = super().resolve(state, seat, action, dice)
        state.pieces.update(going.state.pieces)
        return going


class ActsWithoutEvents(Patrols):
    def resolve(self, state: State, seat: Seat, action: Action, dice: Dice) -> Resolution[State, Event]:
        going = super().resolve(state, seat, action, dice)
        going.state = replace(going.state, turn=going.state.turn + 1)
        return going


class NoAnswer(toy.AmbushHandler):
    def options(self, state: State, frame: toy.Ambush, seat: Seat) -> Node[Action]:
        return Pick(lambda: ())


class DeadEnd(Patrols):
    handlers = (*Patrols.handlers, NoAnswer)


class Flying(toy.MarchingHandler):
    def marches(self, state: State, seat: Seat) -> Iterator[Branch[Action]]:
        yield from super().marches(state, seat)
        yield Branch("fly", "order", "fly", Leaf(toy.HoldFire()))


class OffersTooMuch(Patrols):
    handlers = (*Patrols.handlers, Flying)


class MarchingAnyDistance(toy.MarchingHandler):
    def march_refusal(self, state: State, march: toy.March) -> Refusal | None:
        piece = state.pieces[march.piece]
        return None if piece.order is toy.Order.MARCH else Refusal("2.1", "no order to march")


class AcceptsTooMuch(Patrols):
    handlers = (*Patrols.handlers, MarchingAnyDistance)


class RefusesWithoutReason(Patrols):
    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        refusal = super().refusal(state, seat, action)
        return Refusal(refusal.rule, "") if refusal else None


class ShowsOrders(Patrols):
    def conceal(self, state: State, seat: Seat | None) -> State:
        return state


class ViewsOrders(Patrols):
    def view(self, state: State, seat: Seat | None) -> View:
        return replace(super().view(state, seat), outcome=str([p.order for p in state.pieces.values()]))


class TellsOrders(Patrols):
    def redact(self, event: Event, seat: Seat | None) -> Event | None:
        return event


class WaitingForMarchers(toy.AmbushHandler):
    def reactions(self, state: State, frame: toy.Ambush) -> Iterator[Branch[Action]]:
        yield from super().reactions(state, frame)
        if any(piece.order is toy.Order.MARCH and piece.side != frame.asked for piece in state.pieces.values()):
            yield Branch("wait", "pass", "wait", Leaf(toy.HoldFire()))


class RemembersNothing(Patrols):
    """Rules of a seat that are made anew whenever somebody asks for them keep nothing."""

    def for_seat(self, seat: Seat) -> Patrols:
        return Patrols(self.scenario, toy_library())


class OffersSeatsTooMuch(Patrols):
    """Rules of a seat that are other rules than those of the game."""

    def for_seat(self, seat: Seat) -> Patrols:
        return self._others[seat]

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._others = {side: OffersTooMuch(*given) for side in self.seats}


class AsksOnlyWhoAims(Patrols):
    """The question itself gives the order away: its options come from what only the other side knows."""

    handlers = (*Patrols.handlers, WaitingForMarchers)


class RefusesByWhatIsHidden(Patrols):
    """Why an answer is refused tells what the other side was ordered."""

    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        refusal = super().refusal(state, seat, action)
        aims = any(piece.order is toy.Order.AIM and piece.side != seat for piece in state.pieces.values())
        return Refusal(refusal.rule, f"{refusal.reason}, and they aim") if refusal and aims else refusal


class FewerOrders(toy.OrderingHandler):
    def options(self, state: State, frame: toy.Ordering, seat: Seat) -> Node[Action]:
        root = super().options(state, frame, seat)
        assert isinstance(root, Assign)
        return Assign([Slot(s.key, s.kind, s.label, s.values[1:]) for s in root.slots], root.filled)


class OffersTooLittle(Patrols):
    """Nobody is offered to march with everybody, though the rules allow it: one answer of hundreds."""

    handlers = (*Patrols.handlers, FewerOrders)


class TellsUnseenAnswers(Patrols):
    """Some ways to give secret orders are told to everybody."""

    def redact(self, event: Event, seat: Seat | None) -> Event | None:
        return None if isinstance(event, toy.OrdersGiven) else super().redact(event, seat)

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:
        if isinstance(action, toy.GiveOrders) and toy.Order.AIM not in action.orders.values():
            return action
        return super().redact_action(action, by, seat)


class LoadedDie(toy.MarchingHandler):
    secret = Random(1)

    def begin(self, play: toy.Play) -> None:
        play.dice.roll(toy.ONE_DIE, "first player")
        first = self.secret.choice(toy.SEATS)
        play.emit(toy.FirstRolled(1, first))
        play.emit(Opened(toy.Marching(first, ())))


class RollsItsOwn(Patrols):
    """Chance that is not the dice's."""

    handlers = (*Patrols.handlers, LoadedDie)


class NeverEnds(Patrols):
    def settle(self, play: toy.Play) -> None:
        if play.state.phase == "march" and not play.state.stack:
            play.emit(toy.TurnBegan(1))


class Crashes(Patrols):
    def narrate(self, event: Event) -> str:
        if isinstance(event, toy.Shot):
            raise KeyError(event.shooter)
        return super().narrate(event)


class HidesRolls(Patrols):
    """A die is rolled outside the record of the game."""

    def resolve(self, state: State, seat: Seat, action: Action, dice: Dice) -> Resolution[State, Event]:
        return super().resolve(state, seat, action, SeededDice(self.secret.random().hex()))

    secret = Random(1)


class SaysOpen(Patrols):
    """Orders are hidden, and the card denies it."""

    card = replace(CARD, hidden=False)


class SaysNoChance(Patrols):
    card = replace(CARD, chance=False)


class SaysOneAfterTheOther(Patrols):
    card = replace(CARD, simultaneous=False)


class SaysForFour(Patrols):
    card = replace(CARD, players=4)


class SaysOnHexes(Patrols):
    card = replace(CARD, space=Space.HEXES)


@pytest.mark.parametrize(
    ("kind", "check"),
    [
        (Meddles, "purity"),
        (KeepsWhatCannotBeSaved, "codec"),
        (ActsWithoutEvents, "fold"),
        (DeadEnd, "dead end"),
        (OffersTooMuch, "options"),
        (AcceptsTooMuch, "refusal"),
        (RefusesWithoutReason, "refusal"),
        (ShowsOrders, "leak"),
        (ViewsOrders, "leak"),
        (TellsOrders, "leak"),
        (AsksOnlyWhoAims, "leak"),
        (RemembersNothing, "memory"),
        (OffersSeatsTooMuch, "leak"),
        (RefusesByWhatIsHidden, "leak"),
        (OffersTooLittle, "refusal"),
        (TellsUnseenAnswers, "leak"),
        (RollsItsOwn, "verify"),
        (HidesRolls, "verify"),
        (NeverEnds, "end"),
        (Crashes, "KeyError"),
        (SaysOpen, "card"),
        (SaysNoChance, "card"),
        (SaysOneAfterTheOther, "card"),
        (SaysForFour, "card"),
        (SaysOnHexes, "card"),
    ],
)
def test_a_broken_promise_is_caught(kind: type[Patrols], check: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(testing, "MAX_DECISIONS", 300)
    # A game without an end is long, and one shows it.
    assert check in failures(kind, games=1 if kind is NeverEnds else 12)


def test_a_failure_names_scenario_and_seed_and_repeats() -> None:
    ruleset = Crashes(toy_ruleset().scenario, toy_library())
    reports = [testing.check_scenario(ruleset, toy_header(), 12, seed=1) for _ in range(2)]
    assert reports[0] == reports[1]
    failure: Any = reports[0].failures[0]
    assert (failure.scenario, failure.seed.split("/")[0]) == ("crossroads", "1")


def test_check_system_raises_with_all_failures(registry: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Patrols, "describe", lambda self, action: None)
    with pytest.raises(testing.Broken, match=r"crossroads, seed 0/\d"):
        testing.check_system("toy", games=6)
