"""The legend tells what the charts say."""

import pytest

from sandtable.systems.goss.system import GOSS
from tests.goss.shelf import library


@pytest.mark.rules("1.3.0", system="goss")
def test_what_the_charts_say_of_terrain() -> None:
    legend = GOSS.legend(library())
    assert legend[""].facts == {"Leg MP": "1", "Mech MP": "1", "assault line": "1"}
    assert legend["woods"].facts["cover"] == "hides who moves (MCT)"
    assert legend["village"].facts["cover"] == "hides who stands still (OCT)"
    assert legend["great_river"].facts["Mech MP"] == "prohibited"
    assert "Mech road MP" in legend["primary_road"].facts
