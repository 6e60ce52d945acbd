"""6.1-6.4 Stacking limits and special stacking.

The rules ask little of a unit, and that little is a :class:`Stacker`. Companies that stack for free with a host are one
unit with it for stacking, movement and Max step loss (6.2.0); which of them do is worked out so that as few units as
possible count. A unit that itself stacks for free is nobody's host (6.2.0; ruling B-4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import msgspec

from sandtable.core.content.rule import rule
from sandtable.systems.goss.pieces.card import Size

__all__ = ["Groups", "Limits", "Stacker", "grouped", "limits", "overstack"]


_BN, _CO, _Z = Size.BATTALION, Size.COMPANY, Size.Z_STEP


class Stacker(msgspec.Struct, frozen=True):
    """What stacking asks of a unit."""

    id: str
    size: Size
    steps: int
    """Those it has left."""
    formation: str = ""
    nation: str = ""
    is_mech: bool = False
    """Of its own: a dismounted unit stays a host (6.2.1)."""
    is_personnel: bool = False
    is_recon: bool = False
    is_hybrid: bool = False
    is_afv: bool = False
    is_engineer: bool = False
    is_anti_tank: bool = False
    """Towed, or a tank destroyer or Panzerjäger in its place (6.2.2)."""
    is_light_tank: bool = False
    """A US M5 company (6.2.3)."""
    is_armoured_cavalry: bool = False
    is_breakdown: bool = False


class Limits(msgspec.Struct, frozen=True):
    """How much a hex holds (6.1.0), and how many may stack for free in it (6.2.1, 6.2.2)."""

    battalions: int
    slots: int
    """Battalions and companies together: a company may take the place of a battalion."""
    z_steps: int
    free_afvs: int
    free_others: int


_OPEN = Limits(battalions=2, slots=3, z_steps=2, free_afvs=3, free_others=2)
_CONSTRICTED = Limits(battalions=1, slots=2, z_steps=1, free_afvs=2, free_others=1)

Groups = tuple[tuple[Stacker, ...], ...]
"""Units as they count: each host first, with those who stack for free with it."""


@rule("6.1.0", "6.3.0", "6.4.0")
def limits(*, is_constricted: bool) -> Limits:
    """The limits of a hex (6.1.0)."""
    return _CONSTRICTED if is_constricted else _OPEN


@rule("6.2.1")
def _may_carry_afv(host: Stacker, company: Stacker) -> bool:
    """A German AFV company with a Mech personnel or Recon unit of its formation, no breakdown company (6.2.1)."""
    return (
        host.is_mech
        and (host.is_personnel or host.is_recon)
        and host.size is not _Z
        and not host.is_breakdown
        and host.formation == company.formation
    )


@rule("6.2.2", "6.2.3")
def _may_carry_other(host: Stacker, company: Stacker) -> bool:
    """Engineers or AT with a personnel or Recon battalion or a hybrid; an M5 with armoured cavalry (6.2.2).

    A hybrid of three steps is a battalion with infantry of its own, as in the example of 7.10.3 (ruling B-83).
    """
    if company.is_light_tank:
        return host.is_armoured_cavalry and host.size is _BN
    return host.is_hybrid or (host.size is _BN and (host.is_personnel or host.is_recon))


def _is_one_step(unit: Stacker) -> bool:
    return unit.size is _CO and unit.steps == 1


@rule("6.2.0")
def grouped(units: Sequence[Stacker], most: Limits) -> Groups:
    """The units as they count for stacking, as few as special stacking makes them (6.2.0)."""
    others = [unit for unit in units if _is_one_step(unit) and _stacks_as_other(unit)]
    best: Groups | None = None
    for count in range(min(len(others), most.free_others), -1, -1):
        for riders in combinations(others, count):
            found = _with_riders(units, riders, most)
            if found is not None and (best is None or len(found) < len(best)):
                best = found
    return best if best is not None else tuple((unit,) for unit in units)


def _stacks_as_other(unit: Stacker) -> bool:
    return unit.is_engineer or unit.is_anti_tank or (unit.is_light_tank and unit.nation == "US")


def _with_riders(units: Sequence[Stacker], riders: Sequence[Stacker], most: Limits) -> Groups | None:
    """The groups if just these engineers and AT companies stack for free; None if there is no host for one."""
    rest = [unit for unit in units if unit not in riders]
    carried = _matched(riders, rest, _may_carry_other)
    if len(carried) < len(riders):
        return None
    afvs = [unit for unit in rest if unit.is_afv and _is_one_step(unit) and unit.nation == "German"]
    carriers = [unit for unit in rest if unit not in afvs]
    ridden = dict(list(_matched(afvs, carriers, _may_carry_afv).items())[: most.free_afvs])
    free = {**carried, **ridden}
    return tuple(
        (unit, *(rider for rider in units if free.get(rider.id) == unit.id)) for unit in rest if unit.id not in free
    )


def _matched(
    riders: Sequence[Stacker], hosts: Sequence[Stacker], may: Callable[[Stacker, Stacker], bool]
) -> dict[str, str]:
    """As many riders as possible, each with a host of its own; by the ids of riders.

    A rider takes the first host that is free, so that the order of the stack says who rides where (ruling B-84).
    """
    host_of: dict[str, str] = {}
    rider_on: dict[str, Stacker] = {}

    def place(rider: Stacker, tried: set[str]) -> bool:
        for host in sorted(hosts, key=lambda host: host.id in rider_on):
            if host.id in tried or not may(host, rider):
                continue
            tried.add(host.id)
            sitting = rider_on.get(host.id)
            if sitting is None or place(sitting, tried):
                rider_on[host.id] = rider
                host_of[rider.id] = host.id
                return True
        return False

    for rider in riders:
        place(rider, set())
    return host_of


@rule("6.0", "6.1.0", "6.6.0", "6.7.0")
def overstack(units: Sequence[Stacker], most: Limits) -> str:
    """What is too much in a hex, in a few words; ``""`` within the limits, in whatever modes (6.1.0, 6.6.0)."""
    z_steps = sum(unit.size is _Z for unit in units)
    if z_steps > most.z_steps:
        return f"{z_steps} Z-step units, at most {most.z_steps}"
    groups = grouped([unit for unit in units if unit.size is not _Z], most)
    battalions = sum(group[0].size is _BN for group in groups)
    if battalions > most.battalions:
        return f"{battalions} battalions, at most {most.battalions}"
    if len(groups) > most.slots:
        return f"{len(groups)} battalions and companies, at most {most.slots}"
    return ""
