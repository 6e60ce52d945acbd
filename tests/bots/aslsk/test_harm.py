"""What bots believe of fire is what the rules do: their tables against the exact odds of attacks (3.2.3)."""

import pytest

from sandtable.bots.aslsk.harm import HarmOdds, Harms
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.effects.ift import ift_of
from sandtable.systems.aslsk.pieces.state import UnitId
from tests.aslsk.clash import Clash

rules = pytest.mark.rules


def clash_with(target: dict[str, object]) -> Clash:
    return Clash(
        "PFPh",
        attacker="german",
        german={"units": [{"id": "g", "card": "german/4-6-7", "at": "A1"}]},
        russian={"units": [{"id": "r", "card": "russian/4-4-7", "at": "C1", **target}]},
    )


@rules("3.2.3", system="aslsk3")
@pytest.mark.parametrize("broken", [False, True])
def test_3_2_3_the_chance_to_come_through_unharmed_is_exact(broken: bool) -> None:
    clash = clash_with({"broken": True, "dm": True} if broken else {})
    action = Fire((UnitId("g"),), (), clash.hex("C1"))
    exact = {chance.what: chance.probability for chance in clash.rules.unit_odds(clash.state, action)[UnitId("r")]}
    harms = Harms(ift_of(clash.context))
    # Four FP, no DRM, and a squad without a leader cowers; broken morale of a 4-4-7 is seven as well.
    odds = harms.odds(harms.ift.number(4), 0, 7, broken=broken, cower=1)
    untouched = sum(chance for what, chance in exact.items() if what in ("", "no effect", "nothing"))
    assert untouched == pytest.approx(1 - sum(odds), abs=1e-9)
    # Who is reduced and then fails a check may be eliminated: that is counted among the reduced.
    killed = sum(chance for what, chance in exact.items() if "eliminated" in what)
    assert odds.killed <= killed <= odds.killed + odds.reduced


@rules("3.2.3", system="aslsk3")
def test_3_2_3_more_fire_does_more_harm_and_cover_less() -> None:
    harms = Harms(ift_of(clash_with({}).context))
    losses = [harms.of_fp(fp, 0, 7).times(1, 0.5, 0.4, 0.1) for fp in (2, 4, 8, 16, 30)]
    assert losses == sorted(losses)
    assert len(set(losses)) == len(losses)
    by_drm = [harms.of_fp(8, drm, 7).times(1, 0.5, 0.4, 0.1) for drm in (-2, 0, 2, 4)]
    assert by_drm == sorted(by_drm, reverse=True)


@rules("3.2.3", system="aslsk3")
def test_3_2_3_random_selection_shares_a_kia_out() -> None:
    harms = Harms(ift_of(clash_with({}).context))
    column = harms.ift.number(36)
    alone, of_three = harms.odds(column, -2, 7), harms.odds(column, -2, 7, targets=3)
    assert of_three.killed < alone.killed
    assert of_three.broken > alone.broken


def test_fire_left_of_the_table_does_nothing() -> None:
    harms = Harms(ift_of(clash_with({}).context))
    assert harms.of_fp(0.5, -2, 6) == HarmOdds(0.0, 0.0, 0.0, 0.0)
