"""Options: lazy trees of choices in four shapes."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core.decision import Assign, Branch, Gather, Leaf, Node, Options, Pick, Slot
from sandtable.core.errors import BadInput, Refusal

Values = tuple[str, ...]
Shape = Callable[[list[int]], Node[Values]]


def slots_of(widths: list[int]) -> list[Slot]:
    return [Slot(f"s{i}", "slot", f"slot {i}", tuple("abcdef"[:width])) for i, width in enumerate(widths)]


def assign(widths: list[int]) -> Node[Values]:
    return Assign(slots_of(widths), lambda values: values)


def gather(widths: list[int]) -> Node[Values]:
    return Gather(slots_of(widths), lambda values: values)


def options(root: Node[Values]) -> Options[Values]:
    known = list(root)
    return Options(root, lambda action: None if action in known else Refusal("1", "not offered"))


def leaves(node: Node[Values]) -> Iterator[Values]:
    """What a client finds that goes from branch to branch."""
    if isinstance(node, Leaf):
        yield node.action
    for branch in node.branches():
        yield from leaves(branch.then)


widths = st.lists(st.integers(1, 3), min_size=1, max_size=4)
shapes: st.SearchStrategy[Shape] = st.sampled_from([assign, gather])


@given(shapes, widths)
def test_walking_iterating_and_counting_agree(shape: Shape, sizes: list[int]) -> None:
    root = shape(sizes)
    listed = list(root)
    assert sorted(leaves(root)) == sorted(listed)
    assert root.count() == len(listed) == len(set(listed))


@given(shapes, widths, st.integers())
def test_samples_are_among_the_answers(shape: Shape, sizes: list[int], seed: int) -> None:
    open_to_all = options(shape(sizes))
    rng = Random(seed)
    assert all(open_to_all.sample(rng) in open_to_all for _ in range(20))


@given(shapes, st.lists(st.integers(1, 2), min_size=1, max_size=3))
def test_sampling_reaches_every_answer(shape: Shape, sizes: list[int]) -> None:
    root = shape(sizes)
    rng = Random(1)
    assert {root.sample(rng) for _ in range(1500)} == set(root)


@given(shapes, widths, st.integers())
def test_counts_and_samples_hold_halfway_down(shape: Shape, sizes: list[int], seed: int) -> None:
    rng = Random(seed)
    node: Node[Values] = shape(sizes)
    while not isinstance(node, Leaf):
        assert node.count() == len(list(node))
        assert node.sample(rng) in list(node)
        node = rng.choice(list(node.branches())).then


def test_gather_takes_at_least_one() -> None:
    root = gather([1, 1])
    assert ("", "") not in list(root)
    (left_out, _) = root.branches()
    assert left_out.key == "-"
    (only,) = left_out.then.branches()
    assert only.key == "a"


def test_pick_makes_its_branches_when_asked() -> None:
    made: list[str] = []

    def make() -> Iterator[Branch[Values]]:
        for key in "abc":
            made.append(key)
            yield Branch(key, "letter", key, Leaf((key,)))

    lazy = Options(Pick(make), lambda action: None)
    assert not made
    assert lazy
    assert made == ["a"]
    assert list(islice(lazy, 2)) == [("a",), ("b",)]
    assert len(lazy) == 3


def test_only_knows_a_single_answer() -> None:
    assert options(assign([1, 1])).only() == ("a", "a")
    assert options(assign([2])).only() is None


def test_at_goes_down_by_keys_and_names_what_there_is() -> None:
    tree = options(assign([2, 2]))
    assert list(tree.at("b")) == [("b", "a"), ("b", "b")]
    assert list(tree.at("b", "a", "done")) == [("b", "a")]
    with pytest.raises(BadInput, match=r"choice\[1\]: no branch 'x' \(expected one of a, b\)"):
        tree.at("a", "x")


def test_membership_is_the_absence_of_a_refusal() -> None:
    tree = options(assign([2]))
    assert ("a",) in tree
    assert ("z",) not in tree
    refusal = tree.refusal(("z",))
    assert refusal is not None
    assert str(refusal) == "not offered (1)"
