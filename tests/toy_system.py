"""The pack and the System of the toy game: how data, scenarios and situations come to the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from sandtable import catalog
from sandtable.core.content.pack import Library, Pack
from sandtable.core.content.reading import convert
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.decision import Seat
from sandtable.core.dice import Dice, SeededDice
from sandtable.core.errors import BadInput, Fault
from sandtable.core.game import Game
from sandtable.core.lesson import check_lessons
from sandtable.core.log import FORMAT, Header
from sandtable.core.ruleset import Position
from tests.toy import (
    FARTHEST,
    SEATS,
    Action,
    Event,
    Frame,
    Marching,
    Ordering,
    Patrols,
    Piece,
    PieceId,
    Scenario,
    State,
)
from tests.toy_card import CARD
from tests.toy_story import ShownPatrols

PACK = {
    "manifest.yaml": b"{id: toy, title: Patrols, system: toy, edition: toy, version: 1}",
    "rules.yaml": b"""
book: The Book of Patrols
rules:
- {number: "1.0", title: The Turn, chapter: "1", level: basic, kind: container}
- {number: "1.1", title: Orders, chapter: "1", level: basic}
- {number: "1.2", title: First Player, chapter: "1", level: basic}
- {number: "2.0", title: Marching, chapter: "2", level: basic, kind: container}
- {number: "2.1", title: The March, chapter: "2", level: basic}
- {number: "2.2", title: Fire, chapter: "2", level: basic, waits: bridges}
- {number: "2.2.1", title: To Hit Table, chapter: "2", level: basic, kind: data}
- {number: "2.3", title: Ducking, chapter: "2", level: basic}
- {number: "3.1", title: The Prize, chapter: "3", level: basic}
- {number: "3.2", title: Tea, chapter: "3", level: optional}
- {number: "3.3", title: The Box, chapter: "3", level: meta, not_applicable: a program has no box}
""",
    "tables/to_hit.yaml": b"""
name: to_hit
title: To Hit
rule: 2.2.1
source: The Book of Patrols 2.2.1
status: reconstructed
axes: [{name: range, values: [0, 1, 2, 3], clamp: true}]
cells: [6, 7, 8, 9]
verbatim: [[1]]
""",
    "scenarios/crossroads.yaml": b"""
id: crossroads
system: toy
title: The Crossroads
turns: 4
status: original
length: 6
red: [r1, r2]
blue: [b1, b2]
""",
}


def toy_library(**changes: bytes) -> Library:
    return Library([Pack({**PACK, **changes}, "packs/toy")])


class Toy:
    """The system: binds scenarios and situations to the rules."""

    card = CARD

    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> Patrols:
        return ShownPatrols(convert(dict(scenario), Scenario, where), library)

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:
        """``pieces`` as they stand; ``march`` names whose step it is, else orders are to be given."""
        pieces = convert(situation.get("pieces"), dict[PieceId, Piece], f"{where}: pieces")
        scenario = Scenario("situation", "toy", "", 4, "original", situation.get("length", 6), [], [], "")
        player = situation.get("march")
        frame: Frame = Marching(Seat(player), ()) if player else Ordering(SEATS)
        return Position(
            ShownPatrols(scenario, library), State(1, pieces, (frame,), phase="march" if player else "orders")
        )

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:
        pieces = position.state.pieces
        if set(question) != {"range"} or not all(key in pieces for key in question["range"]):
            raise BadInput([Fault(f"{where}: ask", f"{dict(question)}", "range: [PIECE, PIECE]")])
        one, other = question["range"]
        return {"range": abs(pieces[one].at - pieces[other].at)}

    def sight(self, map_name: str, library: Library) -> Callable[[str, str], dict[str, Any]]:
        def look(a: str, b: str) -> dict[str, Any]:
            faults = [Fault(label, "no such place", "a number") for label in (a, b) if not label.isdigit()]
            if faults:
                raise BadInput(faults)
            far = abs(int(a) - int(b))
            blocked = far > FARTHEST
            at, by, number = ("4", "distance", "2.2") if blocked else (None, None, None)
            return {
                "a": a,
                "b": b,
                "range": far,
                "blocked": blocked,
                "at": at,
                "by": by,
                "hindrance": 0,
                "rule": number,
            }

        return look

    def check_pack(self, library: Library) -> None:
        library.tables()
        check_lessons(self, library)


def toy_ruleset(**changes: bytes) -> Patrols:
    """The shipped scenario of the toy, bound."""
    library = toy_library(**changes)
    draft = parse_yaml(PACK["scenarios/crossroads.yaml"], "crossroads")
    return Toy().ruleset(draft, library, "crossroads")


def toy_header() -> Header:
    """The header of a log of the toy's scenario."""
    draft = parse_yaml(PACK["scenarios/crossroads.yaml"], "crossroads")
    return Header(FORMAT, "toy", CARD.version, toy_library().digests, draft)


def toy_game(dice: Dice | None = None) -> Game[State, Action, Event]:
    """A game of the toy, at its first question."""
    return Game.start(toy_ruleset(), toy_header(), dice or SeededDice(1))


def play_out(game: Game[State, Action, Event], rng: Random) -> Game[State, Action, Event]:
    """The game to its end with random answers."""
    while (decision := game.decision) is not None:
        seat = rng.choice(decision.asked)
        game.play(seat, decision.options(seat).sample(rng))
    return game


def register_toy() -> None:
    """Let the catalog know the toy, as an author of a system outside the package does."""
    catalog.register(catalog.Registration("toy", Toy, lambda: Pack(PACK, "packs/toy")))
