"""6.1.4.3 Terrain counters on hexes: what lies where, and how it comes, changes and goes.

They are part of the state. Those that change the ground itself are its version (:func:`ground_version`); sight and
cover go by that, see :meth:`sandtable.systems.panzer.hex.sight.ground.Ground.now`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import BadInput, Faults
from sandtable.geo.hex import Hex
from sandtable.geo.map import GameMap
from sandtable.systems.panzer.features import CounterSide, FeatureKind, Sheaf
from sandtable.systems.panzer.unit import UnitId

__all__ = [
    "Feature",
    "FeatureDraft",
    "GroundVersion",
    "abandoned",
    "adjusted",
    "build_features",
    "features_in",
    "ground_version",
    "in_effect",
    "occupied",
    "placed",
    "positions_of",
    "removed",
    "worked_on",
]

_BOOK = ("panzer-na",)
_SIDED = (FeatureKind.SMOKE, FeatureKind.DUST)
"""Counters with an ON and an OFF side."""
_FOR_ONE = (FeatureKind.HASTY_ENTRENCHMENT, FeatureKind.IMPROVED_POSITION)
"""Counters that shelter a single unit."""
_GROUND = (FeatureKind.BLOCK, FeatureKind.DITCH, FeatureKind.RUBBLE)
"""Counters that are the terrain of their hex."""

GroundVersion = frozenset[tuple[Hex, FeatureKind]]


class Feature(msgspec.Struct, frozen=True, omit_defaults=True):
    """A terrain counter in a hex."""

    kind: FeatureKind
    hex: Hex
    side: CounterSide = CounterSide.ON
    """Of SMOKE and DUST."""
    sheaf: Sheaf = Sheaf.CLOSED
    """Of Smoke and Barrages."""
    source: str = ""
    """The mission that Smoke or a Barrage belongs to: all of it is one occurrence (6.5.2.4)."""
    fresh: bool = False
    """Of the current player step: does not hinder yet (6.1.4.3.10, 6.5.2.4)."""
    unit: UnitId = UnitId("")
    """The unit in an entrenchment or Improved Position, "" while it is abandoned."""
    defense: int = 0
    """GP Defense Factor where the scenario gives it: Blocks, Wire (6.5.4.2.5)."""
    deliberate: bool = False
    """Of Mines: a Deliberate Minefield, else a Hasty one (6.1.4.3.8)."""
    turns: int = 0
    """Of a Hasty Entrenchment that is not finished: the side that shows (6.6.8); 0 when it is done."""


def features_in(features: Iterable[Feature], hex: Hex, *kinds: FeatureKind) -> Iterator[Feature]:
    """The counters in a hex, of some kinds or of all."""
    return (feature for feature in features if feature.hex == hex and (not kinds or feature.kind in kinds))


@rule("6.1.4.3.6", "6.1.4.3.7", editions=_BOOK)
def occupied(features: Iterable[Feature], unit: UnitId, kind: FeatureKind) -> Feature | None:
    """The entrenchment or Improved Position that a unit is in: it shelters that unit alone (6.1.4.3.6, 6.1.4.3.7)"""
    return next(
        (feature for feature in features if feature.kind is kind and feature.unit == unit and not feature.turns), None
    )


def positions_of(features: Iterable[Feature], unit: UnitId) -> list[Feature]:
    """The positions for one unit that a unit is in or works on."""
    return [feature for feature in features if feature.unit == unit and feature.kind in _FOR_ONE]


@rule("6.1.4.3.6", "6.1.4.3.7", editions=_BOOK)
def abandoned(features: tuple[Feature, ...], unit: UnitId) -> tuple[Feature, ...]:
    """The counters when a unit is no more: another may be in its position (6.1.4.3.6, 6.1.4.3.7)"""
    return tuple(replace(one, unit=UnitId("")) if one.unit == unit else one for one in features)


@rule("6.6.8", editions=_BOOK)
def worked_on(features: tuple[Feature, ...], hex: Hex, unit: UnitId, turns: int) -> tuple[Feature, ...]:
    """With a Hasty Entrenchment after a turn of a unit's work; what another has begun is gone on with (6.6.8)"""
    for index, one in enumerate(features):
        if one.kind is FeatureKind.HASTY_ENTRENCHMENT and one.hex == hex and one.turns and one.unit in (unit, ""):
            return (*features[:index], replace(one, unit=unit, turns=turns), *features[index + 1 :])
    return (*features, Feature(FeatureKind.HASTY_ENTRENCHMENT, hex, unit=unit, turns=turns))


@rule("6.1.4.3", editions=_BOOK)
def ground_version(features: Iterable[Feature]) -> GroundVersion:
    """What counters make of the ground: sight and cover are kept by it (6.1.4.3)"""
    return frozenset((feature.hex, feature.kind) for feature in features if feature.kind in _GROUND)


@rule("6.1.4.3.10", editions=_BOOK)
def placed(features: tuple[Feature, ...], new: Feature) -> tuple[Feature, ...]:
    """With one more counter; Smoke or Dust that lies there already is turned to ON (6.1.4.3.10, 6.1.4.3.12)

    Of Smoke of two missions in a hex each has its counter; a position for one unit may be there several times.
    """
    if new.kind in _FOR_ONE:
        return (*features, new)
    kept = tuple(
        feature
        for feature in features
        if not (feature.hex == new.hex and feature.kind is new.kind and feature.source == new.source)
    )
    before = next((feature for feature in features if feature not in kept), None)
    # What was there already goes on hindering while the new counter is fresh.
    hinders = before is not None and not before.fresh and before.sheaf is new.sheaf
    return (*kept, replace(new, fresh=False) if hinders else new)


def removed(features: tuple[Feature, ...], gone: Iterable[Feature]) -> tuple[Feature, ...]:
    """Without some counters."""
    going = tuple(gone)
    return tuple(feature for feature in features if feature not in going)


def in_effect(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    """After a player step: what came about in it hinders from now on (6.1.4.3.10)."""
    return tuple(replace(feature, fresh=False) if feature.fresh else feature for feature in features)


@rule("6.1.4.3.12", "6.8.4", editions=_BOOK)
def adjusted(features: tuple[Feature, ...]) -> tuple[Feature, ...]:
    """SMOKE/OFF and DUST/OFF go, SMOKE/ON and DUST/ON are turned (6.1.4.3.12, 6.8.4)"""
    return tuple(
        replace(feature, side=CounterSide.OFF) if feature.kind in _SIDED else feature
        for feature in features
        if feature.kind not in _SIDED or feature.side is CounterSide.ON
    )


class FeatureDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Terrain counters as an author places them: one kind in any number of hexes."""

    kind: FeatureKind
    at: tuple[str, ...]
    side: CounterSide = CounterSide.ON
    sheaf: Sheaf = Sheaf.CLOSED
    source: str = ""
    unit: str = ""
    defense: int = 0
    deliberate: bool = False


@rule("6.1.4.3.8", editions=_BOOK)
def build_features(drafts: Iterable[FeatureDraft], game_map: GameMap, faults: Faults) -> tuple[Feature, ...]:
    """The counters that lie on the map at the start; faults are added to ``faults``."""
    found: tuple[Feature, ...] = ()
    for index, draft in enumerate(drafts):
        field = f"features[{index}]"
        if not draft.at:
            faults.add(f"{field}.at", "empty", "one hex or more")
        if draft.unit and (draft.kind not in _FOR_ONE or len(draft.at) != 1):
            faults.add(f"{field}.unit", f"{draft.unit} in {draft.kind.value}", f"one {' or '.join(_FOR_ONE)}")
        for label in draft.at:
            try:
                hex = game_map.hex(label)
            except BadInput as bad:
                for fault in bad.faults:
                    faults.add(f"{field}.at", fault.wrong, fault.right)
                continue
            found = placed(
                found,
                Feature(
                    draft.kind,
                    hex,
                    draft.side,
                    draft.sheaf,
                    draft.source,
                    unit=UnitId(draft.unit),
                    defense=draft.defense,
                    deliberate=draft.deliberate,
                ),
            )
    return found
