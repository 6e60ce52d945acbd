"""A small fight of the Starter Kit: drawn in a test, played with scripted dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable import catalog
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.game import not_asked
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common.actions import Action
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.events import Event
from sandtable.systems.aslsk.common.vehicle_actions import ContinueVehicle, MoveVehicle
from sandtable.systems.aslsk.pieces.state import State, Unit, UnitId, VehicleId, VehicleStep
from sandtable.systems.aslsk.rules import AslskRules

PLAIN = """
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
. . . . . . .
"""
LEGEND = {"w": "woods", "b": "stone_building", "h": "wooden_building", "o": "orchard", "g": "grain", "x": "brush"}


class Clash:
    """A position, and how it is played on."""

    def __init__(
        self, phase: str, cells: str = PLAIN, *, features: Sequence[dict[str, Any]] = (), **fields: Any
    ) -> None:
        drawing = {"cells": cells, "legend": LEGEND, "shifted": "even", "features": list(features)}
        if "scale" in fields:
            drawing["scale"] = fields.pop("scale")
        sides = [{"id": side, **fields.pop(side, {})} for side in ("german", "russian")]
        draft = {"system": "aslsk3", "phase": phase, "map": {"drawing": drawing}, "sides": sides, **fields}
        position = catalog.system("aslsk3").position(draft, catalog.library("aslsk3"), "clash")
        assert isinstance(position.ruleset, AslskRules)
        self.rules = position.ruleset
        self.state: State = position.state
        self.events: list[Event] = []

    @property
    def context(self) -> Context:
        return self.rules.context

    @property
    def decision(self) -> Decision[Action]:
        decision = self.rules.decision(self.state)
        assert decision is not None
        return decision

    @property
    def asked(self) -> str:
        return self.decision.asked[0]

    def hex(self, label: str) -> Hex:
        return self.context.game_map.hex(label)

    def unit(self, name: str) -> Unit:
        return self.state.units[UnitId(name)]

    def options(self) -> list[Action]:
        return list(self.decision.options(self.decision.asked[0]))

    def why(self, action: Action) -> str:
        """Number of the rule that forbids an action, "" if none does."""
        seat = self.decision.asked[0]
        refusal = not_asked(self.decision, seat) or self.rules.refusal(self.state, seat, action)
        return refusal.rule if refusal is not None else ""

    def play(self, action: Action, *dice: int | Sequence[int], seat: str = "") -> list[Event]:
        """Do it; every scripted roll must be asked for."""
        by = Seat(seat) if seat else self.decision.asked[0]
        refusal = not_asked(self.decision, by) or self.rules.refusal(self.state, by, action)
        assert refusal is None, str(refusal)
        script = ScriptedDice(dice)
        resolution = self.rules.resolve(self.state, by, action, script)
        assert not script.left, f"{script.left} rolls were not asked for"
        self.state = resolution.state
        self.events = resolution.events
        return self.events

    def drive(self, vehicle: VehicleId, *steps: VehicleStep | str) -> None:
        """Drive some steps, or into hexes, and decide anew."""
        made = tuple(step if isinstance(step, VehicleStep) else VehicleStep(to=self.hex(step)) for step in steps)
        begun = self.decision.title.startswith("Go on")
        self.play(ContinueVehicle(made, halt=True) if begun else MoveVehicle(vehicle, made, halt=True))

    def saw(self, kind: type[Event], **fields: Any) -> bool:
        """Whether such an event was among the last ones."""
        return any(
            isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
            for event in self.events
        )


def squad(name: str, card: str = "german/4-6-7", at: str = "", **flags: Any) -> dict[str, Any]:
    """A unit of a clash."""
    return {"id": name, "card": card, "at": at, **flags}


def side(*units: dict[str, Any], weapons: Sequence[dict[str, Any]] = (), **fields: Any) -> dict[str, Any]:
    """A side of a clash."""
    return {"units": list(units), "weapons": list(weapons), **fields}
