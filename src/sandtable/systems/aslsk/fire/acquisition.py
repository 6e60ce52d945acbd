"""6.10, 6.11 Acquired Target counters of Guns, Main Armament and light mortars: what they give, how they come and go.

A counter is on units or vehicles, or on a hex. The same target fired at again makes it better, another one loses it.
"""

from __future__ import annotations

from collections.abc import Collection

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Modifier
from sandtable.geo.hex import Hex
from sandtable.systems.aslsk.common import events as ev
from sandtable.systems.aslsk.common.context import Context, Play
from sandtable.systems.aslsk.pieces.state import State, Vehicle, VehicleId, Weapon, WeaponId

__all__ = ["acquired_drm", "acquired_term", "acquirer", "gain_acquisition", "lose_acquisition"]

_MOST_ACQUIRED = -2


def acquirer(state: State, name: str) -> Weapon | Vehicle | None:
    """The weapon, or the vehicle with its MA, of a name."""
    return state.vehicles.get(VehicleId(name)) or state.weapons.get(WeaponId(name))


@rule("6.10", "6.11")
def acquired_drm(piece: Weapon | Vehicle, target: Hex, meant: Collection[str] = ()) -> int:
    """The DRM of a counter, if it is on what is fired at; on a hex it serves every target type (6.10, 6.11).

    ``meant`` are those whom the shot can hit; Smoke means the hex.
    """
    if not piece.acquisition:
        return 0
    if piece.acquired_targets and meant:
        return 0 if set(meant).isdisjoint(piece.acquired_targets) else piece.acquisition
    return piece.acquisition if piece.acquired == target else 0


def acquired_term(piece: Weapon | Vehicle, drm: int) -> Modifier:
    """Case 20: what a counter gives."""
    on_hex = not piece.acquired_targets and piece.awaits is None
    return Modifier(drm, "Acquired Target", "6.11" if on_hex else "6.10")


def lose_acquisition(context: Context, play: Play, name: str) -> None:
    """Take the counter away, if there is one."""
    piece = acquirer(play.state, name)
    if piece is not None and piece.acquisition:
        _place(context, play, piece, None)


@rule("6.10", "6.11")
def gain_acquisition(
    context: Context,
    play: Play,
    name: str,
    target: Hex,
    *,
    drm: int,
    meant: tuple[str, ...] = (),
    awaits: tuple[str, ...] | None = None,
) -> None:
    """After a shot: -1 on a new target, -2 on the one for which it had a DRM before (6.10, 6.11).

    ``awaits`` is set if nobody is left of the target: the counter waits beside these for the next enemy.
    """
    piece, better = acquirer(play.state, name), max(_MOST_ACQUIRED, drm - 1)
    assert piece is not None  # noqa: S101 - it has fired
    if (piece.acquired, piece.acquisition, piece.acquired_targets, piece.awaits) != (target, better, meant, awaits):
        _place(context, play, piece, target, drm=better, meant=meant, awaits=awaits)


def _place(
    context: Context,
    play: Play,
    piece: Weapon | Vehicle,
    hex: Hex | None,
    *,
    drm: int = 0,
    meant: tuple[str, ...] = (),
    awaits: tuple[str, ...] | None = None,
) -> None:
    """Of a light mortar the counter is always on a hex, and has a fact of its own."""
    if isinstance(piece, Weapon) and context.weapon_card(piece).gun is None:
        play.emit(ev.AcquisitionChanged(piece.id, hex, drm))
    else:
        play.emit(ev.GunAcquired(piece.id, hex, meant, drm, awaits))
