"""Small Advanced games of fire: a drawn map, units of both sides, and what is announced."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.decision import Seat
from sandtable.core.dice import Dice, ScriptedDice
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.cards import RateOfFire
from sandtable.systems.panzer.hex.actions import Action, Engage
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.hex.system import PanzerSystem
from sandtable.systems.panzer.unit import FireKind, UnitId, WeaponShot

NA = "panzer-na"
RED, BLUE = Seat("red"), Seat("blue")
ROWS = "\n".join([". . . . ."] * 14)
"""Five columns A to E of fourteen clear hexes; what stands north of another in its column is straight ahead."""


class Field:
    """A position in red's Direct Fire step, on clear hexes unless a drawing is given."""

    def __init__(
        self,
        red: list[dict[str, Any]],
        blue: list[dict[str, Any]],
        *,
        drawing: Any = None,
        opened: str = "direct fire",
        **more: Any,
    ) -> None:
        draft = {
            "system": NA,
            "level": "advanced",
            "map": {"drawing": drawing or {"cells": ROWS}},
            "open": opened,
            "sides": [
                {"id": "red", "title": "Red", "units": red},
                {"id": "blue", "title": "Blue", "units": blue},
            ],
            **more,
        }
        system = catalog.system(NA)
        assert isinstance(system, PanzerSystem)
        position = system.position(draft, catalog.library(NA, []), "test")
        rules = position.ruleset
        assert isinstance(rules, PanzerRules)
        self.rules = rules
        self.state: State = position.state
        self.events: list[ev.Event] = []

    @property
    def context(self) -> Context:
        return self.rules.context

    def unit(self, name: str) -> Unit:
        return self.state.units[UnitId(name)]

    def refused(self, action: Action, seat: Seat = RED) -> str:
        refusal = self.rules.refusal(self.state, seat, action)
        return "" if refusal is None else refusal.rule

    def act(self, action: Action, *dice: int, seat: Seat = RED) -> list[ev.Event]:
        """What comes of an action with these rolls, all of which are used."""
        refusal = self.rules.refusal(self.state, seat, action)
        assert refusal is None, str(refusal)
        scripted = ScriptedDice(dice)
        events = self.run(action, scripted, seat)
        assert not scripted.left
        return events

    def run(self, action: Action, dice: Dice, seat: Seat = RED) -> list[ev.Event]:
        play = self.rules.resolve(self.state, seat, action, dice)
        self.state = play.state
        self.events += play.events
        return list(play.events)

    def last(self, kind: type) -> Any:
        """The last event of a kind."""
        return next(event for event in reversed(self.events) if isinstance(event, kind))


def at(name: str, card: str, place: str, facing: str = "N", **more: Any) -> dict[str, Any]:
    """A unit as a situation places it."""
    return {"id": name, "card": card, "at": place, "facing": facing, **more}


def firing(name: str, card: str, place: str, facing: str = "S", **more: Any) -> dict[str, Any]:
    """The same with a FIRE command face down."""
    return at(name, card, place, facing, **{"command": "FIRE", **more})


def ap(firer: str, weapon: int = 0, row: int = 0) -> WeaponShot:
    return WeaponShot(UnitId(firer), weapon, row)


def gp(firer: str, weapon: int = 0, row: int = 0) -> WeaponShot:
    return WeaponShot(UnitId(firer), weapon, row, FireKind.GP)


def engage(target: str, *shots: WeaponShot) -> Engage:
    return Engage(UnitId(target), shots)


def changed(field: Field, name: str, **changes: Any) -> None:
    unit = replace(field.unit(name), **changes)
    field.state = replace(field.state, units={**field.state.units, unit.id: unit})


def rapid(field: Field, rate: RateOfFire) -> Field:
    """The same with another Rate-of-Fire of the gun of ``r1``, short of basic ammo now and then."""
    context = field.context
    card = context.cards[field.unit("r1").card]
    armory = context.scenario.armories[RED]
    stocked = replace(armory, cards={**armory.cards, card.id: (replace(card.weapons[0], rof=rate),)})
    scenario = replace(context.scenario, armories={**context.scenario.armories, RED: stocked})
    field.rules = PanzerRules(field.rules.card, replace(context, scenario=scenario))
    changed(field, "r1", hex=field.rules.place("B2"))
    return field


def loaded_truck() -> Field:
    squad = {"id": "b2", "card": "british-rifle-squad", "carried_by": "b1", "grade": "Green"}
    return rapid(Field([firing("r1", "flak-30", "B1")], [at("b1", "bedford-ql", "B4"), squad]), RateOfFire.F)
