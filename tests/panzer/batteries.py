"""Small battles with off-map batteries and mortars."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.core.dice import ScriptedDice
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.fires.missions import Mission, MissionKind, Pattern
from sandtable.systems.panzer.frames import IndirectFire
from sandtable.systems.panzer.hex.actions import (
    AdjustFire,
    CallFire,
    Decline,
)
from sandtable.systems.panzer.hex.fires.responding import response_number
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import UnitId
from tests.rulebook.engine import Play

NA = "panzer-na"
RED, BLUE = "red", "blue"
GP, SMOKE, LIGHT = MissionKind
ON_MAP, CLOSED, LINEAR, OPEN = Pattern
FO = {"observer": True}
BATTERY = {"id": "b1", "card": "german-medium-battery", "attached": "red"}
PASS = Decline()


def unit(name: str, at: str, card: str = "german-section", **more: Any) -> dict[str, Any]:
    return {"id": name, "card": card, "at": at, **more}


def observer(name: str = "fo", at: str = "A4", **more: Any) -> dict[str, Any]:
    return unit(name, at, **{"command": "OW", "roles": dict(FO), **more})


def mortar(name: str = "m1", at: str = "A2", **more: Any) -> dict[str, Any]:
    return unit(name, at, **{"command": "FIRE", "attached": ["grw-34"], **more})


def gun(name: str = "g1", at: str = "K4", **more: Any) -> dict[str, Any]:
    return unit(name, at, "qf-2pdr", **{"facing": "NW", "command": "FIRE", "known": True, **more})


def battle(
    *units: dict[str, Any],
    targets: tuple[dict[str, Any], ...] = (),
    batteries: tuple[dict[str, Any], ...] = (BATTERY,),
    spotted: dict[str, Any] | None = None,
    **more: Any,
) -> Play:
    """Red's units and batteries in his Indirect Fire step, blue's target at K4."""
    cells = "\n".join([" ".join("." for _ in range(16))] * 8)
    sides = [
        {
            "id": RED,
            "title": "Red",
            "grade": "Seasoned",
            "units": list(units or (observer(),)),
            "batteries": list(batteries),
        },
        {"id": BLUE, "title": "Blue", "grade": "Seasoned", "units": list(targets or (gun(),))},
    ]
    more.setdefault("open", "indirect fire")
    seen = {"fo": ["g1"]} if spotted is None else spotted
    draft = {"system": NA, "level": "advanced", "map": {"drawing": {"cells": cells}}, "sides": sides, "spotted": seen}
    return Play(NA, {**draft, **more})


def call(game: Play, *sources: str, at: str = "K4", by: str = "fo", **more: Any) -> CallFire:
    settings = {"kind": GP, "pattern": CLOSED, "way": -1, **more}
    return CallFire(UnitId(by), sources or ("b1",), game.hex(at), **settings)


def adjust(game: Play, mission: str, *sources: str, at: str = "K4", **more: Any) -> AdjustFire:
    settings = {"kind": GP, "pattern": CLOSED, "way": -1, **more}
    return AdjustFire(mission, sources or ("b1",), game.hex(at), **settings)


def next_turn(game: Play, **spotted: tuple[str, ...]) -> None:
    """Red's Indirect Fire step of the next turn; every command stands as it did."""
    state = replace(
        game.state, turn=game.state.turn + 1, phase=Phase.COMBAT, stack=(IndirectFire(game.rules.seats[0], first=True),)
    )
    units = {name: replace(one, fired=False) for name, one in state.units.items()}
    seen = {UnitId(who): tuple(UnitId(one) for one in whom) for who, whom in spotted.items()}
    game.state = replace(state, units=units, spotted=seen or state.spotted)
    play = Resolution(game.state, game.rules.fold, ScriptedDice(()))
    game.rules.advance(play)
    game.events += play.events
    game.state = play.state


def response(game: Play, action: CallFire, source: str = "b1", *, adjusted: bool = False) -> tuple[int, int]:
    """What a source must reach, and what is added to its roll."""
    mission = Mission(
        id="x",
        side=game.rules.seats[0],
        observer=action.observer,
        sources=action.sources,
        target=action.hex,
        pattern=CLOSED,
    )
    found = response_number(game.context, game.state, mission, source, adjusted=adjusted)
    return found.total, found.net
