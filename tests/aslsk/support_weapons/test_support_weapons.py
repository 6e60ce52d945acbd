"""4.1 to 4.5, 5.5: machine guns, flamethrowers, demolition charges, LATW and light mortars against Infantry."""

from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.errors import Refused
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Done, Fire, FireOrdnance, Move
from sandtable.systems.aslsk.pieces.card_files import Cards, parse_cards
from sandtable.systems.aslsk.pieces.cards import UnitKind, WeaponKind
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    MoveStep,
    Phase,
    StepKind,
    UnitId,
    WeaponId,
    WeaponState,
    Whereabouts,
)
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L, K, R = UnitId("a"), UnitId("b"), UnitId("l"), UnitId("k"), UnitId("r")
W = WeaponId("w")
ROW = "." + " ." * 11
MISS = (6, 5)


def arm(card: str, owner: str = "a", name: str = "w", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "owner": owner, **flags}


def shoot(
    *units: dict[str, Any], weapons: Any = (), at: str = "C1", cells: str = ROW, phase: str = "PFPh", **fields: Any
) -> Clash:
    russian = fields.pop("russian", side(squad("r", "russian/4-4-7", at=at)))
    return Clash(phase, cells, german=side(*units, weapons=weapons), russian=russian, **fields)


def fired(clash: Clash) -> ev.FireResolved:
    return next(event for event in clash.events if isinstance(event, ev.FireResolved))


def aimed(clash: Clash) -> ev.OrdnanceResolved:
    return next(event for event in clash.events if isinstance(event, ev.OrdnanceResolved))


# --- counters ---------------------------------------------------------------------------------------------------


def _cards() -> Cards:
    return parse_cards({place: data for _, data, place in catalog.library("aslsk3").section("cards")})


@rules("1.2.1", "1.2.2", "1.2.3", "5.1", "5.2", system="aslsk3")
def test_1_2_every_counter_hangs_together() -> None:
    cards = _cards()
    for card in cards.units.values():
        if card.kind is UnitKind.SQUAD:
            assert cards.units[card.half_squad].kind is UnitKind.HALF_SQUAD
        if card.replacement:
            lower = cards.units[card.replacement]
            assert (lower.kind, lower.nationality) == (card.kind, card.nationality)
            assert lower.morale <= card.morale
        assert card.boxed == (card.kind in (UnitKind.CREW, UnitKind.LEADER))


@rules("1.2.4", system="aslsk3")
def test_1_2_4_every_weapon_either_breaks_down_or_is_removed() -> None:
    for card in _cards().weapons.values():
        assert (card.breakdown < 13) != (card.removal < 13)
        assert bool(card.repair) == (card.breakdown < 13)
        assert bool(card.to_hit) == (card.kind in (WeaponKind.BAZ, WeaponKind.PSK, WeaponKind.PIAT))


# --- machine guns -----------------------------------------------------------------------------------------------


@rules("1.2.4.1", "4.1", system="aslsk3")
@pytest.mark.parametrize(("coloured", "kept"), [(1, True), (2, True), (3, False)])
def test_1_2_4_1_a_mg_fires_again_while_the_coloured_die_is_within_its_rof(coloured: int, kept: bool) -> None:
    clash = shoot(squad("a", at="A1"), squad("b", at="B1"), weapons=[arm("german/MMG")], at="D1")
    clash.play(Fire((), (W,), clash.hex("D1")), (coloured, 6), *([(1, 2)] if coloured == 1 else []))
    assert (clash.state.weapons[W].mark is Mark.NONE) == kept


@rules("4.1", system="aslsk3")
@pytest.mark.parametrize(("card", "roll", "breaks"), [("german/LMG", (5, 6), False), ("russian/LMG", (5, 6), True)])
def test_4_1_a_mg_malfunctions_at_its_breakdown_number(card: str, roll: tuple[int, int], breaks: bool) -> None:
    unit = squad("a", f"{card.partition('/')[0]}/4-4-7", at="A1")
    clash = shoot(unit, weapons=[arm(card)])
    clash.play(Fire((), (W,), clash.hex("C1")), roll)
    assert (clash.state.weapons[W].state is WeaponState.MALFUNCTIONED) == breaks


@rules("4.1", system="aslsk3")
def test_4_1_one_of_several_mg_breaks_down_at_random() -> None:
    guns = [arm("german/LMG", name="w"), arm("german/LMG", "b", "x")]
    clash = shoot(squad("a", at="A1"), squad("b", at="A1"), weapons=guns)
    clash.play(Fire((), (W, WeaponId("x")), clash.hex("C1")), (6, 6), 2)
    assert [weapon.state for weapon in clash.state.weapons.values()] == [WeaponState.WORKING, WeaponState.MALFUNCTIONED]


@rules("4.0", "5.4", "5.5", system="aslsk3")
@pytest.mark.parametrize(
    ("unit", "gun", "broken_from"),
    [
        ("german/4-6-7", "german/LMG", 12),
        ("german/4-3-6", "german/LMG", 11),
        ("german/4-6-7", "russian/LMG", 9),
        ("german/4-3-6", "russian/LMG", 8),
    ],
)
def test_5_5_captured_weapons_and_inexperienced_hands_break_down_sooner(unit: str, gun: str, broken_from: int) -> None:
    for total in (broken_from - 1, broken_from):
        clash = shoot(squad("a", unit, at="A1"), squad("l", "german/8-0", at="A1"), weapons=[arm(gun)], at="G1")
        roll = (6, total - 6)
        clash.play(Fire((), (W,), clash.hex("G1"), (L,)), roll)
        assert (clash.state.weapons[W].state is WeaponState.MALFUNCTIONED) == (total == broken_from)


@rules("5.5", system="aslsk3")
def test_5_5_a_captured_weapon_loses_one_of_its_rof() -> None:
    clash = shoot(squad("a", at="A1"), squad("b", at="B1"), weapons=[arm("russian/MMG")], at="F1")
    clash.play(Fire((), (W,), clash.hex("F1")), (2, 6))
    assert clash.state.weapons[W].mark is Mark.PREP_FIRE


@rules("4.0", "4.1", system="aslsk3")
def test_4_1_one_smc_fires_a_mg_at_half_two_at_full() -> None:
    leaders = [squad("l", "german/8-1", at="A1"), squad("k", "german/8-0", at="A1")]
    one = shoot(*leaders, weapons=[arm("german/LMG", "l")])
    one.play(Fire((), (W,), one.hex("C1")), MISS)
    assert fired(one).firepower.net == 1
    assert fired(one).drm.total == 0
    russian = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="B1"))
    two = shoot(*leaders, squad("a", at="A1"), weapons=[arm("german/LMG", "l")], russian=russian)
    two.play(Fire((K,), (W,), two.hex("C1")), MISS)
    assert fired(two).firepower.net == 3
    assert [two.unit(name).mark for name in ("l", "k")] == [Mark.PREP_FIRE, Mark.PREP_FIRE]
    assert two.unit("l").busy
    assert two.why(Fire((A,), (), two.hex("B1"), (L,))) == "3.2.2"
    assert two.why(Fire((A,), (), two.hex("B1"))) == ""


@rules("4.1", system="aslsk3")
def test_4_1_beyond_16_hexes_a_mg_must_be_directed_and_is_halved_once_more() -> None:
    row = "." + " ." * 18
    units = [squad("a", at="A1"), squad("l", "german/8-0", at="A1")]
    clash = shoot(*units, weapons=[arm("german/HMG")], at="R1", cells=row)
    assert clash.why(Fire((), (W,), clash.hex("R1"))) == "4.1"
    assert Fire((), (W,), clash.hex("R1"), (L,)) in clash.options()
    clash.play(Fire((), (W,), clash.hex("R1"), (L,)), MISS)
    assert fired(clash).firepower.terms[0].label.endswith("= 1 3/4")


@rules("4.4.4", system="aslsk3")
def test_4_4_4_an_atr_is_one_fp_with_no_long_range() -> None:
    unit = squad("a", "russian/4-4-7", at="A1")
    other = squad("b", "russian/4-5-8", at="E1")
    far = shoot(unit, other, weapons=[arm("russian/ATR")], at="N1", cells="." + " ." * 14)
    assert far.why(Fire((), (W,), far.hex("N1"))) == "4.4.4"
    clash = shoot(unit, weapons=[arm("russian/ATR")])
    clash.play(Fire((A,), (W,), clash.hex("C1")), MISS)
    assert fired(clash).firepower.net == 5


@rules("3.3.5", "4.4.4", system="aslsk3")
def test_4_4_4_an_atr_leaves_no_residual_fp() -> None:
    clash = Clash(
        "MPh",
        ROW,
        german=side(squad("a", "german/4-6-7", at="A1"), weapons=[arm("german/ATR")]),
        russian=side(squad("r", "russian/4-4-7", at="D1")),
        attacker="russian",
    )
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("C1")),)))
    clash.play(Fire((), (W,), clash.hex("C1")), MISS)
    assert clash.state.residual == ()


# --- flamethrowers ----------------------------------------------------------------------------------------------


@rules("4.2", system="aslsk3")
@pytest.mark.parametrize(("cells", "at", "column"), [(".\nb\n.", "A2", 24), (".\n.\nb", "A3", 12)])
def test_4_2_a_flamethrower_has_24_fp_or_half_at_two_hexes_and_knows_no_tem(cells: str, at: str, column: int) -> None:
    clash = shoot(squad("a", "german/8-3-8", at="A1"), weapons=[arm("german/FT")], at=at, cells=cells)
    clash.play(Fire((), (W,), clash.hex(at)), (2, 4), (1, 2))
    assert (fired(clash).column, fired(clash).drm.total) == (column, 0)


@rules("4.2", system="aslsk3")
def test_4_2_it_fires_alone_undirected_and_never_pinned() -> None:
    units = [squad("a", "german/8-3-8", at="A1"), squad("l", "german/8-1", at="A1"), squad("b", at="A1", pinned=True)]
    guns = [arm("german/FT"), arm("german/FT", "b", "x")]
    clash = shoot(*units, weapons=guns, at="B1")
    assert clash.why(Fire((A,), (W,), clash.hex("B1"))) == "4.2"
    assert clash.why(Fire((), (W,), clash.hex("B1"), (L,))) == "4.2"
    assert clash.why(Fire((), (WeaponId("x"),), clash.hex("B1"))) == "4.2"


@rules("4.2", system="aslsk3")
@pytest.mark.parametrize(("card", "gone_from"), [("german/8-3-8", 10), ("german/4-6-7", 8)])
def test_4_2_it_is_gone_at_its_x_number_sooner_in_other_than_elite_hands(card: str, gone_from: int) -> None:
    clash = shoot(squad("a", card, at="A1"), weapons=[arm("german/FT")], at="C1", cells=". . . .")
    clash.play(Fire((), (W,), clash.hex("C1")), (6, gone_from - 6), *([(1, 2)] if gone_from < 11 else []))
    assert clash.saw(ev.WeaponRemoved, weapon=W)


@rules("4.2", "3.5", system="aslsk3")
def test_4_2_it_is_not_halved_in_the_afph() -> None:
    clash = shoot(squad("a", "german/8-3-8", at="A1"), weapons=[arm("german/FT")], at="B1", phase="AFPh")
    clash.play(Fire((), (W,), clash.hex("B1")), (3, 6), (1, 2))
    assert fired(clash).column == 24


@rules("4.2", system="aslsk3")
def test_4_2_its_bearer_is_easier_to_hurt_than_those_beside_him() -> None:
    russian = side(
        squad("r", "russian/4-4-7", at="C1"),
        squad("s", "russian/4-4-7", at="C1"),
        weapons=[{"id": "ft", "card": "german/FT", "owner": "r"}],
    )
    clash = shoot(squad("a", at="A1"), russian=russian)
    clash.play(Fire((A,), (), clash.hex("C1")), (2, 5), (1, 2), (1, 2))
    found = {event.targets: event.result for event in clash.events if isinstance(event, ev.FireResolved)}
    assert found == {("r",): "NMC", ("s",): "PTC"}


# --- demolition charges -----------------------------------------------------------------------------------------


def charge(*, german: Any = (), card: str = "german/8-3-8", **flags: Any) -> Clash:
    return Clash(
        "MPh",
        ". b .",
        german=side(squad("a", card, at="A1", **flags), *german, weapons=[arm("german/DC")]),
        russian=side(squad("r", "russian/4-4-7", at="B1")),
    )


@rules("4.3", system="aslsk3")
def test_4_3_a_dc_is_placed_for_the_mf_of_entering_and_goes_off_in_the_afph() -> None:
    clash = charge()
    place = MoveStep(StepKind.PLACE_DC, clash.hex("B1"), weapon=W)
    clash.play(Move((A,), (place,)))
    assert next(event.cost.total for event in clash.events if isinstance(event, ev.UnitsSpent)) == 4
    clash.play(Fire((R,), (), clash.hex("A1")), (6, 6))
    while clash.state.phase is not Phase.ADVANCING_FIRE:
        clash.play(clash.options()[0])
    clash.play(Fire((), (W,), clash.hex("B1")), (3, 2), (1, 2))
    assert (fired(clash).column, fired(clash).drm.total, fired(clash).result) == (30, 3, "3MC")
    assert clash.state.weapons[W].state is WeaponState.REMOVED


@rules("4.3", system="aslsk3")
@pytest.mark.parametrize("roll", [(2, 4), (3, 3)])
def test_4_3_the_bearer_must_come_through_the_fire_unharmed(roll: tuple[int, int]) -> None:
    clash = charge()
    clash.play(Move((A,), (MoveStep(StepKind.PLACE_DC, clash.hex("B1"), weapon=W),)))
    clash.play(Fire((R,), (), clash.hex("A1")), (1, 5), roll if roll == (2, 4) else (4, 4))
    held = clash.unit("a").pinned or clash.unit("a").broken
    while clash.asked == "russian" and clash.state.phase is Phase.MOVEMENT:
        clash.play(clash.options()[0])
    assert clash.saw(ev.DemolitionPlaced) != held


@rules("4.3", system="aslsk3")
@pytest.mark.parametrize(("card", "fails_at"), [("german/8-3-8", 12), ("german/4-6-7", 10), ("german/4-3-6", 9)])
def test_4_3_it_fails_at_its_x_number(card: str, fails_at: int) -> None:
    clash = charge(card=card)
    clash.play(Move((A,), (MoveStep(StepKind.PLACE_DC, clash.hex("B1"), weapon=W),)))
    clash.play(Fire((R,), (), clash.hex("A1")), (6, 6))
    while clash.state.phase is not Phase.ADVANCING_FIRE:
        clash.play(clash.options()[0])
    assert clash.state.weapons[W].fails_at == fails_at
    clash.play(Fire((), (W,), clash.hex("B1")), (6, fails_at - 6))
    assert not clash.saw(ev.FireResolved)
    assert clash.state.weapons[W].state is WeaponState.REMOVED


@rules("4.3", system="aslsk3")
def test_4_3_a_charge_forgotten_goes_off_all_the_same() -> None:
    clash = charge()
    clash.play(Move((A,), (MoveStep(StepKind.PLACE_DC, clash.hex("B1"), weapon=W),)))
    clash.play(Fire((R,), (), clash.hex("A1")), (6, 6))
    while clash.state.phase is not Phase.ADVANCING_FIRE:
        clash.play(clash.options()[0])
    clash.play(Done(), (6, 5), (1, 2))
    assert fired(clash).kind == "demolition charge"


@rules("4.3", system="aslsk3")
def test_4_3_only_on_an_adjacent_enemy_and_only_a_dc() -> None:
    clash = charge(german=[squad("b", at="A1")])
    assert clash.why(Move((A,), (MoveStep(StepKind.PLACE_DC, clash.hex("C1"), weapon=W),))) == "4.3"
    assert clash.why(Move((B,), (MoveStep(StepKind.PLACE_DC, clash.hex("B1"), weapon=W),))) == "4.3"
    assert Move((A,), (MoveStep(StepKind.PLACE_DC, clash.hex("B1"), weapon=W),)) in clash.options()


# --- light anti-tank weapons ------------------------------------------------------------------------------------


HOUSE = """
. . b . .
. . . . .
"""


@rules("4.4", "4.4.1", system="aslsk3")
def test_4_4_1_a_psk_strikes_infantry_in_a_building_on_the_12_column() -> None:
    clash = shoot(squad("a", at="A1"), weapons=[arm("german/PSK")], cells=HOUSE)
    clash.play(FireOrdnance(clash.hex("C1"), weapon=W), (2, 3), (6, 5))
    assert (aimed(clash).number.total, aimed(clash).hit, fired(clash).column, fired(clash).drm.total) == (
        5,
        True,
        12,
        0,
    )


@rules("4.4.1", system="aslsk3")
def test_4_4_1_an_original_dr_at_its_x_number_removes_it() -> None:
    clash = shoot(squad("a", at="A1"), weapons=[arm("german/PSK")], cells=HOUSE)
    clash.play(FireOrdnance(clash.hex("C1"), weapon=W), (4, 6))
    assert clash.saw(ev.WeaponRemoved, weapon=W)


@rules("4.4.1", system="aslsk3")
def test_4_4_1_a_leader_directs_but_two_smc_are_needed_to_fire() -> None:
    leaders = [squad("l", "german/9-1", at="A1"), squad("k", "german/8-0", at="A1")]
    tubes = [arm("german/PSK", "l"), arm("german/PSK", "a", "x")]
    clash = shoot(*leaders, squad("a", at="A1"), weapons=tubes, cells=HOUSE)
    target = clash.hex("C1")
    assert clash.why(FireOrdnance(target, weapon=W)) == "4.4.1"
    assert clash.why(FireOrdnance(target, weapon=W, unit=K)) == ""
    assert clash.why(FireOrdnance(target, weapon=WeaponId("x"), unit=K)) == "4.4.1"
    clash.play(FireOrdnance(target, weapon=WeaponId("x"), leader=L), (6, 5))
    assert aimed(clash).number.total == 6
    assert clash.unit("l").mark is Mark.PREP_FIRE


@rules("3.2.4", "3.5", system="aslsk3")
def test_3_2_4_pinned_cx_and_advancing_firers_hit_less_often() -> None:
    clash = shoot(squad("a", at="A1", pinned=True, cx=True), weapons=[arm("german/PSK")], cells=HOUSE, phase="AFPh")
    clash.play(FireOrdnance(clash.hex("C1"), weapon=W), (1, 2))
    assert aimed(clash).number.total == 8 - 3 - 2 - 1 - 2


@rules("4.4.5", system="aslsk3")
def test_4_4_5_a_piat_not_down_the_hill_at_a_neighbour_and_breaks_down_at_10() -> None:
    british = squad("a", "british/4-5-7", at="A1")
    up = shoot(british, squad("b", at="A1"), weapons=[arm("british/PIAT")], at="B1", cells=".1 b . .")
    assert up.why(FireOrdnance(up.hex("B1"), weapon=W)) == "4.4.5"
    clash = shoot(british, weapons=[arm("british/PIAT")], cells=HOUSE)
    clash.play(FireOrdnance(clash.hex("C1"), weapon=W), (4, 6))
    assert clash.saw(ev.WeaponMalfunctioned, weapon=W)
    lone = shoot(squad("l", "british/8-0", at="A1"), weapons=[arm("british/PIAT", "l")], cells=HOUSE)
    assert lone.why(FireOrdnance(lone.hex("C1"), weapon=W)) == ""


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("year", "month", "reach"), [(1943, 9, 0), (1943, 10, 1), (1944, 5, 1), (1944, 6, 2), (1944, 12, 2), (1945, 1, 3)]
)
def test_4_4_2_the_range_of_a_panzerfaust_grows_with_the_war(year: int, month: int, reach: int) -> None:
    for at, place in enumerate(("B1", "C1", "D1"), start=1):
        conditions = {"year": year, "month": month, "panzerfausts": ["german"]}
        clash = shoot(squad("a", at="A1"), at=place, cells=". b b b .", conditions=conditions)
        assert (clash.why(FireOrdnance(clash.hex(place), unit=A)) == "") == (at <= reach)


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(("at", "number"), [("B1", 8), ("C1", 6), ("D1", 4)])
def test_4_4_2_to_hit_numbers(at: str, number: int) -> None:
    conditions = {"year": 1945, "month": 3, "panzerfausts": ["german"]}
    house = [". . . .", ". . . ."]
    row = [word if label != at[0] else "b" for word, label in zip(house[0].split(), "ABCD", strict=True)]
    cells = f"{' '.join(row)}\n{house[1]}"
    clash = shoot(squad("a", at="A1"), at=at, cells=cells, conditions=conditions)
    clash.play(FireOrdnance(clash.hex(at), unit=A), 1, (5, 6))
    assert aimed(clash).number.base == number


PF = {"year": 1944, "month": 8, "panzerfausts": ["german"]}


@rules("4.4.2", system="aslsk3")
def test_4_4_2_a_panzerfaust_is_found_with_a_check_and_strikes_one_unit_on_the_16_column() -> None:
    russian = side(squad("r", "russian/4-4-7", at="B1"), squad("s", "russian/4-4-7", at="B1"))
    clash = shoot(squad("a", at="A1"), squad("b", at="A1"), russian=russian, cells=". b .", conditions=PF)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 2, (2, 3), 1, (6, 5), (1, 2))
    assert aimed(clash).number.total == 5
    assert (fired(clash).column, fired(clash).targets) == (16, ("r",))
    assert clash.unit("a").used == ("PF 1",)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 3)
    assert not clash.saw(ev.OrdnanceResolved)
    assert clash.unit("a").forfeited
    assert clash.why(FireOrdnance(clash.hex("B1"), unit=A)) == "4.0"


@rules("4.4.2", system="aslsk3")
def test_4_4_2_a_six_pins_the_firer_and_breaks_a_pinned_one() -> None:
    clash = shoot(squad("a", at="A1"), squad("b", at="A2", pinned=True), at="B1", cells=". b .\n. . .", conditions=PF)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 6)
    assert clash.unit("a").pinned
    clash.play(FireOrdnance(clash.hex("B1"), unit=B), 6)
    assert clash.unit("b").broken


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "found"), [("german/4-6-7", 2), ("german/2-4-7", 1), ("german/2-2-8 crew", 1), ("german/8-0", 0)]
)
def test_4_4_2_smaller_units_find_one_less_often(card: str, found: int) -> None:
    others = [squad("b", at="A1"), squad("c", at="A1")]
    clash = shoot(squad("a", card, at="A1"), *others, at="B1", cells=". b .", conditions=PF)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 5)
    check = next(event for event in clash.events if isinstance(event, ev.PanzerfaustChecked))
    assert check.number.total == found


@rules("4.4.2", system="aslsk3")
def test_4_4_2_an_original_12_to_hit_reduces_the_firer() -> None:
    clash = shoot(squad("a", at="A1"), squad("b", at="A1"), at="B1", cells=". b .", conditions=PF)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 1, (6, 6))
    assert clash.unit("a").card == "german/2-4-7"


@rules("4.4.2", system="aslsk3")
def test_4_4_2_there_are_no_more_than_the_order_of_battle_provides() -> None:
    clash = shoot(squad("a", at="A1"), squad("k", "german/8-0", at="A1"), at="B1", cells=". b .", conditions=PF)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 1, (6, 5))
    assert clash.state.panzerfausts == {"german": 1}
    assert clash.why(FireOrdnance(clash.hex("B1"), unit=A)) != ""


@rules("4.4.3", system="aslsk3")
def test_4_4_3_backblast_is_for_baz_psk_and_pf_in_a_building() -> None:
    open_air = shoot(squad("a", at="A1"), weapons=[arm("german/PSK")], cells=HOUSE)
    assert open_air.why(FireOrdnance(open_air.hex("C1"), weapon=W, backblast=True)) == "4.4.3"
    inside = shoot(squad("a", at="A1"), weapons=[arm("german/PSK")], at="B1", cells="b b .")
    inside.play(FireOrdnance(inside.hex("B1"), weapon=W, backblast=True), (4, 5), (6, 6))
    assert inside.saw(ev.BackblastStruck, roll=4, result="NMC")
    assert inside.unit("a").card == "german/2-4-7"


# --- light mortars ----------------------------------------------------------------------------------------------


def mortar(*units: dict[str, Any], card: str = "german/50mm MTR", at: str = "D1", **fields: Any) -> Clash:
    return shoot(*(units or (squad("a", at="A1"),)), weapons=[arm(card)], at=at, **fields)


@rules("4.5", "1.2.4.1", system="aslsk3")
def test_4_5_a_mortar_acquires_its_target_and_keeps_firing_with_its_rof() -> None:
    clash = mortar()
    target = clash.hex("D1")
    numbers = []
    for effect in ((), (), ((6, 6),)):
        clash.play(FireOrdnance(target, weapon=W), (3, 6), *effect)
        numbers.append(aimed(clash).number.total)
    assert numbers == [7, 8, 9]
    weapon = clash.state.weapons[W]
    assert (weapon.acquired, weapon.acquisition, weapon.mark) == (target, -2, Mark.NONE)


@rules("4.5", system="aslsk3")
def test_4_5_not_from_a_building_nor_too_near_or_far() -> None:
    house = mortar(squad("a", at="A1"), squad("b", at="B1"), cells="b" + " ." * 11)
    assert house.why(FireOrdnance(house.hex("D1"), weapon=W)) == "6.9"
    near = mortar(squad("a", at="A1"), squad("b", at="A1"), at="B1")
    assert near.why(FireOrdnance(near.hex("B1"), weapon=W)) == "6.9"
    far = mortar(squad("a", at="A1"), squad("b", at="K1"), at="O1", cells="." + " ." * 15)
    assert far.why(FireOrdnance(far.hex("O1"), weapon=W)) == "3.2.2"
    long = mortar(at="N1", cells="." + " ." * 15)
    long.play(FireOrdnance(long.hex("N1"), weapon=W), (4, 4))
    assert aimed(long).number.total == 6


@rules("1.1.1", "4.5", system="aslsk3")
@pytest.mark.parametrize(("code", "drm"), [(".", 0), ("w", -1), ("h", 2), ("b", 3)])
def test_4_5_tem_counts_on_the_ift_and_woods_burst(code: str, drm: int) -> None:
    clash = mortar(cells=f". . . {code} .")
    clash.play(FireOrdnance(clash.hex("D1"), weapon=W), (4, 3), (6, 6))
    assert (fired(clash).column, fired(clash).drm.total) == (2, drm)


@rules("4.5", system="aslsk3")
def test_4_5_an_original_2_is_a_critical_hit_on_one_unit() -> None:
    russian = side(squad("r", "russian/4-4-7", at="D1"), squad("s", "russian/4-4-7", at="D1"))
    clash = mortar(russian=russian, cells=". . . h .")
    clash.play(FireOrdnance(clash.hex("D1"), weapon=W), (1, 1), 2, (6, 6), (1, 2))
    struck = [event for event in clash.events if isinstance(event, ev.FireResolved)]
    assert [(event.targets, event.column, event.drm.total) for event in struck] == [(("s",), 12, -2), (("r",), 2, 2)]


@rules("4.5", system="aslsk3")
def test_4_5_a_lone_smc_has_no_rof_with_it() -> None:
    clash = shoot(
        squad("l", "german/8-0", at="A1"), squad("b", at="A1"), weapons=[arm("german/50mm MTR", "l")], at="D1"
    )
    clash.play(FireOrdnance(clash.hex("D1"), weapon=W), (1, 6), (6, 5))
    assert clash.state.weapons[W].mark is Mark.PREP_FIRE


@rules("4.5", system="aslsk3")
def test_4_5_own_fire_of_its_crew_loses_the_acquisition() -> None:
    clash = mortar()
    clash.play(FireOrdnance(clash.hex("D1"), weapon=W), (3, 6))
    clash.play(Fire((A,), (), clash.hex("D1")), MISS)
    assert clash.state.weapons[W].acquired is None


@rules("3.5", "4.5", system="aslsk3")
def test_3_5_a_mortar_that_moved_stays_silent_in_the_afph() -> None:
    clash = shoot(squad("a", at="A1"), weapons=[arm("german/50mm MTR", moved=True)], at="D1", phase="AFPh")
    assert clash.why(FireOrdnance(clash.hex("D1"), weapon=W)) == "3.5"


@rules("3.3.5", "4.5", system="aslsk3")
def test_3_3_5_a_mortar_leaves_residual_fp_where_it_hits_movers() -> None:
    clash = Clash(
        "MPh",
        ". . . w . .",
        german=side(squad("a", at="A1"), weapons=[arm("german/50mm MTR")]),
        russian=side(squad("r", "russian/4-4-7", at="E1")),
        attacker="russian",
    )
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex("D1")),)))
    clash.play(FireOrdnance(clash.hex("D1"), weapon=W), (5, 2), (6, 6))
    assert aimed(clash).number.total == 8
    assert [counter.fp for counter in clash.state.residual] == [2]


@rules("4.5", system="aslsk3")
def test_exact_odds_of_ordnance() -> None:
    clash = mortar(cells=". . . b .")
    chances = clash.rules.unit_odds(clash.state, FireOrdnance(clash.hex("D1"), weapon=W))[R]
    assert sum(chance.probability for chance in chances) == pytest.approx(1)
    assert chances[0].what == "no effect"
    with pytest.raises(Refused):
        clash.rules.unit_odds(clash.state, FireOrdnance(clash.hex("A1"), weapon=W))
    assert clash.unit("r").place is Whereabouts.MAP


@rules("3.2.3", "4.4.3", system="aslsk3")
def test_4_4_3_backblast_puts_broken_occupants_under_dm() -> None:
    men = (squad("a", at="A1"), squad("b", at="A1", broken=True))
    clash = shoot(*men, weapons=[arm("german/PSK")], at="C1", cells="b . b .")
    clash.play(FireOrdnance(clash.hex("C1"), weapon=W, backblast=True), (6, 5))
    assert clash.saw(ev.BackblastStruck, roll=6, result="")
    assert clash.unit("b").dm
