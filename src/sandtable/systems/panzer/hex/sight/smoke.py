"""Smoke of burning wrecks: it never blocks a line of sight and hampers fire along it (4.1.4.1.9, 4.4.3.2.2)."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex
from sandtable.geo.sight import Hindrance
from sandtable.systems.panzer.hex.sight.los import LineOfSight
from sandtable.systems.panzer.hex.sight.sightline import sightline
from sandtable.systems.panzer.hex.state import State
from sandtable.systems.panzer.unit import WreckKind

__all__ = ["smoke_hexes_on_line", "smoking", "with_smoke"]

_RULE = "4.4.3.2.2"
_BREWED_UP = WreckKind.BU
"""A name is looked up quicker than a member of an enum."""


def smoking(state: State) -> frozenset[Hex]:
    """The hexes with wrecks that burned before the current player step (4.4.3.2.2)."""
    return frozenset([wreck.hex for wreck in state.wrecks if wreck.kind is _BREWED_UP and not wreck.fresh])


@rule("4.1.4.1.9", "4.4.3.2.2")
def smoke_hexes_on_line(a: Hex, b: Hex, smoke: Collection[Hex]) -> tuple[Hex, ...]:
    """The smoke hexes that the line starts from, passes through, runs along or enters, in order (4.4.3.2.2)."""
    if not smoke:
        return ()
    stations = sightline(b[0] - a[0], b[1] - a[1]).stations
    on_line = (a + hex for station in stations for hex in station)
    return tuple(dict.fromkeys(hex for hex in on_line if hex in smoke))


def with_smoke(sight: LineOfSight, state: State) -> LineOfSight:
    """The line with the smoke on it, which hinders and does not block (4.1.4.1.9)."""
    hexes = smoke_hexes_on_line(sight.a, sight.b, smoking(state))
    return replace(sight, hindrances=tuple(Hindrance(hex, "smoke", _RULE) for hex in hexes)) if hexes else sight
