"""Whom to fire at together: fire groups put together hex by hex, each with the harm that it does on average (3.2.2).

Units of one hex that fire at the same target do so as one group, so hexes are the building blocks. A second hex joins
only where a higher column does more than two attacks would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import NamedTuple

from sandtable.bots.aslsk.eye import DIM, likelihood
from sandtable.bots.aslsk.sketch import Sketch
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.armour.crew import crew_cover
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.common.experience import leadership, morale_level
from sandtable.systems.aslsk.common.stacking import friends_at
from sandtable.systems.aslsk.effects.attack import Attack
from sandtable.systems.aslsk.fire.crews import crews_under_fire
from sandtable.systems.aslsk.fire.fire import plan_attack
from sandtable.systems.aslsk.fire.fire_choices import is_small_arm
from sandtable.systems.aslsk.fire.fire_groups import Firer, assemble, may_direct
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode, Use
from sandtable.systems.aslsk.fire.muzzles import candidates
from sandtable.systems.aslsk.pieces.cards import UnitKind, WeaponKind
from sandtable.systems.aslsk.pieces.state import Attacked, UnderWay, Unit, UnitId, WeaponId

__all__ = ["Volley", "crew_harm", "harm_of", "volleys"]

SECOND_SHOT = 0.85
"""What a second attack on the same target is worth beside the first: the first may have done its work."""
STUNNED = (0.5, 0.5, 0.2, 0.03)
"""Shares of its worth that a vehicle loses where its CE crew would be eliminated, reduced, broken or pinned (7.10)."""
UNLIKELY = 0.05
"""How often a line is there after all that seemed blocked."""


class Volley(NamedTuple):
    """A fire attack and what it does on average."""

    action: Fire
    group: tuple[Firer, ...]
    attack: Attack
    harm: float
    """Points."""
    likely: float = 1.0
    """How likely all of the group see the target."""

    @property
    def hexes(self) -> frozenset[Hex]:
        """Where it comes from."""
        return frozenset(firer.hex for firer in self.group)

    @property
    def units(self) -> tuple[UnitId, ...]:
        """All who fire or direct, in a fixed order: sums over them must come out the same every time."""
        return tuple(dict.fromkeys((*(firer.unit.id for firer in self.group), *self.action.leaders)))


class _Aim(NamedTuple):
    """Fire of a side at one hex."""

    sketch: Sketch
    ground: Fireground
    attacked: Sequence[Attacked]
    moving: UnderWay | None
    likely: dict[Hex, float]
    """By hex: how likely those there see the target."""


def volleys(
    sketch: Sketch, ground: Fireground, attacked: Sequence[Attacked], moving: UnderWay | None = None
) -> list[Volley]:
    """Worthwhile attacks on one hex, the most harmful first."""
    able = candidates(ground, attacked)
    aim = _Aim(sketch, ground, attacked, moving, _likely(ground, able))
    blocks: dict[Hex, list[Firer]] = {}
    found: list[Volley] = []
    for firer in able:
        if firer.hex not in aim.likely:
            continue
        if is_small_arm(ground, firer):
            blocks.setdefault(firer.hex, []).append(firer)
        elif firer.weapon is not None and sketch.context.weapon_card(firer.weapon).kind is WeaponKind.FT:
            found += _volley(aim, [firer], led=False)
    single: dict[Hex, Volley] = {}
    for hex, block in blocks.items():
        full = _whole(sketch, block)
        for volley in _volley(aim, full):
            single[hex] = volley
        found += _guns_alone(aim, full)
    found += single.values()
    found += _joined(aim, single)
    return sorted(found, key=lambda volley: -volley.harm)


def _likely(ground: Fireground, able: Sequence[Firer]) -> dict[Hex, float]:
    """By hex of those who could fire: how likely they see the target, where that is worth a shot.

    First Fire is asked for only where somebody has a line of sight: if one alone could have it, he does (3.3.3).
    """
    context = ground.context
    found = {
        hex: likelihood(context, hex, ground.target) if ground.sees(hex) else 0.0
        for hex in dict.fromkeys(firer.hex for firer in able)
    }
    if ground.mode is FireMode.FIRST and max(found.values(), default=1.0) < 1.0:
        found = {hex: max(chance, UNLIKELY) for hex, chance in found.items()}
        nobody = prod(1 - chance for chance in found.values())
        found = {hex: chance / (1 - nobody) for hex, chance in found.items()}
    return {hex: chance for hex, chance in found.items() if chance >= DIM}


def _whole(sketch: Sketch, block: Sequence[Firer]) -> list[Firer]:
    """All that the units of one hex can fire at once: squads a weapon beside their own FP, others one or the other."""
    context = sketch.context
    chosen: list[Firer] = []
    for unit_id in dict.fromkeys(firer.unit.id for firer in block):
        own = [firer for firer in block if firer.unit.id == unit_id]
        if any(firer.use is Use.PROTECTIVE for firer in own):
            chosen += own
            continue
        guns = sorted((f for f in own if f.weapon is not None), key=lambda f: (-_gun_fp(sketch, f), f.name))
        rifles = [firer for firer in own if firer.weapon is None]
        kind = context.card(own[0].unit).kind
        if kind is UnitKind.LEADER:
            if not any(context.card(firer.unit).is_mmc for firer in block):
                chosen += guns[:1]
        elif kind is UnitKind.SQUAD:
            chosen += [*rifles, *guns[:1]]
        elif guns and (not rifles or _gun_fp(sketch, guns[0]) >= context.card(own[0].unit).fp):
            chosen += guns[:1]
        else:
            chosen += rifles
    return chosen


def _gun_fp(sketch: Sketch, firer: Firer) -> int:
    return sketch.context.weapon_card(firer.weapon).fp if firer.weapon is not None else 0


def _volley(aim: _Aim, firers: Sequence[Firer], *, led: bool = True) -> Iterator[Volley]:
    """The attack of these firers with the best direction, if it is legal."""
    if not firers:
        return
    ground = aim.ground
    leaders = _directors(aim.sketch, firers) if led else []
    action = Fire(
        tuple(sorted(firer.unit.id for firer in firers if firer.weapon is None)),
        tuple(sorted(WeaponId(firer.name) for firer in firers if firer.weapon is not None)),
        ground.target,
        tuple(sorted(leader.id for leader in leaders)),
    )
    group = assemble(ground, action, aim.attacked)
    if isinstance(group, Refusal):
        return
    attack = plan_attack(ground, group, leaders, aim.moving).attack
    if attack.column >= 0:
        # Who turns out to have no line of sight has fired for nothing, and the rest miss his FP.
        likely = min(aim.likely[firer.hex] for firer in group)
        harm = harm_of(aim.sketch, attack, moving=aim.moving is not None)
        harm += crew_harm(aim.sketch, attack, aim.moving)
        yield Volley(action, group, attack, harm * likely, likely)


def _directors(sketch: Sketch, firers: Sequence[Firer]) -> list[Unit]:
    """A leader in every hex that fires, or none (3.2.2)."""
    context, state = sketch.context, sketch.state
    found = []
    for hex in dict.fromkeys(firer.hex for firer in firers):
        able = [
            unit
            for unit in friends_at(context, state, hex, sketch.seat)
            if context.card(unit).is_leader and leadership(context, unit) <= 0 and may_direct(context, unit, firers)
        ]
        if not able:
            return []
        found.append(min(able, key=lambda unit: (leadership(context, unit), unit.id)))
    return found


def harm_of(sketch: Sketch, attack: Attack, *, moving: bool = False) -> float:
    """Points that an attack costs the enemy on average, less what it costs friends held in Melee."""
    context, state, harms = sketch.context, sketch.state, sketch.book.harms
    targets = [state.units[unit_id] for unit_id in attack.targets]
    total = 0.0
    for unit in targets:
        own = attack.own_drm.get(unit.id)
        drm = attack.drm.total + (sum(term.value for term in own) if own else 0)
        morale = morale_level(context, unit) - _help(sketch, unit, attack.target)
        odds = harms.odds(
            attack.column, drm, morale, broken=unit.broken, cower=attack.cower, targets=len(attack.targets)
        )
        loss = sketch.loss(unit, odds, moving=moving)
        if unit.broken and not unit.dm:
            # Fire that could force a check keeps the broken under DM (3.2.3).
            loss += 0.1 * sketch.price(unit)
        total += loss if unit.side == sketch.enemy else -1.2 * loss
    return total


def crew_harm(sketch: Sketch, attack: Attack, moving: UnderWay | None) -> float:
    """Points that an attack costs the enemy's vehicles whose crews are exposed to it (7.12)."""
    state = sketch.state
    if not state.vehicles:
        return 0.0
    total = 0.0
    for vehicle_id in crews_under_fire(state, sketch.seat, attack.target, moving):
        vehicle = state.vehicles[vehicle_id]
        cover = crew_cover(sketch.context, attack.target).value - sketch.context.ground.place(attack.target).tem
        morale = sketch.context.vehicle_card(vehicle).crew_morale
        odds = sketch.book.harms.odds(attack.column, attack.drm.total + max(0, cover), morale)
        total += sketch.price_of(vehicle) * odds.times(*STUNNED)
    return total


def _help(sketch: Sketch, unit: Unit, hex: Hex) -> int:
    """Leadership that helps a unit's checks (1.2.1)."""
    context = sketch.context
    if context.card(unit).is_leader:
        return 0
    leaders = [
        leadership(context, one)
        for one in sketch.there.get(hex, ())
        if one.side == unit.side and not one.broken and not one.pinned and context.card(one).is_leader
    ]
    return min(leaders, default=0)


def _guns_alone(aim: _Aim, full: Sequence[Firer]) -> Iterator[Volley]:
    """MG of a hex without the rifles, where they may keep their ROF and the rifles are saved for later."""
    context = aim.sketch.context
    guns = [
        firer
        for firer in full
        if firer.weapon is not None and firer.use is Use.PLAIN and context.weapon_card(firer.weapon).rof >= 1
    ]
    if guns and len(guns) < len(full) and aim.moving is not None:
        yield from _volley(aim, guns)


def _joined(aim: _Aim, single: dict[Hex, Volley]) -> Iterator[Volley]:
    """Fire groups of several hexes, where the column that they reach together is worth it."""
    if len(single) < 2:
        return
    best = sorted(single.values(), key=lambda volley: -volley.harm)
    for start in best[:2]:
        joined, hexes = start, set(start.hexes)
        parts = start.harm
        for other in best:
            (hex,) = other.hexes
            if hex in hexes or not any(near in hexes for near in NEIGHBOURS[hex]):
                continue
            for union in _volley(aim, [*joined.group, *other.group]):
                if union.harm > parts + SECOND_SHOT * other.harm:
                    joined, hexes, parts = union, hexes | {hex}, union.harm
        if joined is not start:
            yield joined
