"""3.2.2, 3.3.3, 4.0-4.5: half sentences of fire and support weapons that are easily forgotten."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.actions import Continue, Fire, FireOrdnance, HoldFire, Move
from sandtable.systems.aslsk.fire.drm import target_terms
from sandtable.systems.aslsk.pieces.state import Mark, MoveStep, Phase, Residual, StepKind, UnitId, WeaponId
from sandtable.systems.aslsk.support_weapons.panzerfaust import panzerfausts_left
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
A, B, K, L, R = map(UnitId, ("a", "b", "k", "l", "r"))
W, V = WeaponId("w"), WeaponId("v")
MISS = (6, 5)
PF = {"year": 1944, "month": 8, "panzerfausts": ["german"]}
FIELD = ". . . . . . . .\n. . . . . . . ."


def arm(card: str, owner: str = "a", name: str = "w", **flags: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "owner": owner, **flags}


def under_fire(*units: dict[str, Any], weapons: Any = (), cells: str = FIELD, to: str = "C1", **more: Any) -> Clash:
    """A Russian squad has just moved next to ``to`` under the eyes of these Germans."""
    foe = side(squad("r", "russian/4-4-7", at=more.pop("start", "D1")), *more.pop("others", ()))
    clash = Clash("MPh", cells, german=side(*units, weapons=weapons), russian=foe, attacker="russian", **more)
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex(to)),)))
    return clash


def fired(clash: Clash) -> ev.FireResolved:
    return next(event for event in clash.events if isinstance(event, ev.FireResolved))


def labels(clash: Clash) -> set[str]:
    return {term.label for term in fired(clash).drm.terms}


# --- machine guns -----------------------------------------------------------------------------------------------


@rules("4.1", system="aslsk3")
@pytest.mark.parametrize(("broken", "fp"), [(False, "= 1 3/4"), (True, "= 3 1/2")])
def test_4_1_beyond_16_hexes_only_unbroken_targets_halve_a_mg_once_more(broken: bool, fp: str) -> None:
    men = side(squad("a", at="A1"), squad("l", "german/8-0", at="A1"), weapons=[arm("german/HMG")])
    foe = side(squad("r", "russian/4-4-7", at="R1", broken=broken, dm=broken))
    clash = Clash("PFPh", "." + " ." * 18, german=men, russian=foe)
    clash.play(Fire((), (W,), clash.hex("R1"), (L,)), MISS)
    assert fired(clash).firepower.terms[0].label.endswith(fp)


@rules("1.2.4.1", "3.2.3", system="aslsk3")
@pytest.mark.parametrize(("pinned", "mark"), [(False, Mark.NONE), (True, Mark.PREP_FIRE)])
def test_3_2_3_a_pin_costs_the_rof(pinned: bool, mark: Mark) -> None:
    men = side(squad("a", at="A1", pinned=pinned), weapons=[arm("german/LMG")])
    clash = Clash("PFPh", FIELD, german=men, russian=side(squad("r", "russian/4-4-7", at="D1")))
    clash.play(Fire((), (W,), clash.hex("D1")), (1, 6))
    assert clash.state.weapons[W].mark is mark


@rules("3.3.3", system="aslsk3")
def test_3_3_3_a_mg_does_not_fire_again_before_its_squad_has_fired_too() -> None:
    gun = arm("german/LMG", mark="First Fire")
    clash = under_fire(squad("a", at="A1"), weapons=[gun])
    assert clash.why(Fire((), (W,), clash.hex("C1"))) == "3.2"
    clash = under_fire(squad("a", at="A1", mark="First Fire"), weapons=[gun])
    assert clash.why(Fire((), (W,), clash.hex("C1"))) == ""


@rules("3.3.3", "4.4.4", system="aslsk3")
def test_3_3_3_an_atr_has_no_subsequent_first_fire() -> None:
    men = (squad("a", at="A1", mark="First Fire"), squad("b", at="A1"))
    clash = under_fire(*men, weapons=[arm("german/ATR", mark="First Fire")])
    assert clash.why(Fire((), (W,), clash.hex("C1"))) == "3.3.3"


@rules("3.3.3", "4.0", system="aslsk3")
def test_4_0_a_half_squad_has_its_own_fp_back_for_subsequent_first_fire() -> None:
    clash = under_fire(squad("a", "german/2-4-7", at="A1"), weapons=[arm("german/LMG")], start="E1", to="D1")
    clash.play(Fire((), (W,), clash.hex("D1")), (4, 5))
    assert (clash.unit("a").mark, clash.unit("a").forfeited) == (Mark.FIRST_FIRE, True)
    clash.play(HoldFire())
    clash.play(Continue((R,), (MoveStep(StepKind.ENTER, clash.hex("C1")),)))
    assert clash.why(Fire((A,), (W,), clash.hex("C1"))) == ""


# --- leaders ----------------------------------------------------------------------------------------------------


@rules("1.2.1", "4.0", system="aslsk3")
def test_4_0_a_leader_at_a_weapon_does_not_direct_in_that_phase() -> None:
    men = side(squad("a", at="A1"), squad("l", "german/8-1", at="A1"), weapons=[arm("german/HMG", "l")])
    foes = side(squad("r", "russian/4-4-7", at="D1"), squad("s", "russian/4-4-7", at="D2"))
    clash = Clash("PFPh", FIELD, german=men, russian=foes)
    clash.play(Fire((), (W,), clash.hex("D1")), (1, 6))
    assert clash.why(Fire((A,), (), clash.hex("D2"), (L,))) == "3.2.2"


@rules("1.2.1", "4.1", system="aslsk3")
def test_4_1_a_leader_who_has_directed_lends_no_hand_at_a_mg() -> None:
    men = [squad("a", at="A1"), squad("l", "german/8-1", at="A1"), squad("k", "german/8-0", at="A1")]
    foes = side(squad("r", "russian/4-4-7", at="D1"), squad("s", "russian/4-4-7", at="D2"))
    clash = Clash("PFPh", FIELD, german=side(*men, weapons=[arm("german/LMG", "k")]), russian=foes)
    clash.play(Fire((A,), (), clash.hex("D1"), (L,)), MISS)
    assert clash.why(Fire((L,), (W,), clash.hex("D2"))) != ""
    assert clash.why(Fire((), (W,), clash.hex("D2"))) == ""


@rules("3.2.4", "3.3.1", system="aslsk3")
def test_3_2_4_a_cx_leader_who_directs_ordnance_adds_one() -> None:
    men = side(squad("a", at="A1"), squad("l", "german/8-0", at="A1", cx=True), weapons=[arm("german/50mm MTR")])
    clash = Clash("PFPh", FIELD, german=men, russian=side(squad("r", "russian/4-4-7", at="D1")))
    clash.play(FireOrdnance(clash.hex("D1"), weapon=W, leader=L), MISS)
    shot = next(event for event in clash.events if isinstance(event, ev.OrdnanceResolved))
    assert shot.number.total == 7 - 1


@rules("3.3.3", "3.4", system="aslsk3")
def test_3_3_3_a_leader_pinned_by_final_protective_fire_helps_nobody_in_it() -> None:
    """The DR of 8 is the highest that an 8-1 passes: he is pinned, and the squad checks without him."""
    men = (squad("a", at="B1", mark="Final Fire"), squad("l", "german/8-1", at="B1", mark="Final Fire", directed=["a"]))
    clash = under_fire(*men)
    clash.play(Fire((A,), (), clash.hex("C1"), (L,)), (6, 2), (1, 2))
    checks = {event.unit: event.number.total for event in clash.events if isinstance(event, ev.MoraleChecked)}
    assert clash.unit("l").pinned
    assert (checks[L], checks[A]) == (8, 7)


@rules("1.2.1", "3.4", system="aslsk3")
def test_3_4_a_leader_who_fired_in_the_mph_does_not_direct_in_the_dfph() -> None:
    for mark, why in (("First Fire", "3.2.2"), ("", "")):
        men = side(squad("a", at="A1"), squad("l", "german/8-1", at="A1", mark=mark))
        foe = side(squad("r", "russian/4-4-7", at="D1"))
        clash = Clash("DFPh", FIELD, german=men, russian=foe, attacker="russian")
        assert clash.why(Fire((A,), (), clash.hex("D1"), (L,))) == why


@rules("4.0", system="aslsk3")
def test_4_0_a_squad_that_has_used_its_own_fp_fires_no_second_weapon() -> None:
    men = side(squad("a", at="A1"), squad("b", at="A2"), weapons=[arm("german/LMG"), arm("german/LMG", name="v")])
    foes = side(squad("r", "russian/4-4-7", at="D1"), squad("s", "russian/4-4-7", at="D2"))
    clash = Clash("PFPh", FIELD, german=men, russian=foes)
    clash.play(Fire((A,), (W,), clash.hex("D1")), MISS)
    assert clash.why(Fire((), (V,), clash.hex("D2"))) == "4.0"


@rules("1.3", "3.2.2", system="aslsk3")
@pytest.mark.parametrize(("steady", "cowers"), [(["german/4-6-7"], False), ([], True)])
def test_3_2_2_a_scenario_may_name_troops_that_do_not_cower(steady: list[str], cowers: bool) -> None:
    foe = side(squad("r", "russian/4-4-7", at="D1"))
    clash = Clash("PFPh", FIELD, german=side(squad("a", at="A1")), russian=foe, conditions={"steady": steady})
    clash.play(Fire((A,), (), clash.hex("D1")), (6, 6))
    assert fired(clash).cowered == cowers


@rules("3.2.1", "3.2.2", system="aslsk3")
def test_3_2_1_a_leader_whose_hex_has_no_los_has_directed_all_the_same() -> None:
    """Smoke hides all from A2 and only hinders A3: the group is smaller, and the leader of A2 is spent."""
    men = [
        squad("a", at="A2"),
        squad("l", "german/8-1", at="A2"),
        squad("b", at="A3"),
        squad("k", "german/8-0", at="A3"),
    ]
    cells = ". . . . . .\n. . . . . .\n. . . . . .\n. . . . . ."
    foe = side(squad("r", "russian/4-4-7", at="E4"), squad("s", "russian/4-4-7", at="F1"))
    smoke = {"A2": "smoke", "E4": "smoke"}
    clash = Clash("PFPh", cells, german=side(*men), russian=foe, smoke=smoke)
    sees = [clash.context.sees(clash.state, clash.hex(at), clash.hex("E4")) for at in ("A2", "A3")]
    assert sees == [False, True]
    clash.play(Fire((A, B), (), clash.hex("E4"), (K, L)), MISS)
    assert fired(clash).firepower.net == 4
    assert {clash.unit(name).mark for name in "abkl"} == {Mark.PREP_FIRE}
    assert clash.unit("l").directed


# --- flamethrowers and demolition charges -----------------------------------------------------------------------


@rules("4.2", system="aslsk3")
def test_4_2_no_unit_uses_two_flamethrowers() -> None:
    men = side(squad("a", "german/8-3-8", at="B1"), weapons=[arm("german/FT"), arm("german/FT", name="v")])
    foes = side(squad("r", "russian/4-4-7", at="C1"), squad("s", "russian/4-4-7", at="B2"))
    clash = Clash("PFPh", FIELD, german=men, russian=foes)
    clash.play(Fire((), (W,), clash.hex("C1")), (4, 5), (1, 2))
    assert clash.why(Fire((), (V,), clash.hex("B2"))) == "4.2"


@rules("3.3.3", "4.2", system="aslsk3")
def test_4_2_open_ground_does_not_modify_a_flamethrower_but_movement_does() -> None:
    clash = under_fire(squad("a", "german/8-3-8", at="B1"), weapons=[arm("german/FT")])
    clash.play(Fire((), (W,), clash.hex("C1")), (5, 3), (1, 2))
    assert labels(clash) == {"FFNAM"}


@rules("4.3", system="aslsk3")
@pytest.mark.parametrize(("double_time", "drm"), [(True, 4), (False, 3)])
def test_4_3_an_exhausted_placer_adds_one_to_his_charge(double_time: bool, drm: int) -> None:
    men = side(squad("a", "german/8-3-8", at="A1"), weapons=[arm("german/DC")])
    clash = Clash("MPh", ". b .", german=men, russian=side(squad("r", "russian/4-4-7", at="B1")))
    place = MoveStep(StepKind.PLACE_DC, clash.hex("B1"), weapon=W)
    clash.play(Move((A,), (place,), double_time=double_time))
    while clash.state.phase is not Phase.ADVANCING_FIRE:
        clash.play(
            HoldFire() if clash.asked == "russian" and clash.state.phase is Phase.MOVEMENT else clash.options()[0]
        )
    clash.play(Fire((), (W,), clash.hex("B1")), (5, 5), (1, 2))
    assert fired(clash).drm.total == drm


@rules("4.2", system="aslsk3")
@pytest.mark.parametrize(("pinned", "terms"), [(False, ["Hazardous Movement"]), (True, [])])
def test_6_5_hazardous_movement_until_a_pin(pinned: bool, terms: list[str]) -> None:
    foe = side(squad("r", "russian/4-4-7", at="D1"))
    clash = Clash("PFPh", FIELD, german=side(squad("a", at="A1", pinned=pinned)), russian=foe)
    hasty = replace(clash.state, units={**clash.state.units, A: replace(clash.unit("a"), hazardous=True)})
    assert [term.label for term in target_terms(clash.context, hasty, A)] == terms


# --- panzerfausts -----------------------------------------------------------------------------------------------


@rules("4.4.2", "5.4", system="aslsk3")
@pytest.mark.parametrize(("card", "left"), [("german/4-3-6", "german/2-3-6"), ("german/4-6-7", "german/4-6-7")])
def test_4_4_2_an_original_11_reduces_inexperienced_firers(card: str, left: str) -> None:
    men = side(squad("a", card, at="A1"), squad("b", at="A1"))
    clash = Clash("PFPh", ". b .", german=men, russian=side(squad("r", "russian/4-4-7", at="B1")), conditions=PF)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 1, (6, 5))
    assert clash.unit("a").card == left


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "mark", "why"),
    [("2-4-7", "Prep Fire", "4.4.2"), ("2-4-7", "", ""), ("8-0", "Prep Fire", "4.4.2"), ("4-6-7", "Prep Fire", "")],
)
def test_4_4_2_only_a_squad_checks_for_a_panzerfaust_after_it_has_fired(card: str, mark: str, why: str) -> None:
    men = side(squad("a", f"german/{card}", at="A1", mark=mark), squad("b", at="A1"))
    clash = Clash("PFPh", ". b .", german=men, russian=side(squad("r", "russian/4-4-7", at="B1")), conditions=PF)
    assert clash.why(FireOrdnance(clash.hex("B1"), unit=A)) == why


@rules("4.4.2", system="aslsk3")
@pytest.mark.parametrize(("year", "shots"), [(1943, 3), (1944, 4), (1945, 6)])
def test_4_4_2_how_many_there_are_depends_on_the_year(year: int, shots: int) -> None:
    men = side(*(squad(name, at="A1") for name in ("a", "b", "c")), squad("h", "german/2-4-7", at="B1"))
    conditions = {"year": year, "month": 11, "panzerfausts": ["german"]}
    foe = side(squad("r", "russian/4-4-7", at="C1"))
    clash = Clash("PFPh", FIELD, german=men, russian=foe, conditions=conditions)
    assert panzerfausts_left(clash.context, clash.state, "german") == shots


@rules("4.4.2", system="aslsk3")
def test_4_4_2_the_firer_picks_a_unit_that_mans_a_weapon_before_chance_does() -> None:
    foes = side(*(squad(name, "russian/4-4-7", at="B1") for name in "rs"), weapons=[arm("russian/LMG", "s")])
    men = side(squad("a", at="A1"), squad("b", at="A1"))
    clash = Clash("PFPh", ". h .", german=men, russian=foes, conditions=PF)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A, victim=UnitId("s")), 1, (1, 3), (5, 4), (1, 2))
    assert fired(clash).targets == ("s",)


@rules("3.3.1", "4.4.2", system="aslsk3")
@pytest.mark.parametrize(("cx", "number"), [(True, 1), (False, 2)])
def test_4_4_2_an_exhausted_unit_finds_one_less_often(cx: bool, number: int) -> None:
    men = side(squad("a", at="A1", cx=cx), squad("b", at="A1"))
    clash = Clash("PFPh", ". b .", german=men, russian=side(squad("r", "russian/4-4-7", at="B1")), conditions=PF)
    clash.play(FireOrdnance(clash.hex("B1"), unit=A), 5)
    assert next(e.number.total for e in clash.events if isinstance(e, ev.PanzerfaustChecked)) == number


@rules("4.4.1", system="aslsk3")
def test_4_4_1_a_leader_at_the_weapon_does_not_direct_it() -> None:
    men = side(*(squad(name, "german/8-0", at="A1") for name in "akl"), weapons=[arm("german/PSK")])
    clash = Clash("PFPh", ". . b .", german=men, russian=side(squad("r", "russian/4-4-7", at="C1")))
    target = clash.hex("C1")
    assert clash.why(FireOrdnance(target, weapon=W, unit=K, leader=K)) == "3.2.2"
    assert clash.why(FireOrdnance(target, weapon=W, unit=K, leader=L)) == ""


# --- residual firepower -----------------------------------------------------------------------------------------


def into_residual(cells: str, to: str, *, smoke: str = "", features: Any = ()) -> ev.FireResolved:
    fields: dict[str, Any] = {"smoke": {smoke: "smoke grenades"}} if smoke else {}
    far = side(squad("a", at="H2", mark="Final Fire"))
    clash = Clash(
        "MPh",
        cells,
        german=far,
        russian=side(squad("r", "russian/4-4-7", at="A1")),
        attacker="russian",
        features=features,
        residual={to: 4},
        **fields,
    )
    assert clash.state.residual == (Residual(clash.hex(to), 4),)
    clash.play(Move((R,), (MoveStep(StepKind.ENTER, clash.hex(to)),)), MISS)
    return fired(clash)


@rules("1.2.5", "3.3.5", system="aslsk3")
def test_3_3_5_smoke_in_the_hex_hinders_residual_fp_and_takes_ffmo_away() -> None:
    assert into_residual(FIELD, "B1").drm.total == -2
    assert into_residual(FIELD, "B1", smoke="B1").drm.total == 2 - 1


@rules("1.1.1", "3.3.5", system="aslsk3")
def test_3_3_5_on_a_road_through_woods_residual_fp_finds_open_ground() -> None:
    woods = ". w . . . . . .\n. . . . . . . ."
    road = [{"kind": "dirt_road", "line": ["A1", "B1", "C1"]}]
    assert into_residual(woods, "B1", features=road).drm.total == -2
    assert into_residual(woods, "B1").drm.total == 1 - 1


@rules("3.3.5", "4.2", system="aslsk3")
def test_3_3_5_residual_fp_attacks_again_only_if_the_new_mf_make_it_worse() -> None:
    """Who picks up a flamethrower is easier to hurt, so the counter attacks once more; for a LMG it does not."""
    for card, attacks in (("german/FT", [-2, -3]), ("german/LMG", [-2])):
        clash = Clash(
            "MPh",
            FIELD,
            german=side(squad("a", at="H2", mark="Final Fire"), weapons=[{"id": "w", "card": card, "at": "B1"}]),
            russian=side(squad("r", "russian/4-4-7", at="A1")),
            attacker="russian",
            residual={"B1": 1},
        )
        hex = clash.hex("B1")
        clash.play(Move((R,), (MoveStep(StepKind.ENTER, hex),), halt=True), MISS)
        found = [event.drm.total for event in clash.events if isinstance(event, ev.FireResolved)]
        clash.play(Continue((R,), (MoveStep(StepKind.RECOVER, None, R, W),)), 1, *([MISS] if len(attacks) > 1 else []))
        found += [event.drm.total for event in clash.events if isinstance(event, ev.FireResolved)]
        assert found == attacks


@rules("1.2.4.1", "3.3.5", system="aslsk3")
def test_3_3_5_a_mg_in_subsequent_first_fire_keeps_no_rof_and_leaves_its_residual_fp() -> None:
    men = squad("a", at="A1", mark="First Fire")
    clash = under_fire(men, weapons=[arm("german/HMG", mark="First Fire")])
    clash.play(Fire((A,), (W,), clash.hex("C1")), (1, 6), (1, 2))
    assert fired(clash).firepower.total == 4
    assert clash.state.residual == (Residual(clash.hex("C1"), 2),)


@rules("3.3.5", "4.5", system="aslsk3")
@pytest.mark.parametrize(("roll", "left"), [((4, 3), 1), ((3, 4), 0)])
def test_3_3_5_a_mortar_that_keeps_its_rof_leaves_no_residual_fp(roll: tuple[int, int], left: int) -> None:
    clash = under_fire(squad("a", at="A1"), weapons=[arm("german/50mm MTR")], start="F1", to="E1")
    clash.play(FireOrdnance(clash.hex("E1"), weapon=W), roll, MISS)
    assert sum(counter.fp for counter in clash.state.residual) == left


@rules("3.3.3", system="aslsk3")
def test_3_3_3_shots_at_a_location_are_counted_over_all_mf_spent_in_it() -> None:
    """One MF to enter and one to reach for a weapon: two shots of Final Protective Fire, not three."""
    gun = {"id": "w", "card": "german/LMG", "at": "C1"}
    clash = under_fire(squad("a", at="B1", mark="Final Fire"), squad("b", at="A1"), weapons=[gun])
    shot = Fire((A,), (), clash.hex("C1"))
    clash.play(shot, (1, 5), (1, 2))
    clash.play(HoldFire())
    clash.play(Continue((R,), (MoveStep(StepKind.RECOVER, None, R, W),)), 6, MISS)
    clash.play(shot, (1, 5), (1, 2))
    assert clash.why(shot) == "3.3.3"
