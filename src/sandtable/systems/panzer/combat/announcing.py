"""4.4.1 Announcing fire: all shots at one target together, whoever fires and wherever both are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Gather, Node, Slot
from sandtable.core.errors import Refusal
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.actions import Action, Fire
from sandtable.systems.panzer.events import CommandRevealed, FireAnnounced
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Shot, UnitId

if TYPE_CHECKING:
    from random import Random

__all__ = ["FireOptions", "Gunnery", "announce_fire", "bound_to", "refuse_second_fire"]

MINIATURES = ("panzer-mini",)


class Gunnery(NamedTuple):
    """What the options of fire ask of a space."""

    shots: Callable[[UnitId, UnitId], Sequence[Shot]]
    """The weapons and ammunition with which the first unit can fire on the second."""
    name: Callable[[UnitId], str]
    """A vehicle for people."""
    words: Callable[[Shot], str]
    """What is fired, for people."""


@rule("4.4.1")
@rule("8.3.1", editions=MINIATURES)
def bound_to(firers: Mapping[UnitId, list[UnitId]], target: UnitId) -> set[UnitId]:
    """The vehicles that must fire and have no other target than this one (4.4.1).

    All fire on a target is announced at once, so whoever were left out now could not carry out his command any more.
    """
    elsewhere = {unit for other, units in firers.items() if other != target for unit in units}
    return {unit for unit in firers.get(target, ()) if unit not in elsewhere}


def refuse_second_fire(unit: UnitId, number: str = "4.4.1") -> Refusal:
    """Why a unit that has fired, or is named already, does not fire again (4.4.1)."""
    return Refusal(number, f"{unit} fires only once a turn", "name units that have not fired, each once")


class FireOptions(Node[Action]):
    """For every target the vehicles that may fire on it together, each with its weapons; or what one does instead.

    Whoever draws one answer has only the target listed that was drawn, and nothing put into words.
    """

    __slots__ = ("_aside", "_firers", "_gunnery", "_targets")

    def __init__(
        self, gunnery: Gunnery, firers: Mapping[UnitId, list[UnitId]], aside: Sequence[Branch[Action]] = ()
    ) -> None:
        """``aside`` are the answers without fire: whoever has none must fire."""
        self._gunnery = gunnery
        self._firers = firers
        self._aside = aside
        self._targets = sorted(firers)

    def branches(self) -> Iterator[Branch[Action]]:
        """What one may do instead, then every target."""
        yield from self._aside
        for target_id in self._targets:
            title = self._gunnery.name(target_id)
            yield Branch(target_id, "target", title, self._gather(target_id, told=True), target_id)

    def sample(self, rng: Random) -> Action:
        """A fair choice among the targets, then in every slot."""
        drawn = int(rng.random() * (len(self._targets) + len(self._aside))) - len(self._aside)
        if drawn < 0:
            return self._aside[drawn].then.sample(rng)
        return self._gather(self._targets[drawn], told=False).sample(rng)

    def _gather(self, target_id: UnitId, *, told: bool) -> Gather[Action]:
        """All fire on one target; ``told`` with words for people."""
        gunnery, firers = self._gunnery, self._firers
        bound = set() if self._aside else bound_to(firers, target_id)
        slots = []
        for firer in sorted(firers[target_id]):
            shots = gunnery.shots(firer, target_id)
            values = tuple([f"{shot.weapon}.{shot.ammo}" for shot in shots])
            label = gunnery.name(firer) if told else ""
            words = tuple(gunnery.words(shot) for shot in shots) if told else ()
            slots.append(Slot(firer, "firer", label, values, required=firer in bound, words=words))
        return Gather(slots, partial(_build, target_id, slots))


def _build(target: UnitId, slots: Sequence[Slot], chosen: tuple[str, ...]) -> Action:
    picked = []
    for slot, value in zip(slots, chosen, strict=True):
        if value:
            weapon, ammo = value.split(".")
            picked.append(Shot(UnitId(slot.key), int(weapon), int(ammo)))
    return Fire(target, tuple(picked))


@rule("8.3.3", editions=MINIATURES)
def announce_fire(play: Resolution[Any, Any], action: Fire, *, overwatch: bool) -> bool | None:
    """All fire on one target is announced, and commands are turned over (4.4.1, 4.4.3.2).

    Whether the target has a moving command, as far as everybody knows; None where its owner has to be asked.
    """
    play.emit(FireAnnounced(action.target, action.shots, overwatch))
    for shot in action.shots:
        firer = play.state.units[shot.firer]
        if not firer.known:
            play.emit(CommandRevealed(firer.id, firer.command))
    target = play.state.units[action.target]
    return target.command in MOVING_COMMANDS if target.known else None
