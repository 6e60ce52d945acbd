"""3.5.2, 3.5.3: who rests when, by army, corps or formation, and what gives it away at night."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import BadInput
from sandtable.core.ruleset import Resolution
from sandtable.systems.goss.command.resting import ChooseRest, ChooseRests
from sandtable.systems.goss.common.facts import RestShown
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.modes.mode_phase import SetModes
from sandtable.systems.goss.pieces.unit import Mode, UnitId
from sandtable.systems.goss.turn.segments import Part, Step
from tests.goss.moving import NON_ROAD, Field
from tests.goss.positions import Units

US = "61-inf/1-481"
FOOT, PZ, ASSET = "791-inf/I-1571", "191-pz/1-191 Pz", "xciii-corps/477 Sec"
AXIS, ALLIED = Seat("axis"), Seat("allied")
THEM: Units = {"0702": [ASSET], "0402": [FOOT], "0502": [PZ]}


def rules(*numbers: str) -> pytest.MarkDecorator:
    return pytest.mark.rules(*numbers, system="goss")


def field(level: str, segment: str = Step.REST, source: str = "0702", **more: Any) -> Field:
    """An Axis side of a corps with a division and a brigade, which rest by a level."""
    cells = "\n".join([". . . . . . ."] * 4)
    given = {"scenario": {"rests": level}, "us": {"sources": ["0101"], "rest": "Night"}, **more}
    return Field(segment, cells, {"0202": [US]}, THEM, seat=AXIS, them={"sources": [source]}, **given)


@rules("3.5.2")
@pytest.mark.parametrize(
    ("level", "names"),
    [
        ("army", ("xciii-corps",)),
        ("corps", ("xciii-corps",)),
        ("formation", ("xciii-corps", "791-inf", "191-pz")),
    ],
)
def test_3_5_2_each_army_corps_or_formation_designates_its_rest_game_turn(level: str, names: tuple[str, ...]) -> None:
    asked = field(level)
    decision = asked.rules.decision(asked.state)
    assert decision.asked == (AXIS,)
    parts = [Part.AM, Part.PM, Part.NIGHT][: len(names)]
    chosen = ChooseRests(tuple(zip(names, parts, strict=True)))
    assert chosen in decision.options(AXIS)
    assert asked.rules.refusal(asked.state, AXIS, ChooseRest(Part.AM)).rule == "3.5.2"
    short = ChooseRests(chosen.parts[:-1])
    assert asked.rules.refusal(asked.state, AXIS, short).rule == "3.5.2"
    asked.do(chosen)
    units = {one: asked.unit(one) for one in (ASSET, FOOT, PZ)}
    state = replace(asked.state, at=replace(asked.state.at, turn=0))
    resting = {one: is_resting(asked.rules.context, state, unit) for one, unit in units.items()}
    assert resting == dict.fromkeys(units, True) | ({FOOT: False, PZ: False} if level == "formation" else {})


@rules("3.5.2")
def test_3_5_2_an_unknown_level_is_refused() -> None:
    with pytest.raises(BadInput, match="rests"):
        field("division")


@rules("3.5.2")
def test_3_5_2_one_game_turn_for_all_and_nothing_of_it_for_the_enemy() -> None:
    asked = field("all")
    assert list(asked.rules.decision(asked.state).options(AXIS)) == [
        ChooseRest(Part.NIGHT), ChooseRest(Part.AM), ChooseRest(Part.PM)
    ]  # fmt: skip
    for name in ("791-inf", "axis"):
        assert asked.rules.refusal(asked.state, AXIS, ChooseRests(((name, Part.AM),))).rule == "3.5.2"
    by_formation = field("formation")
    parts = (("xciii-corps", Part.AM), ("791-inf", Part.PM), ("191-pz", Part.NIGHT))
    by_formation.do(ChooseRests(parts))
    told = by_formation.rules.conceal(by_formation.state, ALLIED).rests
    assert told.keys() == {"allied"}, "theirs are known"
    assert dict(parts).items() <= by_formation.rules.conceal(by_formation.state, AXIS).rests.items()
    notes = {one.id: one.note for one in by_formation.rules.view(by_formation.state, AXIS).formations}
    assert notes["791-inf"] == "rests PM"
    assert notes["61-inf"] == ""
    hidden = {one.note for one in by_formation.rules.view(by_formation.state, ALLIED).formations}
    assert hidden == {""}


def placed(found: Field, rests: dict[str, Part], **hexes: str) -> Field:
    """A field with the rest game turns of the day, and units in other hexes."""
    names = {"foot": FOOT, "pz": PZ}
    moved = {UnitId(names[one]): replace(found.unit(names[one]), hex=found.rules.place(hexes[one])) for one in hexes}
    found.state = replace(found.state, rests=rests, units=found.state.units | moved)
    return found


@rules("3.5.3", "3.5.4", "3.5.2")
def test_3_5_3_only_the_formation_that_rests_keeps_from_going_along_the_front() -> None:
    rests = {"xciii-corps": Part.AM, "791-inf": Part.AM, "191-pz": Part.PM, "allied": Part.NIGHT}
    near = placed(field("formation", NON_ROAD), rests, foot="0302", pz="0301")
    assert near.refused(FOOT, "0301") == "3.5.3"
    assert near.refused(PZ, "0302") == ""
    assert placed(field("formation", NON_ROAD), rests, foot="0402").refused(FOOT, "0302") == "", "it comes from afar"


@rules("3.5.2", "3.5.3")
def test_3_5_2_who_goes_along_the_front_at_night_tells_when_he_rests() -> None:
    rests = {"xciii-corps": Part.NIGHT, "791-inf": Part.AM, "191-pz": Part.PM, "allied": Part.NIGHT}
    night = placed(field("formation", NON_ROAD, part="Night"), rests, foot="0302").go(FOOT, "0301")
    assert night.told(RestShown) == RestShown(AXIS, "791-inf", Part.AM)
    assert night.rules.conceal(night.state, ALLIED).rests == {"allied": Part.NIGHT, "791-inf": Part.AM}
    words = night.rules.narrate(night.told(RestShown))
    assert words == "791st Infantry Division does not rest at night: the AM game turn was for that."
    away = placed(field("formation", NON_ROAD, part="Night"), rests, foot="0402").go(FOOT, "0302")
    assert away.told(RestShown) is None, "from afar to beside the enemy: that is open to all"
    more: dict[str, Any] = {"part": "Night", "source": "0704", "markers": {FOOT: {"isolated": True}}}
    home = placed(field("formation", NON_ROAD, **more), rests, foot="0301").go(FOOT, "0302")
    assert home.told(RestShown) is None, "who is cut off may go so towards supply, though he rests"
    by_day = placed(field("formation", NON_ROAD), rests | {"791-inf": Part.PM}, foot="0302").go(FOOT, "0301")
    assert by_day.told(RestShown) is None


@rules("3.5.2", "3.5.3")
def test_3_5_2_who_prepares_an_assault_at_night_tells_it_too_until_the_next_day() -> None:
    night = placed(field("all", Step.MODES, part="Night"), {"axis": Part.NIGHT, "allied": Part.NIGHT}, foot="0402")
    assert night.rules.refusal(night.state, AXIS, SetModes((UnitId(FOOT),))).rule == "3.5.3", "it rests"
    night.state = replace(night.state, rests={"axis": Part.PM, "allied": Part.NIGHT})
    night.do(SetModes((UnitId(FOOT),)))
    assert night.unit(FOOT).mode is Mode.PREPARED_ASSAULT
    assert night.told(RestShown) == RestShown(AXIS, "axis", Part.PM)
    play: Resolution[Any, Any] = Resolution(replace(night.state, stack=()), night.rules.fold, ScriptedDice([]))
    night.rules.open_segment(play, replace(night.state.at, turn=1, player="", index=3))
    night.state = play.state
    night.do(ChooseRest(Part.AM))
    assert night.rules.conceal(night.state, ALLIED).rests == {"allied": Part.NIGHT}
