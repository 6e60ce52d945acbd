"""Assignments with budgets and a judge: what is offered, listed, sampled and accepted is the same."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.core.decision import Assign, Branch, Budget, Countless, Leaf, Node, Options, Pick, Slot
from sandtable.core.errors import BadInput, Refusal, RulesBug

Values = tuple[str, ...]
LETTERS = "abcd"


class Case(NamedTuple):
    """A question, and what is known of it without the tree."""

    options: Options[Values]
    answers: list[Values]
    read: set[str]
    """Slots whose values were listed."""


def judged(forbidden: list[dict[int, str]]) -> Callable[[Values], Refusal | None]:
    """Refuses every combination that holds one of some patterns, as soon as it does."""

    def judge(values: Values) -> Refusal | None:
        for pattern in forbidden:
            if all(values[index] == value for index, value in pattern.items()):
                return Refusal("7.1", "these do not go together", "", tuple(f"s{index}" for index in pattern))
        return None

    return judge


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Up to five slots, lazy or not, with or without a plain value, in groups, with budgets and a judge."""
    number = draw(st.integers(1, 5))
    widths = draw(st.lists(st.integers(1, 4), min_size=number, max_size=number))
    read: set[str] = set()

    def lazy(key: str, values: Values) -> Callable[[], Values]:
        def listed() -> Values:
            read.add(key)
            return values

        return listed

    slots = []
    for index, width in enumerate(widths):
        values, key = tuple(LETTERS[:width]), f"s{index}"
        plain = draw(st.sampled_from(("", *values)))
        given_as = lazy(key, values) if draw(st.booleans()) else values
        slots.append(Slot(key, "slot", f"slot {index}", given_as, plain=plain, group=f"g{index % 2}"))
    budgets = draw(
        st.lists(
            st.builds(
                Budget,
                st.just("orders"),
                st.integers(0, 4),
                st.just("7.2"),
                st.dictionaries(st.sampled_from(LETTERS), st.integers(0, 2)),
                st.sampled_from(("", "g0", "g1")),
                st.dictionaries(st.sampled_from(("s0", "s1", "s2")), st.integers(0, 3)),
            ),
            max_size=2,
        )
    )
    patterns = st.dictionaries(st.integers(0, number - 1), st.sampled_from(LETTERS), min_size=1)
    forbidden = draw(st.lists(patterns, max_size=3))
    judge = judged(forbidden) if forbidden else None
    root = Assign(slots, lambda values: values, judge=judge, budgets=budgets)

    def refusal(values: Values) -> Refusal | None:
        return next(iter(root.refusals(values)), None)

    return Case(Options(root, refusal), _allowed(widths, slots, budgets, judge), read)


def _allowed(
    widths: list[int], slots: list[Slot], budgets: list[Budget], judge: Callable[[Values], Refusal | None] | None
) -> list[Values]:
    """What is allowed, from the definitions alone."""
    found: list[Values] = [()]
    for width in widths:
        found = [(*values, letter) for values in found for letter in LETTERS[:width]]

    def used(budget: Budget, values: Values) -> int:
        return sum(
            budget.costs.get(value, 0) * budget.weights.get(slot.key, 1)
            for slot, value in zip(slots, values, strict=True)
            if budget.group in ("", slot.group)
        )

    return [
        values
        for values in found
        if all(used(budget, values) <= budget.most for budget in budgets) and (judge is None or judge(values) is None)
    ]


def leaves(node: Node[Values]) -> Iterator[tuple[Values, Values]]:
    """What a client finds that goes from branch to branch, with the keys on the way."""
    if isinstance(node, Leaf):
        yield (), node.action
    for branch in node.branches():
        for keys, action in leaves(branch.then):
            yield (branch.key, *keys), action


@given(cases())
def test_what_is_listed_walked_and_accepted_is_the_same(case: Case) -> None:
    options, answers, _ = case
    listed = list(options)
    assert sorted(listed) == sorted(answers)
    walked = list(leaves(options.root))
    assert [action for _, action in walked] == listed
    assert all(list(options.at(*keys)) == [action] for keys, action in walked)
    assert all(action in options for action in listed)
    assert bool(options) == bool(answers)
    assert options.only() == (answers[0] if len(answers) == 1 else None)


@given(cases())
def test_what_is_refused_is_never_offered(case: Case) -> None:
    options, answers, _ = case
    root = options.root
    assert isinstance(root, Assign)
    every: list[Values] = [()]
    for slot in root.slots:
        every = [(*values, value) for values in every for value in (*slot.values, "nonsense")]
    for values in every:
        assert (options.refusal(values) is None) == (values in answers)
        if values in answers:
            assert list(options.at(*values, "done")) == [values]
        else:
            with pytest.raises(BadInput, match="no branch"):
                options.at(*values, "done")


@given(cases(), st.integers())
def test_samples_are_allowed(case: Case, seed: int) -> None:
    options, answers, _ = case
    rng = Random(seed)
    if answers:
        assert all(options.sample(rng) in answers for _ in range(10))


@settings(max_examples=25)
@given(cases())
def test_sampling_reaches_every_answer(case: Case) -> None:
    options, answers, _ = case
    rng = Random(1)
    if 0 < len(answers) < 12:
        assert {options.sample(rng) for _ in range(1200)} == set(answers)


@given(cases())
def test_a_limited_assignment_says_that_it_cannot_be_counted(case: Case) -> None:
    options, answers, _ = case
    root = options.root
    assert isinstance(root, Assign)
    if root.is_limited:
        assert options.count() is None
        with pytest.raises(Countless):
            len(options)
        above = Pick(lambda: (Branch("it", "order", "it", root), Branch("not", "pass", "not", Leaf(("-",)))))
        assert above.count() is None
        assert len(list(above)) == len(answers) + 1
    else:
        assert len(options) == options.count() == len(answers)


def corps(read: set[str]) -> Assign[Values]:
    """120 slots in 10 formations, whose values are listed only when somebody reads them."""

    def values(key: str) -> Values:
        read.add(key)
        return ("hold", "move", "attack")

    slots = [
        Slot(f"s{n}", "order", f"unit {n}", partial(values, f"s{n}"), plain="hold", group=f"f{n // 12}")
        for n in range(120)
    ]
    budgets = [Budget(f"attacks of f{n}", 3, "7.3", {"attack": 1}, f"f{n}") for n in range(10)]
    budgets.append(Budget("supply", 20, "7.4", {"attack": 2, "move": 1}))
    return Assign(slots, lambda values: values, judge=judged([{0: "attack", 119: "attack"}]), budgets=budgets)


def test_values_are_listed_only_where_somebody_reads() -> None:
    read: set[str] = set()
    root = corps(read)
    assert next(iter(root)) == ("hold",) * 120
    assert not read, "the plain answer needs no values"
    assert Options(root, lambda _: None).only() is None
    assert read == {"s119"}
    read.clear()
    root = corps(read)
    answer = ["hold"] * 120
    answer[5] = answer[60] = "attack"
    assert list(Options(root, lambda _: None).at(*answer, "done")) == [tuple(answer)]
    assert read == {"s5", "s60"}
    read.clear()
    root = corps(read)
    assert [branch.key for branch in root.branches()] == ["hold", "move", "attack"]
    assert read == {"s0"}


def test_a_budget_that_is_used_up_closes_branches() -> None:
    options = Options(corps(set()), lambda _: None)
    at_three = options.at("attack", "attack", "attack")
    assert [branch.key for branch in at_three.branches()] == ["hold", "move"]
    assert next(iter(at_three))[:4] == ("attack", "attack", "attack", "hold")


def test_refusals_name_the_slots_that_they_are_about() -> None:
    root = corps(set())
    values = ["hold"] * 120
    values[0] = values[1] = values[2] = values[3] = values[119] = "attack"
    budget, combination = root.refusals(tuple(values))
    assert (budget.rule, budget.reason, budget.slots) == ("7.3", "attacks of f0: 4 of 3", ("s0", "s1", "s2", "s3"))
    assert (combination.rule, combination.slots) == ("7.1", ("s0", "s119"))
    with pytest.raises(BadInput, match="one for each of 120 slots"):
        root.refusals(("hold",))


def test_chance_gives_no_slot_a_better_place_in_the_queue() -> None:
    root, rng = corps(set()), Random(3)
    attacks = [0, 0]
    for _ in range(40):
        values = root.sample(rng)
        for half in (0, 1):
            attacks[half] += sum(value != "hold" for value in values[half * 60 : half * 60 + 60])
    assert min(attacks) * 2 > max(attacks)


def test_a_pick_with_a_finder_makes_one_branch() -> None:
    made: list[str] = []

    def branch(key: str) -> Branch[Values] | None:
        made.append(key)
        return Branch(key, "unit", key, Leaf((key,))) if key in LETTERS else None

    root: Pick[Values] = Pick(lambda: (found for key in LETTERS if (found := branch(key))), branch)
    options = Options(root, lambda _: None)
    assert list(options.at("c")) == [("c",)]
    assert made == ["c"]
    assert list(islice(options, 2)) == [("a",), ("b",)]
    with pytest.raises(BadInput, match=r"no branch 'z' \(expected one of a, b, c, d\)"):
        options.at("z")


def test_a_budget_that_every_value_draws_on_is_not_searched_in_vain() -> None:
    """The cheapest values just do: whoever looks ahead finds them at once, whoever does not never ends."""
    slots = [Slot(f"s{n}", "order", f"unit {n}", ("three", "two", "one")) for n in range(60)]
    budget = Budget("fuel", 61, "7.5", {"one": 1, "two": 2, "three": 3})
    root: Assign[Values] = Assign(slots, lambda values: values, budgets=[budget])
    assert sorted(next(iter(root))) == ["one"] * 59 + ["two"]
    assert [branch.key for branch in root.branches()] == ["two", "one"]
    assert budget.used(slots, root.sample(Random(1))) <= 61
    assert not root.may_become(("three", *[""] * 59))


def test_a_judge_that_turns_back_too_late_is_a_fault_and_no_endless_search() -> None:
    def judge(values: Values) -> Refusal | None:
        return Refusal("7.6", "none of them") if all(values) else None

    slots = [Slot(f"s{n}", "order", f"unit {n}", ("hold", "move")) for n in range(60)]
    root: Assign[Values] = Assign(slots, lambda values: values, judge=judge)
    for search in (lambda: next(iter(root)), lambda: list(root.branches()), lambda: root.sample(Random(1))):
        with pytest.raises(RulesBug, match="too late"):
            search()


def test_a_judge_is_not_asked_about_what_no_slot_can_take() -> None:
    def judge(values: Values) -> Refusal | None:
        assert set(values) <= {"hold", "move", ""}
        return None

    root: Assign[Values] = Assign([Slot("s", "order", "unit", ("hold", "move"))], lambda values: values, judge=judge)
    (refusal,) = root.refusals(("fly",))
    assert (refusal.reason, refusal.remedy, refusal.slots) == ("unit cannot have fly", "one of hold, move", ("s",))
    assert [one.reason for one in root.refusals(("",))] == ["unit cannot have nothing"]
