"""3.7 Advance Phase: one hex, even in among the enemy; exhaustion; who enters late."""

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Advance, Done, DropWeapon, Exit, TransferWeapon
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId, Whereabouts
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, L = UnitId("a"), UnitId("b"), UnitId("l")
HOUSES = """
. b .
. b .
"""


@rules("3.7", system="aslsk3")
def test_3_7_unpinned_good_order_units_advance_one_hex_even_among_the_enemy() -> None:
    units = [squad("a", at="A1"), squad("p", at="A1", pinned=True), squad("b", at="A2", broken=True)]
    clash = Clash("APh", german=side(*units), russian=side(squad("r", "russian/4-4-7", at="B1")))
    assert clash.why(Advance((UnitId("p"),), clash.hex("B1"))) == "3.7"
    assert clash.why(Advance((B,), clash.hex("B1"))) == "3.7"
    assert clash.why(Advance((A,), clash.hex("C1"))) == "3.7"
    clash.play(Advance((A,), clash.hex("B1")))
    assert clash.unit("a").hex == clash.hex("B1")


@rules("3.3.1", "3.7", system="aslsk3")
def test_3_3_1_stacking_limits_hold_at_every_moment() -> None:
    stack = [squad(f"s{i}", at="B1") for i in range(3)] + [squad(f"l{i}", "german/8-0", at="B1") for i in range(4)]
    clash = Clash("APh", german=side(squad("a", at="A1"), squad("l", "german/8-0", at="A1"), *stack), russian=side())
    assert clash.why(Advance((A,), clash.hex("B1"))) == "3.3.1"
    assert clash.why(Advance((L,), clash.hex("B1"))) == "3.3.1"


@rules("3.7", system="aslsk3")
def test_3_7_a_conscript_with_a_gun_tires_in_a_building() -> None:
    gun = {"id": "mg", "card": "russian/MMG", "owner": "r"}
    clash = Clash(
        "APh",
        HOUSES,
        german=side(),
        russian=side(squad("r", "russian/4-4-7", at="A1"), weapons=[gun]),
        attacker="russian",
    )
    clash.play(Advance((UnitId("r"),), clash.hex("B1")))
    assert clash.unit("r").cx


@rules("3.7", "4.0", system="aslsk3")
def test_3_7_weapons_are_transferred_and_dropped() -> None:
    gun = {"id": "mg", "card": "german/LMG", "owner": "a"}
    clash = Clash("APh", german=side(squad("a", at="A1"), squad("b", at="A1"), weapons=[gun]), russian=side())
    clash.play(TransferWeapon(WeaponId("mg"), B))
    assert clash.state.weapons[WeaponId("mg")].owner == B
    clash.play(DropWeapon(WeaponId("mg")))
    assert clash.state.weapons[WeaponId("mg")].hex == clash.hex("A1")


@rules("3.3", "3.7", system="aslsk3")
def test_3_3_who_does_not_enter_by_the_end_of_the_advance_phase_is_eliminated() -> None:
    units = [squad("a"), squad("b")]
    clash = Clash("APh", german=side(*units, enters=["A1", "A2"]), russian=side())
    assert clash.why(Advance((A,), clash.hex("B1"))) == "3.3"
    clash.play(Advance((A,), clash.hex("A2")))
    clash.play(Done())
    assert clash.unit("a").place is Whereabouts.MAP
    assert clash.saw(ev.UnitEliminated, unit=B, rule="3.3")


@rules("3.7", system="aslsk3")
def test_3_7_a_leader_and_a_squad_may_advance_together() -> None:
    clash = Clash("APh", german=side(squad("a", at="A1"), squad("l", "german/8-0", at="A1")), russian=side())
    clash.play(Advance((L, A), clash.hex("B1")))
    assert clash.unit("a").hex == clash.unit("l").hex == clash.hex("B1")


@rules("3.3", "3.7", system="aslsk3")
def test_3_7_a_leader_brings_a_laden_squad_in_from_off_board() -> None:
    gun = {"id": "mg", "card": "russian/MMG", "owner": "r"}
    units = [squad("r", "russian/4-4-7"), squad("l", "russian/8-0"), squad("m", "russian/4-4-7")]
    clash = Clash("APh", HOUSES, german=side(), russian=side(*units, weapons=[gun], enters=["B1"]), attacker="russian")
    squad_and_leader = Advance((UnitId("r"), L), clash.hex("B1"))
    assert squad_and_leader in list(clash.options())
    clash.play(squad_and_leader)
    assert clash.unit("r").hex == clash.unit("l").hex == clash.hex("B1")
    assert not clash.unit("r").cx


@rules("3.3.1", "3.7", system="aslsk3")
def test_3_7_of_a_large_force_off_board_those_who_advance_together_are_named_one_by_one() -> None:
    men = [squad(f"s{number}") for number in range(7)]
    clash = Clash("APh", german=side(*men, squad("l", "german/9-1"), enters=["A1", "A2"]), russian=side())
    options = clash.decision.options(clash.decision.asked[0])
    start = (f"{clash.unit('l').force}+", "company", "s1", "s3")
    three = tuple(UnitId(name) for name in ("s1", "s3", "l"))
    assert list(options.at(*start, "l", "A2")) == [Advance(three, clash.hex("A2"))]
    assert [branch.key for branch in options.at(*start, "s4").branches()] == ["A1", "A2", "l"], (
        "three squads fill a hex"
    )
    clash.play(Advance(three, clash.hex("A2")))
    assert clash.unit("s3").hex == clash.hex("A2")


@rules("3.3", "3.7", system="aslsk3")
def test_3_7_units_leave_the_map_by_an_advance_as_by_a_move() -> None:
    exits = [{"side": "german", "zone": [{"hexes": ["A1"]}]}]
    men = [squad("a", at="A1"), squad("b", at="A2"), squad("p", at="A1", pinned=True)]
    clash = Clash("APh", german=side(*men), russian=side(squad("r", "russian/4-4-7", at="G5")), exits=exits)
    assert clash.why(Exit((B,), 5)) == "3.3", "not where the victory conditions say"
    assert clash.why(Exit((A,), 2)) == "3.3", "that way lies the map"
    assert clash.why(Exit((UnitId("p"),), 5)) == "3.7"
    assert Exit((A,), 5) in clash.options()
    clash.play(Exit((A,), 5))
    assert (clash.unit("a").place, clash.unit("a").away) == (Whereabouts.EXITED, True)


@rules("3.7", system="aslsk3")
def test_3_7_an_exhausted_unit_does_not_leave_if_that_takes_all_its_mf() -> None:
    exits = [{"side": "german", "zone": [{"hexes": ["A1"]}]}]
    guns = [{"id": f"h{number}", "card": "german/MMG", "owner": "a"} for number in range(2)]
    for cx, why in ((True, "3.7"), (False, "")):
        men = side(squad("a", "german/4-3-6", at="A1", cx=cx), squad("b", at="A2"), weapons=guns)
        clash = Clash("APh", german=men, russian=side(squad("r", "russian/4-4-7", at="G5")), exits=exits)
        assert clash.why(Exit((A,), 5)) == why
