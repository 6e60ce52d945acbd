"""6.5.1.1, 6.5.1.3 Who calls fire, from how many sources, and how far the guns are his own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sandtable.core.content.rule import rule
from sandtable.systems.panzer.fires.response import Attachment, ObserverKind
from sandtable.systems.panzer.formations import Formation, FormationId, Headquarters, Roles
from sandtable.systems.panzer.unit import UnitId

__all__ = ["attachment_of", "capacity", "is_command_recon", "observer_kind", "sources_needed", "unit_attachment"]

BOOK = ("panzer-na",)
_LEVELS = {
    Headquarters.CHQ: ObserverKind.CHQ,
    Headquarters.BHQ: ObserverKind.BHQ,
    Headquarters.RHQ: ObserverKind.RHQ,
}


@rule("5.9.4", "6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.3", editions=BOOK)
def observer_kind(roles: Roles) -> ObserverKind | None:
    """The row of the response table: an FO's before a command's, that before Recon's; None calls no fire (6.5.1.1)."""
    if roles.observer:
        return ObserverKind.FO
    return _LEVELS.get(roles.command) or (ObserverKind.RECON if roles.recon else None)


@rule("6.5.1.1.3", "6.5.1.12.1", editions=BOOK)
def is_command_recon(roles: Roles) -> bool:
    """Whether a command unit is a Recon unit too (6.5.1.12.1)."""
    return bool(roles.command) and roles.recon


@rule("6.5.1.1.1", "6.5.1.1.2", "6.5.1.1.3", editions=BOOK)
def capacity(kind: ObserverKind) -> int:
    """From how many distinct sources an observer calls at once: FOs from two (6.5.1.1.1)."""
    return 2 if kind is ObserverKind.FO else 1


@rule("6.5.1.1", "6.5.1.1.4", editions=BOOK)
def sources_needed(batteries: int, units: Sequence[UnitId], within: Callable[[UnitId, UnitId], bool]) -> int:
    """How many distinct sources these are: two units within Command Range of one another may be one (6.5.1.1.4)."""
    return batteries + len(units) - _pairs(tuple(units), within)


def _pairs(units: tuple[UnitId, ...], within: Callable[[UnitId, UnitId], bool]) -> int:
    """The most pairs that can be made."""
    if len(units) < 2:
        return 0
    first, rest = units[0], units[1:]
    best = _pairs(rest, within)
    for index, other in enumerate(rest):
        if within(first, other):
            best = max(best, 1 + _pairs(rest[:index] + rest[index + 1 :], within))
    return best


def _is_part_of(formation: FormationId, of: str, formations: Mapping[FormationId, Formation]) -> bool:
    """Whether a formation is another one, or below it."""
    above: str = formation
    while above:
        if above == of:
            return True
        above = formations[FormationId(above)].parent
    return False


@rule("6.5.1.3", "6.5.1.3.1", "6.5.1.3.2", "6.5.1.3.3", editions=BOOK)
def attachment_of(
    level: Attachment, of: str, observer: FormationId, formations: Mapping[FormationId, Formation]
) -> Attachment:
    """A battery's level for an observer: its own within its formation, else Unattached (6.5.1.3)."""
    return level if _is_part_of(observer, of, formations) else Attachment.UNATTACHED


@rule("6.5.1.3.1", "6.5.1.3.3", editions=BOOK)
def unit_attachment(unit: FormationId, observer: FormationId) -> Attachment:
    """A unit on the map is Attached to its own formation and to no other (6.5.1.3.1)."""
    return Attachment.ATTACHED if unit == observer else Attachment.UNATTACHED
