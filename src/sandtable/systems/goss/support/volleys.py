"""11.4, 11.5, 11.8 Volleys, their DRMs, and ammunition depletion."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.systems.goss.tables.fire_support import FireSupport

__all__ = ["Armour", "TargetFacts", "depletion_drm", "mission_drm", "rocket_drm", "volley_drms", "volleys"]

_VOLLEY = 8
_MOST_DRM = 10
_MIXED_GROUPS = 2
_COVER = ("11.5.1", "11.5.2", "11.5.3")
"""The rules of groups A to C."""


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


@rule("11.5.1", "11.5.2", "11.5.3")
def _cover(chart: FireSupport, facts: TargetFacts) -> list[Modifier]:
    """Groups A to C as they are best for the defender, who chooses (11.5.1-11.5.3)."""
    is_open = facts.is_designated or facts.in_strat
    has_works = not (is_open or facts.in_exploit or facts.is_bridging) and facts.works
    works = Modifier(facts.works if has_works else 0, "defensive works", "11.5.2")
    bars = has_works and facts.bars_terrain
    terrain = Modifier(0 if is_open or bars else facts.terrain, "terrain", "11.5.1")
    if facts.armour.is_pure:
        return [Modifier(chart.armour["pure"], "pure armour", "11.5.3"), min(terrain, works, key=_value)]
    groups = [terrain, works]
    if facts.armour.is_mixed:
        groups.append(Modifier(chart.armour["mixed"], "mixed armour", "11.5.3"))
    return list(min(combinations(groups, _MIXED_GROUPS), key=lambda two: sum(map(_value, two))))


def _value(modifier: Modifier) -> int:
    return modifier.value


@rule("11.5.0", "11.5.4", "11.5.5")
def mission_drm(chart: FireSupport, facts: TargetFacts) -> Breakdown:
    """The net DRM of every volley of a mission: at most ten either way (11.5.0)."""
    others = (
        (facts.spotter_higher, "vantage_point"),
        (facts.is_night, "night"),
        (facts.is_unobserved, "unobserved"),
        (facts.in_strat, "strategic"),
    )
    terms = [
        *_cover(chart, facts),
        Modifier(chart.density(facts.steps), "unit density", "11.5.4"),
        *(chart.other[cause] for holds, cause in others if holds),
    ]
    told = Breakdown("Fire Support DRM", "11.5.0", tuple(term for term in terms if term.value))
    net = max(-_MOST_DRM, min(_MOST_DRM, told.net))
    return told if net == told.net else msgspec.structs.replace(told, result=net, result_label="at most 10")


@rule("11.5.5")
def rocket_drm(chart: FireSupport, number: int, told: Breakdown, *, has_rockets: bool, is_all_rockets: bool) -> int:
    """What Nebelwerfer add to a volley at an open target: to the first of a mission, or to all of theirs alone.

    ``told``: the DRM of the mission; with a term of groups A to C the target is not in the open.
    """
    if any(term.rule in _COVER for term in told.terms):
        return 0
    if is_all_rockets:
        return chart.other["massed_rockets"].value
    return chart.other["rockets"].value if has_rockets and number == 0 else 0


@rule("11.4.1a", "11.5.0")
def volley_drms(
    chart: FireSupport, points: Sequence[int], told: Breakdown, *, has_rockets: bool, is_all_rockets: bool
) -> list[tuple[int, int]]:
    """The points and the DRM of every volley: at most ten either way, rockets included (11.5.0)."""
    found = []
    for number, one in enumerate(points):
        bonus = rocket_drm(chart, number, told, has_rockets=has_rockets, is_all_rockets=is_all_rockets)
        found.append((one, max(-_MOST_DRM, min(_MOST_DRM, told.net + bonus))))
    return found


@rule("11.8.0", "11.4.1g")
def depletion_drm(
    chart: FireSupport, count: int, *, is_all_rockets: bool = False, is_extended: bool = False
) -> Breakdown:
    """What is added to the roll for ammunition after a mission of ``count`` volleys, intensive ones among them."""
    times = (
        (count - 1, "later_volley"),
        (count if is_all_rockets else 0, "all_rockets"),
        (int(is_extended), "extended"),
    )
    drms = [(number, chart.depletion[cause]) for number, cause in times if number > 0]
    terms = tuple(Modifier(number * drm.value, drm.label, drm.rule) for number, drm in drms)
    return Breakdown("Ammunition depletion", "11.8.0", terms)
