"""The sheets before the dice: what a player is shown of an assault and of a mission is what the dice go by."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core.decision import Seat
from sandtable.systems.goss.assault.adjusting import KeepDesignations
from sandtable.systems.goss.assault.leading import Lead
from sandtable.systems.goss.support.calling import Spot
from sandtable.systems.goss.tables.ground_assault import COLUMNS
from tests.goss.assaults import Fight
from tests.goss.battles import battle

ALLIED = Seat("allied")
TA = {"designated": True}
US, ALSO, THEM = "61-inf/1-481", "61-inf/799 Tk", "791-inf/I-1571"


def fight() -> Fight:
    """Infantry and tanks about to assault a battalion in the open."""
    return Fight({"0403": [US, ALSO]}, {"0404": [THEM]}, markers={US: TA, ALSO: TA})


def known(game: Any) -> Any:
    return game.rules.conceal(game.state, ALLIED)


@pytest.mark.rules("13.6.0", "13.7.0", "13.8.0", "13.9.0", "13.9.2", system="goss")
def test_the_sheet_of_an_assault_is_what_the_dice_go_by() -> None:
    game = fight()
    sheet = game.rules.sheet(known(game), ALLIED, KeepDesignations())
    assert sheet is not None
    assert sheet.title == "Assault on 0404"
    ours, theirs = sheet.sides
    assert {entry.unit for entry in ours.rows} == {US, ALSO}
    assert [entry.unit for entry in theirs.rows] == [THEM]
    assert sheet.joint is not None
    assert sum(map(sum, sheet.joint.cells)) == pytest.approx(1)
    game.do(KeepDesignations())
    while "lead" in game.title:
        game.do(next(one for one in game.answers if isinstance(one, Lead)), 40, 60, 0, 0)
    (rolled,) = [event for event in game.events if type(event).__name__ == "AssaultRolled"]
    assert (ours.total, theirs.total) == tuple(map(str, rolled.ratio))
    assert f"{COLUMNS[rolled.column]}, DRM {rolled.numbers[-1].total:+d}" in sheet.line
    assert sheet.numbers == rolled.numbers[2:]


@pytest.mark.rules("11.2.4", "11.4.1", "11.5.0", "11.6.0", system="goss")
def test_the_sheet_of_a_mission_has_guns_drm_and_exact_odds() -> None:
    game = battle()
    (spot,) = [one for one in options(game) if isinstance(one, Spot) and one.hex is not None and one.unit == US][:1]
    game.play(ALLIED, spot)
    fire = options(game)[0]
    sheet = game.rules.sheet(game.state, ALLIED, fire)
    assert sheet.sides[0].total == str(sum(shot.points for shot in fire.guns))
    assert sum(chance.probability for chance in sheet.odds) == pytest.approx(1)
    assert sheet.numbers[1] == game.state.stack[-1].drm


def options(game: Any) -> list[Any]:
    return list(game.rules.decision(game.state).options(ALLIED))


@pytest.mark.rules("13.2.0", "13.3.0", "8.4.0", system="goss")
def test_the_last_of_several_assaults_has_its_sheet_and_says_what_it_rests_on() -> None:
    other, under = "791-inf/II-1571", "791-inf/791 Pio"
    game = Fight({"0403": [US], "0608": [ALSO]}, {"0404": [THEM, under], "0607": [other]}, markers={US: TA, ALSO: TA})
    game.do(KeepDesignations())
    first, second = game.answers
    sheets = [game.rules.sheet(known(game), ALLIED, one) for one in (first, second)]
    assert [sheet.joint.is_partial for sheet in sheets if sheet and sheet.joint] == [True, False]
    game.do(first, *([50] * 2), *([0] * 9))
    while game.title != "allied: Assault a hex":
        game.do(game.answers[0], *([0] * 9))
    assert game.answers == [second], "it is the only one, and still it is looked at before the dice fall"
