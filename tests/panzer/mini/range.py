"""A firing range on a table: two forces in a few words, and shots with the dice that a test wants."""

from __future__ import annotations

from typing import Any

from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Position
from sandtable.systems.panzer.mini.actions import Fire
from sandtable.systems.panzer.unit import Shot, UnitId
from tests.panzer.mini.games import position

GERMAN, SOVIET = Seat("german"), Seat("soviet")
WOODS = {"kind": "woods", "outline": [[16.5, 8], [20, 8], [20, 12], [16.5, 12]]}


def forces(german: list[dict[str, Any]], soviet: list[dict[str, Any]], **situation: Any) -> Position:
    """Germans and Soviets on an empty table of 48 by 48 inches, or one with ``features``."""
    drawn = {"table": {"width": 48, "depth": 48}, "features": situation.pop("features", [])}
    sides = [
        {"id": "soviet", "title": "Soviets", "units": soviet},
        {"id": "german", "title": "Germans", "units": german},
    ]
    return position(map={"drawn": drawn}, sides=sides, **situation)


def panzer(at: str = "17,10", heading: float = 270, **more: Any) -> dict[str, Any]:
    return {"id": "panzer", "card": "pz-ivh", "at": at, "heading": heading, **more}


def tank(at: str = "10,10", heading: float = 90, **more: Any) -> dict[str, Any]:
    return {"id": "tank", "card": "t-34-76-m43", "at": at, "heading": heading, **more}


def fire(target: str, *firers: str) -> Fire:
    return Fire(UnitId(target), tuple(Shot(UnitId(firer)) for firer in firers))


class Story:
    """A position and what has become of it."""

    def __init__(self, start: Position) -> None:
        self.rules: Any = start.ruleset
        self.state = start.state
        self.events: list[Any] = []

    def do(self, seat: Seat, action: Any, *dice: int) -> list[Any]:
        """What an action brings; the dice are all used up."""
        assert self.rules.refusal(self.state, seat, action) is None
        scripted = ScriptedDice(dice)
        play = self.rules.resolve(self.state, seat, action, scripted)
        self.state = play.state
        found = list(play.events)
        self.events += found
        return found

    def refused(self, seat: Seat, action: Any) -> str:
        refusal = self.rules.refusal(self.state, seat, action)
        assert refusal is not None
        return str(refusal.rule)

    @property
    def asked(self) -> tuple[Any, str]:
        decision = self.rules.decision(self.state)
        return decision.asked[0], decision.rule

    def unit(self, name: str) -> Any:
        return self.state.units[UnitId(name)]


def of_kind(events: list[Any], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
