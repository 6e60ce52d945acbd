"""5.14, 6.5.2, 6.5.4 All fire of the Advanced Game on one target: what goes together, and the tree of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Gather, Leaf, Node, Pick, Slot
from sandtable.core.errors import Refusal
from sandtable.systems.panzer.combat.announcing import bound_to
from sandtable.systems.panzer.combat.arms import refuse_volley
from sandtable.systems.panzer.hex.actions import Action, Engage, FireSmoke, Pass
from sandtable.systems.panzer.hex.combat.direct_smoke import smoke_hexes
from sandtable.systems.panzer.hex.combat.weapons import Volley, grouped, gunner_of, refuse_weapon, volleys_at
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import FireKind, UnitId, WeaponShot

if TYPE_CHECKING:
    from random import Random

__all__ = ["EngageOptions", "refuse_volleys"]

_BOOK = ("panzer-na",)


@rule("5.14", "6.5.2", "6.5.4", editions=_BOOK)
def refuse_volleys(context: Context, state: State, shots: Volley, target: Unit) -> Refusal | None:
    """Why these weapons may not be fired on one target together (5.14, 6.5.2, 6.5.4)."""
    for shot in shots:
        refusal = refuse_weapon(context, state, shot, target)
        if refusal is not None:
            return refusal
    for firer, fired in grouped(shots).items():
        unit = state.units[firer]
        refusal = refuse_volley(gunner_of(context, unit), context.guns(unit), [shot.weapon for shot in fired])
        if refusal is not None:
            return refusal
    return None


class EngageOptions(Node[Action]):
    """For every target those who may fire on it together, each with its weapons; smoke; or to hold fire.

    Whoever draws one answer has only the target listed that was drawn, and nothing put into words.
    """

    __slots__ = ("_bound", "_context", "_firers", "_hold", "_smokers", "_state", "_targets")

    def __init__(
        self,
        context: Context,
        state: State,
        firers: Mapping[UnitId, list[UnitId]],
        *,
        bound: Mapping[UnitId, list[UnitId]] | None = None,
        hold: Action | None = None,
        smoke: Iterable[tuple[UnitId, int]] = (),
    ) -> None:
        self._context = context
        self._state = state
        self._firers = firers
        self._bound = bound or {}
        self._hold = hold
        self._targets = sorted(firers)
        self._smokers = sorted(smoke)

    def branches(self) -> Iterator[Branch[Action]]:
        """To hold fire where one may, then every target, then smoke."""
        if self._hold is not None:
            words = "No overwatch fire" if isinstance(self._hold, Pass) else "No more fire"
            yield Branch("pass", "pass", words, Leaf[Action](self._hold))
        cards, units = self._context.cards, self._state.units
        for target_id in self._targets:
            title = cards[units[target_id].card].name
            yield Branch(target_id, "target", f"{title} {target_id}", self._gather(target_id, told=True), target_id)
        for firer, weapon in self._smokers:
            title = f"Smoke by {cards[units[firer].card].name} {firer}"
            yield Branch(f"smoke {firer} {weapon}", "smoke", title, self._smoke(firer, weapon), firer)

    def sample(self, rng: Random) -> Action:
        """A fair choice among the targets, then in every slot; smoke now and then."""
        ways = len(self._targets) + (self._hold is not None)
        if self._smokers and (not ways or rng.random() < 1 / (ways + 3)):
            firer, weapon = self._smokers[int(rng.random() * len(self._smokers))]
            return self._smoke(firer, weapon).sample(rng)
        drawn = int(rng.random() * ways)
        if drawn == len(self._targets):
            assert self._hold is not None  # noqa: S101 - it was counted
            return self._hold
        return self._gather(self._targets[drawn], told=False).sample(rng)

    def _smoke(self, firer: UnitId, weapon: int) -> Node[Action]:
        context, state = self._context, self._state

        def ways() -> Iterator[Branch[Action]]:
            for hex in smoke_hexes(context, state, state.units[firer], weapon):
                label = context.game_map.label(hex)
                leaf = Leaf[Action](FireSmoke(firer, weapon, hex))
                yield Branch(label, "hex", f"into {label}", leaf, label, is_hex=True)

        return Pick(ways)

    def _gather(self, target_id: UnitId, *, told: bool) -> Gather[Action]:
        """All fire on one target; ``told`` with words for people."""
        context, state = self._context, self._state
        units, target = state.units, state.units[target_id]
        bound = bound_to(self._bound, target_id)
        slots = []
        for firer in sorted(self._firers[target_id]):
            volleys = list(volleys_at(context, state, units[firer], target))
            values = tuple("+".join(map(_key, volley)) for volley in volleys)
            label = f"{context.cards[units[firer].card].name} {firer}" if told else ""
            words = tuple(_words(context, units[firer], volley) for volley in volleys) if told else ()
            slots.append(Slot(firer, "firer", label, values, required=firer in bound, words=words))
        return Gather(slots, partial(_build, target_id, slots))


def _key(shot: WeaponShot) -> str:
    return f"{shot.weapon}.{shot.fire.value}.{shot.row}"


def _words(context: Context, unit: Unit, volley: Volley) -> str:
    """What a unit fires, for people."""
    arms = context.guns(unit)
    return " and ".join(
        f"{weapon.name} {weapon.ammo[shot.row].type.value if shot.fire is FireKind.AP else 'GP'}"
        for shot in volley
        for weapon in (arms[shot.weapon].weapon,)
    )


def _build(target: UnitId, slots: Sequence[Slot], chosen: tuple[str, ...]) -> Action:
    shots = []
    for slot, value in zip(slots, chosen, strict=True):
        for key in value.split("+") if value else ():
            weapon, fire, row = key.split(".")
            shots.append(WeaponShot(UnitId(slot.key), int(weapon), int(row), FireKind(fire)))
    return Engage(target, tuple(shots))
