"""5.2.1 Portées beside the story of the situation 5.2.1-portees: what may not be, and what counters do."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import BadInput
from sandtable.systems.panzer.hex.actions import LoadGun, UnloadGun
from sandtable.systems.panzer.hex.display import build_view
from sandtable.systems.panzer.hex.handler import Play
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.movement.portee import refuse_gun, shift_gun
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.markers import Suppression
from sandtable.systems.panzer.unit import Command, Status, UnitId

rules = pytest.mark.rules
NA = "panzer-na"
P1, GUN = UnitId("P1"), UnitId("P1-gun")
OFF, ON = UnloadGun(P1, 1, 2), LoadGun(P1, 1)
TEXT = """
system: panzer-na
level: advanced
map: {{drawing: {{cells: ". . . .", features: [{{kind: road, line: [A1, B1, C1, D1]}}]}}}}
sides:
  - id: red
    title: Red
    units:
      - {{id: P1, card: portee-6pdr, at: A1, facing: NE, command: MOVE{markers}}}
      - {{id: {other}, card: british-rifle-half, at: A1, command: MOVE}}
  - {{id: blue, title: Blue, units: [{{id: b1, card: m13-40, at: D1}}]}}
open: movement
first: blue
"""


def opened(markers: str = "", other: str = "men") -> tuple[PanzerRules, State]:
    position = catalog.open_situation(TEXT.format(markers=markers, other=other), "portee").position
    assert isinstance(position.ruleset, PanzerRules)
    assert isinstance(position.state, State)
    return position.ruleset, position.state


def done(ruleset: PanzerRules, state: State, action: UnloadGun | LoadGun) -> State:
    play = Play(state, ruleset.fold, ScriptedDice(()))
    shift_gun(ruleset.context, play, action, None)
    return play.state


def changed(state: State, unit: UnitId, **changes: Any) -> State:
    return replace(state, units={**state.units, unit: replace(state.units[unit], **changes)})


@rules("5.2.1", system=NA)
@pytest.mark.parametrize(
    ("markers", "number"), [("", ""), (", turret_damaged: true", "5.2.1"), (", bailed: true", "5.15")]
)
def test_5_2_1_a_damaged_or_abandoned_gun_stays_aboard(markers: str, number: str) -> None:
    ruleset, state = opened(markers)
    refusal = refuse_gun(ruleset.context, state, OFF, None)
    assert (refusal.rule if refusal else "") == number


@rules("5.2.1", system=NA)
def test_5_2_1_suppression_goes_with_both_and_with_the_portee_again() -> None:
    ruleset, state = opened(", suppression: SUPPRESSION/OFF")
    apart = done(ruleset, state, OFF)
    assert [apart.units[one].markers.suppression for one in (P1, GUN)] == [Suppression.OFF, Suppression.OFF]
    calm = replace(apart.units[P1].markers, suppression=Suppression.NONE)
    again = done(ruleset, changed(apart, P1, markers=calm), ON)
    assert again.units[P1].markers.suppression is Suppression.OFF
    assert (again.units[GUN].status, again.units[GUN].hex) == (Status.ABOARD, None)


@rules("5.2.1", system=NA)
def test_5_2_1_the_gun_is_taken_up_in_its_hex_by_an_empty_truck_that_has_not_moved() -> None:
    ruleset, state = opened()
    context = ruleset.context
    apart = changed(done(ruleset, state, OFF), GUN, moved=False, command=Command.MOVE)
    start = Mover(context, apart, apart.units[P1]).start()
    assert refuse_gun(context, apart, ON, start) is None
    away = changed(apart, GUN, hex=context.game_map.hex("B1"))
    laden = changed(apart, P1, markers=replace(apart.units[P1].markers, passengers=(UnitId("men"),)))
    for wrong, progress in ((away, start), (laden, start), (apart, replace(start, spent=1))):
        assert refuse_gun(context, wrong, ON, progress) is not None
    spent = shift_gun(context, Play(apart, ruleset.fold, ScriptedDice(())), ON, start)
    assert spent is not None
    mover = Mover(context, apart, apart.units[P1])
    assert not [leg for leg in mover.legs(spent) if leg[0].step != "stay"]


@rules("5.2.1", system=NA)
def test_5_2_1_aboard_the_gun_is_no_counter_and_its_name_is_taken() -> None:
    ruleset, state = opened()
    assert {counter.id for counter in build_view(ruleset.context, state, None, None, None).counters} == {
        "P1",
        "men",
        "b1",
    }
    with pytest.raises(BadInput, match="P1-gun is the gun of P1"):
        opened(other="P1-gun")
