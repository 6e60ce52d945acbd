"""The charts of the pack against the public transcription of the player aids, where it is at hand."""

import json
from typing import Any

import pytest

from sandtable.systems.goss.tables.movement_costs import ONE_MP, Cost, Special
from tests.goss.shelf import SHARED, charts

RECOVERED = SHARED / "data" / "recovered"
published = pytest.mark.skipif(not RECOVERED.is_dir(), reason="no ../shared with the transcription beside the checkout")


def facts(name: str) -> Any:
    return json.loads((RECOVERED / f"goss_{name}.json").read_text(encoding="utf-8"))["data"]


def sixths(text: str) -> Cost | None:
    """A cost of the transcription; None where the other terrain of the hex decides."""
    if text.startswith("OTIH"):
        return None
    return {"P": Special.PROHIBITED, "All": Special.ALL}.get(text) or round(float(text.lstrip("+")) * ONE_MP)


@published
def test_terrain_costs() -> None:
    given = facts("movement_terrain")["terrain_cost"]
    names = {"Rough 2 (1)": ["rough2"], "Marsh/Swamp": ["marsh", "swamp"]}
    checked = 0
    for title, row in given.items():
        for kind in names.get(title, [title.lower().replace(" ", "_")]):
            if kind in ("vantage_point", *charts().fire.terrain):
                found = [charts().costs.terrain.get((kind, one)) for one in ("Leg", "Mech")]
                assert found == [sixths(row["leg"]), sixths(row["mech"])], title
                checked += 1
    assert checked == 15


@published
def test_fire_support_results() -> None:
    given = facts("fire_support")["resolution"]["table"]
    for text, result in given.items():
        told = str(charts().fire.result(int(text.rstrip("+-"))))
        assert told == result.replace("0", "no effect"), text
    assert len(given) == 17


@published
def test_armour_rows_and_drm() -> None:
    names = {"rough-2": "rough2", "soft": "soft_ground"}
    rows = facts("ground_assault")["arm_terrain"]
    for titles, row in rows.items():
        for title in titles.split("/"):
            if title in charts().defences.works:
                assert charts().defences.works[title].armour == -row["mod"], title
            elif title == "stream":
                assert charts().defences.stream == -row["mod"]
            else:
                found = charts().defences.armour[names.get(title, title)]
                assert (found.modifier, found.most) == (-row["mod"], row["max"]), title
    for titles, drm in facts("fire_support")["drm"]["A_terrain"].items():
        for title in titles.split("/"):
            assert charts().fire.terrain[names.get(title, title)] == drm, title
