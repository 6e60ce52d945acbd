"""Vehicles on drawn grounds for tests of movement: place them, then say their moves in a few letters."""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex, direction_named
from sandtable.systems.panzer.card_files import parse_shelf
from sandtable.systems.panzer.cards import Card, CardId
from sandtable.systems.panzer.edition import PANZER_NA, Edition
from sandtable.systems.panzer.hex.movement.movement import LegResult, MovePath, refuse_move, walk
from sandtable.systems.panzer.hex.movement.mover import Mover
from sandtable.systems.panzer.hex.obstacles import Obstacles
from sandtable.systems.panzer.hex.progress import MoveProgress
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.state import Leg, LegKind, State, Unit, Wreck
from sandtable.systems.panzer.movement.move_facts import MoveFacts, facts_of
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import Command, Status, UnitId, WreckKind
from tests.panzer.grounds import PACKS, drawn_ground, tables

_STEPS = {"F": LegKind.FORWARD, "R": LegKind.REVERSE, "": LegKind.STAY}
X = UnitId("x")

PLAIN = """
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . .
    . . . . .
"""


@cache
def cards(edition: str) -> dict[CardId, Card]:
    """The cards of a shipped pack."""
    files = {file.name: file.read_bytes() for file in sorted((PACKS / edition / "cards").glob("*.yaml"))}
    return parse_shelf(files).cards


def legs(text: str) -> tuple[Leg, ...]:
    """Legs from words: ``F`` forward, ``R`` reverse, with hexsides turned clockwise before it; a number only turns."""
    found = []
    for word in text.split():
        match = re.fullmatch(r"([+-]?\d+)?([FR]?)", word)
        assert match, word
        found.append(Leg(int(match[1] or 0), _STEPS[match[2]]))
    return tuple(found)


@dataclass
class Field:
    """A ground with vehicles on it; the rules object that movement asks for."""

    ground: Ground
    edition: Edition
    units: dict[UnitId, Unit] = field(default_factory=dict)
    wrecks: tuple[Wreck, ...] = ()
    turn: int = 1
    advanced: bool = False
    more: dict[CardId, Card] = field(default_factory=dict)
    """Cards made by hand."""
    attached: tuple[UnitId, ...] = ()
    """Units with attached weapons."""
    obstacles: Obstacles = field(default_factory=Obstacles)

    @property
    def cards(self) -> dict[CardId, Card]:
        return {**cards(self.edition.id), **self.more} if self.more else cards(self.edition.id)

    @property
    def tables(self) -> Any:
        return tables(self.edition.id)

    @property
    def state(self) -> State:
        return State(self.turn, Phase.MOVEMENT, "axis", self.units, self.wrecks)

    def move_facts(self, unit: Unit) -> MoveFacts | None:
        if not self.advanced:
            return None
        return facts_of(unit, self.cards[unit.card], attached=unit.id in self.attached)

    def command_reach(self, unit: Unit) -> int:
        """Nobody here is out of range."""
        return len(self.units) + len(self.ground.map.hexes)

    def hex(self, label: str) -> Hex:
        return self.ground.map.hex(label)

    def place(self, at: str, facing: str = "N", card: str = "pz-iiig", unit: str = "x", **changes: Any) -> "Field":
        """Put a vehicle on the ground, by default the one that moves."""
        way = direction_named(facing)
        assert way is not None
        assert CardId(card) in self.cards
        fields = {"side": Seat("axis"), "command": Command.MOVE, **changes}
        hex = self.hex(at) if at else None
        self.units[UnitId(unit)] = Unit(id=UnitId(unit), card=CardId(card), hex=hex, facing=way, **fields)
        return self

    def enemy(self, at: str, unit: str = "e") -> "Field":
        return self.place(at, unit=unit, card=next(iter(self.cards)), side=Seat("allies"))

    def wreck(self, at: str, kind: WreckKind = WreckKind.KO) -> "Field":
        self.wrecks = (*self.wrecks, Wreck(self.hex(at), kind))
        return self

    def change(self, unit: UnitId = X, **changes: Any) -> "Field":
        self.units[unit] = replace(self.units[unit], **changes)
        return self

    def mover(self, unit: UnitId = X) -> Mover:
        return Mover(self, self.state, self.units[unit])

    def path(self, progress: MoveProgress | None = None) -> MovePath:
        return MovePath(self, self.state, X, progress)

    def refuse(self, text: str, **more: Any) -> Refusal | None:
        return refuse_move(self, self.state, X, legs(text), **more)

    def why(self, text: str, **more: Any) -> str:
        """Number of the rule that refuses the move, "" if it is legal."""
        refusal = self.refuse(text, **more)
        if refusal is None:
            return ""
        assert refusal.reason
        return refusal.rule

    def walk(self, text: str, **more: Any) -> list[LegResult]:
        return walk(self, self.state, X, legs(text), **more)

    def end(self, text: str, **more: Any) -> LegResult:
        return self.walk(text, **more)[-1]

    def spent(self, text: str, **more: Any) -> int:
        return self.end(text, **more).spent

    def step(self, text: str) -> Breakdown:
        """What the last step of the move costs."""
        cost = self.end(text).step
        assert cost is not None
        return cost


def on(cells: str, edition: Edition = PANZER_NA, *features: dict[str, Any], **conditions: Any) -> Field:
    """A field drawn as text."""
    return Field(drawn_ground(cells, edition, list(features), conditions), edition)


def line(kind: str, *labels: str) -> dict[str, Any]:
    """A route through the hexes named; ``B6-B2`` is a run of hexes in one column."""
    hexes: list[str] = []
    for label in labels:
        first, _, last = label.partition("-")
        if not last:
            hexes.append(first)
            continue
        start, stop = int(first[1:]), int(last[1:])
        hexes += [
            f"{first[0]}{row}" for row in range(start, stop + (1 if stop > start else -1), 1 if stop > start else -1)
        ]
    return {"kind": kind, "line": hexes}


def sides(kind: str, *names: str) -> dict[str, Any]:
    """Hexsides such as ``B3:N``."""
    return {"kind": kind, "sides": list(names)}


def reserve(at: Field, *entry: str, facing: str = "N", turn: int = 1, card: str = "pz-iiig") -> Field:
    """A vehicle held off the mapboard."""
    hexes = tuple(at.hex(label) for label in entry)
    return at.place("", facing, card, status=Status.RESERVE, entry=hexes, enters_turn=turn)


def tracked(edition: Edition) -> str:
    """A tracked vehicle of the book with an allowance of 5 or more."""
    return "crusader-i" if edition is PANZER_NA else "t-80bv"
