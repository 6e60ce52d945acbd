"""7.9-7.12: exact odds of a shot at a tank are those of play, and add up."""

from fractions import Fraction
from typing import Any

import pytest

from sandtable.core.dice import Cuts, Dice, DiceSpec, Roll, enumerate_rolls
from sandtable.systems.aslsk.armour.crew import suffer_result
from sandtable.systems.aslsk.common.consequence import vehicle_change
from sandtable.systems.aslsk.common.context import Play
from sandtable.systems.aslsk.common.fold import fold
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.effects.ift import IftKind, IftResult
from sandtable.systems.aslsk.pieces.armament import Ammo, TargetType
from sandtable.systems.aslsk.pieces.state import VehicleId, WeaponId
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules


def _clash(card: str = "german/PzKpfw IVH", foe: str = "russian/T-34 M43", **flags: Any) -> Clash:
    tank = {"id": "t", "card": card, "at": "D4", "vca": "N/NE", **flags.pop("tank", {})}
    enemy = {"id": "e", "card": foe, "at": flags.pop("at", "D1"), "vca": flags.pop("vca", "S/SW"), **flags}
    return Clash(
        "PFPh",
        german=side(squad("g", at="G5"), vehicles=[tank]),
        russian=side(squad("r", "russian/4-4-7", at="G3"), vehicles=[enemy]),
        conditions={"year": 1943, "month": 7},
    )


class _Every(Dice):
    """Dice that tell every face of a roll apart, whatever the rule says that it need not tell apart."""

    def __init__(self, dice: Dice, of: str) -> None:
        self._dice = dice
        self._of = of

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        """The roll of the dice underneath."""
        return self._dice.roll(dice, why, None if self._of in why else cuts)


def _played(clash: Clash, action: FireGun) -> dict[str, Fraction]:
    """The fate of the target by playing every roll through."""
    found: dict[str, Fraction] = {}

    def play(dice: Dice) -> str:
        after = clash.rules.resolve(clash.state, clash.decision.asked[0], action, _Every(dice, "To Kill")).state
        return vehicle_change(clash.state.vehicles[VehicleId("e")], after.vehicles[VehicleId("e")]) or "no effect"

    for what, chance in enumerate_rolls(play):
        found[what] = found.get(what, Fraction(0)) + chance
    return found


@rules("3.2.4", "7.9", "7.10", "7.12", system="aslsk3")
@pytest.mark.parametrize(
    ("flags", "ammo"),
    [
        ({}, Ammo.AP),
        ({"exposed": True}, Ammo.AP),
        ({"exposed": True}, Ammo.HE),
        ({"vca": "N/NE", "tca": "SE/S"}, Ammo.AP),
        ({"at": "D4"}, Ammo.AP),
        ({"stun": "+1", "exposed": True}, Ammo.HE),
        ({"tank": {"mark": "Prep Fire", "fired_in": "PFPh", "guns_fired": ["MA"]}}, Ammo.AP),
        ({"foe": "italian/L3/35"}, Ammo.HE),
        ({}, Ammo.APCR),
    ],
)
def test_exact_odds_of_a_shot_are_those_of_play(flags: dict[str, Any], ammo: Ammo) -> None:
    intensive = "mark" in flags.get("tank", {})
    clash = _clash(**dict(flags))
    hex = clash.state.vehicles[VehicleId("e")].hex
    assert hex is not None
    action = FireGun(hex, WeaponId(""), VehicleId("t"), TargetType.VEHICLE, ammo, intensive=intensive, at="e")
    if clash.why(action):
        action = FireGun(hex, WeaponId(""), VehicleId("t"), TargetType.VEHICLE, Ammo.AP, intensive=intensive, at="e")
    odds = clash.rules.unit_odds(clash.state, action)
    assert set(odds) == {"e", "t"}
    assert {chance.what: chance.exact for chance in odds["e"]} == {
        what: str(chance) for what, chance in _played(clash, action).items()
    }
    assert sum(Fraction(chance.exact) for chance in odds["t"]) == 1


@rules("1.2.4.1", "3.2.4", "6.12", system="aslsk3")
def test_odds_tell_where_a_shot_hits_and_what_becomes_of_the_gun() -> None:
    clash = _clash()
    action = FireGun(clash.hex("D1"), WeaponId(""), VehicleId("t"), TargetType.VEHICLE, Ammo.AP, at="e")
    told = {chance.what: Fraction(chance.exact) for chance in clash.rules.unit_odds(clash.state, action)["t"]}
    assert {"miss", "hull hit", "turret hit", "miss, malfunctions"} <= set(told)
    keeps = sum(chance for what, chance in told.items() if what.endswith("keeps its ROF"))
    rof = clash.context.vehicle_card(clash.state.vehicles[VehicleId("t")]).main.rof
    assert keeps == Fraction(rof, 6)
    assert told["miss, malfunctions"] == Fraction(1, 36)
    hull = sum(chance for what, chance in told.items() if "hull hit" in what)
    turret = sum(chance for what, chance in told.items() if "turret hit" in what)
    assert hull > turret > 0, "equal dice hit the hull"


@rules("3.2.3", "7.10", system="aslsk3")
@pytest.mark.parametrize("stun", ["", "+1"])
@pytest.mark.parametrize(
    "result", [IftResult("NMC", IftKind.MC, 0), IftResult("2MC", IftKind.MC, 2), IftResult("PTC", IftKind.PTC, 0)]
)
def test_a_check_of_a_crew_tells_apart_what_it_comes_to(result: IftResult, stun: str) -> None:
    """Exact odds follow one branch for all totals between two cuts: Stun, STUN, buttoned up, nothing."""
    clash = _clash(exposed=True, stun=stun)
    before = clash.state.vehicles[VehicleId("e")]

    def check(dice: Dice) -> str:
        play = Play(clash.state, fold, dice)
        suffer_result(clash.context, play, before.id, result)
        return vehicle_change(before, play.state.vehicles[before.id])

    def chances(of: str) -> dict[str, Fraction]:
        found: dict[str, Fraction] = {}
        for what, chance in enumerate_rolls(lambda dice: check(_Every(dice, of))):
            found[what] = found.get(what, Fraction(0)) + chance
        return found

    assert chances("no such roll") == chances(result.text)
