"""The charts of the pack: each is read by the rules, so a user's own numbers count (1.2.5, 3.2.4, 4.0)."""

from pathlib import Path

import pytest

import sandtable.systems.aslsk
from sandtable import catalog
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.common.possession import ipc, refuse_load
from tests.aslsk.clash import Clash, side, squad

rules = pytest.mark.rules
SOURCES = Path(str(sandtable.systems.aslsk.__file__)).parent


def test_every_table_of_the_pack_is_read_by_a_rule() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    names = [Path(name).stem for name, _, _ in catalog.library("aslsk3").section("tables")]
    assert names
    assert [name for name in names if f'tables["{name}"]' not in text] == []


@rules("4.0", system="aslsk3")
@pytest.mark.parametrize(
    ("card", "flags", "capacity"),
    [
        ("german/4-6-7", {}, 3),
        ("german/4-6-7", {"cx": True}, 2),
        ("german/8-0", {}, 1),
        ("german/8-0", {"cx": True}, 0),
        ("german/8-0", {"wounded": True}, 0),
    ],
)
def test_4_0_inherent_portage_capacity(card: str, flags: dict[str, bool], capacity: int) -> None:
    clash = Clash("MPh", german=side(squad("a", card, at="A1", **flags)), russian=side())
    assert ipc(clash.context, clash.unit("a")) == capacity
    assert (refuse_load(clash.context, clash.unit("a"), 3) is not None) == (card == "german/8-0")


@rules("1.2.5", system="aslsk3")
@pytest.mark.parametrize(
    ("counters", "drm"),
    [
        ({"C1": "smoke grenades"}, 2),
        ({"C1": "smoke"}, 3),
        ({"C1": "dispersed WP"}, 1),
        ({"E1": "dispersed smoke"}, 2),
        ({"A1": "WP"}, 3),
    ],
)
def test_1_2_5_smoke_on_the_way_at_the_target_and_at_the_firer(counters: dict[str, str], drm: int) -> None:
    clash = Clash(
        "PFPh",
        ". . . . .",
        german=side(squad("a", at="A1")),
        russian=side(squad("r", "russian/4-4-7", at="E1")),
        smoke=counters,
    )
    assert clash.why(Fire((clash.unit("a").id,), (), clash.hex("E1"))) == ""
    assert clash.context.hindrance(clash.state, clash.hex("A1"), clash.hex("E1")) == drm


@rules("1.2.5", "3.2.1", system="aslsk3")
def test_3_2_1_smoke_that_blocks_blocks_both_ways() -> None:
    """Five of hindrance and one for fire out of Smoke: the line is there for both, and six of hindrance for neither."""
    for counters, clear in (({"A1": "smoke", "C1": "smoke grenades"}, True), ({"A1": "smoke", "C1": "smoke"}, False)):
        clash = Clash(
            "PFPh",
            ". . . . .",
            german=side(squad("a", at="A1")),
            russian=side(squad("r", "russian/4-4-7", at="E1")),
            smoke=counters,
        )
        there, back = clash.hex("A1"), clash.hex("E1")
        assert clash.context.sees(clash.state, there, back) == clash.context.sees(clash.state, back, there) == clear
