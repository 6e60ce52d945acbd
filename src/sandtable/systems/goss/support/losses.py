"""11.6.2, 11.6.3e, 4.1.3, 4.2.1 Who takes a step loss for a numerical hit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sandtable.core.content.rule import rule
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.harm import MOST_FATIGUE
from sandtable.systems.goss.pieces.card import Size
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.stacking.limits import grouped, limits
from sandtable.systems.goss.stacking.stacker import stacker

__all__ = ["is_z_step", "may_lose", "most_convertible"]


def is_z_step(context: Context, unit: Unit) -> bool:
    """Whether a unit is down to a Z-step."""
    return size_of(context.card(unit), unit.steps) is Size.Z_STEP


@rule("4.2.1", "11.6.2", "11.6.3e", "4.1.3")
def may_lose(
    context: Context, units: Sequence[Unit], lost: Sequence[UnitId], *, capped: Sequence[Unit] | None = None
) -> tuple[Unit, ...]:
    """Units that may take the next step loss; nobody if Max step loss is reached, where it applies (4.2.1a).

    ``capped``: it applies, and these are all who were struck, the eliminated ones among them too. Guns come after all
    others, HQs last; nobody loses again before the others have lost as much. Z-steps among larger units lose nothing.
    """
    able = [unit for unit in units if not is_z_step(context, unit)]
    losses = Counter(lost)
    if capped is not None:
        spent = _spent(context, [unit for unit in capped if not is_z_step(context, unit)], losses)
        able = [unit for unit in able if unit.id not in spent]
    fighters = [unit for unit in able if not _is_gun(context, unit) and not _is_staff(context, unit)]
    guns = [unit for unit in able if _is_gun(context, unit)]
    open_to = list(fighters)
    if all(losses[unit.id] for unit in fighters):
        open_to += guns
        if all(losses[unit.id] for unit in guns):
            open_to += [unit for unit in able if _is_staff(context, unit)]
    least = min((losses[unit.id] for unit in open_to), default=0)
    return tuple(unit for unit in open_to if losses[unit.id] == least)


def _is_gun(context: Context, unit: Unit) -> bool:
    return context.card(unit).is_artillery


def _is_staff(context: Context, unit: Unit) -> bool:
    return context.card(unit).is_headquarters


@rule("4.2.1a", "6.2.0")
def _spent(context: Context, units: Sequence[Unit], losses: Counter[UnitId]) -> set[str]:
    """Units at Max step loss: those who stack for free are one with their host (6.2.0)."""
    stackers = [stacker(unit, context.card(unit)) for unit in units]
    groups = grouped(stackers, limits(is_constricted=False))
    return {one.id for group in groups for one in group if any(losses[UnitId(other.id)] for other in group)}


@rule("11.6.2a", "14.1.0")
def most_convertible(context: Context, units: Sequence[Unit], hits: int) -> int:
    """Hits that may become fatigue: two, and no more than somebody can still suffer (14.1.0); a Fort suffers none."""
    rested = min((unit.fatigue for unit in units if not context.card(unit).is_fort), default=MOST_FATIGUE)
    return max(0, min(hits, MOST_FATIGUE - rested))
