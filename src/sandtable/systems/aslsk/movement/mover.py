"""3.3, 3.3.1, 4.0, 4.3, 6.5: what units on the move may do next, hexes apart, and what it costs, before any dice."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.possession import lying_at, portage, refuse_gun
from sandtable.systems.aslsk.common.refusals import refuse_off_map
from sandtable.systems.aslsk.common.stacking import at
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at
from sandtable.systems.aslsk.movement.movement_costs import entry_halves, mf_text, ways_out
from sandtable.systems.aslsk.movement.stepping import MoveProgress, Stepper, exit_counts, refuse_exit
from sandtable.systems.aslsk.pieces.cards import GunFacts, WeaponKind
from sandtable.systems.aslsk.pieces.spines import SPINES
from sandtable.systems.aslsk.pieces.state import MoveStep, StepKind, Unit, UnitId, Weapon, WeaponId

__all__ = ["Mover"]

_ENTER, _WOODS, _SMOKE, _MANHANDLE = StepKind.ENTER, StepKind.WOODS, StepKind.SMOKE, StepKind.MANHANDLE
"""Names are looked up quicker than members of enums."""


class Mover(Stepper):
    """A unit or stack with its budget, and all that it may spend it on."""

    __slots__ = ()

    def take(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """What a step leads to, or why it may not be taken."""
        refusal = _refuse_words(step)
        if refusal is not None:
            return refusal
        if step.kind is _ENTER or step.kind is _WOODS:
            assert step.to is not None  # noqa: S101 - its words were checked
            return self._enter_step(now, step.to, shun_road=step.kind is _WOODS)
        match step.kind:
            case StepKind.EXIT:
                return self._exit(now, step)
            case StepKind.SMOKE:
                return self._smoke(now, step)
            case StepKind.RECOVER:
                return self._recover(now, step)
            case StepKind.PLACE_DC:
                return self._place(now, step)
            case StepKind.DROP:
                return self._drop(now, step)
            case _:
                return self._manhandle(now, step)

    def _spend(self, now: MoveProgress, halves: int, key: str, what: str) -> MoveProgress | Refusal:
        """MF for something else than entering a hex; the road bonus is only for the road."""
        if now.hex is None:
            return Refusal("3.3", f"{what} is not for units off board", "enter the map first")
        if key and key in now.tried:
            return Refusal("3.3.1", f"{what} only once a MPh", "go on without")
        spent = now.spent + halves
        if spent > self.budget or (self.assault and spent >= self.budget):
            left = mf_text(max(0, self.budget - now.spent))
            return Refusal("3.3.1", f"{what} costs {mf_text(halves)} MF, and {left} are left", "go on without")
        tried = now.tried | {key} if key else now.tried
        return MoveProgress(now.hex, spent, road=False, hexes=now.hexes, tried=tried)

    @rule("3.3")
    def _exit(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Leave the map where the victory conditions provide for it (3.3)."""
        if now.hex is None:
            return Refusal("3.3", "the units are not on the map", "enter the map first")
        refusal = refuse_exit(self.context, self.state, self.side, now.hex, step.way) or self._refuse_load(now)
        if refusal is not None:
            return refusal
        spent = now.spent + self.costs["exit"]
        road = now.road and self.context.ground.has_road(now.hex, step.way)
        if self.assault and (now.hexes or spent >= self.budget):
            return Refusal("3.3.1", "Assault Movement is a move of one hex and may not take all MF", "move without it")
        if spent > (self.budget + self.road_bonus if road else self.budget):
            return Refusal("3.3.1", "not enough MF are left to leave the map", "leave it in a later turn")
        return MoveProgress(None, spent, road, now.hexes + 1, now.tried, exited=True)

    @rule("3.3.1")
    def _smoke(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Smoke grenades: one MF into the own hex, two into an adjacent one, once a MPh (3.3.1)."""
        unit = self._member(step.unit)
        if unit is None:
            return Refusal("3.3.1", f"{step.unit!r} is none of those that move", "name one that moves")
        if not self.smoke_exponent(unit):
            return Refusal("1.2.2", f"{unit.id} has no smoke exponent", "let a unit with one throw them")
        if unit.threw_smoke:
            return Refusal("3.3.1", f"{unit.id} has attempted smoke grenades in this MPh", "go on without")
        if now.hex is None or step.to not in (now.hex, *NEIGHBOURS[now.hex]):
            return Refusal("3.3.1", "smoke grenades reach the own hex or an adjacent one", "name one of these")
        if step.to not in self.context.game_map.hexes:
            return refuse_off_map("3.3.1")
        cost = self.costs["smoke_own_hex" if step.to == now.hex else "smoke_adjacent_hex"]
        return self._spend(now, cost, unit.id, "a smoke grenade attempt")

    def _member(self, unit_id: UnitId) -> Unit | None:
        for unit in self.units:
            if unit.id == unit_id:
                return unit
        return None

    @rule("3.3.1", "4.0")
    def _recover(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Recovery of an unpossessed weapon for one MF; no weapon moves twice in a MPh (3.3.1, 4.0)."""
        unit = self._member(step.unit)
        weapon = self.state.weapons.get(step.weapon)
        if unit is None:
            return Refusal("3.3.1", f"{step.unit!r} is none of those that move", "name one that moves")
        if now.hex is None or weapon is None or weapon not in lying_at(self.context, self.state, now.hex):
            return Refusal("3.3.1", f"{step.weapon!r} does not lie unpossessed in the hex", "name one that lies there")
        if weapon.moved:
            return Refusal("4.0", f"{weapon.id} has been moved in this MPh", "leave it until another phase")
        return self._spend(now, self.costs["recovery"], "", "recovery")

    @rule("4.3")
    def _place(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Place a DC on an adjacent enemy, for the MF that entering his hex would cost (4.3)."""
        owner = self._carried().get(step.weapon)
        weapon = self.state.weapons.get(step.weapon)
        if owner is None or weapon is None or self.context.weapon_card(weapon).kind is not WeaponKind.DC:
            return Refusal("4.3", f"{step.weapon!r} is no DC that one of them possesses", "name one that is")
        if now.hex is None or step.to is None or step.to not in NEIGHBOURS[now.hex] or step.to not in self._enemies:
            return Refusal("4.3", "a DC is placed on an adjacent enemy", "move beside an enemy, and name his hex")
        meant = [vehicle.id for vehicle in enemy_vehicles_at(self.state, step.to, self.side)]
        if step.unit and step.unit not in map(str, meant):
            return Refusal(
                "4.3", f"{step.unit!r} is no enemy AFV in that hex", "name one that is, or none for Infantry"
            )
        if not step.unit and all(unit.side == self.side for unit in at(self.context, self.state, step.to)):
            return Refusal("4.3", "no Infantry is in that hex", "name the AFV that the DC is placed against")
        cost = entry_halves(self.context, self.state, now.hex, step.to)
        return self._spend(now, cost, step.weapon, "placing a DC")

    @rule("4.0")
    def _drop(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Drop a weapon, at no cost (4.0)."""
        if step.weapon not in self._carried() or step.weapon in now.tried:
            return Refusal("4.0", f"none of them possesses {step.weapon!r}", "name a weapon of theirs")
        if now.hex is None:
            return Refusal("4.0", "weapons are not dropped off board", "carry them onto the map")
        return replace(now, tried=now.tried | {step.weapon})

    @rule("1.2.6", "6.5")
    def _manhandle(self, now: MoveProgress, step: MoveStep) -> MoveProgress | Refusal:
        """Push a Gun into an adjacent hex at twice the MF: a QSU Gun, nothing else carried, no road bonus (6.5)."""
        context, state = self.context, self.state
        weapon, owner = state.weapons.get(step.weapon), self._carried().get(step.weapon)
        gun = context.weapon_card(weapon).gun if weapon is not None else None
        if weapon is None or owner is None or gun is None or step.weapon in now.tried:
            return Refusal("6.5", f"{step.weapon!r} is no Gun that one of them possesses", "name one that is")
        assert step.to is not None  # noqa: S101 - its words were checked
        refusal = self._refuse_hex(now, step.to) or self._refuse_push(now, weapon, gun, step)
        if refusal is not None:
            return refusal
        cost = 2 * entry_halves(context, state, now.hex, step.to)
        if now.spent + cost > self.budget:
            left = mf_text(max(0, self.budget - now.spent))
            return Refusal(
                "6.5", f"pushing it there costs {mf_text(cost)} MF, and {left} are left", "end the move here"
            )
        return MoveProgress(step.to, now.spent + cost, road=False, hexes=now.hexes + 1, tried=now.tried)

    def _refuse_push(self, now: MoveProgress, weapon: Weapon, gun: GunFacts, step: MoveStep) -> Refusal | None:
        if not 0 <= step.way < len(SPINES):
            return Refusal("3.2.4", "a Gun points at one of six hexspines", "0 to 5")
        if not gun.qsu:
            return Refusal("6.5", f"{weapon.id} is no Quick Set Up Gun and must be limbered to move", "leave it")
        if self.assault:
            return Refusal("6.5", "nobody manhandles a Gun by Assault Movement", "move without")
        if weapon.manhandled and not all(unit.hazardous for unit in self.units):
            return Refusal("4.0", f"{weapon.id} has been moved in this MPh", "leave it until another phase")
        without = {weapon.id, *self._dropped, *map(WeaponId, now.tried)}
        for unit in self.units:
            if portage(self.context, self.state, unit.id, without):
                return Refusal("6.5", f"{unit.id} carries weapons, and who manhandles a Gun carries none", "drop them")
            refusal = refuse_gun(self.context, self.state, unit, without)
            if refusal is not None:
                return refusal
        place = self.context.ground.place(step.to) if step.to is not None else None
        if place is not None and place.building and not gun.fits_building:
            return Refusal("1.2.6", f"{weapon.id} is too large for a building", "push it round the building")
        return None

    def _pushes(self, now: MoveProgress, hex: Hex) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Guns that may be pushed on, into which hexes and how they point then."""
        for weapon_id in self._carried():
            if self.context.weapon_card(self.state.weapons[weapon_id]).gun is None:
                continue
            for way in ways_out(self.context, hex):
                after = self.take(now, MoveStep(_MANHANDLE, way.to, weapon=weapon_id))
                if isinstance(after, MoveProgress):
                    yield from ((MoveStep(_MANHANDLE, way.to, weapon=weapon_id, way=spine), after) for spine in SPINES)

    def extras(self, now: MoveProgress) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Everything else that may be done next, dropping weapons apart."""
        if now.hex is None:
            return
        if self._throwers:
            yield from self._smokes(now, now.hex)
        if self._laden:
            yield from self._pushes(now, now.hex)
        for step in self._extra_steps(now.hex):
            after = self.take(now, step)
            if isinstance(after, MoveProgress):
                yield step, after

    def _smokes(self, now: MoveProgress, hex: Hex) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Smoke grenades: what they cost is the same for every hex around."""
        for unit in self._throwers:
            if unit.id in now.tried:
                continue
            step = MoveStep(_SMOKE, hex, unit.id)
            after = self._smoke(now, step)
            if isinstance(after, MoveProgress):
                yield step, after
            around = [MoveStep(_SMOKE, way.to, unit.id) for way in ways_out(self.context, hex)]
            beside = self._smoke(now, around[0]) if around else None
            if isinstance(beside, MoveProgress):
                for step in around:
                    yield step, beside

    def _extra_steps(self, hex: Hex) -> Iterator[MoveStep]:
        for weapon in lying_at(self.context, self.state, hex):
            yield from (MoveStep(StepKind.RECOVER, None, unit.id, weapon.id) for unit in self.units)
        for weapon_id in self._charges:
            near = (to for to in NEIGHBOURS[hex] if to in self._enemies)
            for to in near:
                yield MoveStep(StepKind.PLACE_DC, to, weapon=weapon_id)
                for vehicle in enemy_vehicles_at(self.state, to, self.side):
                    yield MoveStep(StepKind.PLACE_DC, to, UnitId(vehicle.id), weapon_id)
        if self.context.scenario.exits and exit_counts(self.context, self.state, self.side, hex) is not None:
            yield from (MoveStep(StepKind.EXIT, way=way) for way in range(6))

    def drops(self, now: MoveProgress) -> Iterator[tuple[MoveStep, MoveProgress]]:
        """Weapons that may be dropped here."""
        for weapon_id in self._carried():
            step = MoveStep(StepKind.DROP, weapon=weapon_id)
            after = self.take(now, step)
            if isinstance(after, MoveProgress):
                yield step, after

    def first_step(self, now: MoveProgress) -> MoveStep | None:
        """Something that may be done next, if anything is; dropping counts for those who must drop to go on."""
        for step, _ in self.entries(now):
            return step
        for step, _ in self.extras(now):
            return step
        if self._laden:
            for step, _ in self.drops(now):
                return step
        return None


_WORDS = {
    StepKind.ENTER: ("to",),
    StepKind.WOODS: ("to",),
    StepKind.EXIT: ("way",),
    StepKind.SMOKE: ("to", "unit"),
    StepKind.RECOVER: ("unit", "weapon"),
    StepKind.PLACE_DC: ("to", "weapon"),
    StepKind.DROP: ("weapon",),
    StepKind.MANHANDLE: ("to", "weapon", "way"),
}


def _refuse_words(step: MoveStep) -> Refusal | None:
    """A step says what it needs and nothing else."""
    if step.kind is _ENTER and step.to is not None and not (step.unit or step.weapon or step.way):
        return None
    needed = _WORDS[step.kind]
    for name in ("to", "unit", "weapon"):
        if name not in needed and getattr(step, name) and not (name == "unit" and step.kind is StepKind.PLACE_DC):
            return Refusal("3.3.1", f"a step that is to {step.kind.value} names no {name}", "leave it out")
    if step.way and "way" not in needed:
        return Refusal("3.3.1", f"a step that is to {step.kind.value} names no way", "leave the way out")
    if "to" in needed and step.to is None:
        return Refusal("3.3.1", f"a step that is to {step.kind.value} names a hex", "name it")
    return None
