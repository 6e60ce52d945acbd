"""3.3.2 Who may stay in the hex of an enemy AFV: whoever could hurt it as he came in."""

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.systems.aslsk.common.actions import HoldFire
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.state import VehicleDeed, VehicleId, VehicleStep
from tests.aslsk.clash import PLAIN, Clash

rules = pytest.mark.rules
D = VehicleDeed
START, STOP = VehicleStep(D.START), VehicleStep(D.STOP)
KV, T34, STUART = "russian/KV-1E", "russian/T-34 M41", "british/Stuart III(a)"
HEAD_ON, AWAY, FLANK = "S/SW", "N/NE", "NE/SE"
"""How the enemy points when the hex is entered from the south: a front, a rear and a side are struck."""


def clash_of(
    card: str,
    enemy: str,
    vca: str = HEAD_ON,
    cells: str = PLAIN,
    *,
    wrecks: tuple[dict[str, Any], ...] = (),
    features: tuple[dict[str, Any], ...] = (),
    **flags: Any,
) -> Clash:
    """A vehicle in D4 that goes north, and the enemy in D3."""
    mover = {"id": "t", "card": card, "at": "D4", "vca": "N/NE", **flags}
    other = {"id": "e", "card": enemy, "at": "D3", "vca": vca}
    conditions = {"year": 1943, "month": 6}
    russian = {"vehicles": [other, *wrecks]}
    return Clash("MPh", cells, german={"vehicles": [mover]}, russian=russian, conditions=conditions, features=features)


def enter(clash: Clash, label: str, kind: VehicleDeed = D.ENTER) -> VehicleStep:
    return VehicleStep(kind, clash.hex(label))


def move(*steps: VehicleStep, halt: bool = False) -> MoveVehicle:
    return MoveVehicle(VehicleId("t"), steps, halt)


def may_stop(clash: Clash, *before: VehicleStep) -> bool:
    return clash.why(move(*before, START, enter(clash, "D3"), STOP)) == ""


@rules("3.3.2", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "enemy", "vca", "stays"),
    [
        # AP of 75L: 18 less 11.
        ("german/PzKpfw IVF2", KV, HEAD_ON, True),
        # AP of 50: 12 less 11 in front; 12 less 8 at the side of the hull is a Possible Shock.
        ("german/PzKpfw IIIH", KV, HEAD_ON, False),
        ("german/PzKpfw IIIH", KV, FLANK, True),
        # HEAT runs out, so it does not count; HE does nothing to it.
        ("german/PzKpfw IIIN", KV, FLANK, False),
        # AP of 37: 9 less 6 is two short, one more at the rear is a Possible Shock.
        ("german/PzKpfw 35t", T34, FLANK, False),
        ("german/PzKpfw 35t", T34, AWAY, True),
        # HE of 75 mm: 7 less 2, equal: the hull would be immobilized, but the turret shocks.
        ("german/PzKpfw IIIN", "russian/BT-7 M37", HEAD_ON, True),
        # AP of 37LL: equal at the rear of the hull, which is only immobilized; the turret is safe.
        (STUART, KV, AWAY, False),
        # Two To Kill DR: a heavy machine gun, 7 less 1, and one that could not.
        ("british/Light Tank Mk VIB", "russian/BT-7 M37", HEAD_ON, True),
        # HE of 75 mm, 7 less 4, is two short; on the ATT, at -1 for thin armour, it shocks.
        ("german/PzKpfw IIIN", STUART, HEAD_ON, True),
    ],
)
def test_3_3_2_only_who_could_hurt_it_with_a_5_stops_with_an_enemy_afv(
    card: str, enemy: str, vca: str, stays: bool
) -> None:
    clash = clash_of(card, enemy, vca)
    assert may_stop(clash) is stays
    # To drive through is allowed to all.
    assert clash.why(move(START, enter(clash, "D3"), enter(clash, "D2"), STOP)) == ""


@rules("3.3.2", system="aslsk3")
def test_3_3_2_cover_lowers_what_the_att_could_do() -> None:
    woods = PLAIN.replace(". . . . . . .\n" * 3, ". . . . . . .\n. . . . . . .\n. . . w . . .\n", 1)
    clash = clash_of("german/PzKpfw IIIN", STUART, cells=woods)
    assert clash.why(move(START, enter(clash, "D3", D.ALL), STOP)) == "3.3.2"
    # The side of the hull, 7 less 3, is one short: HE shocks the turret, whatever the trees.
    flank = clash_of("german/PzKpfw IIIN", STUART, AWAY, cells=woods)
    assert flank.why(move(START, enter(clash, "D3", D.ALL), STOP)) == ""


@rules("3.3.2", "7.2", system="aslsk3")
def test_3_3_2_a_main_armament_that_cannot_fire_hurts_nobody() -> None:
    assert not may_stop(clash_of("german/PzKpfw IVF2", KV, broken={"MA": "malfunctioned"}))
    light = clash_of("german/PzKpfw IIF", "russian/BT-7 M37")
    assert may_stop(light)
    # The turret is RST: not while the crew is CE.
    assert not may_stop(light, VehicleStep(D.CREW))


@rules("3.3.2", system="aslsk3")
@pytest.mark.parametrize(("card", "mp", "stays"), [("german/PzKpfw IIIN", 13, False), ("german/PzKpfw IVF2", 14, True)])
def test_3_3_2_who_cannot_hurt_it_ends_no_mph_in_motion_there_either(card: str, mp: int, stays: bool) -> None:
    clash = clash_of(card, KV)
    # A start, the hex, the vehicle in it, and all the rest.
    all_of_it = VehicleStep(D.ENTER, clash.hex("D3"), extra=2 * (mp - 3))
    assert (clash.why(move(START, all_of_it)) == "") is stays
    clash.play(move(START, enter(clash, "D3"), halt=True))
    while clash.asked == "russian":
        clash.play(HoldFire())
    assert (clash.why(ContinueVehicle((STOP,))) == "") is stays
    assert clash.why(ContinueVehicle((enter(clash, "D2"), STOP))) == ""


@rules("3.3.2", "7.10", system="aslsk3")
def test_3_3_2_who_is_halted_there_does_not_choose_to_stay() -> None:
    clash = clash_of("german/PzKpfw IIIN", KV)
    clash.play(move(START, enter(clash, "D3"), halt=True))
    while clash.asked == "russian":
        clash.play(HoldFire())
    assert clash.why(ContinueVehicle()) == "3.3.2"
    hit = replace(clash.state.vehicles[VehicleId("t")], immobilized=True, started=False)
    clash.state = replace(clash.state, vehicles={**clash.state.vehicles, hit.id: hit})
    assert clash.why(ContinueVehicle((VehicleStep(D.DELAY),), halt=True)) == clash.why(ContinueVehicle()) == ""


@rules("3.3.2", system="aslsk3")
def test_3_3_2_who_began_there_may_stay_and_a_wreck_is_no_afv() -> None:
    mover = {"id": "t", "card": "german/PzKpfw IIIN", "at": "D3", "vca": "N/NE", "motion": True}
    other = {"id": "e", "card": KV, "at": "D3", "vca": "N/NE"}
    clash = Clash("MPh", german={"vehicles": [mover]}, russian={"vehicles": [other]})
    assert clash.why(move(STOP)) == ""
    wreck = {"id": "e", "card": KV, "at": "D3", "vca": "N/NE", "wreck": True}
    mover = {**mover, "at": "D4"}
    clash = Clash("MPh", german={"vehicles": [mover]}, russian={"vehicles": [wreck]})
    assert clash.why(move(enter(clash, "D3"), STOP)) == ""


@rules("3.3.2", system="aslsk3")
def test_3_3_2_a_dear_hex_ahead_is_no_way_to_stay_in_motion_with_an_enemy_afv() -> None:
    """With 3 MP left the building ahead costs too much, but it can turn aside and go on."""
    cells = ". . . . . . .\n. . . b . . .\n. . . . . . .\n. . . . . . .\n. . . . . . ."
    for card, mp, rule in (("german/PzKpfw IIIN", 13, "3.3.2"), ("german/PzKpfw IVF2", 14, "")):
        clash = clash_of(card, KV, cells=cells)
        into = VehicleStep(D.ENTER, clash.hex("D3"), extra=2 * (mp - 6))
        assert clash.why(move(START, into)) == rule


@rules("3.3.2", system="aslsk3")
def test_3_3_2_the_hex_of_another_enemy_afv_is_no_way_out() -> None:
    """With 2.5 MP left buildings cost too much, and what is ahead holds enemies, or does not."""
    cells = ". . . . . . .\n. . . . . . .\n. . . . . . .\n. . b . b . .\n. . b . b . ."
    own = {"id": "t", "card": "german/PzKpfw IIIN", "at": "D5", "vca": "N/NE", "motion": True}
    for others, rule in ((("D4", "D3"), "3.3.2"), (("D4",), "")):
        foes = [{"id": f"e{at}", "card": KV, "at": at, "vca": "N/NE"} for at in others]
        clash = Clash("MPh", cells, german={"vehicles": [own]}, russian={"vehicles": foes})
        into = VehicleStep(D.ENTER, clash.hex("D4"), extra=17)
        assert clash.why(move(into, halt=True)) == rule


@rules("3.3.2", system="aslsk3")
@pytest.mark.parametrize(("left", "rule"), [(4, ""), (3, "3.3.2")])
def test_3_3_2_past_a_wreck_the_way_out_may_lead_off_the_road(left: int, rule: str) -> None:
    """By the road D2 costs 3 MP with the wreck in it, off it 2; all around there are buildings."""
    cells = ". . . . . . .\n. . . . . . .\n. . b . b . .\n. . b . b . .\n. . . . . . ."
    road = {"kind": "dirt_road", "line": ["D1", "D2", "D3", "D4", "D5"]}
    wreck = {"id": "w", "card": KV, "at": "D2", "vca": "N/NE", "wreck": True}
    clash = clash_of("german/PzKpfw IIIN", KV, cells=cells, wrecks=(wreck,), features=(road,), motion=True)
    into = VehicleStep(D.ENTER, clash.hex("D3"), extra=26 - 6 - left)
    assert clash.why(move(into, halt=True)) == rule
    if not rule:
        assert clash.why(move(into, halt=False)) == "3.3.2", "it can go on, so it does not stay"
        assert clash.why(move(into, VehicleStep(D.OFF_ROAD, clash.hex("D2")))) == ""


@rules("3.3", "3.3.2", system="aslsk3")
@pytest.mark.parametrize(("left", "rule"), [(2, ""), (1, "3.3.2")])
def test_3_3_2_leaving_the_map_is_a_way_out_within_the_vca(left: int, rule: str) -> None:
    """It goes north along the edge: only after a turn does it point off the map."""
    cells = ". . . . . . .\nb b . . . . .\n. b . . . . .\n. . . . . . .\n. . . . . . ."
    own = {"id": "t", "card": "german/PzKpfw IIIN", "at": "A4", "vca": "N/NE", "motion": True}
    foe = {"id": "e", "card": KV, "at": "A3", "vca": "N/NE"}
    exits = [{"side": "german", "zone": [{"hexes": ["A3"]}]}]
    clash = Clash("MPh", cells, german={"vehicles": [own]}, russian={"vehicles": [foe]}, exits=exits)
    into = VehicleStep(D.ENTER, clash.hex("A3"), extra=2 * (13 - 2 - left))
    assert clash.why(move(into, halt=True)) == rule


@rules("3.3.2", system="aslsk3")
def test_3_3_2_who_comes_back_from_behind_is_judged_anew() -> None:
    clash = clash_of("german/PzKpfw 35t", T34, HEAD_ON)
    through = (START, enter(clash, "D3"), enter(clash, "D2"))
    back = (*[VehicleStep(D.TURN, spine=spine) for spine in (1, 2, 3)], enter(clash, "D3"))
    assert clash.why(move(START, enter(clash, "D3"), STOP)) == "3.3.2"
    assert clash.why(move(*through, *back, STOP)) == ""
