"""Flights on drawn grounds for tests: aircraft of red over units of blue."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.geo.hex import direction_named
from sandtable.systems.panzer.air.air_actions import AaShot, FireAa, Strike
from sandtable.systems.panzer.air.aircraft import Aircraft, AirWeapon, Altitude, Speed
from sandtable.systems.panzer.hex.air.flights import Fly
from sandtable.systems.panzer.hex.state import Flying
from sandtable.systems.panzer.unit import UnitId
from tests.rulebook.engine import Play

NA = "panzer-na"
PLAIN = "\n".join([". . . . . . . . . . ."] * 24)
ONE = ({"id": "p1", "card": "ju-87b"},)
P1 = UnitId("p1")


def sky(*units: str, aircraft: Any = ONE, cells: str = PLAIN, **rest: Any) -> Play:
    """Units, one a text: ``b1 flak-36 F10 N OW``; ``red`` ones begin with r."""
    forces: dict[str, list[dict[str, Any]]] = {"red": [], "blue": []}
    for text in ("r0 crusader-i K24 N", "b0 pz-iiig A1 N", *units):
        name, card, at, facing, *words = text.split()
        draft: dict[str, Any] = {"id": name, "card": card, "at": at, "facing": facing}
        for word in words:
            key, _, value = word.partition("=")
            if value:
                draft[key] = value
            else:
                draft |= {"command": word.replace("_", " "), "known": False}
        forces["red" if name.startswith("r") else "blue"].append(draft)
    more = rest.pop("more", {})
    for drafts in forces.values():
        for draft in drafts:
            draft.update(more.get(draft["id"], {}))
    sides = [{"id": seat, "title": seat, "units": drafts} for seat, drafts in forces.items()]
    sides[0]["aircraft"] = list(aircraft)
    legend = {"w": "medium_grove", "b": "stone_building", **rest.pop("legend", {})}
    drawing = {"cells": cells, "legend": legend, "features": rest.pop("drawn", [])}
    found = {"system": NA, "level": "advanced", "open": "air", "map": {"drawing": drawing}, "sides": sides, **rest}
    return Play(NA, found)


def fly(game: Play, at: str, heading: str = "S", pace: str = "Slow Low", aircraft: str = "p1") -> Fly:
    """An aircraft comes in."""
    speed, altitude = pace.split()
    facing = direction_named(heading)
    assert facing is not None
    return Fly(UnitId(aircraft), game.hex(at), facing, Speed(speed), Altitude(altitude))


def strike(target: str, weapon: AirWeapon = AirWeapon.STRAFE) -> Strike:
    return Strike(UnitId(target), weapon)


def aa(*firers: str) -> FireAa:
    return FireAa(tuple(AaShot(UnitId(firer)) for firer in firers))


def flight(game: Play) -> Flying:
    return next(frame for frame in game.state.stack if isinstance(frame, Flying))


def plane(game: Play, aircraft: str = "p1") -> Aircraft:
    return game.state.flights[UnitId(aircraft)]


def with_plane(game: Play, **changes: Any) -> Play:
    """The game with the aircraft changed."""
    flights = {**game.state.flights, P1: replace(plane(game), **changes)}
    game.state = replace(game.state, flights=flights)
    return game


def at(game: Play) -> str:
    return game.context.game_map.label(flight(game).hex)
