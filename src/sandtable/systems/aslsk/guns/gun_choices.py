"""3.2.4 The ways to fire Guns as a lazy tree: what fires, the target hex, the target type, the ammunition, the arc.

A level with one choice alone is left out. Hexes are judged when somebody reads them; random play draws one and judges
it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from sandtable.core.decision import Branch, Leaf, Node, Seat
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.actions import Action, Done
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.menu import LazyBranch, Spread
from sandtable.systems.aslsk.common.vehicle_actions import FireGun
from sandtable.systems.aslsk.common.vehicles_here import enemy_vehicles_at, target_hexes
from sandtable.systems.aslsk.fire.firers import Fireground, FireMode
from sandtable.systems.aslsk.guns.ammunition import AMMO, depletion, refuse_ammo
from sandtable.systems.aslsk.guns.barrel import Barrel, barrel_of, barrels_of, has_barrels
from sandtable.systems.aslsk.guns.direction import gun_directors
from sandtable.systems.aslsk.guns.gun_fire import arcs, can_fire, farthest, is_intensive, refuse_reach, refuse_target
from sandtable.systems.aslsk.guns.gun_to_hit import Shot, turn_terms
from sandtable.systems.aslsk.pieces.armament import SMOKE_SHELLS, Ammo, TargetType
from sandtable.systems.aslsk.pieces.spines import spine_name
from sandtable.systems.aslsk.pieces.state import State, UnderWay, UnitId, VehicleId, WeaponId

if TYPE_CHECKING:
    from random import Random

__all__ = ["gun_shots", "gun_ways", "has_gun_shot", "has_smoke", "main_armament_way", "shot_ways"]

_TYPES = {
    TargetType.INFANTRY: "Infantry Target Type",
    TargetType.AREA: "Area Target Type",
    TargetType.VEHICLE: "Vehicle Target Type",
}
_PLAIN = tuple(ammo for ammo in Ammo if ammo not in SMOKE_SHELLS)
_ALL = tuple(Ammo)
Load = tuple[TargetType, Ammo]
"""An ammunition, fired on a target type."""
Judge = Callable[[Hex], Sequence[FireGun]]


# --- all shots of a barrel at a hex -----------------------------------------------------------------------------


def _loads(
    context: Context, barrel: Barrel, mode: FireMode, ammos: Sequence[Ammo] = _ALL, *, smoke_first: bool = False
) -> Iterator[Load]:
    """What a barrel has to fire now of some kinds of ammunition, wherever it fires."""
    for kind, known in AMMO.items():
        for ammo in known:
            if ammo in ammos and refuse_ammo(context, barrel, kind, ammo, mode=mode, smoke_first=smoke_first) is None:
                yield kind, ammo


def gun_shots(
    ground: Fireground, barrel: Barrel, moving: UnderWay | None = None, loads: Iterable[Load] | None = None
) -> Iterator[FireGun]:
    """Every legal shot of what may fire at all, at one hex; of all but Smoke and WP unless ``loads`` are named."""
    if refuse_reach(ground, barrel) is not None:
        return
    weapon = WeaponId(barrel.id if barrel.weapon is not None else "")
    vehicle = VehicleId(barrel.id if barrel.vehicle is not None else "")
    pointed = list(arcs(ground, barrel, moving))
    if not pointed:
        return
    known = loads if loads is not None else _loads(ground.context, barrel, ground.mode, _PLAIN)
    again, leaders = is_intensive(barrel), (*gun_directors(ground, barrel), UnitId(""))
    for kind, ammo, at in _aims(ground, barrel, moving, known):
        for facing, hull in pointed:
            for leader in leaders:
                yield FireGun(ground.target, weapon, vehicle, kind, ammo, facing, hull, again, at, leader)


def _may_shoot(ground: Fireground, barrel: Barrel, moving: UnderWay | None, loads: Iterable[Load]) -> bool:
    """Whether there is any such shot."""
    return (
        refuse_reach(ground, barrel) is None
        and next(arcs(ground, barrel, moving), None) is not None
        and next(_aims(ground, barrel, moving, loads), None) is not None
    )


def _aims(
    ground: Fireground, barrel: Barrel, moving: UnderWay | None, loads: Iterable[Load]
) -> Iterator[tuple[TargetType, Ammo, str]]:
    """The target types and kinds of ammunition that serve, with the vehicle that is meant."""
    there: list[str] | None = None
    for kind, ammo in loads:
        if kind is not TargetType.VEHICLE:
            meant = _NOBODY
        else:
            if there is None:
                there = [vehicle.id for vehicle in enemy_vehicles_at(ground.state, ground.target, ground.seat)]
            meant = there
        for at in meant:
            if refuse_target(ground, barrel, kind, ammo, moving, at=at) is None:
                yield kind, ammo, at


_NOBODY = [""]


def has_gun_shot(ground: Fireground, moving: UnderWay | None) -> bool:
    """Whether some Gun could fire at those who have just spent MF or MP, with a line of sight (3.3.3)."""
    if not has_barrels(ground.context, ground.state):
        return False
    return next(_able(ground, moving, in_sight=True), None) is not None


def _able(ground: Fireground, moving: UnderWay | None, *, in_sight: bool = False) -> Iterator[Barrel]:
    for barrel in barrels_of(ground.context, ground.state, ground.seat):
        if (in_sight and not ground.sees(barrel.hex)) or can_fire(ground, barrel) is not None:
            continue
        if _may_shoot(ground, barrel, moving, _loads(ground.context, barrel, ground.mode)):
            yield barrel


def shot_ways(ground: Fireground, moving: UnderWay | None) -> Iterator[LazyBranch]:
    """Every Gun that may fire at one hex, with its ways."""
    for barrel in _able(ground, moving):
        shots = partial(_listed, ground, barrel, moving)
        yield partial(_barrel_branch, ground.context, barrel, shots)


def main_armament_way(ground: Fireground, vehicle: VehicleId) -> LazyBranch | None:
    """The shots of one vehicle's MA at one hex in its own MPh, if it has any (3.3.2.2)."""
    barrel = barrel_of(ground.context, ground.state, WeaponId(""), vehicle)
    if barrel is None or can_fire(ground, barrel) is not None:
        return None
    if not _may_shoot(ground, barrel, None, _loads(ground.context, barrel, ground.mode)):
        return None
    return partial(_barrel_branch, ground.context, barrel, partial(_listed, ground, barrel, None))


def _listed(ground: Fireground, barrel: Barrel, moving: UnderWay | None) -> list[FireGun]:
    return list(gun_shots(ground, barrel, moving, _loads(ground.context, barrel, ground.mode)))


def _barrel_branch(context: Context, barrel: Barrel, shots: Callable[[], Sequence[FireGun]]) -> Branch[Action]:
    return Branch(barrel.id, "weapon", _fires(context, barrel), _node(context, barrel, shots()), barrel.id)


def _fires(context: Context, barrel: Barrel) -> str:
    words = "uses Intensive Fire" if is_intensive(barrel) else "fires"
    return f"{_title(context, barrel)} {words}"


def _title(context: Context, barrel: Barrel) -> str:
    if barrel.weapon is not None:
        return context.weapon_title(barrel.weapon)
    return f"MA of {barrel.id}"


# --- a fire phase -----------------------------------------------------------------------------------------------


def gun_ways(context: Context, state: State, seat: Seat, mode: FireMode, *, smoke_first: bool) -> Iterator[LazyBranch]:
    """Every Gun of a side that may fire in a fire phase, with its targets."""
    for barrel in barrels_of(context, state, seat):
        ground = Fireground(context, state, mode, seat, barrel.hex)
        if can_fire(ground, barrel) is None:
            choice = _GunChoice(ground, barrel, smoke_first=smoke_first)
            if choice.has_answers():
                yield partial(Branch, barrel.id, "weapon", _fires(context, barrel), choice, barrel.id)


def has_smoke(context: Context, state: State, seat: Seat) -> bool:
    """Whether a side has a Gun that could still fire Smoke or WP."""
    return has_barrels(context, state) and any(
        depletion(context, barrel, ammo) is not None and ammo not in barrel.exhausted
        for barrel in barrels_of(context, state, seat)
        for ammo in SMOKE_SHELLS
    )


class _GunChoice(Node[Action]):
    """The hexes that a Gun may fire at: those with enemies, then an empty one, then Smoke."""

    __slots__ = ("_barrel", "_ground", "_loads", "_smoke_first")

    def __init__(self, ground: Fireground, barrel: Barrel, *, smoke_first: bool) -> None:
        self._ground = ground
        self._barrel = barrel
        self._smoke_first = smoke_first
        self._loads = tuple(_loads(ground.context, barrel, ground.mode, _PLAIN))

    def has_answers(self) -> bool:
        """Whether there is anything to fire at."""
        return next(self._ways(), None) is not None

    def _at(self, hex: Hex) -> Fireground:
        ground = self._ground
        return Fireground(ground.context, ground.state, ground.mode, ground.seat, hex)

    def _judge(self, loads: Sequence[Load], hex: Hex) -> list[FireGun]:
        return list(gun_shots(self._at(hex), self._barrel, None, loads))

    def _may(self, loads: Sequence[Load], hex: Hex) -> bool:
        return _may_shoot(self._at(hex), self._barrel, None, loads)

    def _ways(self) -> Iterator[tuple[str, LazyBranch]]:
        """The branches with their keys."""
        context, state, seat = self._ground.context, self._ground.state, self._ground.seat
        enemies = target_hexes(context, state, seat)
        for hex in enemies if self._loads else ():
            if self._may(self._loads, hex):
                yield context.label(hex), partial(self._near_branch, hex)
        yield from self._far_way("empty", "At an empty hex", partial(self._others, enemies), self._empty_loads())
        for ammo in sorted(SMOKE_SHELLS) if self._smoke_first else ():
            loads = tuple(_loads(context, self._barrel, self._ground.mode, (ammo,), smoke_first=True))
            yield from self._far_way(ammo.value, f"Fire {ammo.value}", self._in_range, loads)

    def _empty_loads(self) -> tuple[Load, ...]:
        """What is fired at a hex without a known enemy: the ATT alone serves."""
        return tuple([load for load in self._loads if load[0] is TargetType.AREA])

    def _far_way(
        self, key: str, label: str, hexes: Callable[[], Iterable[Hex]], loads: Sequence[Load]
    ) -> Iterator[tuple[str, LazyBranch]]:
        """One of many hexes, if what there is to fire serves at any."""
        if loads and any(map(partial(self._may, loads), self._near(hexes()))):
            whole = f"{self._barrel.id} {key}"
            yield whole, partial(self._far_branch, whole, label, hexes, loads)

    def _near(self, hexes: Iterable[Hex]) -> Iterable[Hex]:
        """Those of some hexes to which fire is not barred by what is around the Gun."""
        here, most = self._barrel.hex, farthest(self._ground, self._barrel)
        return hexes if most is None else [hex for hex in hexes if distance(here, hex) <= most]

    def _in_range(self) -> Iterable[Hex]:
        """The hexes of the map in range, in their order."""
        main, here = self._barrel.main, self._barrel.hex
        return self._ground.context.hexes_in_range(here, main.min_range, main.max_range or _FAR_AWAY)

    def _others(self, enemies: Sequence[Hex]) -> Iterable[Hex]:
        taken = {*enemies, self._barrel.hex}
        return [hex for hex in self._in_range() if hex not in taken]

    def _near_branch(self, hex: Hex) -> Branch[Action]:
        return _hex_branch(self._ground.context, self._barrel, hex, self._judge(self._loads, hex))

    def _far_branch(
        self, key: str, label: str, hexes: Callable[[], Iterable[Hex]], loads: Sequence[Load]
    ) -> Branch[Action]:
        then = _HexChoice(self._ground.context, self._barrel, hexes, partial(self._judge, loads))
        return Branch(key, "order", label, then)

    def branches(self) -> Iterator[Branch[Action]]:
        """All of them."""
        return (way() for _, way in self._ways())

    def branch(self, key: str) -> Branch[Action] | None:
        """One of them, with the shots of no other listed."""
        return next((way() for known, way in self._ways() if known == key), None)

    def sample(self, rng: Random) -> Action:
        """A fair choice among the hexes with enemies and what else there is."""
        ways = list(self._ways())
        _, way = ways[int(rng.random() * len(ways))]
        return way().then.sample(rng)


_FAR_AWAY = 999
"""A range that no map has."""


class _HexChoice(Node[Action]):
    """One of many hexes, each judged when it is looked at."""

    __slots__ = ("_barrel", "_context", "_hexes", "_judge")

    def __init__(self, context: Context, barrel: Barrel, hexes: Callable[[], Iterable[Hex]], judge: Judge) -> None:
        self._context = context
        self._barrel = barrel
        self._hexes = hexes
        self._judge = judge

    def branches(self) -> Iterator[Branch[Action]]:
        """Those that may be fired at."""
        for hex in self._hexes():
            shots = self._judge(hex)
            if shots:
                yield _hex_branch(self._context, self._barrel, hex, shots)

    def branch(self, key: str) -> Branch[Action] | None:
        """The hex of a label, with no other judged."""
        for hex in self._hexes():
            if self._context.label(hex) == key:
                shots = self._judge(hex)
                return _hex_branch(self._context, self._barrel, hex, shots) if shots else None
        return None

    def sample(self, rng: Random) -> Action:
        """One at random, and the next that serves if it does not."""
        hexes = list(self._hexes())
        start = int(rng.random() * len(hexes))
        for hex in (*hexes[start:], *hexes[:start]):
            shots = self._judge(hex)
            if shots:
                return shots[int(rng.random() * len(shots))]
        return Done()


def _hex_branch(context: Context, barrel: Barrel, hex: Hex, shots: Sequence[FireGun]) -> Branch[Action]:
    label = context.label(hex)
    return Branch(label, "hex", f"At {label}", _node(context, barrel, shots), label, is_hex=True)


# --- type, ammunition, arc --------------------------------------------------------------------------------------


class _Level(NamedTuple):
    """What is chosen at one level: which shots go together, and key and label of such a choice."""

    choice: Callable[[FireGun], object]
    words: Callable[[FireGun], tuple[str, str]]


def _node(context: Context, barrel: Barrel, shots: Sequence[FireGun]) -> Node[Action]:
    """Target type, ammunition and arc of some shots, level by level."""
    return _level(
        shots,
        (
            _Level(attrgetter("target_type", "at"), _aim_words),
            _Level(attrgetter("ammo"), partial(_ammo_words, context, barrel)),
            _Level(attrgetter("facing", "turn_hull"), partial(_arc_words, context, barrel)),
            _Level(attrgetter("leader"), _leader_words),
        ),
    )


def _level(shots: Sequence[FireGun], levels: Sequence[_Level]) -> Node[Action]:
    if len(shots) == 1:
        return Leaf(shots[0])
    level, *deeper = levels
    groups: dict[object, list[FireGun]] = {}
    for shot in shots:
        groups.setdefault(level.choice(shot), []).append(shot)
    if len(groups) == 1:
        return _level(shots, deeper)
    return Spread(groups.values, partial(_group, level, deeper))


def _group(level: _Level, deeper: Sequence[_Level], shots: Sequence[FireGun]) -> Branch[Action]:
    key, label = level.words(shots[0])
    return Branch(key, "order", label, _level(shots, deeper))


def _aim_words(shot: FireGun) -> tuple[str, str]:
    name = _TYPES[shot.target_type]
    return (f"{shot.target_type.value} {shot.at}", f"{name}: {shot.at}") if shot.at else (shot.target_type.value, name)


def _ammo_words(context: Context, barrel: Barrel, shot: FireGun) -> tuple[str, str]:
    supply = depletion(context, barrel, shot.ammo)
    return shot.ammo.value, f"{shot.ammo.value} (depletion {supply.number})" if supply is not None else shot.ammo.value


def _leader_words(shot: FireGun) -> tuple[str, str]:
    return (shot.leader, f"Directed by {shot.leader}") if shot.leader else ("undirected", "Undirected")


def _arc_words(context: Context, barrel: Barrel, shot: FireGun) -> tuple[str, str]:
    if shot.facing < 0:
        return "stays", "As it points"
    hull = "hull " if shot.turn_hull else ""
    name = spine_name(shot.facing)
    aim = Shot(barrel, shot.target, FireMode.PREP, facing=shot.facing, turn_hull=shot.turn_hull)
    drm = sum(term.value for term in turn_terms(context, aim))
    return f"{hull}{name}", f"Turn {hull}to {name} ({drm:+d})"
