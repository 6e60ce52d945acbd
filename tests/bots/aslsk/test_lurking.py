"""Hidden enemies as a bot imagines them: from what is public, and wherever they are (6.4)."""

from functools import cache
from random import Random
from typing import Any

import pytest

from sandtable import catalog
from sandtable.bots import Question, ask, make_bot
from sandtable.bots.aslsk.arms.cannons import Stand
from sandtable.bots.aslsk.barrage import STANDING
from sandtable.bots.aslsk.commander import AslskDoctrine
from sandtable.bots.aslsk.lurking import lairs
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.style import CHARACTERS, Character
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.ruleset import Ruleset
from sandtable.sim.playout import start
from sandtable.systems.aslsk.common.actions import Done
from sandtable.systems.aslsk.common.hidden import hidden_units
from sandtable.systems.aslsk.pieces.state import Phase, State, VehicleId

rules = pytest.mark.rules
STEADY = CHARACTERS[Character.STEADY]
RUSSIAN = Seat("russian")
AnyRuleset = Ruleset[Any, Any, Any]


@cache
def attack() -> tuple[AnyRuleset, State]:
    """The first MPh of tanks against a farm near which a Gun is hidden."""
    ruleset = catalog.open_scenario("sk-6-steel-in-the-corn").ruleset
    dice, rng, bot = SeededDice(2), Random(2), make_bot("greedy", None)
    state: State = start(ruleset, dice)
    while state.phase is not Phase.MOVEMENT:
        decision = ruleset.decision(state)
        assert decision is not None
        seat = decision.asked[0]
        action = ask(bot, ruleset, state, seat, rng) if state.phase is Phase.SETUP else Done()
        state = ruleset.resolve(state, seat, action, dice).state
    return ruleset, state


def asked(ruleset: AnyRuleset, state: State) -> Question[Any]:
    return Question(ruleset, ruleset.conceal(state, RUSSIAN), RUSSIAN)


def doctrine(ruleset: AnyRuleset) -> AslskDoctrine:
    found = doctrine_of(ruleset)
    assert isinstance(found, AslskDoctrine)
    return found


@rules("6.4", system="aslsk3")
def test_6_4_a_hidden_gun_elsewhere_changes_no_choice_and_no_imagined_world() -> None:
    ruleset, state = attack()
    hidden: Any = ruleset
    variants = [variant for variant in hidden.hidden_variants(state, RUSSIAN) if variant.units != state.units]
    assert variants
    bot, told = make_bot("greedy", None), []
    for one in (state, variants[-1]):
        question = asked(ruleset, one)
        world = doctrine(ruleset).imagine(question, STEADY, Random(7))
        told.append((bot.choose(question, Random(1)), world))
    assert told[0] == told[1]


@rules("6.4", system="aslsk3")
def test_6_4_in_imagined_worlds_a_hidden_gun_stands_somewhere_in_its_area_manned_and_hidden() -> None:
    ruleset, state = attack()
    crews = hidden_units(doctrine(ruleset).book.context, state)
    assert len(crews) == 1
    places = set()
    for seed in range(12):
        world = doctrine(ruleset).imagine(asked(ruleset, state), STEADY, Random(seed))
        assert hidden_units(doctrine(ruleset).book.context, world) == crews
        gun = next(weapon for weapon in world.weapons.values() if weapon.hidden)
        assert gun.owner in crews
        assert gun.facing >= 0
        places.add(world.units[gun.owner].hex)
    assert len(places) > 3
    assert places <= set(lairs(doctrine(ruleset).book.context, "german"))


@rules("6.4", system="aslsk3")
def test_6_4_a_tank_fears_the_gun_that_it_does_not_see() -> None:
    ruleset, state = attack()
    book = doctrine(ruleset).book
    seen = Sketch(book, ruleset.conceal(state, RUSSIAN), RUSSIAN, STEADY)
    t34 = state.vehicles[VehicleId("R-V1")]
    cannons = seen.cannons(seen.enemy, STANDING)
    ghosts = [cannon for cannon in cannons.all if cannon not in cannons.by_name.values()]
    near = [hex for hex in sorted(book.context.game_map.hexes) if hex not in {ghost.hex for ghost in ghosts}]
    shares = [
        sum(cannons.share(ghost, book.context.vehicle_card(t34), Stand(hex, 4, 4, moving=False)) for ghost in ghosts)
        for hex in near
    ]
    assert len(ghosts) > 3
    assert max(shares) > 0.05
    assert min(shares) == 0.0
