"""3.2.4, 7.2 Main Armament: vehicles fire at Infantry, Guns and vehicles by the To Hit process."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.facts import armour_events as ar
from sandtable.systems.aslsk.common.vehicle_actions import FireGun, TurnArc
from sandtable.systems.aslsk.fire.firers import FireMode
from sandtable.systems.aslsk.fire.vehicle_target import vehicle_terms
from sandtable.systems.aslsk.guns.barrel import barrel_of
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, firer_terms
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import Mark, VehicleGun, VehicleId, WeaponId, WeaponState
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
TANK = VehicleId("tank")
FOE = VehicleId("foe")
FIELD = "\n" + "\n".join(" ".join("." * 10) for _ in range(5)) + "\n"


def tank(card: str = "german/PzKpfw IVH", at: str = "A3", **flags: Any) -> dict[str, Any]:
    return {"id": "tank", "card": card, "at": at, "vca": "NE/SE", **flags}


def foe(card: str = "russian/T-34 M43", at: str = "D3", **flags: Any) -> dict[str, Any]:
    return {"id": "foe", "card": card, "at": at, "vca": "SW/NW", **flags}


def clash(phase: str = "PFPh", own: dict[str, Any] | None = None, *others: dict[str, Any], **fields: Any) -> Clash:
    """A German tank, with a squad that keeps the phase open, and Russian vehicles."""
    german = side(squad("idle", at="A5"), vehicles=[own or tank()])
    russian = fields.pop("russian", side(squad("target", "russian/4-4-7", "E5"), vehicles=list(others) or [foe()]))
    return Clash(phase, FIELD, german=german, russian=russian, **fields)


def shot(on: Clash, where: str = "D3", **fields: Any) -> FireGun:
    aimed = {"target_type": TargetType.VEHICLE, "ammo": Ammo.AP, "at": "foe", **fields}
    return FireGun(on.hex(where), vehicle=TANK, **aimed)


def labels(on: Clash) -> dict[str, int]:
    found = next(event for event in on.events if isinstance(event, ev.ShotResolved))
    return {term.label: -term.value for term in found.number.terms}


def firers(on: Clash, target: str = "D3", mode: FireMode = FireMode.PREP, **fields: Any) -> dict[str, int]:
    barrel = barrel_of(on.context, on.state, WeaponId(""), TANK)
    assert barrel is not None
    terms = firer_terms(on.context, on.state, Shot(barrel, on.hex(target), mode, **fields))
    return {term.label: term.value for term in terms}


@rules("3.2.4", "7.2", "7.3", "7.9")
def test_7_9_a_hit_on_the_vtt_is_followed_by_to_kill() -> None:
    on = clash()
    assert shot(on) in on.options()
    on.play(shot(on), (3, 4), (6, 6))
    assert labels(on) == {"Buttoned Up": 1}
    assert on.saw(ar.ToKillResolved, by="tank", vehicle=FOE)
    assert on.state.vehicles[TANK].acquired_targets == (FOE,)
    assert on.state.vehicles[TANK].guns_fired == (VehicleGun.MAIN,)


@rules("3.2.4", "7.7")
def test_7_7_the_crew_of_a_ce_tank_aims_better() -> None:
    on = clash("PFPh", tank(exposed=True))
    assert firers(on) == {}
    assert firers(clash()) == {"Buttoned Up": 1}


@rules("7.2")
def test_7_2_a_rst_turret_does_not_fire_while_ce() -> None:
    on = clash("PFPh", tank("german/PzKpfw IIF", exposed=True))
    assert on.why(shot(on)) == "7.2"
    on = clash("PFPh", tank("german/PzKpfw IIF"))
    assert on.why(shot(on)) == ""


@rules("3.2.5", "7.10")
def test_3_2_5_who_may_not_fire_in_the_pfph() -> None:
    assert clash("PFPh", tank(motion=True)).why(shot(clash("PFPh", tank(motion=True)))) == "3.2.5"
    for flags in ({"shock": "Shock"}, {"stun": "Stun"}):
        on = clash("PFPh", tank(**flags))
        assert on.why(shot(on)) == "7.10"
    assert firers(clash("PFPh", tank(stun="+1"))) == {"Buttoned Up": 1, "Stun": 1}


@rules("3.2.4")
def test_3_2_4_turret_and_hull_turn_at_their_prices() -> None:
    on = clash("PFPh", tank(vca="N/NE"))
    on.play(shot(on, facing=1), (6, 5))
    assert labels(on)["T turned by 1 hexspine"] == 1
    assert (on.state.vehicles[TANK].tca, on.state.vehicles[TANK].vca) == (1, 0)
    on = clash("PFPh", tank(vca="N/NE"))
    on.play(shot(on, facing=1, turn_hull=True), (6, 5))
    assert labels(on)["NT turned by 1 hexspine"] == 3
    assert (on.state.vehicles[TANK].tca, on.state.vehicles[TANK].vca) == (1, 1)
    on = clash("PFPh", tank(vca="N/NE", immobilized=True))
    assert on.why(shot(on, facing=1, turn_hull=True)) == "7.10"
    on = clash("PFPh", tank("german/StuG IIIG", vca="N/NE"))
    assert on.why(shot(on, facing=1)) == "3.2.4", "it has no turret"
    assert on.why(shot(on, facing=1, turn_hull=True)) == ""


@rules("3.3.2.2", "3.5")
def test_3_3_2_2_bounding_fire_by_mp_in_los() -> None:
    moved: dict[str, Any] = {"moving_target": True, "trail": {"A3": 8}}
    on = clash("AFPh", tank(**moved))
    assert firers(on, mode=FireMode.ADVANCING) == {"Buttoned Up": 1, "Bounding Fire, T or ST": 4}
    on = clash("AFPh", tank("german/StuG IIIG", **moved))
    assert firers(on, mode=FireMode.ADVANCING) == {"Buttoned Up": 1, "Bounding Fire, NT": 5}
    for halves, label, drm in (
        (7, "Bounding Fire, T or ST", 4),
        (6, "Bounding First Fire, T or ST, to 3 MP in LOS", 5),
        (5, "Bounding First Fire, T or ST, to 3 MP in LOS", 5),
        (4, "Bounding First Fire, T or ST, to 2 MP in LOS", 6),
    ):
        on = clash("MPh", tank(moving_target=True, trail={"A3": halves}))
        assert firers(on, mode=FireMode.FIRST) == {"Buttoned Up": 1, label: drm}, halves
    for stays in ({}, {"trail": {"A3": 8}}, {"trail": {"A3": 8}, "was_in_motion": True}):
        on = clash("AFPh", tank(**stays))
        assert firers(on, mode=FireMode.ADVANCING) == {"Buttoned Up": 1, "Fire in AFPh": 2}, "it entered no hex"
    on = clash("AFPh", tank(motion=True))
    assert firers(on, mode=FireMode.ADVANCING) == {"Buttoned Up": 1, "Bounding Fire, T or ST": 4}


@rules("3.2.4")
def test_3_2_4_motion_fire_doubles_the_lower_die() -> None:
    on = clash("AFPh", tank(motion=True, moving_target=True, trail={"A3": 8}))
    on.play(shot(on), (1, 2), (6, 6))
    assert labels(on) == {"Buttoned Up": 1, "Bounding Fire, T or ST": 4}
    assert on.saw(ev.ShotResolved, hit=(FOE,)), "1 twice and 2 and 5 are 9, and 10 is the number"
    on = clash("AFPh", tank(motion=True, moving_target=True, trail={"A3": 8}))
    on.play(shot(on), (2, 2))
    assert on.saw(ev.ShotResolved, hit=()), "2 twice and 2 and 5 are 11"
    near = clash("AFPh", tank(motion=True, moving_target=True, trail={"A3": 8}))
    assert firers(near, "B3", FireMode.ADVANCING)["Motion Fire at 1 hex on the ITT"] == 2
    assert firers(near, "C3", FireMode.ADVANCING)["Motion Fire at 2 hexes on the ITT"] == 1


@rules("3.2.4", "7.3")
def test_3_2_4_what_a_vehicle_brings_upon_itself() -> None:
    def drm(at: str = "D3", *, near: bool = True, card: str = "russian/T-34 M43", **flags: Any) -> dict[str, int]:
        on = clash("PFPh", None, foe(card, at, **flags))
        vehicle = on.state.vehicles[FOE]
        terms = vehicle_terms(on.context, on.state, on.hex("A3"), vehicle, near=near)
        return {term.label: term.value for term in terms}

    assert drm() == {}
    assert drm(card="russian/KV-1E") == {"Large target": -1}
    assert drm(card="russian/KV-2") == {"Very large target": -2}
    assert drm("B3") == {"Stopped vehicle at 1 hex": -2}
    assert drm("C3") == {"Stopped vehicle at 2 hexes": -1}
    assert drm("B3", near=False) == {}
    assert drm("B3", motion=True) == {"Moving or Motion vehicle": 2}
    for halves, words in ((7, "Moving or Motion vehicle"), (6, "Moving vehicle, to 3 MP in LOS")):
        assert list(drm(moving_target=True, trail={"D3": halves})) == [words]
    assert drm(moving_target=True, trail={"D3": 3}) == {"Moving vehicle, to 3 MP in LOS": 3}
    assert drm(moving_target=True, trail={"D3": 2}) == {"Moving vehicle, to 1 MP in LOS": 4}
    assert drm(started=True, trail={"D3": 2}) == {}, "it has started and has not moved yet"


@rules("3.2.4", "7.11", "7.12")
def test_3_2_4_the_itt_meets_ce_crews_and_the_att_everybody() -> None:
    on = clash("PFPh", None, foe(exposed=True))
    on.play(shot(on, target_type=TargetType.INFANTRY, ammo=Ammo.HE, at=""), (2, 3), (6, 6))
    assert labels(on) == {"Buttoned Up": 1, "Crew Exposed": 2}
    assert on.saw(ar.CrewAttacked, vehicle=FOE, column=12)
    on = clash()
    assert on.why(shot(on, target_type=TargetType.INFANTRY, ammo=Ammo.HE, at="")) == "3.2.4", "Buttoned Up"
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.HE, at=""), (2, 3), (6, 6))
    assert on.saw(ar.AreaHitResolved, vehicle=FOE, column=6)


@rules("3.2.4")
def test_3_2_4_the_vtt_names_a_vehicle_of_the_hex() -> None:
    on = clash()
    assert on.why(shot(on, at="")) == "3.2.4"
    assert on.why(shot(on, at="tank")) == "3.2.4"
    assert on.why(shot(on, "E5")) == "3.2.4"
    assert on.why(shot(on, "E5", target_type=TargetType.INFANTRY, ammo=Ammo.HE)) == "3.2.4"


@rules("7.2", "7.2.1")
def test_7_2_1_low_ammo_and_the_end_of_a_main_armament() -> None:
    def after(first: tuple[int, int], **flags: Any) -> Clash:
        on = clash("PFPh", tank("german/PzKpfw VIE", **flags))
        on.play(shot(on), first)
        return on

    circled = clash("PFPh", tank("russian/IS-2")).context.cards.vehicles
    low = [card for card in circled.values() if card.main.low_ammo]
    assert low, "some MA has a circled B#"
    card = low[0]
    number = card.main.low_ammo
    on = clash("PFPh", tank(card.id))
    faces = (6, number - 6)
    on.play(shot(on, ammo=Ammo.AP if card.main.ap else Ammo.HE), faces)
    assert on.state.vehicles[TANK].low_ammo
    assert on.state.vehicles[TANK].works(VehicleGun.MAIN)
    on = clash("PFPh", tank(card.id, low_ammo=True))
    on.play(shot(on, ammo=Ammo.AP if card.main.ap else Ammo.HE), faces)
    assert on.state.vehicles[TANK].broken == {VehicleGun.MAIN: WeaponState.REMOVED}
    assert after((6, 6)).state.vehicles[TANK].broken == {VehicleGun.MAIN: WeaponState.MALFUNCTIONED}


@rules("3.2.4")
def test_3_2_4_a_main_armament_without_a_rate_that_turns_fires_no_more() -> None:
    on = clash("PFPh", tank("russian/IS-2", vca="N/NE"))
    assert not on.context.cards.vehicles[on.state.vehicles[TANK].card].main.rof
    on.play(shot(on, facing=1), (5, 6))
    assert on.state.vehicles[TANK].mark is Mark.INTENSIVE_FIRE
    assert on.why(shot(on, intensive=True)) == "3.2.4"


@rules("3.2", "3.2.4")
def test_3_2_4_the_att_does_not_serve_at_the_own_hex_or_where_only_a_friend_is() -> None:
    on = clash()
    area = {"target_type": TargetType.AREA, "ammo": Ammo.HE, "at": ""}
    assert on.why(shot(on, "A3", **area)) == "3.2"
    assert on.why(shot(on, "C3", **area)) == ""
    german = side(squad("idle", at="A5"), vehicles=[tank(), {**tank(at="C3"), "id": "friend"}])
    two = Clash("PFPh", FIELD, german=german, russian=side(squad("target", "russian/4-4-7", "E5"), vehicles=[foe()]))
    assert two.why(shot(two, "C3", **area)) == "3.2"


@rules("3.2.4")
def test_3_2_4_a_turret_turns_without_fire_and_an_immobile_hull_does_not() -> None:
    def turns(card: str, **flags: Any) -> set[tuple[int, bool]]:
        on = clash("PFPh", tank(card, **flags))
        return {(one.facing, one.turn_hull) for one in on.options() if isinstance(one, TurnArc)}

    every = {0, 2, 3, 4, 5}
    assert turns("german/PzKpfw IVH") == {(spine, hull) for spine in every for hull in (False, True)}
    assert turns("german/PzKpfw IVH", immobilized=True) == {(spine, False) for spine in every}
    assert turns("german/StuG IIIG") == {(spine, True) for spine in every}
    assert turns("german/StuG IIIG", immobilized=True) == set()


@rules("3.2.4", "7.8")
def test_7_8_a_main_armament_that_keeps_its_rate_pays_for_its_turn_once() -> None:
    on = clash("PFPh", tank(vca="N/NE"))
    on.play(shot(on, facing=1), (1, 6), (6, 6))
    assert labels(on)["T turned by 1 hexspine"] == 1
    on.play(shot(on), (6, 5))
    assert "T turned by 1 hexspine" not in labels(on)


@rules("6.1", "7.11", "7.12")
@pytest.mark.parametrize(("faces", "column"), [((1, 1), 24), ((3, 3), 6)])
def test_7_12_a_critical_hit_on_the_att_is_no_better_against_the_crew(faces: tuple[int, int], column: int) -> None:
    """Of 12 FP an AFV feels 24 after a Critical Hit and 6 else; its CE crew feels 6 (ruling)."""
    on = clash("PFPh", tank(), foe(exposed=True))
    on.play(shot(on, target_type=TargetType.AREA, ammo=Ammo.HE, at=""), faces, (6, 5))
    struck = next(event for event in on.events if isinstance(event, ar.AreaHitResolved))
    attacked = next(event for event in on.events if isinstance(event, ar.CrewAttacked))
    assert (struck.column, struck.result) == (column, "")
    assert attacked.column == 6
