"""3.2.2 The ways to fire as a lazy tree: a target, then who fires at it together and who directs.

A fire group is gathered firer by firer; which combinations are legal is asked of the same rules that judge an action.
A person may tick whom he likes: what makes no legal group is settled to the nearest one, which he is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

import msgspec

from sandtable.core.decision import LEFT_OUT, Branch, Gather, Leaf, Slot
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.actions import Action, Fire
from sandtable.systems.aslsk.common.stacking import occupants
from sandtable.systems.aslsk.fire.fire_groups import (
    Firer,
    assemble,
    is_flame,
    is_free_smc,
    links,
    may_direct,
    missing_protection,
    newcomers,
    refuse_usage,
    was_attacked,
)
from sandtable.systems.aslsk.fire.firers import MG_REACH, Fireground, Use
from sandtable.systems.aslsk.pieces.cards import UnitKind
from sandtable.systems.aslsk.pieces.state import Attacked, Unit, UnitId, Weapon, WeaponId

if TYPE_CHECKING:
    from random import Random

__all__ = ["FireGroupChoice", "far_machine_guns", "flamethrowers", "is_small_arm"]

_PROTECTIVE, _SMC = Use.PROTECTIVE, UnitKind.LEADER
"""Names are looked up quicker than members of enums."""
_AGAIN = frozenset((Use.SUBSEQUENT, Use.PROTECTIVE))


def flamethrowers(fireground: Fireground, found: Sequence[Firer]) -> Iterator[Branch[Action]]:
    """Flamethrowers, which fire alone (4.2)."""
    for firer in found:
        if firer.weapon is None or not is_flame(fireground.context, firer):
            continue
        action = Fire((), (firer.weapon.id,), fireground.target)
        if not isinstance(assemble(fireground, action), Refusal):
            yield Branch(
                firer.name,
                "weapon",
                f"{fireground.context.weapon_title(firer.weapon)} fires",
                Leaf[Action](action),
                firer.name,
            )


def far_machine_guns(fireground: Fireground, found: Sequence[Firer]) -> Iterator[Branch[Action]]:
    """MG beyond 16 hexes, each with a leader who directs it (4.1)."""
    context, state = fireground.context, fireground.state
    for firer in found:
        if firer.weapon is None or fireground.reach(firer.hex) <= MG_REACH or is_flame(context, firer):
            continue
        for leader in occupants(context, state).get(firer.hex, ()):
            if leader.side == fireground.seat and may_direct(context, leader, (firer,)):
                action = Fire((), (firer.weapon.id,), fireground.target, (leader.id,))
                label = f"{context.weapon_title(firer.weapon)} fires, directed by {leader.id}"
                yield Branch(f"{firer.name}<{leader.id}", "weapon", label, Leaf[Action](action), firer.name)


def is_small_arm(fireground: Fireground, firer: Firer) -> bool:
    """Whether a firer may join a fire group: no flamethrower, no MG so far away that it needs direction."""
    if firer.weapon is None:
        return True
    return not is_flame(fireground.context, firer) and fireground.reach(firer.hex) <= MG_REACH


_by_hex = attrgetter("hex", "name")


class _Entry(msgspec.Struct, frozen=True, gc=False):
    """One slot: a firer, or a leader who may direct."""

    firer: Firer | None
    leader: Unit | None = None

    @property
    def name(self) -> str:
        return self.firer.name if self.firer is not None else f"{self.leader.id}" if self.leader is not None else ""


class FireGroupChoice(Gather[Action]):
    """Which small arms fire at one target together, and who directs."""

    __slots__ = ("_attacked", "_entries", "_fireground", "_told")

    def __init__(
        self,
        fireground: Fireground,
        firers: Sequence[Firer],
        attacked: Sequence[Attacked] = (),
        chosen: tuple[str, ...] = (),
        entries: Sequence[_Entry] | None = None,
    ) -> None:
        self._fireground = fireground
        self._attacked = attacked
        self._entries = self._list(firers) if entries is None else entries
        self._chosen = chosen
        self._told: list[Slot] | None = None

    @property
    def slots(self) -> Sequence[Slot]:  # type: ignore[override]
        """The firers and leaders, in words: made when somebody reads them."""
        if self._told is None:
            self._told = [self._slot(entry) for entry in self._entries]
        return self._told

    def _list(self, firers: Sequence[Firer]) -> list[_Entry]:
        """Firers hex by hex, then the leaders of those hexes."""
        cards, state = self._fireground.context.cards.units, self._fireground.state
        entries: list[_Entry] = []
        hexes: dict[Hex, None] = {}
        for firer in sorted(firers, key=_by_hex):
            entries.append(_Entry(firer))
            hexes[firer.hex] = None
        there, seat = occupants(self._fireground.context, state), self._fireground.seat
        for hex in hexes:
            for unit in there.get(hex, ()):
                if cards[unit.card].kind is not _SMC or unit.pinned or unit.busy or unit.side != seat:
                    continue
                if unit.good_order and not unit.hazardous:
                    entries.append(_Entry(None, unit))
        return entries

    def _slot(self, entry: _Entry) -> Slot:
        context = self._fireground.context
        if entry.leader is not None:
            leader = entry.leader
            return Slot(f"{leader.id}", "leader", f"{context.card(leader).name} {leader.id} directs", ("direct",))
        assert entry.firer is not None  # noqa: S101 - one of the two
        firer = entry.firer
        where = context.label(firer.hex)
        if firer.weapon is None:
            words = f" ({firer.use.value})" if firer.use.value else ""
            name = context.card(firer.unit).name
            return Slot(firer.name, "firer", f"{name} {firer.name} in {where}{words}", ("fire",))
        return Slot(firer.name, "weapon", f"{context.weapon_title(firer.weapon)} in {where}", self._ways(entry))

    def _ways(self, entry: _Entry) -> tuple[str, ...]:
        firer = entry.firer
        if firer is None:
            return ("direct",)
        if firer.weapon is None:
            return ("fire",)
        return ("fire", *[f"with {unit.id}" for unit in self._hands(firer, firer.weapon)])

    def _hands(self, firer: Firer, weapon: Weapon) -> list[Unit]:
        """Second SMC who may help a SMC with a MG (4.1)."""
        context = self._fireground.context
        if not context.card(firer.unit).is_leader or not context.weapon_card(weapon).is_mg:
            return []
        stack = occupants(self._fireground.context, self._fireground.state).get(firer.hex, ())
        return [unit for unit in stack if is_free_smc(context, unit, firer.unit, weapon)]

    # --- what may still become a legal group --------------------------------------------------------------------

    def _picked(self, chosen: Sequence[str]) -> list[Firer]:
        found = []
        for entry, value in zip(self._entries, chosen, strict=False):
            firer = entry.firer
            if value and firer is not None:
                if value != "fire":
                    helper = self._fireground.state.units[UnitId(value.removeprefix("with "))]
                    firer = Firer(firer.unit, firer.weapon, firer.use, helper)
                found.append(firer)
        return found

    def _is_open(self, chosen: tuple[str, ...]) -> bool:
        """Whether a choice so far can become a legal group."""
        group = self._picked(chosen)
        later: list[Firer] = []
        for entry in self._entries[len(chosen) :]:
            if entry.firer is None:
                break
            later.append(entry.firer)
        if not group:
            return not any(chosen) and any(self._protects((firer,), later) for firer in later)
        return (
            self._hands_free(group)
            and self._usable(group)
            and not (self._attacked and newcomers(self._fireground, group, self._attacked))
            and self._protects(group, later)
            and self._joined(group, later)
            and self._directed(group, chosen, later)
        )

    def _hands_free(self, group: Sequence[Firer]) -> bool:
        hands: list[UnitId] = []
        for firer in group:
            if firer.helper is not None:
                hands.append(firer.helper.id)  # noqa: PERF401 - a loop is quicker than a comprehension over so few
        return not hands or (len(set(hands)) == len(hands) and not {firer.unit.id for firer in group} & set(hands))

    def _usable(self, group: Sequence[Firer]) -> bool:
        armed: dict[UnitId, Unit] = {}
        for firer in group:
            if firer.weapon is not None:
                armed[firer.unit.id] = firer.unit
        for unit in armed.values():
            weapons: list[WeaponId] = []
            fp = again = False
            for firer in group:
                if firer.unit.id != unit.id:
                    continue
                if firer.weapon is None:
                    fp = True
                else:
                    weapons.append(firer.weapon.id)
                again = again or firer.use in _AGAIN
            if refuse_usage(self._fireground.context, unit, weapons, own_fp=fp, again=again) is not None:
                return False
        return True

    def _protects(self, group: Sequence[Firer], later: Sequence[Firer]) -> bool:
        named: set[str] | None = None
        for firer in group:
            if firer.use is _PROTECTIVE:
                if named is None:
                    named = {one.name for one in (*group, *later)}
                if missing_protection(self._fireground, firer.unit, named):
                    return False
        return True

    def _joined(self, group: Sequence[Firer], later: Sequence[Firer]) -> bool:
        if len(group) == 1:
            return True
        hexes = {firer.hex for firer in group}
        if len(hexes) == 1:
            return True
        return any(hexes <= part for part in links(self._fireground.context, (*group, *later)))

    def _directed(self, group: Sequence[Firer], chosen: tuple[str, ...], later: Sequence[Firer]) -> bool:
        """Leaders direct in every hex or in none (3.2.2)."""
        if later:
            return True
        context = self._fireground.context
        led: set[Hex | None] = set()
        for entry, value in zip(self._entries, chosen, strict=False):
            if value and entry.leader is not None:
                if entry.leader.hex in led or not may_direct(context, entry.leader, group):
                    return False
                led.add(entry.leader.hex)
        if not led:
            return True
        hexes = {firer.hex for firer in group}
        if not led <= hexes:
            return False
        able = {
            entry.leader.hex
            for entry in self._entries[len(chosen) :]
            if entry.leader is not None and may_direct(context, entry.leader, group)
        }
        return hexes <= led | able

    # --- the tree -----------------------------------------------------------------------------------------------

    def branches(self) -> Iterator[Branch[Action]]:
        """The values of the next slot that can still become a legal group."""
        index = len(self._chosen)
        if index == len(self._entries):
            yield Branch("done", "done", "Fire", Leaf(self._action(self._chosen)))
            return
        slot = self.slots[index]
        for value in ("", *slot.values):
            if self._is_open((*self._chosen, value)):
                yield self._with(slot, value)

    def _takes(self, index: int, value: str) -> bool:
        """Whether the next slot with this value can still become a legal group."""
        return (not value or value in self._ways(self._entries[index])) and self._is_open((*self._chosen, value))

    def _with(self, slot: Slot, value: str) -> Branch[Action]:
        then = FireGroupChoice(self._fireground, (), self._attacked, (*self._chosen, value), self._entries)
        return Branch(value or LEFT_OUT, slot.kind, f"{slot.label}: {value or 'no'}", then, slot.key)

    def _nearest(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """As much of what is wanted as makes a legal group, slot by slot, and what such a group cannot do without."""
        wanted = self._with_led(wanted)
        if not self._picked(wanted):
            return ()
        chosen: tuple[str, ...] = ()
        for entry, value in zip(self._entries, wanted, strict=True):
            ways = (value, "", *self._ways(entry))
            chosen = (*chosen, next(way for way in ways if self._is_open((*chosen, way))))
        return chosen

    def _with_led(self, wanted: tuple[str, ...]) -> tuple[str, ...]:
        """Leaders who are wanted with nobody to direct get those of their hexes to fire (3.2.2)."""
        if self._picked(wanted):
            return wanted
        context = self._fireground.context
        leaders = [entry.leader for entry, value in zip(self._entries, wanted, strict=True) if value and entry.leader]

        def is_led(firer: Firer) -> bool:
            return any(leader.hex == firer.hex and may_direct(context, leader, (firer,)) for leader in leaders)

        return tuple(
            "fire" if entry.firer is not None and is_led(entry.firer) else value
            for entry, value in zip(self._entries, wanted, strict=True)
        )

    def _legal(self, chosen: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if len(chosen) == len(self._entries):
            yield chosen
            return
        for value in ("", *self._ways(self._entries[len(chosen)])):
            if self._is_open((*chosen, value)):
                yield from self._legal((*chosen, value))

    def __iter__(self) -> Iterator[Action]:
        return map(self._action, self._legal(self._chosen))

    def count(self) -> int:
        """Number of legal groups."""
        return sum(1 for _ in self._legal(self._chosen))

    def sample(self, rng: Random) -> Action:
        """A random firer, those of its hex and around it by chance, a leader by chance."""
        chosen = list(self._chosen)
        firers: list[Firer] = []
        for entry in self._entries:
            if entry.firer is None:
                # Firers come before leaders.
                break
            firers.append(entry.firer)
        start = int(rng.random() * len(firers))
        home = firers[start]
        here = home.hex
        near = NEIGHBOURS[here]
        # What is drawn around a squad hangs together; a leader alone links nobody (3.2.2).
        binding = self._fireground.context.cards.units[home.unit.card].kind is _SMC
        for firer in firers:
            if firer.use is _PROTECTIVE:
                binding = True
        # Nothing but weapons, and who has fired at the target before, can keep one from joining in then.
        free = not (chosen or was_attacked(self._attacked, self._fireground.target))
        for index, entry in enumerate(self._entries[len(chosen) :], start=len(chosen)):
            taken = index == start
            one = entry.firer
            if not taken:
                hex = one.hex if one is not None else here
                taken = rng.random() < 0.5 if hex == here else hex in near and rng.random() < 0.2
            if not (taken or binding):
                chosen.append("")
                continue
            if free and not binding and one is not None and one.weapon is None:
                rng.random()
                chosen.append("fire")
                continue
            free = False
            ways = self._ways(entry)
            for way in (ways[int(rng.random() * len(ways))], *ways) if taken else ("", *ways):
                if self._is_open((*chosen, way)):
                    chosen.append(way)
                    break
            else:
                chosen.append("")
            # With one leader directing, the other hexes need theirs too (3.2.2).
            binding = binding or (entry.leader is not None and chosen[-1] != "")
        return self._action(chosen)

    def _action(self, chosen: Sequence[str]) -> Action:
        units: list[UnitId] = []
        weapons: list[WeaponId] = []
        leaders: list[UnitId] = []
        for entry, value in zip(self._entries, chosen, strict=False):
            if not value:
                continue
            firer = entry.firer
            if firer is None:
                leaders.append(UnitId(entry.name))
                continue
            if firer.weapon is None:
                units.append(firer.unit.id)
            else:
                weapons.append(firer.weapon.id)
            if value != "fire":
                units.append(UnitId(value.removeprefix("with ")))
        return Fire(tuple(sorted(units)), tuple(sorted(weapons)), self._fireground.target, tuple(sorted(leaders)))
