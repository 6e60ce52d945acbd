"""Whom to fire on, and with how many: by exact odds, weighed with what the targets are worth (4.4.1, 4.4.2).

All fire on a target is announced at once, so a second gun is added only where it does more there, the target
having perhaps been destroyed by the first, than it could do elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from sandtable.bots.doctrine import Idea
from sandtable.bots.explain import Reason
from sandtable.bots.panzer.gunnery import DAMAGED_SHARE, Strike
from sandtable.bots.panzer.picture import Picture
from sandtable.bots.style import Style
from sandtable.core.decision import Gather, Node
from sandtable.systems.panzer.combat.ap_fire import Effect
from sandtable.systems.panzer.hex.actions import Fire, Pass
from sandtable.systems.panzer.hex.combat.fire import shots_at
from sandtable.systems.panzer.hex.state import Unit
from sandtable.systems.panzer.unit import Command, Shot, UnitId

__all__ = ["expected", "fire_ideas", "overwatch_ideas", "quick_fire", "quick_overwatch", "strike_now"]

Firers = Mapping[UnitId, Sequence[UnitId]]
"""For every target those who may fire on it."""

MAY_MOVE = 0.35
"""Chance that a face-down command turns out to be a moving one."""
WORTH_THE_AMBUSH = 0.12
"""Share of a vehicle that overwatch fire should take: under that it waits for better."""
_NONE, _DAMAGED, _KILLS = Effect.NONE, Effect.DAMAGED, (Effect.KO, Effect.BU)
_SHORT_HALT, _MOVING = Command.SHORT_HALT, (Command.MOVE, Command.SHORT_HALT)
"""Names are looked up quicker than members of enums."""
_WORTH = attrgetter("worth")


def strike_now(picture: Picture, firer: Unit, target: Unit, *, overwatch: bool = False) -> Strike:
    """A shot as it would be fired now."""
    gunnery = picture.book.gunnery
    a, b = firer.hex, target.hex
    if a is None or b is None:
        return Strike(0, 0, 0.0, Effect.NONE, 0.0)
    net = gunnery.smoke_between(picture.state, a, b)
    if firer.command is _SHORT_HALT:
        net += gunnery.short_halt[firer.card]
    if overwatch:
        net += gunnery.watching(firer.card, a, firer.facing, b)
    moving = target.command in _MOVING
    if target.known or overwatch:
        return gunnery.strike(firer, a, target, b, target.facing, net + gunnery.moving * moving)
    still = gunnery.strike(firer, a, target, b, target.facing, net)
    driving = gunnery.strike(firer, a, target, b, target.facing, net + gunnery.moving)
    share = still.share + MAY_MOVE * (driving.share - still.share)
    chance = still.chance + MAY_MOVE * (driving.chance - still.chance)
    return still._replace(share=share, chance=chance)


def expected(strikes: Sequence[Strike], damaged: bool) -> float:
    """The share of a vehicle that several shots take, one after another, on average."""
    fine, hurt = (0.0, 1.0) if damaged else (1.0, 0.0)
    for strike in strikes:
        effect, chance = strike.effect, strike.chance
        kills_fine = chance * (effect in _KILLS)
        hurts = chance * (effect is _DAMAGED)
        kills_hurt = chance * (effect is not _NONE)
        fine, hurt = fine * (1 - kills_fine - hurts), hurt * (1 - kills_hurt) + fine * hurts
    gone = 1 - fine - hurt
    return gone + (0.0 if damaged else hurt * DAMAGED_SHARE)


def _shots(picture: Picture, root: Node[object], *, overwatch: bool) -> dict[UnitId, dict[UnitId, Strike]]:
    """For every target the vehicles that may fire on it, each with its best shot."""
    found: dict[UnitId, dict[UnitId, Strike]] = {}
    for branch in root.branches():
        if isinstance(branch.then, Gather):
            target = picture.unit(UnitId(branch.key))
            found[target.id] = {
                UnitId(slot.key): _allowed(
                    strike_now(picture, picture.unit(UnitId(slot.key)), target, overwatch=overwatch), slot.values
                )
                for slot in branch.then.slots
            }
    return found


def _allowed(strike: Strike, values: Sequence[str]) -> Strike:
    """The shot itself, or the first weapon offered where no shot can do harm."""
    if f"{strike.weapon}.{strike.ammo}" in values:
        return strike
    weapon, ammo = values[0].split(".")
    return Strike(int(weapon), int(ammo), 0.0, Effect.NONE, 0.0)


def fire_ideas(picture: Picture, root: Node[object]) -> list[Idea]:
    """Groups of firers for every target, the best first."""
    return sorted(map(_idea, _groups(picture, _shots(picture, root, overwatch=False))), key=lambda idea: -idea.worth)


def overwatch_ideas(picture: Picture, root: Node[object], style: Style) -> list[Idea]:
    """The same for overwatch, and to hold fire."""
    shots = _shots(picture, root, overwatch=True)
    ideas = list(map(_idea, _groups(picture, shots)))
    hold = _hold(picture, shots, style)
    ideas.append(Idea(Pass(), hold, lambda: (Reason("a better shot may come", hold),)))
    return sorted(ideas, key=lambda idea: -idea.worth)


def _hold(picture: Picture, targets: Iterable[UnitId], style: Style) -> float:
    """What it is worth to wait for a better target."""
    return WORTH_THE_AMBUSH * style.patience * max([picture.value(picture.unit(one)) for one in targets], default=0.0)


def quick_fire(picture: Picture, firers: Firers) -> Fire:
    """The best fire, of those who may fire on each target."""
    return max(_groups(picture, _quick_shots(picture, firers, overwatch=False)), key=_WORTH).fire


def quick_overwatch(picture: Picture, firers: Firers, style: Style) -> Fire | Pass:
    """The same for overwatch, or to hold fire."""
    best = max(_groups(picture, _quick_shots(picture, firers, overwatch=True)), key=_WORTH, default=None)
    return best.fire if best is not None and best.worth >= _hold(picture, firers, style) else Pass()


def _quick_shots(picture: Picture, firers: Firers, *, overwatch: bool) -> dict[UnitId, dict[UnitId, Strike]]:
    """What :func:`_shots` finds, without the words of a question."""
    context, unit = picture.book.context, picture.unit
    found: dict[UnitId, dict[UnitId, Strike]] = {}
    for target_id in sorted(firers):
        target = unit(target_id)
        strikes = found[target_id] = {}
        for firer_id in firers[target_id]:
            firer = unit(firer_id)
            strike = strike_now(picture, firer, target, overwatch=overwatch)
            if not strike.share:
                first = next(shots_at(context, firer, target))
                strike = Strike(first.weapon, first.ammo, 0.0, Effect.NONE, 0.0)
            strikes[firer_id] = strike
    return found


class _Group(NamedTuple):
    """Some who fire on a target together."""

    target: Unit
    value: float
    firers: Sequence[tuple[UnitId, Strike]]
    taken: float
    """Points that they take, on average ..."""
    missed: float
    """... and those that they could have taken elsewhere."""

    @property
    def worth(self) -> float:
        """What is won by it."""
        return self.taken - 0.9 * self.missed

    @property
    def fire(self) -> Fire:
        """The action."""
        return Fire(self.target.id, tuple(Shot(one, strike.weapon, strike.ammo) for one, strike in sorted(self.firers)))


def _groups(picture: Picture, shots: Mapping[UnitId, Mapping[UnitId, Strike]]) -> Iterator[_Group]:
    values = {target_id: picture.value(picture.unit(target_id)) for target_id in shots}
    for target_id, firers in shots.items():
        target, value = picture.unit(target_id), values[target_id]
        ranked = sorted(firers.items(), key=lambda item: (-item[1].share, item[0]))
        group: list[tuple[UnitId, Strike]] = []
        taken = missed = 0.0
        for firer, strike in ranked:
            together = expected([*(one for _, one in group), strike], target.damaged) * value
            elsewhere = max(
                [
                    others[firer].share * values[other]
                    for other, others in shots.items()
                    if other != target_id and firer in others
                ],
                default=0.0,
            )
            if group and together - taken < elsewhere:
                continue
            group.append((firer, strike))
            taken, missed = together, missed + elsewhere
            yield _Group(target, value, tuple(group), taken, missed)


def _idea(group: _Group) -> Idea:
    def reasons() -> list[Reason]:
        target = group.target
        share = expected([strike for _, strike in group.firers], target.damaged)
        told = [Reason(f"{share:.0%} of {target.id}, worth {group.value:.0f}", group.taken)]
        return [*told, Reason("shots given up elsewhere", -group.missed)] if group.missed else told

    return Idea(group.fire, group.worth, reasons)
