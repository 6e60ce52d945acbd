"""Who spots whom in the Panzer Basic Game, rule by rule (3.8, 4.1.1 to 4.1.3.2, 4.1.5)."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.errors import Refused
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.card_files import parse_shelf
from sandtable.systems.panzer.cards import Card, CardId
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.scenario.bound import Scenario
from sandtable.systems.panzer.hex.scenario.draft import ScenarioDraft
from sandtable.systems.panzer.hex.sight.survey import best_cover
from sandtable.systems.panzer.hex.spotting.spotting import (
    can_spot,
    determine_spotting,
    extraneous,
    may_spot,
    spots_live,
    spotting_range,
)
from sandtable.systems.panzer.hex.spotting.standing import cover_of, is_over_stacked, stacked_in
from sandtable.systems.panzer.hex.state import State, Unit, Wreck
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.terrain import Cover
from sandtable.systems.panzer.unit import Spot, Status, UnitId, WreckKind
from tests.panzer.grounds import PACKS, TREES, drawn_ground, tables

rules = pytest.mark.rules
both_books = pytest.mark.parametrize("edition", [PANZER_NA, MBT], ids=lambda edition: edition.id)

RED, BLUE = Seat("red"), Seat("blue")
TANK = {PANZER_NA.id: "pz-iiig", MBT.id: "bmp-2"}


@cache
def cards(edition: str) -> dict[CardId, Card]:
    files = {file.name: file.read_bytes() for file in sorted((PACKS / edition / "cards").glob("*.yaml"))}
    return parse_shelf(files).cards


def at_table(cells: str, edition: Edition = PANZER_NA, **rest: Any) -> Context:
    """Everything that stays the same, on a map drawn as text; T stands for trees."""
    ground = drawn_ground(cells.replace("T", TREES[edition.id]), edition, **rest)
    draft = ScenarioDraft("test", edition.id, "test", 1, "original", {}, ())
    return Context(
        edition=edition,
        game_map=ground.map,
        ground=ground,
        cards=cards(edition.id),
        tables=tables(edition.id),
        scenario=Scenario(draft, (RED, BLUE), {}, (), {}, ()),
        barrels={},
    )


def column(words: str, edition: Edition = PANZER_NA, **rest: Any) -> Context:
    """The same with a map of one column, drawn from left to right."""
    return at_table("\n".join(words.split()), edition, **rest)


def unit(context: Context, name: str, at: str, **fields: Any) -> Unit:
    """A tank; names that begin with r are red, all others blue."""
    side = RED if name.startswith("r") else BLUE
    card = CardId(fields.pop("card", TANK[context.edition.id]))
    return Unit(UnitId(name), side, card, context.game_map.hex(at), fields.pop("facing", 0), **fields)


def state(*units: Unit, **fields: Any) -> State:
    return State(1, Phase.SPOTTING, "", {unit.id: unit for unit in units}, **fields)


def spotted_out_to(context: Context, at: str, spot: Spot = Spot.NONE) -> int:
    """Spotting range of a vehicle there, as its breakdown says and as the quick way does."""
    target = unit(context, "red", at, spot=spot)
    told = spotting_range(context, state(target), target)
    cover = cover_of(context, state(target), target)
    assert told.total == context.ground.spotting_ranges.of[cover, spot]
    assert str(told.total) in told.explain()
    return told.total


# --- 4.1.1, 4.1.2: who spots -------------------------------------------------------------------------


@rules("4.1.1")
@pytest.mark.parametrize(
    ("edition", "card", "spots"),
    [
        (PANZER_NA, "pz-iiig", True),
        (PANZER_NA, "opel-blitz", False),
        (PANZER_NA, "sdkfz-10", False),
        (MBT, "bmp-2", True),
        (MBT, "m901", True),
        (MBT, "m60-avlb", False),
        (MBT, "mt-55a", False),
        (MBT, "m35-truck", False),
    ],
)
def test_4_1_1_combat_units_spot_and_unarmed_vehicles_do_not(edition: Edition, card: str, spots: bool) -> None:
    context = column(". .", edition)
    spotter, target = unit(context, "blue", "A1", card=card), unit(context, "red", "A2")
    now = state(spotter, target)
    assert may_spot(edition, context.cards[CardId(card)]) is spots
    verdict = can_spot(context, now, spotter, target)
    assert verdict.spots is spots_live(context, now, spotter, target) is spots
    assert ("blue" in determine_spotting(context, now)) is spots
    if not spots:
        assert verdict.refusal is not None
        assert verdict.refusal.rule == "4.1.1"


@rules("4.1.1", system="mbt")
def test_4_1_1_fire_support_sights_spot_in_mbt_alone() -> None:
    observer = cards(MBT.id)[CardId("m981")]
    assert may_spot(MBT, observer)
    assert not may_spot(PANZER_NA, observer)


@rules("4.1.1")
@both_books
def test_4_1_1_each_vehicle_spots_for_itself(edition: Edition) -> None:
    context = at_table(". . .\n. T .\n. T .\n. . .", edition)
    one, behind, target = unit(context, "b1", "A1"), unit(context, "b2", "B4"), unit(context, "r1", "B1")
    now = state(one, behind, target)
    assert determine_spotting(context, now) == {"b1": ("r1",), "r1": ("b1",)}
    refusal = can_spot(context, now, behind, target).refusal
    assert refusal is not None
    assert refusal.rule == "4.1.4.2.1"


@rules("4.1.1", "4.1.5")
@both_books
def test_4_1_1_a_spotted_vehicle_is_handed_on(edition: Edition) -> None:
    """C fired from the trees of B1, out of base range of both; A in A8 spots it and B, behind trees in B9, does not.

    Then A goes behind the trees and B comes out: C keeps its counter and B spots it.
    """
    context = at_table("\n".join([". T .", *[". . ."] * 6, ". T .", ". . ."]), edition)
    firer = unit(context, "r1", "B1", spot=Spot.FIRE)
    a, b = unit(context, "b1", "A8"), unit(context, "b2", "B9")
    before = determine_spotting(context, state(firer, a, b))
    assert before[UnitId("b1")] == ("r1",)
    assert "b2" not in before
    after = state(firer, replace(a, hex=b.hex), replace(b, hex=context.game_map.hex("C8")))
    spotted = determine_spotting(context, after)
    assert spotted[UnitId("b2")] == ("r1",)
    assert "b1" not in spotted
    assert extraneous(after, spotted) == ()


@rules("4.1.1", "4.1.5")
@both_books
def test_4_1_1_a_lost_spot_must_be_reacquired(edition: Edition) -> None:
    """Out of everyone's sight the SPOT/FIRE counter goes; in sight again only base range counts."""
    context = column("T . . . . . . . . .", edition)
    spotter = unit(context, "b1", "A10")
    fired = unit(context, "r1", "A1", spot=Spot.FIRE)
    assert "b1" in determine_spotting(context, state(spotter, fired))
    nobody = state(replace(spotter, hex=None, status=Status.EXITED), fired)
    assert extraneous(nobody, determine_spotting(context, nobody)) == ("r1",)
    forgotten = replace(fired, spot=Spot.NONE)
    assert determine_spotting(context, state(spotter, forgotten)) == {"r1": ("b1",)}


@rules("4.1", "4.1.1")
@both_books
def test_4_1_1_fire_shows_at_once_to_those_on_overwatch(edition: Edition) -> None:
    """C fires in the Combat Phase; B, come into sight later in the turn, spots it live and not by the fixed layer."""
    context = column("T . . . . . . . . .", edition)
    firer, comer = unit(context, "r1", "A1", new_spot=Spot.FIRE), unit(context, "b2", "A10")
    now = state(firer, comer)
    assert not can_spot(context, now, comer, firer).spots
    assert can_spot(context, now, comer, firer, live=True).spots
    assert spots_live(context, now, comer, firer)
    assert "b2" not in determine_spotting(context, now)


@rules("4.1")
@both_books
def test_4_1_live_a_newer_counter_replaces_the_older_one(edition: Edition) -> None:
    context = column(" ".join(["T"] + ["."] * 25), edition)
    mover = unit(context, "r1", "A1", spot=Spot.FIRE, new_spot=Spot.MOVE)
    assert spotting_range(context, state(mover), mover).total == 30
    assert spotting_range(context, state(mover), mover, live=True).total == 20


@rules("4.1.2")
@both_books
def test_4_1_2_vehicles_spot_all_round(edition: Edition) -> None:
    context = at_table(". . .\n. . .\n. . .", edition)
    around = [unit(context, f"r{index}", at) for index, at in enumerate(("B1", "C1", "C2", "B3", "A2", "A1"))]
    for facing in range(6):
        spotter = unit(context, "b1", "B2", facing=facing)
        assert determine_spotting(context, state(spotter, *around))[UnitId("b1")] == tuple(one.id for one in around)


# --- 4.1.3: how far ---------------------------------------------------------------------------------


@rules("4.1.3")
@both_books
def test_4_1_3_ranges_by_cover_and_counter(edition: Edition) -> None:
    context = column(". s T", edition)
    assert spotted_out_to(context, "A1") == 20
    assert spotted_out_to(context, "A3") == 7
    assert spotted_out_to(context, "A3", Spot.MOVE) == 20
    assert spotted_out_to(context, "A3", Spot.FIRE) == 30
    assert spotted_out_to(context, "A2") == 10
    assert spotted_out_to(context, "A2", Spot.MOVE) == 30
    assert spotted_out_to(context, "A1", Spot.FIRE) == spotted_out_to(context, "A1", Spot.MOVE) == 40


@rules("4.1.3")
@both_books
def test_4_1_3_the_breakdown_names_every_term(edition: Edition) -> None:
    context = column("T", edition)
    target = unit(context, "red", "A1", spot=Spot.FIRE)
    told = spotting_range(context, state(target), target)
    assert [(term.value, term.label, term.rule) for term in told.terms] == [
        (-2, "Medium Cover", "4.1.3"),
        (3, "SPOT/FIRE", "4.1.3"),
    ]
    assert (told.net, told.total) == (1, 30)


@rules("4.1.3")
@both_books
def test_4_1_3_rows_beyond_the_table_are_its_ends(edition: Edition) -> None:
    ranges = column(".", edition).ground.spotting_ranges
    assert ranges.range(9) == ranges.range(2)
    assert ranges.range(-9) == ranges.range(-5)


@rules("4.1.3")
@both_books
def test_4_1_3_mixed_terrain_counts_as_the_best_for_the_target(edition: Edition) -> None:
    context = column("x", edition, legend={"x": ["rough", "scrub"]})
    assert context.ground.places[context.game_map.hex("A1")].cover_spotting is Cover.MEDIUM
    assert best_cover([Cover.HEAVY, Cover.LIGHT]) is Cover.HEAVY
    assert best_cover([Cover.OTHER]) is Cover.NONE


@rules("4.1.3")
@pytest.mark.parametrize(("edition", "code"), [(PANZER_NA, "h"), (MBT, "s")])
def test_4_1_3_on_a_path_the_terrain_beside_it_decides(edition: Edition, code: str) -> None:
    context = column(f". {code} .", edition, features=[{"kind": "path", "line": ["A1", "A3"]}])
    place = context.ground.places[context.game_map.hex("A2")]
    assert place.cover_spotting is Cover.LIGHT
    assert place.cover_fire is (Cover.NONE if edition is PANZER_NA else Cover.LIGHT)
    assert context.ground.places[context.game_map.hex("A1")].cover_spotting is Cover.NONE


@rules("4.1.3")
@both_books
def test_4_1_3_the_spotters_own_cover_does_not_matter(edition: Edition) -> None:
    context = column("T . . . . . . . . .", edition)
    hidden, open_ = unit(context, "b1", "A1"), unit(context, "r1", "A10")
    assert determine_spotting(context, state(hidden, open_)) == {"b1": ("r1",)}


@rules("4.1.3", "3.5.1")
@both_books
def test_4_1_3_spotted_at_the_limit_and_not_beyond(edition: Edition) -> None:
    context = column(" ".join(["."] * 22), edition)
    target = unit(context, "r1", "A1")
    near, far = unit(context, "b1", "A21"), unit(context, "b2", "A22")
    now = state(near, far, target)
    assert can_spot(context, now, near, target).spots
    refusal = can_spot(context, now, far, target).refusal
    assert refusal is not None
    assert refusal.rule == "4.1.3"


@rules("4.1.3")
def test_4_1_3_a_vehicle_off_the_map_has_no_spotting_range() -> None:
    context = column(".")
    gone = replace(unit(context, "r1", "A1"), hex=None, status=Status.EXITED)
    with pytest.raises(Refused):
        spotting_range(context, state(gone), gone)


@rules("4.1.3.1")
@both_books
def test_4_1_3_1_size_does_not_matter(edition: Edition) -> None:
    context = column("T", edition)
    found = {
        spotting_range(context, state(target), target).total
        for card in context.cards.values()
        if card.unit_class is UnitClass.VEHICLE
        for target in (unit(context, "r1", "A1", card=card.id),)
    }
    assert len({card.size for card in context.cards.values()}) > 1
    assert found == {7}


@rules("3.8", "4.1.3.2")
@both_books
def test_4_1_3_2_an_over_stacked_hex_gives_no_cover(edition: Edition) -> None:
    context = column("T .", edition)
    stack = [unit(context, f"r{index}", "A1") for index in range(5)]
    five = state(*stack, wrecks=(Wreck(context.game_map.hex("A1"), WreckKind.KO),))
    assert not is_over_stacked(context, five, context.game_map.hex("A1"))
    assert spotting_range(context, five, stack[0]).total == 7
    enemy = unit(context, "b1", "A1")
    six = state(*stack, enemy)
    assert len(stacked_in(context, six, context.game_map.hex("A1"))) == 6
    assert is_over_stacked(context, six, context.game_map.hex("A1"))
    told = spotting_range(context, six, stack[0])
    assert told.total == 20
    assert "4.1.3.2" in {term.rule for term in told.terms}
    wrecked = replace(enemy, status=Status.KNOCKED_OUT, hex=None)
    assert spotting_range(context, state(*stack, wrecked), stack[0]).total == 7


@rules("4.1.4.1", "4.1.4.1.8", "4.1.4.1.9")
@both_books
def test_4_1_4_1_vehicles_wrecks_and_smoke_between_do_not_block(edition: Edition) -> None:
    context = column(". . . . .", edition)
    a, b = unit(context, "b1", "A1"), unit(context, "r1", "A5")
    between = [unit(context, "b2", "A2"), unit(context, "r2", "A3")]
    wrecks = (Wreck(context.game_map.hex("A3"), WreckKind.KO), Wreck(context.game_map.hex("A4"), WreckKind.BU))
    assert can_spot(context, state(a, *between, b, wrecks=wrecks), a, b).spots


# --- 4.1.5 and the whole ----------------------------------------------------------------------------


@rules("4.1.5")
@both_books
def test_4_1_5_counters_of_vehicles_that_nobody_spots_go(edition: Edition) -> None:
    context = at_table(". . .\nT T T\nT T T\nT T T\n. . .", edition)
    spotter = unit(context, "b1", "A1", spot=Spot.MOVE)
    seen, hidden, plain = (
        unit(context, "r1", "B1", spot=Spot.MOVE),
        unit(context, "r2", "A5", spot=Spot.FIRE),
        unit(context, "r3", "C5"),
    )
    now = state(spotter, seen, hidden, plain)
    spotted = determine_spotting(context, now)
    assert spotted == {"b1": ("r1",), "r1": ("b1",)}
    assert extraneous(now, spotted) == ("r2",)


SPOTS = [Spot.NONE, Spot.MOVE, Spot.FIRE]
"""The counters of the Basic Game."""
HEXES = [f"{column}{row}" for row in range(1, 6) for column in "ABCDEF"]
UNITS = st.lists(
    st.tuples(
        st.sampled_from(HEXES),
        st.sampled_from([RED, BLUE]),
        st.sampled_from(SPOTS),
        st.sampled_from(SPOTS),
        st.sampled_from(["bmp-2", "m981", "m35-truck"]),
    ),
    max_size=14,
)
CELLS = ". s w . . .\n. b w2 1 . .\nt t t . h .\n. . . w . .\n. 3 . w . v"


@rules("4.1", "4.1.1")
@settings(max_examples=60)
@given(drafts=UNITS)
def test_4_1_the_quick_answers_are_those_that_are_explained(
    drafts: list[tuple[str, Seat, Spot, Spot, str]],
) -> None:
    context = at_table(CELLS, MBT)
    units = [
        Unit(UnitId(str(n)), side, CardId(card), context.game_map.hex(at), 0, spot=spot, new_spot=new)
        for n, (at, side, spot, new, card) in enumerate(drafts)
    ]
    now = state(*units)
    spotted = determine_spotting(context, now)
    for a in units:
        for b in units:
            assert (b.id in spotted.get(a.id, ())) is can_spot(context, now, a, b).spots
            assert spots_live(context, now, a, b) is can_spot(context, now, a, b, live=True).spots
