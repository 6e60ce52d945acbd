"""The engine under test: positions in a few words, cards with round numbers, actions one after the other.

Both books are played with the same test cards, so that one story serves both. Every gun reaches 4, 8, 12, 16 and 20
hexes; every test vehicle but ``slab`` has armour 10 in front and 5 in the rear.
"""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
import pytest
import yaml

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.game import not_asked
from sandtable.geo.hex import Hex
from sandtable.systems.panzer.events import Event
from sandtable.systems.panzer.frames import Frame, Overwatch
from sandtable.systems.panzer.hex.actions import (
    Action,
    ChooseFirstPlayer,
    Continue,
    Fire,
    Move,
    Pass,
    PlaceCommands,
    RevealCommand,
)
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.rules import PanzerRules
from sandtable.systems.panzer.hex.state import Leg, LegKind, State, Unit
from sandtable.systems.panzer.unit import Command, Shot, UnitId

BOOKS = ("panzer-na", "mbt")
RED, BLUE = Seat("red"), Seat("blue")
SEATS = {"r": RED, "b": BLUE}
PASS = Pass()
NO_EFFECT = RevealCommand(reveal=False)
REVEALED = RevealCommand(reveal=True)
F = TypeVar("F", bound=Callable[..., None])
E = TypeVar("E", bound=Event)


def both_books(test: F) -> F:
    """Run a test for both books."""
    decorated: F = pytest.mark.parametrize("book", BOOKS)(test)
    return decorated


def _card(name: str, penetration: int, *, tt: int | None = 2, mount: str = "all", **changes: Any) -> dict[str, Any]:
    flat = dict.fromkeys("PSMLE", penetration)
    ammo = {"type": "AP", "R": dict(zip("PSMLE", (4, 8, 12, 16, 20), strict=True)), "P": flat}
    weapon = {"name": "gun", "rof": "N", "mount": mount, "ammo": [ammo]}
    history = {"road_kmh": 40, "cross_country_kmh": 20, "length_m": 5, "width_m": 3, "height_m": 2}
    card = {
        "id": name,
        "name": name,
        "nation": "nowhere",
        "kind": "tank",
        "armed": tt is not None,
        "movement": {"cross_country": 4, "mode": "T", "path": 6, "road": 9},
        "size": 0,
        "sb": 0,
        "tt": tt,
        "armor": {"front": 10, "rear": 5},
        "weapons": [weapon] if tt is not None else [],
        "points": 10,
        "history": history,
    }
    return {**card, **changes}


def _on_foot(name: str, unit_class: str, **figures: Any) -> dict[str, Any]:
    """A unit of the Advanced Game: not a vehicle, so with other figures in place of a vehicle's history."""
    pace = {"cross_country": 4, "mode": "L", "path": 4, "road": 4}
    defense = {"none": 2, "light": 4, "medium": 6, "heavy": 8, "full_cover": 2}
    card = _card(name, 14, tt=360, unit_class=unit_class, movement=pace, advanced={"gp_defense": defense}, **figures)
    del card["history"]
    return card


CARDS = (
    _card("weak", 9),
    _card("light", 10),
    _card("tank", 14),
    _card("heavy", 20),
    _card("slab", 14, armor={"front": 99, "rear": 99}),
    _card("pivot", 14, tt=360),
    _card("fixed", 14, tt=0, mount="front"),
    _card("fixed-120", 14, tt=120, mount="front"),
    _card("fixed-180", 14, tt=180, mount="front"),
    _card("rear", 14, tt=0, mount="rear"),
    _card("rear-120", 14, tt=120, mount="rear"),
    _card("truck", 0, tt=None),
    _card("unarmoured", 14, armor={"front": 0, "rear": 0}),
    _on_foot("squad", "squad", troops={"men": 10}),
    _on_foot("gun", "towed", carriage={"weight_kg": 500, "crew": 5, "height_m": 1}),
)


@cache
def card_pack(book: str) -> Pack:
    """The test cards as a pack of the book's edition."""
    manifest = {"id": "test", "title": "Test", "system": "panzer", "edition": book, "version": 1, "extends": book}
    files = {"manifest.yaml": manifest, "cards/test.yaml": {"book": "test", "cards": list(CARDS)}}
    return Pack({name: yaml.safe_dump(content).encode() for name, content in files.items()}, "test")


class Play:
    """A position, and what was done in it."""

    def __init__(self, book: str, draft: dict[str, Any]) -> None:
        opened = catalog.open_situation(yaml.safe_dump(draft), "test", [card_pack(book)])
        rules = opened.position.ruleset
        assert isinstance(rules, PanzerRules)
        self.rules = rules
        self.state: State = opened.position.state
        self.events: list[Event] = []
        """Everything that happened so far."""

    @property
    def context(self) -> Context:
        return self.rules.context

    @property
    def asked(self) -> tuple[str, ...]:
        """Who has to answer now."""
        decision = self.rules.decision(self.state)
        return decision.asked if decision is not None else ()

    @property
    def question(self) -> str:
        """Number of the rule under which somebody is asked."""
        decision = self.rules.decision(self.state)
        return decision.rule if decision is not None else ""

    @property
    def top(self) -> Frame | None:
        return self.state.stack[-1] if self.state.stack else None

    def unit(self, name: str) -> Unit:
        return self.state.units[UnitId(name)]

    def at(self, name: str) -> str:
        """Label of the hex that a vehicle is in, "" off the mapboard."""
        hex = self.unit(name).hex
        return "" if hex is None else self.context.game_map.label(hex)

    def hex(self, label: str) -> Hex:
        return self.context.game_map.hex(label)

    def why(self, seat: str, action: Action) -> str:
        """Number of the rule that refuses the action, "" if it is legal; options agree."""
        decision = self.rules.decision(self.state)
        refusal = not_asked(decision, Seat(seat))
        if refusal is None:
            refusal = self.rules.refusal(self.state, Seat(seat), action)
            assert decision is not None
            assert (action in decision.options(Seat(seat))) == (refusal is None)
        if refusal is None:
            return ""
        assert refusal.reason
        return refusal.rule

    def do(self, seat: str, action: Action, *dice: int) -> list[Event]:
        """Play a legal action with these rolls, all of which must be asked for."""
        why = self.why(seat, action)
        assert not why, f"refused under {why}: {self.rules.refusal(self.state, Seat(seat), action)}"
        script = ScriptedDice(dice)
        done = self.rules.resolve(self.state, Seat(seat), action, script)
        assert not script.left, "dice left over"
        self.state = done.state
        self.events += done.events
        return done.events

    def shoot(self, action: Fire, *dice: int, answer: RevealCommand = NO_EFFECT) -> list[Event]:
        """Fire, and the answer of the target's owner if his command is face down."""
        target, firer = self.unit(action.target), self.unit(action.shots[0].firer)
        if target.known:
            return self.do(firer.side, action, *dice)
        announced = self.do(firer.side, action)
        return announced + self.do(target.side, answer, *dice)

    def commands(self, red: dict[str, str], blue: dict[str, str], *dice: int, first: str) -> None:
        """Both forces place commands, roll (red first) and the winner makes ``first`` First Player."""
        self.do(RED, commands(red))
        self.do(BLUE, commands(blue), *dice)
        self.do(self.asked[0], ChooseFirstPlayer(Seat(first)))

    def told(self, kind: type[E]) -> list[E]:
        """The events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]


def play(book: str, cells: str, units: str, **rest: Any) -> Play:
    """A position: a drawn map and vehicles, one a line: ``r1 tank A1 SE FIRE damaged spot=SPOT/MOVE``.

    Ids that begin with r are red's, those with b blue's; a vehicle with the word ``known`` has its command face up.
    """
    forces: dict[str, list[dict[str, Any]]] = {RED: [], BLUE: []}
    for line in units.strip().splitlines():
        draft = _unit(line)
        forces[SEATS[draft["id"][0]]].append(draft)
    tree = "medium_grove" if book == "panzer-na" else "woods"
    legend = {"w": tree, "s": "scrub", "r": "rough", **rest.pop("legend", {})}
    drawing = {"cells": cells, "legend": legend, "features": rest.pop("features", [])}
    sides = [{"id": force, "title": force, "units": drafts} for force, drafts in forces.items()]
    return Play(book, {"system": book, "map": {"drawing": drawing}, "sides": sides, **rest})


def _unit(line: str) -> dict[str, Any]:
    name, card, at, facing, *words = line.split()
    draft: dict[str, Any] = {"id": name, "card": card, "facing": facing}
    if at.startswith("enters"):
        _, turn, *hexes = at.split(":")
        draft["enters"] = {"turn": int(turn), "hexes": hexes}
    else:
        draft["at"] = at
    for word in words:
        key, _, value = word.partition("=")
        if value:
            draft[key] = value
        elif key in ("damaged", "fired", "moved", "known"):
            draft[key] = True
        else:
            draft["command"] = key.replace("_", " ")
            draft.setdefault("known", False)
    return draft


def commands(given: dict[str, str]) -> PlaceCommands:
    """Commands by vehicle."""
    return PlaceCommands({UnitId(unit): Command(command) for unit, command in given.items()})


def fire(target: str, *firers: str) -> Fire:
    """Fire on a target; ``r1.1`` fires the second weapon of r1, ``r1.0.1`` its second ammunition."""
    shots = []
    for text in firers:
        name, *numbers = text.split(".")
        weapon, ammo = [*map(int, numbers), 0, 0][:2]
        shots.append(Shot(UnitId(name), weapon, ammo))
    return Fire(UnitId(target), tuple(shots))


def legs(words: str) -> tuple[Leg, ...]:
    """Legs: ``F`` forward, ``R`` reverse, with hexsides turned clockwise before it; a number alone turns and stays."""
    steps = {"F": LegKind.FORWARD, "R": LegKind.REVERSE}
    found = []
    for word in words.split():
        step = steps.get(word[-1], LegKind.STAY)
        turn = word if step is LegKind.STAY else word[:-1]
        found.append(Leg(int(turn or 0), step))
    return tuple(found)


def move(unit: str, words: str = "") -> Move:
    """A move by its legs; none is a no move move."""
    return Move(UnitId(unit), legs(words))


def go_on(words: str = "") -> Continue:
    """Go on with an interrupted move."""
    return Continue(legs(words))


def watch(asked: Seat, *acted: str, passed: bool = False) -> Overwatch:
    """The question of overwatch at those that acted."""
    return Overwatch(asked, tuple(UnitId(unit) for unit in acted), passed)


def kinds(events: Sequence[Event]) -> list[str]:
    """Names of events, those that move the stack left out."""
    names = [type(event).__name__ for event in events]
    return [name for name in names if name not in {"Opened", "Changed", "Closed"}]


def plain(thing: object) -> Any:
    """A struct as plain data."""
    return msgspec.to_builtins(thing)
