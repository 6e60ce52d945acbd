"""The tree of moves: whatever it offers is legal, whatever is legal it offers, and its short cuts agree with it."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.core.decision import Leaf, Node, Seat
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.actions import Action, Continue, Move
from sandtable.systems.panzer.hex.movement.movement import MovePath, damaged_on_the_way, refuse_move, walk
from sandtable.systems.panzer.hex.movement.movement_told import explain_step
from sandtable.systems.panzer.hex.movement.stepping import LEGS
from sandtable.systems.panzer.hex.progress import FORBIDDEN, WHOLE, Rate, spent_at
from sandtable.systems.panzer.hex.state import Leg, LegKind, Unit
from sandtable.systems.panzer.unit import Command, Status, UnitId, WreckKind
from tests.panzer.movers import Field, X, cards, line, on, reserve, sides

COLUMNS, ROWS = "ABCDEFGH", range(1, 9)
CODES = {PANZER_NA: "....shrgylbo", MBT: "....shrwvytfbo"}
EDITIONS = st.sampled_from((PANZER_NA, MBT))
SEEDS = st.integers(0, 10**6)


def random_field(edition: Edition, seed: int) -> Field:
    """A ground with everything on it, and vehicles of both forces; the one that moves is ``x``."""
    rng = Random(seed)
    level = [[rng.choice((0, 0, 0, 0, 1, 2)) for _ in COLUMNS] for _ in ROWS]
    cells = "\n".join(" ".join(f"{rng.choice(CODES[edition])}{height or ''}" for height in row) for row in level)
    labels = [f"{column}{row}" for column in COLUMNS for row in ROWS]
    features = [
        line("road", "C8-C5"),
        line("path", "C5-C3", "D3", "E3", "E3-E1"),
        line("track" if edition.tracks else "railroad_track", "A4", "B5", "C5", "D6", "E6"),
        line("road", "C5", "D5", "E5", "F6", "G6", "H7"),
    ]
    for kind in ("slope", "slope", "slope", "crest", "wall", "hedgerow"):
        drawn = {f"{rng.choice(labels)}:{rng.choice(('N', 'NE', 'SE', 'S', 'SW', 'NW'))}" for _ in range(24)}
        features.append(sides(kind, *sorted(drawn)))
    if rng.random() < 0.5:
        features.append({"kind": "bridge", "hexes": ["C4"]})
    field = on(cells, edition, *features)
    ids = sorted(id for id, card in cards(edition.id).items() if card.unit_class is UnitClass.VEHICLE)
    for index in range(12):
        field.place(
            rng.choice([*labels, "C6", "C5", "D5"]),
            rng.choice(("N", "NE", "SE", "S", "SW", "NW")),
            rng.choice(ids),
            unit=f"u{index}",
            side=rng.choice(("axis", "allies")),
        )
    for _ in range(3):
        field.wreck(rng.choice(labels), rng.choice((WreckKind.KO, WreckKind.BU)))
    command = rng.choice((Command.MOVE, Command.SHORT_HALT))
    start, facing = rng.choice([*labels, "C8", "C6", "E5"]), rng.choice(("N", "NE", "SE", "S", "SW", "NW"))
    return field.place(start, facing, rng.choice(ids), command=command, damaged=rng.random() < 0.2)


def offered(node: Node[Action], depth: int) -> Iterator[tuple[Leg, ...]]:
    """The legs of every action at most ``depth`` branches down."""
    if isinstance(node, Leaf):
        yield moves(node.action)
    elif depth:
        for branch in node.branches():
            yield from offered(branch.then, depth - (branch.key != "stop"))
    else:
        yield from (moves(b.then.action) for b in node.branches() if b.key == "stop" and isinstance(b.then, Leaf))


def moves(action: Action) -> tuple[Leg, ...]:
    assert isinstance(action, Move | Continue)
    return action.legs


@settings(max_examples=60)
@given(EDITIONS, SEEDS)
def test_sampled_moves_are_legal_and_their_costs_add_up(edition: Edition, seed: int) -> None:
    field = random_field(edition, seed)
    rng = Random(seed)
    for _ in range(20):
        action = field.path().sample(rng)
        assert isinstance(action, Move)
        assert refuse_move(field, field.state, X, action.legs) is None
        spent = 0
        for leg in walk(field, field.state, X, action.legs):
            spent += sum(cost.total for cost in (leg.turn, leg.step) if cost is not None)
            assert leg.spent == spent
            assert spent < WHOLE
            within = spent <= leg.progress.allowance(leg.rate)
            assert within or (leg.progress.entered == 1 and not leg.progress.paid)
            assert leg.exited or leg.hex in field.ground.map.hexes


@settings(max_examples=25)
@given(EDITIONS, SEEDS)
def test_every_legal_move_is_offered_and_nothing_else(edition: Edition, seed: int) -> None:
    """All sequences of up to two legs, and some of three, against the tree."""
    field = random_field(edition, seed)
    short = {*offered(field.path(), 2)}
    for length in range(3):
        for attempt in product(LEGS, repeat=length):
            refusal = refuse_move(field, field.state, X, attempt)
            assert (refusal is None) == (attempt in short), (attempt, refusal)
            if refusal is not None:
                assert refusal.rule
                assert refusal.reason


@settings(max_examples=40)
@given(EDITIONS, SEEDS)
def test_spoilt_moves_are_refused_for_a_reason(edition: Edition, seed: int) -> None:
    """A legal move with a leg changed or added: either it is in the tree too, or a rule forbids it."""
    field = random_field(edition, seed)
    rng = Random(seed)
    for _ in range(20):
        legs = list(moves(field.path().sample(rng)))
        legs.insert(rng.randrange(len(legs) + 1), rng.choice(LEGS))
        legs[rng.randrange(len(legs))] = rng.choice(LEGS)
        refusal = refuse_move(field, field.state, X, legs)
        node: Node[Action] | None = field.path()
        for leg in legs:
            if node is not None:
                key = f"{leg.turn:+d} {leg.step}"
                node = next((branch.then for branch in node.branches() if branch.key == key), None)
        may_end = node is not None and (isinstance(node, Leaf) or any(b.key == "stop" for b in node.branches()))
        assert (refusal is None) == may_end
        assert refusal is None or (refusal.rule and refusal.reason)


@settings(max_examples=40)
@given(EDITIONS, SEEDS)
def test_destinations_are_legal_complete_and_cheapest(edition: Edition, seed: int) -> None:
    field = random_field(edition, seed).change(command=Command.SHORT_HALT)
    ends: dict[tuple[object, int, bool], int] = {}
    for branch in field.path().destinations():
        assert isinstance(branch.then, Leaf)
        walked = walk(field, field.state, X, moves(branch.then.action))
        if walked:
            last = walked[-1]
            ends[last.hex, last.progress.way if last.exited else last.facing, last.exited] = last.spent
    for legs in offered(field.path(), 3):
        walked = walk(field, field.state, X, legs)
        if walked:
            last = walked[-1]
            place = last.hex, last.progress.way if last.exited else last.facing, last.exited
            if place[:2] != (field.units[X].hex, field.units[X].facing):
                assert ends[place] <= last.spent


@settings(max_examples=40)
@given(EDITIONS, SEEDS)
def test_every_prefix_may_be_interrupted_and_gone_on_with(edition: Edition, seed: int) -> None:
    field = random_field(edition, seed)
    rng = Random(seed)
    legs = moves(field.path().sample(rng))
    for index, leg in enumerate(walk(field, field.state, X, legs)):
        if leg.exited:
            break
        assert refuse_move(field, field.state, X, legs[index + 1 :], progress=leg.progress) is None
        for progress in (leg.progress, leg.turned, damaged_on_the_way(leg.progress)):
            action = field.path(progress).sample(rng)
            assert isinstance(action, Continue)
            assert refuse_move(field, field.state, X, action.legs, progress=progress) is None
            assert next(iter(field.path(progress).branches()), None) is not None


@settings(max_examples=30)
@given(EDITIONS, SEEDS)
def test_quick_numbers_equal_explained_ones(edition: Edition, seed: int) -> None:
    field = random_field(edition, seed)
    mover = field.mover()
    compared = 0
    for hex in sorted(field.ground.map.hexes):
        for direction in range(6):
            quick = mover.steps[hex][direction]
            told = mover.table.explained(hex, direction)
            if quick is None:
                assert not isinstance(told, tuple)
                continue
            assert isinstance(told, tuple)
            assert quick.to == told.to
            for reverse in (False, True):
                facing = (direction + 3) % 6 if reverse else direction
                before = replace(mover.start(), hex=hex, facing=facing)
                after = mover.step(before, reverse=reverse)
                if after is None or told.whole:
                    continue
                if after.spent < FORBIDDEN:
                    assert explain_step(mover, before, after, Rate.CROSS_COUNTRY).total == after.spent
                    compared += 1
                if quick.route:
                    assert explain_step(mover, before, after, Rate.ROAD).total == after.spent_route
                    compared += 1
    assert compared > 100


def test_count_is_the_number_of_moves() -> None:
    field = on(". r .\n. . s\n. . .").place("B2", card="matilda-ii")
    every = list(field.path())
    assert field.path().count() == len(every) == len({moves(action) for action in every})
    road = on("r r r\nr r r\nr r r\nr r r", PANZER_NA, line("road", "B4-B1")).place("B4", card="matilda-ii")
    every = list(road.path())
    assert road.path().count() == len(every) == len({moves(action) for action in every})


def test_sample_is_fair_at_every_branch() -> None:
    field = on(". r .\n. . s\n. . .").place("B2", card="matilda-ii")
    ways = [branch.key for branch in field.path().branches()]
    rng = Random(1)
    drawn = [moves(field.path().sample(rng)) for _ in range(4000)]
    first = [f"{legs[0].turn:+d} {legs[0].step}" if legs else "stop" for legs in drawn]
    assert set(first) == set(ways)
    for way in ways:
        assert abs(first.count(way) - 4000 / len(ways)) < 100


@pytest.mark.rules("4.5.1.1.9")
def test_4_5_1_1_9_the_tree_of_a_reserve() -> None:
    field = reserve(on(". . .\n. . .\n. r ."), "B3", "C3", card="matilda-ii")
    keys = [branch.key for branch in field.path().branches()]
    assert keys[0] == "stop"
    assert "enter B3 N" in keys
    every = list(field.path())
    assert field.path().count() == len(every)
    for action in [*every, *(field.path().sample(Random(seed)) for seed in range(40))]:
        assert isinstance(action, Move)
        assert refuse_move(field, field.state, X, action.legs, enter=action.enter, facing=action.facing) is None
    for branch in field.path().destinations():
        assert isinstance(branch.then, Leaf)
        go = branch.then.action
        assert isinstance(go, Move)
        assert refuse_move(field, field.state, X, go.legs, enter=go.enter, facing=go.facing) is None
    early = reserve(on(". .\n. ."), "A2", turn=3)
    assert [branch.key for branch in early.path().branches()] == ["stop"]


def test_spent_at_a_hedgerow_is_the_whole_allowance() -> None:
    field = on(". . .\n. . .\n. . .", MBT, sides("hedgerow", "B2:N")).place("B2", card="t-80bv")
    end = field.end("F")
    assert spent_at(end.progress, end.rate) == 8


def test_units_off_the_mapboard_stand_in_nobodys_way() -> None:
    field = on(". .\n. .\n. .").place("A3", unit="e", side="allies", status=Status.EXITED)
    field.units[UnitId("e")] = Unit(UnitId("e"), Seat("allies"), field.units[UnitId("e")].card, None, 0, Status.EXITED)
    field.place("A2")
    assert field.mover().enemies == set()
    assert isinstance(field.path(), MovePath)
    assert field.end("R").hex == field.hex("A3")
    assert LegKind.STAY in {leg.step for leg in LEGS}
