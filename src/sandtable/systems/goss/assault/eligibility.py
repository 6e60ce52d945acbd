"""13.4 Step 2: who may assault which hex, and whether all who are designated can have an attack (13.2.0).

Everything here is read from what the attacker knows: enemy hexes, the ground, his own units.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.assault.position import is_engineer, is_mech, is_pure_afv
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.kinds import Water
from sandtable.systems.goss.pieces.card import FormationId, Size, Trait
from sandtable.systems.goss.pieces.proficiency import may_attack_alone, may_join_assault
from sandtable.systems.goss.pieces.steps import size_of, strength
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.stacking.limits import grouped, limits
from sandtable.systems.goss.stacking.stacker import stacker

__all__ = [
    "ASSAULTED",
    "BOUGHT_GA",
    "PREPARED_GA",
    "REFUGE",
    "RETREATED",
    "TACTICAL_GA",
    "Plans",
    "designated",
    "ferries",
    "must_stand_off",
]

ASSAULTED = "assaulted"
"""Use: a hex that was the target of an assault in this segment (13.3.1)."""
REFUGE = "refuge"
"""Use: an empty hex that defenders retreated into (13.3.1)."""
RETREATED = "retreated"
"""Use: a unit that retreated from an assault in this phase (13.5.5)."""
PREPARED_GA, TACTICAL_GA = "PA assault", "TA assault"
"""Uses: assaults of a formation (16.3.3)."""
BOUGHT_GA = "assaults for ammunition"
"""Use: a point of ammunition that a formation was given for more assaults (16.3.3)."""
_PREPARED, _TACTICAL = 2, 1
"""What each takes of twice the ADV: one PA, or two TA, a point (16.3.3)."""
_WORN_OUT = 2
"""Fatigue of those who do not attack (14.2.2)."""
_MOST_UNITS, _MOST_BATTALIONS = 2, 1
"""From one hex into a constricted one (13.4.3)."""


def designated(state: State, side: Seat) -> list[Unit]:
    """The attack designated units of a side on the map (10.2.0)."""
    return [unit for unit in state.units.values() if unit.side == side and unit.hex is not None and unit.is_attacking]


@rule("17.2.0", "17.2.1", "17.2.2")
def ferries(context: Context, stack: Sequence[Unit], *, is_major: bool) -> tuple[frozenset[UnitId], frozenset[UnitId]]:
    """Who is ferried across a river by the engineers of an attacking stack, and the engineers who ferry.

    Only in Prepared Assault, the strongest first. Over a river a step takes one Leg unit, and the engineers come along;
    over a major one a unit of engineers takes one, and stays behind (17.2.1, 17.2.2; rulings B-60, B-75).
    """
    ready = [unit for unit in stack if is_engineer(context, unit) and unit.mode is Mode.PREPARED_ASSAULT]
    legs = [unit for unit in stack if not is_mech(context, unit) and unit not in ready]
    legs.sort(key=lambda unit: (-strength(context.card(unit), unit.steps).attack, unit.id))
    room = {unit.id: 1 if is_major else unit.steps for unit in ready}
    taken = [unit.id for unit in legs[: sum(room.values())]]
    working: list[UnitId] = []
    left = len(taken)
    for unit in ready:
        if left > 0:
            working.append(unit.id)
            left -= room[unit.id]
    ferried = frozenset(taken) if is_major else frozenset((*taken, *(unit.id for unit in ready)))
    return ferried, frozenset(working)


@rule("13.4.2")
def must_stand_off(context: Context, state: State, unit: Unit, target: Hex) -> bool:
    """Whether a pure AFV can only fire: across a river without bridge or ford, or through marsh without a road."""
    if unit.hex is None or not is_pure_afv(context, unit):
        return False
    over = crossing(context, state, unit.hex, target)
    if over.is_river and (over.is_major or not over.is_dry):
        return True
    marsh = context.ground_in(state).at(unit.hex).is_wet or context.ground_in(state).at(target).is_wet
    return marsh and over.road is None


@rule("13.4.2", "4.4.0", "13.6.1a", "14.2.2")
def _may_attack(context: Context, state: State, unit: Unit, target: Hex, stack: Sequence[Unit]) -> bool:
    """Whether a unit may take part in an assault on a neighbouring hex (13.4.2)."""
    here = unit.hex
    if here is None or unit.fatigue >= _WORN_OUT or not may_join_assault(context.card(unit)):
        return False
    over = crossing(context, state, here, target)
    if must_stand_off(context, state, unit, target):
        # Nobody stands off on the line of clear ground (13.5.2; ruling B-61).
        line = context.charts.defences.terrain_lines(context.ground_in(state).at(target).features)[0]
        return line > 1 and over.water is not Water.GREAT_RIVER
    if not over.is_river:
        return True
    if is_mech(context, unit):
        return over.is_dry and not over.is_major
    if not over.is_major or over.has_bridge:
        return True
    ferried, working = ferries(context, stack, is_major=True)
    return over.water is Water.MAJOR_RIVER and unit.id in ferried | working


class Candidate(msgspec.Struct, frozen=True):
    """A designated unit as the search sees it."""

    id: UnitId
    hex: Hex
    is_prepared: bool
    alone: tuple[Hex, ...]
    """Of its targets, those in whose assault it needs nobody else who leads (4.4.0, 4.1.3, 13.5.2)."""
    formation: FormationId
    targets: tuple[Hex, ...]
    is_rear: bool = False
    """Rear echelon: one of its hex that is none takes part, too (9.6.2c)."""


class Plans:
    """All that designated units may attack, and whether everybody can have an attack."""

    def __init__(self, context: Context, state: State, side: Seat) -> None:
        self.context, self.state, self.side = context, state, side
        units = designated(state, side)
        deployment = context.deployment(state)
        enemy = context.other(side)
        stacks: dict[tuple[Hex, bool], list[Unit]] = {}
        for unit in units:
            if unit.hex is not None:
                stacks.setdefault((unit.hex, unit.mode is Mode.PREPARED_ASSAULT), []).append(unit)
        self.candidates: dict[UnitId, Candidate] = {}
        for (hex, is_prepared), stack in stacks.items():
            open_hexes = [
                near
                for near in NEIGHBOURS[hex]
                if deployment.held_by(near, enemy)
                and not state.has_used(ASSAULTED, hex=near)
                and not state.has_used(REFUGE, hex=near)
            ]
            for unit in stack:
                targets = tuple(one for one in open_hexes if _may_attack(context, state, unit, one, stack))
                self.candidates[unit.id] = Candidate(
                    id=unit.id,
                    hex=hex,
                    is_prepared=is_prepared,
                    alone=self._alone(unit, targets),
                    formation=context.formation_of(unit),
                    targets=targets,
                    is_rear=context.card(unit).has(Trait.REAR_ECHELON),
                )
        self._mute_rear()
        self._mute_joiners()

    @rule("13.5.2")
    def _alone(self, unit: Unit, targets: Sequence[Hex]) -> tuple[Hex, ...]:
        """In what assaults a unit needs no other to lead: it does, and does not stand off (4.4.0, 13.5.2)."""
        card = self.context.card(unit)
        if not may_attack_alone(card, size_of(card, unit.steps)):
            return ()
        return tuple(one for one in targets if not must_stand_off(self.context, self.state, unit, one))

    @rule("9.6.2c", "13.4.2")
    def _mute_rear(self) -> None:
        """Rear echelon leads only against what another of its hex, that is none, may attack too (ruling B-110)."""
        joined: dict[tuple[Hex, bool], set[Hex]] = {}
        for one in self.candidates.values():
            if not one.is_rear:
                joined.setdefault((one.hex, one.is_prepared), set()).update(one.targets)
        for one in [one for one in self.candidates.values() if one.is_rear]:
            there = joined.get((one.hex, one.is_prepared), set())
            alone = tuple(hex for hex in one.alone if hex in there)
            self.candidates[one.id] = msgspec.structs.replace(one, alone=alone)

    def _mute_joiners(self) -> None:
        """Who needs another of his hex may attack only where one can."""
        led: dict[tuple[Hex, bool], set[Hex]] = {}
        for one in self.candidates.values():
            led.setdefault((one.hex, one.is_prepared), set()).update(one.alone)
        for one in list(self.candidates.values()):
            if len(one.alone) < len(one.targets):
                kept = tuple(target for target in one.targets if target in led[one.hex, one.is_prepared])
                self.candidates[one.id] = msgspec.structs.replace(one, targets=kept)

    @property
    def targets(self) -> tuple[Hex, ...]:
        """Every hex that somebody may attack."""
        return tuple(sorted({target for one in self.candidates.values() for target in one.alone}))

    @property
    def idle(self) -> tuple[UnitId, ...]:
        """Those who have nothing to attack (12.1.0)."""
        return tuple(one.id for one in self.candidates.values() if not one.targets)

    def on(self, target: Hex) -> list[Candidate]:
        """Who may attack a hex."""
        return [one for one in self.candidates.values() if target in one.targets]

    @rule("16.3.3")
    def allowance(self, formation: FormationId) -> int:
        """What is left of the assaults of a formation, in halves of a PA assault (16.3.3)."""
        used = sum(
            _PREPARED if use.what == PREPARED_GA else _TACTICAL
            for use in self.state.used
            if use.by == formation and use.what in (PREPARED_GA, TACTICAL_GA)
        )
        bought = sum(use.by == formation for use in self.state.used if use.what == BOUGHT_GA)
        return _PREPARED * (self.context.scenario.side(self.side).adv + bought) - used

    @rule("13.4.3")
    def fits(self, target: Hex, units: Iterable[UnitId]) -> bool:
        """Whether units of one hex may go into a target: one battalion and one more if it is constricted (13.4.3)."""
        if not self.context.ground.at(target).is_constricted:
            return True
        stackers = [
            stacker(self.state.units[one], self.context.card(self.state.units[one]))
            for one in units
            if size_of(self.context.card(self.state.units[one]), self.state.units[one].steps) is not Size.Z_STEP
        ]
        groups = grouped(stackers, limits(is_constricted=True))
        battalions = sum(group[0].size is Size.BATTALION for group in groups)
        return len(groups) <= _MOST_UNITS and battalions <= _MOST_BATTALIONS

    @rule("13.2.0", "12.1.0")
    def can_all_attack(
        self,
        units: Iterable[UnitId] | None = None,
        *,
        fixed: Mapping[UnitId, Hex] | None = None,
        barred: tuple[Hex, frozenset[UnitId]] | None = None,
        is_rich: bool = False,
    ) -> bool:
        """Whether each of the units can have an attack, some of them where it is fixed.

        ``barred``: a hex, and who does not attack it. ``is_rich``: with as many assaults as they like (16.3.3).
        """
        wanted = [self.candidates[one] for one in (self.candidates if units is None else units)]
        search = _Search(self, wanted, dict(fixed or {}), barred or (None, frozenset()), is_rich=is_rich)
        return search.run(0)


class _Search:
    """Finds a hex for every unit, along the front.

    What was chosen so far matters only where it touches those who come next, so few ways differ for them, and a way
    that failed once is not gone again.
    """

    def __init__(
        self,
        plans: Plans,
        units: Sequence[Candidate],
        fixed: Mapping[UnitId, Hex],
        barred: tuple[Hex | None, frozenset[UnitId]],
        *,
        is_rich: bool,
    ) -> None:
        self.plans, self.fixed, self.barred, self.is_rich = plans, fixed, barred, is_rich
        place = {hex: number for number, hex in enumerate(_along_the_front(units))}
        self.units = sorted(
            units,
            key=lambda one: (one.id not in fixed, place[one.hex], not one.alone, len(one.targets), one.id),
        )
        self.last = {one.hex: index for index, one in enumerate(self.units)}
        """The last unit of each hex: who could lead the others there chooses no later."""
        self.going: dict[Hex, list[Candidate]] = {}
        """Who attacks each target: units in PA mode, or a TA stack of one hex."""
        self.spent: dict[tuple[FormationId, Hex], int] = {}
        self.failed: set[object] = set()
        self.ahead: list[tuple[frozenset[Hex], frozenset[FormationId]]] = [(frozenset(), frozenset())]
        """By the number of units that have chosen: the targets and formations of the others."""
        for one in reversed(self.units):
            targets, formations = self.ahead[0]
            self.ahead.insert(0, (targets.union(self._ways(one)), formations | {one.formation}))

    def run(self, index: int) -> bool:
        """Whether all from this one on find a hex."""
        if index and not self._are_led(index - 1):
            return False
        if index == len(self.units):
            return True
        key = self._key(index)
        if key in self.failed:
            return False
        unit = self.units[index]
        # A hex that is attacked anyway comes first: it takes nothing from the others.
        for target in sorted(self._ways(unit), key=lambda target: target not in self.going):
            if self._take(unit, target):
                if self.run(index + 1):
                    return True
                self._leave(unit, target)
        self.failed.add(key)
        return False

    def _are_led(self, index: int) -> bool:
        """Whether all who attack a target from a unit's hex have somebody of it to lead, and rear echelon another."""
        hex = self.units[index].hex
        later = [one for one in self.units[index + 1 : self.last[hex] + 1] if one.hex == hex]
        gone = {target: [one for one in units if one.hex == hex] for target, units in self.going.items()}
        return all(
            any(target in one.alone for one in (*units, *later))
            and (
                not any(one.is_rear for one in units)
                or any(target in one.targets and not one.is_rear for one in (*units, *later))
            )
            for target, units in gone.items()
            if units
        )

    def _ways(self, unit: Candidate) -> tuple[Hex, ...]:
        return (self.fixed[unit.id],) if unit.id in self.fixed else unit.targets

    def _key(self, index: int) -> object:
        """What those who have not chosen yet find: who attacks their targets, with whom, and what is spent."""
        (targets, formations), hex = self.ahead[index], self.units[index].hex
        owners, mates = [], []
        for target, units in self.going.items():
            if target in targets:
                owners.append((target, _party(units[0])))
                mates += [(one.id, target) for one in units if one.hex == hex]
        paid: dict[FormationId, int] = dict.fromkeys(formations, 0)
        begun = []
        for (formation, target), cost in self.spent.items():
            if formation in formations:
                paid[formation] += cost
                if target in targets:
                    begun.append((formation, target))
        return index, frozenset(owners), frozenset(mates), frozenset(paid.items()), frozenset(begun)

    def _take(self, unit: Candidate, target: Hex) -> bool:
        there = self.going.get(target, [])
        if (target == self.barred[0] and unit.id in self.barred[1]) or (there and _party(there[0]) != _party(unit)):
            return False
        mates = [one for one in there if one.hex == unit.hex]
        if not self.plans.fits(target, [unit.id, *(one.id for one in mates)]):
            return False
        if (unit.formation, target) not in self.spent:
            cost = _PREPARED if unit.is_prepared else _TACTICAL
            before = sum(spent for (formation, _), spent in self.spent.items() if formation == unit.formation)
            if not self.is_rich and before + cost > self.plans.allowance(unit.formation):
                return False
            self.spent[unit.formation, target] = cost
        self.going.setdefault(target, []).append(unit)
        return True

    def _leave(self, unit: Candidate, target: Hex) -> None:
        rest = self.going[target]
        rest.remove(unit)
        if not any(one.formation == unit.formation for one in rest):
            self.spent.pop((unit.formation, target), None)
        if not rest:
            del self.going[target]


def _party(unit: Candidate) -> Hex | None:
    """The TA stack to which a unit belongs, by its hex; None: units in PA mode."""
    return None if unit.is_prepared else unit.hex


def _along_the_front(units: Iterable[Candidate]) -> Iterator[Hex]:
    """The hexes of units, from one end of the front on, each beside others that share a target with it."""
    targets: dict[Hex, set[Hex]] = {}
    for one in units:
        targets.setdefault(one.hex, set()).update(one.targets)
    attackers: dict[Hex, list[Hex]] = {}
    for hex in sorted(targets):
        for target in targets[hex]:
            attackers.setdefault(target, []).append(hex)

    def swept(first: Hex) -> list[Hex]:
        found = [first]
        for hex in found:
            beside = {other for target in targets[hex] for other in attackers[target]}
            found += sorted(beside.difference(found))
        return found

    left = dict.fromkeys(sorted(targets))
    while left:
        front = swept(swept(next(iter(left)))[-1])
        yield from front
        for hex in front:
            del left[hex]
