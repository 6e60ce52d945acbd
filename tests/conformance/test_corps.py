"""The suite passes a game of large questions, and catches slots and limits that do not hold what they promise."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sandtable import testing
from sandtable.core.content.reading import convert
from sandtable.core.decision import Assign, Budget, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.view import View
from tests.corps import ATTACK, DEFENDER, HIDDEN, HOLD, MOVE, Corps, GiveOrders, Scenario, State
from tests.corps import corps_header as header
from tests.corps import corps_scenario as scenario

SMALL = {"divisions": 2, "battalions": 3, "supply": 5}


def failures(kind: type[Corps]) -> set[str]:
    ruleset = kind(convert(scenario(**SMALL), Scenario, "breakthrough"))
    report = testing.check_scenario(ruleset, header(**SMALL), games=6, seed=3)
    return {failure.message for failure in report.failures}


def test_it_conforms() -> None:
    assert failures(Corps) == set()


class StandsAtWhatItCannotTake(Corps):
    def _list(self, state: State, key: str) -> tuple[str, ...]:
        return (MOVE, ATTACK)


class ListsTwice(Corps):
    def _list(self, state: State, key: str) -> tuple[str, ...]:
        return (*super()._list(state, key), HOLD)


class RefusesHalfMade(Corps):
    """Who attacks must have support at once, though it may still come."""

    def _unsupported(self, slots: list[Slot], values: tuple[str, ...]) -> Refusal | None:
        return super()._unsupported(slots, tuple(value or HOLD for value in values))


class RulesForgetTheBudget(Corps):
    def refusal(self, state: State, seat: Seat, action: GiveOrders) -> Refusal | None:
        found = super().refusal(state, seat, action)
        return None if found is not None and found.rule in ("1.3", "1.5", "1.6") else found


class RefusesWithoutRule(Corps):
    def _unsupported(self, slots: list[Slot], values: tuple[str, ...]) -> Refusal | None:
        found = super()._unsupported(slots, values)
        return replace(found, rule="") if found is not None else None


class NamesStrangers(Corps):
    def _unsupported(self, slots: list[Slot], values: tuple[str, ...]) -> Refusal | None:
        found = super()._unsupported(slots, values)
        return replace(found, slots=("B99.1",)) if found is not None else None


class _OtherBudget(Corps):
    def budget(self, state: State) -> Budget:
        raise NotImplementedError

    def _root(self, state: State, seat: Seat) -> Assign[GiveOrders]:
        root = super()._root(state, seat)
        return Assign(root.slots, root.filled, budgets=[*root.budgets, self.budget(state)])


class BudgetOfNobody(_OtherBudget):
    def budget(self, state: State) -> Budget:
        return Budget("Fuel", 9, "1.5", {MOVE: 1}, "Division 99")


class BudgetOfStrangers(_OtherBudget):
    def budget(self, state: State) -> Budget:
        return Budget("Fuel", 9, "1.5", {MOVE: 1}, weights={"X": 2})


class BudgetThatGives(_OtherBudget):
    def budget(self, state: State) -> Budget:
        return Budget("Fuel", 0, "1.5", {MOVE: -1})


class BudgetWithoutRule(_OtherBudget):
    def budget(self, state: State) -> Budget:
        return Budget("Fuel", 9, "", {MOVE: 1})


class BudgetThatTellsOrders(_OtherBudget):
    """How much there is depends on what the other side has ordered."""

    def budget(self, state: State) -> Budget:
        secret = sum(order not in (HOLD, HIDDEN) for order in state.orders.values()) if len(state.waiting) == 1 else 0
        return Budget("Fuel", 90 + secret, "1.5", {MOVE: 1})


class JudgeThatTellsOrders(Corps):
    """What it says of a filling that is refused anyway depends on what the other side has ordered."""

    def _root(self, state: State, seat: Seat) -> Assign[GiveOrders]:
        root = super()._root(state, seat)
        attacks = sum(order == ATTACK for key, order in state.orders.items() if key.startswith("B"))

        def judge(values: tuple[str, ...]) -> Refusal | None:
            given_up = sum(value not in (HOLD, "") for value in values)
            return Refusal("1.6", f"{given_up} of them", f"{attacks} attack") if given_up else None

        return Assign(root.slots, root.filled, judge=judge) if seat == DEFENDER else root

    def refusal(self, state: State, seat: Seat, action: GiveOrders) -> Refusal | None:
        found = super().refusal(state, seat, action)
        return replace(found, remedy="") if found is not None else None


class ShowsTheCommonTitle(Corps):
    def view(self, state: State, seat: Seat | None) -> View:
        seen = super().view(state, seat)
        common = None if seen.prompt is None else replace(seen.prompt, rule="1.0", title="Give orders")
        return replace(seen, prompt=common)


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        (StandsAtWhatItCannotTake, "cannot stand at 'hold'"),
        (ListsTwice, "a value is empty or twice"),
        (RefusesHalfMade, "is refused half made"),
        (RulesForgetTheBudget, "limits and rules disagree"),
        (RefusesWithoutRule, "is refused without rule or reason"),
        (NamesStrangers, "slots that there are not"),
        (BudgetOfNobody, "there is no group Division 99"),
        (BudgetOfStrangers, "weighs slots that there are not"),
        (BudgetThatGives, "is given to by a value"),
        (BudgetWithoutRule, "a budget has no name or no rule"),
        (BudgetThatTellsOrders, "depend on hidden facts"),
        (JudgeThatTellsOrders, "depend on hidden facts"),
        (ShowsTheCommonTitle, "is asked in other words than it is shown"),
    ],
)
def test_what_is_broken_is_noticed(kind: type[Corps], what: str) -> None:
    found = failures(kind)
    assert any(what in message for message in found), found
