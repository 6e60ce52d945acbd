"""The tools beside the map, as every system that shows sight answers them."""

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.session.presenting.tools import Tools
from sandtable.systems.aslsk.pieces.counters import Smoke, SmokeKind
from sandtable.systems.aslsk.rules import AslskRules
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import Wreck
from sandtable.systems.panzer.unit import WreckKind

rules = pytest.mark.rules

VILLAGE, HILLS = "sk-1-the-road-into-bretteville", "mbt-delay-at-lindenhof"


def asl() -> AslskRules:
    ruleset = catalog.open_scenario(VILLAGE).ruleset
    assert isinstance(ruleset, AslskRules)
    return ruleset


def panzer() -> PanzerRules:
    ruleset = catalog.open_scenario(HILLS).ruleset
    assert isinstance(ruleset, PanzerRules)
    return ruleset


@pytest.mark.parametrize("ruleset", [asl(), panzer()], ids=["aslsk3", "mbt"])
def test_the_field_of_sight_is_what_the_line_tool_calls_clear(ruleset: AslskRules | PanzerRules) -> None:
    tools, state, game_map = Tools(ruleset), ruleset.setup(), ruleset.context.game_map
    labels = [game_map.label(hex) for hex in sorted(game_map.hexes)]
    origin = labels[len(labels) // 2]
    clear = [label for label in labels if not tools.sight(state, origin, label).blocked]
    assert list(tools.field(state, origin)) == clear
    assert 1 < len(clear) < len(labels)


@rules("1.2.5", "3.2.1", system="aslsk3")
def test_smoke_hinders_the_line_and_six_of_it_close_it() -> None:
    ruleset = asl()
    tools, state, game_map = Tools(ruleset), ruleset.setup(), ruleset.context.game_map
    hexes = sorted(game_map.hexes)
    a = hexes[len(hexes) // 2]
    lines = (ruleset.sight(state, a, hex) for hex in hexes)
    line = next(line for line in lines if len(line.between) == 2 and line.clear and not line.hindrance)
    one, other = game_map.label(line.a), game_map.label(line.b)
    told = []
    for count in (0, 1, 2):
        smoke = tuple(Smoke(hex, SmokeKind.FULL, ruleset.seats[0]) for hex in line.between[:count])
        smoky = replace(state, smoke=smoke)
        report = tools.sight(smoky, one, other)
        told.append((report.blocked, report.hindrance, [row.what for row in report.hindrances]))
        assert (other in tools.field(smoky, one)) is not report.blocked
    assert told == [(False, 0, []), (False, 3, ["smoke"]), (True, 6, ["smoke", "smoke"])]


@rules("4.1.4.1.9", "4.4.3.2.2", system="mbt")
def test_smoke_of_wrecks_is_told_and_closes_nothing() -> None:
    ruleset = panzer()
    tools, state, label = Tools(ruleset), ruleset.setup(), ruleset.context.game_map.label
    a = min(ruleset.context.game_map.hexes)
    b = min(ruleset.field(state, a) - {a})
    wreck = Wreck(b, WreckKind.BU)
    report = tools.sight(replace(state, wrecks=(wreck,)), label(a), label(b))
    assert not report.blocked
    assert [(row.hex, row.rule) for row in report.hindrances] == [(label(b), "4.4.3.2.2")]
    fresh = tools.sight(replace(state, wrecks=(replace(wreck, fresh=True),)), label(a), label(b))
    assert fresh.hindrances == (), "it counts from the next player step on"
