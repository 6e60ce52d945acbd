"""The doctrine of Panzer's Advanced Game: orders keep to their commands, ideas are answers, GP fire counts."""

from random import Random
from typing import Any

from msgspec.structs import replace

from sandtable import catalog
from sandtable.bots import Question, ask, make_bot
from sandtable.bots.doctrine import doctrine_of
from sandtable.bots.panzer.combined.commander import CombinedArms
from sandtable.bots.panzer.picture import Picture
from sandtable.bots.panzer.weights import weights_for
from sandtable.bots.style import CHARACTERS, Character
from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.ruleset import Ruleset
from sandtable.geo.hex import distance
from sandtable.sim.playout import start
from sandtable.systems.panzer.advanced_card import UnitClass
from sandtable.systems.panzer.command.control import UNIQUE
from sandtable.systems.panzer.frames import PlacingOrders
from sandtable.systems.panzer.hex.actions import PlaceOrders
from sandtable.systems.panzer.hex.command.orders import formation_status
from sandtable.systems.panzer.markers import Suppression, UnitMarkers
from sandtable.systems.panzer.unit import Status

AnyRuleset = Ruleset[Any, Any, Any]
STEADY = CHARACTERS[Character.STEADY]
SCENARIO = "na-adv-a-wells-at-bir-hamra"


def opened() -> tuple[AnyRuleset, CombinedArms, Any]:
    ruleset = catalog.open_scenario(SCENARIO).ruleset
    doctrine = doctrine_of(ruleset)
    assert isinstance(doctrine, CombinedArms)
    return ruleset, doctrine, start(ruleset, SeededDice(3))


def test_orders_use_the_commands_of_each_formation_and_no_more() -> None:
    ruleset, doctrine, state = opened()
    for seat in ruleset.decision(state).asked:  # type: ignore[union-attr]
        known = ruleset.conceal(state, seat)
        assert isinstance(known.stack[-1], PlacingOrders)
        question = Question(ruleset, known, seat)
        (idea,) = doctrine.ideas(question, STEADY, Random(1))
        assert isinstance(idea.answer, PlaceOrders)
        assert idea.answer in question.options
        for name, formation in doctrine.book.context.scenario.formations.items():
            if formation.side == seat:
                mine = [idea.answer.orders[unit] for unit in formation.units if unit in idea.answer.orders]
                own = [order for order in mine if order.command in UNIQUE and not order.shares]
                assert 0 < len(own) <= formation_status(doctrine.book.context, state, name).commands


def test_every_best_idea_of_two_turns_is_an_answer() -> None:
    ruleset, doctrine, state = opened()
    dice, rng, bot = SeededDice(4), Random(4), make_bot("greedy", None)
    while (decision := ruleset.decision(state)) is not None and state.turn < 3:
        seat = decision.asked[0]
        question = Question(ruleset, ruleset.conceal(state, seat), seat)
        if question.options.only() is None:
            assert doctrine.ideas(question, STEADY, Random(1))[0].answer in question.options
        state = ruleset.resolve(state, seat, ask(bot, ruleset, state, seat, rng), dice).state


def test_men_are_shot_at_with_gp_fire_and_tanks_with_ap() -> None:
    _, doctrine, state = opened()
    book = doctrine.book
    squad, tank = (
        next(unit for unit in state.units.values() if unit.side == side and _class(doctrine, unit) is kind)
        for side, kind in (("british", UnitClass.SQUAD), ("german", UnitClass.VEHICLE))
    )
    here = min(book.context.ground.places)
    there = next(hex for hex in sorted(book.context.ground.places) if distance(here, hex) == 2)
    near = book.gunnery.strike(tank, here, squad, there, 0)
    far = next(hex for hex in sorted(book.context.ground.places) if distance(here, hex) == 8)
    assert 0 < book.gunnery.strike(tank, here, squad, far, 0).share < near.share


def _class(doctrine: CombinedArms, unit: Any) -> UnitClass:
    return doctrine.book.context.cards[unit.card].unit_class


def test_what_is_kept_of_shots_tells_men_in_cover_and_reduced_squads_apart() -> None:
    _, doctrine, state = opened()
    looks = doctrine.book.gunnery.looks
    squad = next(unit for unit in state.units.values() if _class(doctrine, unit) is UnitClass.SQUAD)
    hidden = replace(squad, markers=UnitMarkers(full_cover=True))
    halved = replace(squad, markers=UnitMarkers(reduced=True))
    assert len({looks(one) for one in (replace(squad, markers=UnitMarkers()), hidden, halved)}) == 3
    place = next(unit.hex for unit in state.units.values() if unit.side != squad.side and unit.hex is not None)
    near = min(doctrine.book.context.ground.fields[place], key=lambda hex: (distance(hex, place), hex))

    def danger(unit: Any) -> float:
        picture = Picture(doctrine.book, state, Seat(squad.side), weights_for(STEADY))
        return picture.danger(unit, near)

    assert danger(hidden) < danger(replace(squad, markers=UnitMarkers()))
    assert danger(hidden) < danger(halved)


def test_counters_cost_a_unit_of_its_worth_and_its_loss_all_of_it() -> None:
    _, doctrine, state = opened()
    name, tank = next((name, unit) for name, unit in state.units.items() if _class(doctrine, unit) is UnitClass.VEHICLE)
    seat = Seat(tank.side)

    def lost(**changes: Any) -> float:
        after = replace(state, units={**state.units, name: replace(tank, **changes)})
        return doctrine.material(state, seat) - doctrine.material(after, seat)

    whole = lost(status=Status.KNOCKED_OUT)
    assert whole == doctrine.book.price(tank.card, seat)
    assert 0 < lost(markers=UnitMarkers(suppression=Suppression.ON)) < lost(markers=UnitMarkers(track=True)) < whole
    assert lost(markers=UnitMarkers(turret_damaged=True, hull_damaged=True, track=True, bailed=True)) < whole
