"""What is worked out on a ground goes with it: a server opens game after game."""

import gc
import weakref

from sandtable import catalog
from sandtable.systems.panzer.hex.movement.movement_costs import vehicle_costs
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.terrain import Traction


def test_movement_costs_do_not_keep_a_ground_alive() -> None:
    rules = catalog.open_scenario("na-a-patrol-at-tamrad").ruleset
    assert isinstance(rules, PanzerRules)
    ground = rules.context.ground
    assert vehicle_costs(ground, Traction.TRACKED) is vehicle_costs(ground, Traction.TRACKED)
    gone = weakref.ref(ground)
    del rules, ground
    gc.collect()
    assert gone() is None
