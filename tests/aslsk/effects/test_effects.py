"""3.2.3, 5.1: what the IFT does: KIA, K, Morale Checks, pins, wounds, leader loss, replacement, and exact odds."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.dice import SeededDice, enumerate_rolls
from sandtable.core.errors import BadInput
from sandtable.core.odds import odds
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.common.consequence import unit_change
from sandtable.systems.aslsk.effects.ift import IftKind, fp_text, read_ift
from sandtable.systems.aslsk.pieces.state import UnitId, WeaponId, Whereabouts
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A = UnitId("a")


def struck(*targets: dict[str, Any], card: str = "german/8-3-8", elr: int = 5, **fields: Any) -> Clash:
    """One German squad, directed so that it never cowers, fires two hexes across open ground."""
    german = side(squad("a", card, at="A1"), squad("l", "german/8-0", at="A1"))
    weapons = fields.pop("weapons", ())
    return Clash("PFPh", german=german, russian=side(*targets, weapons=weapons, elr=elr), **fields)


def hit(clash: Clash, *dice: int | tuple[int, int]) -> None:
    clash.play(Fire((A,), (), clash.hex("C1"), (UnitId("l"),)), *dice)


def russian(name: str, card: str = "russian/4-4-7", **flags: Any) -> dict[str, Any]:
    return squad(name, card, at="C1", **flags)


# --- the table --------------------------------------------------------------------------------------------------


@rules("3.2.3", system="aslsk3")
def test_3_2_3_the_rightmost_column_not_above_the_fp_is_used() -> None:
    ift = read_ift(catalog.library("aslsk3").table("ift"))
    assert [ift.fp(ift.column(fp * 64)) for fp in (1, 3, 9, 19, 36, 50)] == [1, 2, 8, 16, 36, 36]
    assert ift.column(63) == -1
    assert ift.result(ift.number(8), -3).text == "3KIA"
    assert ift.result(ift.number(36), 20).kind is IftKind.PTC
    assert ift.result(-1, 2).kind is IftKind.NONE


def test_fp_is_told_with_its_fraction() -> None:
    assert [fp_text(parts) for parts in (0, 32, 64, 224, 65)] == ["0", "1/2", "1", "3 1/2", "1 1/64"]


def test_a_word_that_is_no_result_is_rejected() -> None:
    table = catalog.library("aslsk3").table("ift")
    cells = [["5XX", *row[1:]] for row in table.cells]
    with pytest.raises(BadInput, match="5XX"):
        read_ift(type(table)(table.name, table.title, table.rule, table.source, table.status, table.axes, cells))


# --- morale checks ----------------------------------------------------------------------------------------------


@rules("3.2.3", system="aslsk3")
@pytest.mark.parametrize(
    ("roll", "broken", "pinned"),
    [((2, 3), False, False), ((3, 3), False, True), ((3, 4), True, False)],
)
def test_3_2_3_a_morale_check_passes_pins_or_breaks(roll: tuple[int, int], broken: bool, pinned: bool) -> None:
    clash = struck(russian("r"))
    hit(clash, (1, 6), roll)
    unit = clash.unit("r")
    assert (unit.broken, unit.dm, unit.pinned) == (broken, broken, pinned)


@rules("3.2.3", system="aslsk3")
def test_3_2_3_an_original_12_breaks_and_reduces() -> None:
    clash = struck(russian("r"))
    hit(clash, (2, 6), (6, 6))
    assert clash.unit("r").card == "russian/2-3-7"
    assert clash.unit("r").broken


@rules("3.2.3", system="aslsk3")
def test_3_2_3_broken_units_that_fail_are_reduced_and_eliminated_on_a_12() -> None:
    clash = struck(russian("r", broken=True), russian("s", broken=True))
    hit(clash, (2, 6), (4, 4), (6, 6))
    assert clash.unit("r").card == "russian/2-3-7"
    assert clash.unit("s").place is Whereabouts.ELIMINATED


@rules("5.1", system="aslsk3")
@pytest.mark.parametrize(("elr", "card"), [(1, "russian/4-2-6"), (2, "russian/4-2-6"), (3, "russian/4-4-7")])
def test_5_1_failing_by_more_than_the_elr_replaces(elr: int, card: str) -> None:
    clash = struck(russian("r"), elr=elr)
    hit(clash, (2, 6), (4, 6))
    assert clash.unit("r").broken
    assert clash.unit("r").card == card


@rules("5.1", system="aslsk3")
def test_5_1_crews_underlined_morale_and_the_lowest_quality_are_not_replaced() -> None:
    cards = ["russian/2-2-8 crew", "russian/4-2-6", "russian/6-2-8"]
    targets = [russian(f"r{n}", card) for n, card in enumerate(cards)]
    clash = struck(*targets, elr=0, conditions={"elr_immune": ["russian/6-2-8"]})
    hit(clash, (2, 6), (5, 6), (5, 6), (5, 6))
    assert [clash.unit(f"r{n}").card for n in range(3)] == cards


@rules("3.2.3", "1.2.1", system="aslsk3")
def test_3_2_3_the_best_leader_checks_first_and_helps_if_unharmed() -> None:
    clash = struck(russian("r"), russian("lead", "russian/9-1"), russian("low", "russian/8-0"))
    hit(clash, (1, 6), (2, 6), (3, 6), (4, 3))
    checks = [event for event in clash.events if isinstance(event, ev.MoraleChecked)]
    assert [(event.unit, event.number.total) for event in checks] == [("lead", 8), ("low", 7), ("r", 6)]
    assert clash.unit("lead").pinned


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_leader_who_passes_lends_his_drm() -> None:
    clash = struck(russian("r"), russian("lead", "russian/9-2"))
    hit(clash, (1, 6), (2, 3), (4, 3))
    assert not clash.unit("r").broken
    assert not clash.unit("r").pinned


# --- pins -------------------------------------------------------------------------------------------------------


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_ptc_pins_unbroken_units_that_fail() -> None:
    clash = struck(russian("r"), russian("s"), russian("b", broken=True, dm=True))
    hit(clash, (3, 6), (4, 4), (3, 4))
    assert clash.unit("r").pinned
    assert not clash.unit("s").pinned
    assert not clash.unit("b").pinned


# --- K and KIA --------------------------------------------------------------------------------------------------


@rules("3.2.3", system="aslsk3")
def test_3_2_3_k_reduces_one_at_random_and_all_check() -> None:
    clash = struck(russian("r"), russian("s"))
    hit(clash, (1, 2), 2, (1, 2), (1, 2))
    assert [clash.unit(name).card for name in "rs"] == ["russian/4-4-7", "russian/2-3-7"]
    assert [event.check for event in clash.events if isinstance(event, ev.MoraleChecked)] == ["2MC", "2MC"]


@rules("3.2.3", system="aslsk3")
def test_3_2_3_kia_eliminates_so_many_and_breaks_the_others() -> None:
    clash = struck(russian("r"), russian("s"), russian("b", broken=True))
    hit(clash, (1, 1), 1)
    assert clash.unit("r").place is Whereabouts.ELIMINATED
    assert clash.unit("s").broken
    assert clash.unit("b").card == "russian/2-3-7"


@rules("4.0", system="aslsk3")
@pytest.mark.parametrize(("roll", "state"), [(2, "removed"), (3, "malfunctioned"), (4, "working")])
def test_4_0_weapons_of_a_unit_that_is_killed_may_be_destroyed(roll: int, state: str) -> None:
    clash = struck(russian("r"), weapons=[{"id": "lmg", "card": "russian/LMG", "owner": "r"}])
    hit(clash, (1, 1), roll)
    weapon = clash.state.weapons[WeaponId("lmg")]
    assert weapon.state == state
    assert weapon.owner == ""


# --- leaders ----------------------------------------------------------------------------------------------------


@rules("3.2.3", system="aslsk3")
@pytest.mark.parametrize(("roll", "wounded", "place"), [(4, True, Whereabouts.MAP), (5, False, Whereabouts.ELIMINATED)])
def test_3_2_3_casualty_reduction_wounds_a_leader(roll: int, wounded: bool, place: Whereabouts) -> None:
    clash = struck(russian("lead", "russian/8-1"))
    hit(clash, (1, 2), roll, *([(1, 2)] if place is Whereabouts.MAP else []))
    assert (clash.unit("lead").wounded, clash.unit("lead").place) == (wounded, place)


@rules("3.2.3", system="aslsk3")
def test_3_2_3_a_wounded_leader_wounded_again_adds_one() -> None:
    clash = struck(russian("lead", "russian/8-1", wounded=True))
    hit(clash, (1, 2), 4)
    assert clash.unit("lead").place is Whereabouts.ELIMINATED


@rules("3.2.3", system="aslsk3")
def test_3_2_3_llmc_after_a_leader_is_eliminated_with_his_drm_reversed() -> None:
    clash = struck(russian("lead", "russian/9-2"), russian("r"), russian("s", broken=True))
    hit(clash, (1, 2), 1, 6, (1, 2), (1, 2), (2, 4), (1, 2))
    checks = [event for event in clash.events if isinstance(event, ev.MoraleChecked) and event.check == "LLMC"]
    assert [(event.unit, event.number.total) for event in checks] == [("r", 5), ("s", 5)]
    assert clash.unit("r").broken


@rules("3.2.3", system="aslsk3")
def test_3_2_3_lltc_after_a_leader_breaks() -> None:
    clash = struck(russian("lead", "russian/9-1"), russian("r"), russian("s", broken=True))
    hit(clash, (2, 6), (5, 6), (1, 2), (1, 2), (3, 4))
    assert clash.saw(ev.MoraleChecked, unit="r", check="LLTC", passed=False)
    assert not clash.saw(ev.MoraleChecked, unit="s", check="LLTC")
    assert clash.unit("r").pinned


@rules("3.2.3", system="aslsk3")
def test_3_2_3_units_of_equal_morale_do_not_mind_a_leader_lost() -> None:
    clash = struck(russian("lead", "russian/8-0"), russian("r", "russian/4-5-8"))
    hit(clash, (2, 6), (5, 6), (1, 2))
    assert not clash.saw(ev.MoraleChecked, check="LLTC")


# --- desperation ------------------------------------------------------------------------------------------------


@rules("3.2.3", system="aslsk3")
def test_3_2_3_an_attack_that_could_give_a_nmc_puts_broken_units_under_dm() -> None:
    clash = struck(russian("r", broken=True))
    hit(clash, (6, 6))
    assert clash.unit("r").dm
    weak = Clash(
        "PFPh",
        german=side(squad("a", "german/2-4-7", at="A1")),
        russian=side(squad("r", "russian/4-4-7", at="G4", broken=True)),
    )
    weak.play(Fire((A,), (), weak.hex("G4")), (6, 5))
    assert weak.unit("r").dm


@rules("3.2.3", system="aslsk3")
def test_3_2_3_cowering_is_considered_for_dm() -> None:
    """1 FP at +2: double ones would cower to nothing, and a 3 becomes a 5, a PTC."""
    german = side(squad("a", "german/2-4-7", at="A1", pinned=True), squad("l", "german/8-0", at="A1"))
    broken = squad("r", "russian/4-4-7", at="C1", broken=True)
    clash = Clash("PFPh", german=german, russian=side(broken), smoke={"C1": "smoke grenades"})
    clash.play(Fire((A,), (), clash.hex("C1")), (6, 5))
    assert not clash.unit("r").dm
    led = Clash("PFPh", german=german, russian=side(broken), smoke={"C1": "smoke grenades"})
    led.play(Fire((A,), (), led.hex("C1"), (UnitId("l"),)), (6, 5))
    assert led.unit("r").dm


# --- exact odds -------------------------------------------------------------------------------------------------


@rules("3.2.3", system="aslsk3")
def test_exact_odds_of_every_target() -> None:
    """8 FP: of 36 rolls 1 is a KIA, 2 are K/2, 7 are 2MC, 11 are 1MC, 5 NMC, 4 PTC, 6 nothing."""
    clash = struck(russian("r"))
    chances = clash.rules.unit_odds(clash.state, Fire((A,), (), clash.hex("C1"), (UnitId("l"),)))
    found = {chance.what: Fraction(chance.exact) for chance in chances[UnitId("r")]}
    assert sum(found.values()) == 1
    assert found["eliminated"] == Fraction(1, 36) + Fraction(2, 36) * Fraction(1, 36)
    breaks = sum((chance for what, chance in found.items() if "broken" in what), Fraction(0))
    k = Fraction(2, 36) * Fraction(25, 36)
    mc = Fraction(7, 36) * Fraction(26, 36) + Fraction(11, 36) * Fraction(21, 36) + Fraction(5, 36) * Fraction(15, 36)
    assert breaks == k + mc


@rules("3.2.3", system="aslsk3")
def test_exact_odds_agree_with_the_whole_tree() -> None:
    """The odds of each of several targets are those of the joint outcomes, added up."""
    clash = struck(russian("r"), russian("lead", "russian/8-1"), card="german/2-4-7")
    action = Fire((A,), (), clash.hex("C1"), (UnitId("l"),))
    joint = odds(clash.rules, clash.state, [(clash.decision.asked[0], action)])
    single = clash.rules.unit_odds(clash.state, action)
    for name in ("r", "lead"):
        mine = {chance.what: Fraction(chance.exact) for chance in single[UnitId(name)]}
        pinned = sum((Fraction(one.exact) for one in joint if f"{name} pinned" in one.what.split(", ")), Fraction(0))
        gone = sum((Fraction(one.exact) for one in joint if f"{name} eliminated" in one.what.split(", ")), Fraction(0))
        assert mine.get("pinned", 0) == pinned
        assert mine.get("eliminated", 0) == gone


@rules("3.2.3", "5.1", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "targets"),
    [
        ("german/8-3-8", (("r", "russian/4-4-7", {}), ("s", "russian/4-2-6", {"broken": True}))),
        ("german/8-3-8", (("k", "russian/9-1", {}), ("m", "russian/7-0", {"wounded": True}))),
        (
            "german/5-4-8",
            (("r", "russian/4-4-7", {}), ("k", "russian/8-1", {}), ("s", "russian/4-4-7", {"pinned": True})),
        ),
        ("german/2-4-7", (("r", "russian/2-2-6", {}), ("k", "russian/8-0", {}), ("m", "russian/9-2", {}))),
    ],
)
def test_3_2_3_exact_odds_are_those_of_every_way_the_dice_may_fall(
    card: str, targets: tuple[tuple[str, str, dict[str, bool]], ...]
) -> None:
    """KIA, K, checks, help, wounds, leader loss and replacement, unit by unit, beside the whole tree of rolls."""
    clash = struck(*(russian(name, of, **facts) for name, of, facts in targets), card=card)
    action = Fire((A,), (), clash.hex("C1"), (UnitId("l"),))
    single = clash.rules.unit_odds(clash.state, action)
    whole: dict[UnitId, dict[str, Fraction]] = {UnitId(name): {} for name, _, _ in targets}
    seat = clash.decision.asked[0]
    for after, weight in enumerate_rolls(lambda dice: clash.rules.resolve(clash.state, seat, action, dice).state):
        for name, found in whole.items():
            what = unit_change(clash.context, clash.state.units[name], after.units[name]) or "no effect"
            found[what] = found.get(what, Fraction(0)) + weight
    assert {name: {one.what: Fraction(one.exact) for one in chances} for name, chances in single.items()} == whole


@rules("3.2.3", system="aslsk3")
def test_3_2_3_exact_odds_of_a_large_stack_are_those_of_many_throws() -> None:
    stack = [russian(f"r{number}", ("russian/4-4-7", "russian/6-2-8", "russian/4-2-6")[number]) for number in range(3)]
    clash = struck(*stack, russian("k", "russian/9-1"), russian("m", "russian/8-0"))
    action = Fire((A,), (), clash.hex("C1"), (UnitId("l"),))
    single = clash.rules.unit_odds(clash.state, action)
    seat, dice, throws = clash.decision.asked[0], SeededDice("large stack"), 1500
    seen: dict[UnitId, Counter[str]] = {UnitId(name): Counter() for name in single}
    for _ in range(throws):
        after = clash.rules.resolve(clash.state, seat, action, dice).state
        for name, found in seen.items():
            found[unit_change(clash.context, clash.state.units[name], after.units[name]) or "no effect"] += 1
    for name, chances in [(UnitId(name), chances) for name, chances in single.items()]:
        assert sum(Fraction(one.exact) for one in chances) == 1
        assert set(seen[name]) <= {one.what for one in chances}
        for one in chances:
            spread = (one.probability * (1 - one.probability) / throws) ** 0.5
            assert abs(seen[name][one.what] / throws - one.probability) < 5 * spread + 1 / throws


@rules("3.2.3", "3.8", system="aslsk3")
def test_3_2_3_units_in_melee_take_no_check_for_a_leader_who_falls() -> None:
    held = (
        squad("g", at="C1", melee=True),
        squad("a", "german/8-3-8", at="A1"),
        squad("l", "german/8-0", at="A1"),
    )
    foes = (russian("k", "russian/9-1", melee=True), russian("r", melee=True))
    clash = Clash("PFPh", german=side(*held), russian=side(*foes))
    # 1KIA strikes the leader of three targets; the two others break or are reduced without a LLMC.
    clash.play(Fire((A,), (), clash.hex("C1"), (UnitId("l"),)), (1, 1), 2)
    assert clash.unit("k").place is Whereabouts.ELIMINATED
    assert not clash.saw(ev.MoraleChecked, check="LLMC")
