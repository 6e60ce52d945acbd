"""3.6: interdiction by vehicles and Guns."""

from typing import Any

import pytest

from sandtable.systems.aslsk.fire.interdiction import interdictors
from tests.aslsk.clash import PLAIN, Clash, side, squad

rules = pytest.mark.rules


def _who(cells: str = PLAIN, *, at: str = "D1", **german: Any) -> list[str]:
    """Those who interdict a Russian in a hex."""
    clash = Clash("RtPh", cells, german=side(**german), russian=side(squad("r", "russian/4-4-7", at=at, broken=True)))
    return sorted(one.id for one in interdictors(clash.context, clash.state, clash.hex(at), "russian"))


def _tank(card: str = "german/PzKpfw VIB", **flags: Any) -> list[dict[str, Any]]:
    return [{"id": "t", "card": card, "at": "D3", "vca": "N/NE", **flags}]


@rules("3.6", "7.8", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "flags", "interdicts"),
    [
        ("german/PzKpfw VIB", {}, True),
        ("german/PzKpfw VIB", {"motion": True}, False),
        ("german/PzKpfw VIB", {"shock": "Shock"}, False),
        ("german/PzKpfw VIB", {"stun": "Stun"}, False),
        ("german/PzKpfw VIB", {"stun": "+1"}, False),
        ("german/PzKpfw VIB", {"wreck": True}, False),
        ("german/PzKpfw VIB", {"fired_in": "PFPh", "guns_fired": ["BMG", "CMG"], "mark": "Prep Fire"}, True),
        # Turned away, BU, so that nothing bears; CE the AAMG does.
        ("german/PzKpfw VIB", {"vca": "S/SW"}, False),
        ("german/PzKpfw VIB", {"vca": "S/SW", "exposed": True}, True),
        ("german/PzKpfw VIB", {"vca": "S/SW", "tca": "N/NE"}, True),
        # A MA alone: BU it has a positive DRM, CE none.
        ("german/StuG IIIG", {}, False),
        ("german/StuG IIIG", {"exposed": True, "broken": {"AAMG": "removed"}}, True),
        ("german/StuG IIIG", {"exposed": True, "broken": {"AAMG": "removed", "MA": "malfunctioned"}}, False),
        ("german/StuG IIIG", {"exposed": True, "vca": "S/SW"}, False),
        ("german/PSW 232", {"broken": {"CMG": "removed"}}, True),
    ],
)
def test_3_6_which_vehicle_interdicts(card: str, flags: dict[str, Any], interdicts: bool) -> None:
    assert _who(vehicles=_tank(card, **flags)) == (["t"] if interdicts else [])


@rules("3.6", system="aslsk3")
def test_3_6_machine_guns_interdict_at_normal_range_and_main_armament_under_17_hexes() -> None:
    cells = "\n".join([". " * 20] * 3)
    mg = {"broken": {"MA": "removed", "BMG": "removed"}}
    for at, card, flags, who in (
        ("M2", "german/PzKpfw VIB", mg, ["t"]),
        ("N2", "german/PzKpfw VIB", mg, []),
        ("Q2", "german/StuG IIIG", {"exposed": True}, ["t"]),
        ("R2", "german/StuG IIIG", {"exposed": True}, []),
    ):
        assert _who(cells, at=at, vehicles=_tank(card, **{"at": "A2", "vca": "NE/SE", **flags})) == who, at


@rules("3.6", "3.2.2.1", system="aslsk3")
def test_3_6_a_vehicle_with_an_enemy_in_its_hex_interdicts_nobody_elsewhere() -> None:
    clash = Clash(
        "RtPh",
        german=side(vehicles=_tank()),
        russian=side(squad("r", "russian/4-4-7", at="D1", broken=True), squad("x", "russian/4-4-7", at="D3")),
    )
    assert list(interdictors(clash.context, clash.state, clash.hex("D1"), "russian")) == []


@rules("3.6", "6.0", system="aslsk3")
@pytest.mark.parametrize(
    ("unit", "flags", "interdicts"),
    [
        ({"card": "german/2-2-8 crew"}, {}, True),
        ({"card": "german/2-2-8 crew"}, {"facing": "S/SW"}, False),
        ({"card": "german/2-2-8 crew"}, {"state": "malfunctioned"}, False),
        ({"card": "german/2-2-8 crew", "pinned": True}, {}, False),
        ({"card": "german/4-4-7"}, {}, False),
        ({"card": "german/2-2-8 crew"}, {"mark": "Prep Fire"}, True),
    ],
)
def test_3_6_which_gun_interdicts(unit: dict[str, Any], flags: dict[str, Any], interdicts: bool) -> None:
    """A crew in D3 whose own FP does not reach far enough."""
    cells = "\n".join([". " * 12] * 3)
    gun = {"id": "gun", "card": "german/7.5cm PaK 40", "owner": "c", "facing": "NE/SE", **flags}
    crew = {"id": "c", "at": "A2", **unit}
    clash = Clash(
        "RtPh",
        cells,
        german=side(crew, weapons=[gun]),
        russian=side(squad("r", "russian/4-4-7", at="I2", broken=True)),
    )
    found = [one.id for one in interdictors(clash.context, clash.state, clash.hex("I2"), "russian")]
    assert found == (["c"] if interdicts else [])
