"""11.4, 11.5, 11.8 Volleys, their DRMs, and ammunition depletion."""

from __future__ import annotations

from itertools import combinations

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier

__all__ = ["Armour", "TargetFacts", "density_drm", "depletion_drm", "mission_drm", "rocket_drm", "volleys"]

_VOLLEY = 8
_MOST_DRM = 10
_MIXED_GROUPS = 2
_PURE, _MIXED = -3, -2


@rule("11.4.1a")
def volleys(points: int, *, with_rest: bool = True) -> tuple[int, ...]:
    """Points of each volley: eights, and what is left over if it is fired too (11.4.1a)."""
    whole, rest = divmod(points, _VOLLEY)
    return (*(_VOLLEY,) * whole, *((rest,) if rest and with_rest else ()))


class Armour(msgspec.Struct, frozen=True):
    """What armour there is among the units of a target hex (11.5.3)."""

    is_pure: bool = False
    """All of them are pure armour."""
    is_mixed: bool = False
    """Some of them are pure or mixed armour."""


class TargetFacts(msgspec.Struct, frozen=True):
    """What the DRMs of a mission hang on."""

    steps: int
    """In the target hex, whoever they are; of Z-steps half, rounded up (11.5.4)."""
    terrain: int = 0
    """The best terrain DRM of the hex (Group A), 0 or less."""
    works: int = 0
    """The DRM of the works that the targets are in (Group B), 0 or less."""
    bars_terrain: bool = False
    """The works are a fort, a strongpoint or a fortified area (11.5.2)."""
    armour: Armour = Armour()
    is_designated: bool = False
    in_strat: bool = False
    in_exploit: bool = False
    is_bridging: bool = False
    spotter_higher: bool = False
    """The spotter is on a vantage point of a kind that the target is not (11.5.5)."""
    is_night: bool = False
    is_unobserved: bool = False


@rule("11.5.4")
def density_drm(steps: int) -> int:
    """Group D: the more there are in a hex, the more are hit (11.5.4)."""
    if steps <= 2:
        return -1
    if steps >= 7:
        return 2
    return 1 if steps >= 5 else 0


@rule("11.5.1", "11.5.2", "11.5.3")
def _cover(facts: TargetFacts) -> list[Modifier]:
    """Groups A to C as they are best for the defender, who chooses (11.5.1-11.5.3)."""
    is_open = facts.is_designated or facts.in_strat
    has_works = not (is_open or facts.in_exploit or facts.is_bridging) and facts.works
    works = Modifier(facts.works if has_works else 0, "defensive works", "11.5.2")
    bars = has_works and facts.bars_terrain
    terrain = Modifier(0 if is_open or bars else facts.terrain, "terrain", "11.5.1")
    if facts.armour.is_pure:
        return [Modifier(_PURE, "pure armour", "11.5.3"), min(terrain, works, key=_value)]
    groups = [terrain, works]
    if facts.armour.is_mixed:
        groups.append(Modifier(_MIXED, "mixed armour", "11.5.3"))
    return list(min(combinations(groups, _MIXED_GROUPS), key=lambda two: sum(map(_value, two))))


def _value(modifier: Modifier) -> int:
    return modifier.value


@rule("11.5.0", "11.5.5")
def mission_drm(facts: TargetFacts) -> Breakdown:
    """The net DRM of every volley of a mission: at most ten either way (11.5.0)."""
    terms = [
        *_cover(facts),
        Modifier(density_drm(facts.steps), "unit density", "11.5.4"),
        Modifier(1 if facts.spotter_higher else 0, "vantage point", "11.5.5"),
        Modifier(-1 if facts.is_night else 0, "night", "11.5.5"),
        Modifier(-4 if facts.is_unobserved else 0, "unobserved", "11.5.5"),
        Modifier(4 if facts.in_strat else 0, "Strat mode", "11.5.5"),
    ]
    told = Breakdown("Fire Support DRM", "11.5.0", tuple(term for term in terms if term.value))
    net = max(-_MOST_DRM, min(_MOST_DRM, told.net))
    return told if net == told.net else msgspec.structs.replace(told, result=net, result_label="at most 10")


@rule("11.5.5")
def rocket_drm(number: int, facts: TargetFacts, *, has_rockets: bool, is_all_rockets: bool) -> int:
    """One more for the first volley of a mission with Nebelwerfer, or for all of theirs alone, at open targets."""
    if any(term.value for term in _cover(facts)):
        return 0
    return int(is_all_rockets or (has_rockets and number == 0))


@rule("11.8.0", "11.4.1g")
def depletion_drm(count: int, *, is_all_rockets: bool = False, is_extended: bool = False) -> Breakdown:
    """What is added to the roll for ammunition after a mission of ``count`` volleys, intensive ones among them."""
    terms = [
        Modifier(max(count - 1, 0), "volleys after the first", "11.8.0"),
        Modifier(count if is_all_rockets else 0, "Nebelwerfer", "11.8.0"),
        Modifier(2 if is_extended else 0, "extended supply path", "11.8.0"),
    ]
    return Breakdown("Ammunition depletion", "11.8.0", tuple(term for term in terms if term.value))
