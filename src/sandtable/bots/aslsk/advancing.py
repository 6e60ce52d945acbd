"""The APh: a hex forward into cover or onto ground that counts, or in among the enemy where the odds are good (3.7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, islice

from sandtable.bots.aslsk.armour.brawl import assault_worth
from sandtable.bots.aslsk.melee import clash
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.bots.aslsk.standing import Party
from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.actions import Advance, Done
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.phases.advance import refuse_advance_phase
from sandtable.systems.aslsk.pieces.state import Advances, Unit, Whereabouts

__all__ = ["advance_ideas"]

SHOWN = 8
MOST_TOGETHER = 4


def advance_ideas(sketch: Sketch, frame: Advances) -> list[Idea]:
    """Advances that gain something, the best first; or the end of the phase."""
    stacks: dict[Hex | None, list[Unit]] = {}
    for unit in sketch.state.units.values():
        ready = unit.good_order or (unit.place is Whereabouts.OFF_BOARD and not unit.broken)
        if unit.side == sketch.seat and ready and not unit.advanced and not unit.pinned:
            stacks.setdefault(unit.hex, []).append(unit)
    least = sketch.reluctance() if stacks else 0.0
    found = [idea for hex, stack in stacks.items() for idea in _gains(sketch, hex, stack) if idea.worth > least]
    found.sort(key=lambda idea: -idea.worth)
    # Whether they are legal is asked of as many as are shown.
    legal = (idea for idea in found if refuse_advance_phase(sketch.context, sketch.state, frame, idea.answer) is None)
    return [*islice(legal, SHOWN), Idea(Done(), 0.0, lambda: (Reason("no more advances", 0.0),))]


def _gains(sketch: Sketch, hex: Hex | None, stack: Sequence[Unit]) -> Iterator[Idea]:
    context = sketch.context
    if hex is None:
        for unit in stack:
            for to in sorted(context.entry(sketch.state, unit.force)):
                yield Idea(Advance((unit.id,), to), sketch.price(unit) * 2 + Party(sketch, (unit,)).value(to))
        return
    sizes = range(1, min(len(stack), MOST_TOGETHER) + 1)
    for units in (some for size in sizes for some in combinations(stack, size)):
        if len(units) > 1 and not _worth_together(sketch, units, stack):
            continue
        party = Party(sketch, units)
        stay, names = party.value(hex), tuple([unit.id for unit in units])
        for to in NEIGHBOURS[hex]:
            if to not in context.game_map.hexes:
                continue
            action = Advance(names, to)
            enemies = [unit for unit in sketch.there.get(to, ()) if unit.side == sketch.enemy]
            tanks = enemy_vehicles_at(sketch.state, to, sketch.seat)
            if tanks:
                worth, reason = assault_worth(sketch, units, tanks)
                if enemies:
                    worth += _into(sketch, units, to, enemies)[0]
                yield Idea(action, worth, partial(lambda told: (told,), reason))
            elif enemies:
                worth, reason = _into(sketch, units, to, enemies)
                yield Idea(action, worth, partial(lambda told: (told,), reason))
            else:
                yield Idea(action, party.value(to) - stay, partial(party.reasons, to))


def _worth_together(sketch: Sketch, units: Sequence[Unit], stack: Sequence[Unit]) -> bool:
    """Whole stacks, and a leader with a squad: no other parties are weighed."""
    return len(units) == len(stack) or (
        len(units) == 2 and sum(sketch.context.card(unit).is_leader for unit in units) == 1
    )


def _into(sketch: Sketch, units: Sequence[Unit], hex: Hex, enemies: Sequence[Unit]) -> tuple[float, Reason]:
    """What it is worth to go into close combat, with those who are there and could follow."""
    context = sketch.context
    there = [unit for unit in sketch.there.get(hex, ()) if unit.side == sketch.seat and not unit.broken]
    own = [*there, *units]
    worth = clash(sketch, own, enemies)
    if there:
        worth -= clash(sketch, there, enemies)
    prize = sketch.prized().get(hex, 0.0)
    if any(context.card(unit).is_mmc for unit in units):
        worth += prize * (1.2 if all(unit.broken for unit in enemies) else 0.6)
    party = Party(sketch, units)
    start = units[0].hex
    if start is not None:
        worth -= 0.3 * sketch.held_value(start) * (1.0 if party.mmc else 0.0)
    names = ", ".join(unit.id for unit in enemies)
    return worth * sketch.weights.close, Reason(f"close combat with {names}", round(worth, 2))
