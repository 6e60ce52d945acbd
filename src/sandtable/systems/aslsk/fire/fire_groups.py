"""3.2.2 Fire groups: who may fire together, who must, who directs them; 4.0 how many weapons a unit uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from sandtable.core.content.rule import rule
from sandtable.core.errors import Refusal
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.aslsk.common.actions import Fire
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.experience import lends_leadership
from sandtable.systems.aslsk.common.possession import weapons_of
from sandtable.systems.aslsk.common.refusals import refuse_stranger
from sandtable.systems.aslsk.fire.firers import MG_REACH, Bar, Fireground, Use, weapon_count
from sandtable.systems.aslsk.pieces.cards import UnitKind, WeaponKind
from sandtable.systems.aslsk.pieces.state import Attacked, Mark, State, Unit, UnitId, Weapon, WeaponId, WeaponState

__all__ = [
    "Firer",
    "assemble",
    "firers_of",
    "forfeits",
    "has_used_other_flame",
    "is_direction_free",
    "is_flame",
    "is_free_smc",
    "links",
    "may_direct",
    "missing_protection",
    "newcomers",
    "protective_weapons",
    "refuse_director",
    "refuse_usage",
    "was_attacked",
]


_FT, _SMC, _UNMARKED, _PROTECTIVE = WeaponKind.FT, UnitKind.LEADER, Mark.NONE, Use.PROTECTIVE
"""Names are looked up quicker than members of enums."""


class Firer:
    """A unit's own FP, or a weapon with its possessor."""

    __slots__ = ("helper", "hex", "name", "unit", "use", "weapon")

    def __init__(self, unit: Unit, weapon: Weapon | None, use: Use, helper: Unit | None = None) -> None:
        assert unit.hex is not None  # noqa: S101 - firers are on the map
        self.unit = unit
        self.weapon = weapon
        self.use = use
        self.helper = helper
        """The second SMC at a MG (4.1)."""
        self.name: str = unit.id if weapon is None else weapon.id
        """Id of what fires."""
        self.hex = unit.hex
        """Where it fires from."""

    @property
    def hands(self) -> tuple[Unit, ...]:
        """All who fire it, a second SMC included."""
        return (self.unit,) if self.helper is None else (self.unit, self.helper)


def assemble(fireground: Fireground, action: Fire, attacked: Sequence[Attacked] = ()) -> tuple[Firer, ...] | Refusal:
    """The firers of a fire group, or why they may not fire like this (3.2.2)."""
    named = (*action.units, *action.weapons, *action.leaders)
    if not action.units and not action.weapons:
        return Refusal("3.2.2", "nobody fires", "name at least one unit or weapon")
    if len(set(named)) != len(named):
        return Refusal("3.2.2", "somebody is named twice", "name each once")
    group = _each(fireground, action)
    if isinstance(group, Refusal):
        return group
    return (
        _refuse_flamethrower(fireground.context, fireground.state, group, action)
        or _refuse_usages(fireground.context, group)
        or _refuse_partial_protection(fireground, group)
        or _refuse_sight(fireground, group)
        or _refuse_scattered(fireground.context, group)
        or newcomers(fireground, group, attacked)
        or _refuse_direction(fireground, group, action)
        or group
    )


def firers_of(fireground: Fireground, action: Fire) -> tuple[Firer, ...]:
    """The firers of a fire group that was checked before: only in which way each fires is asked again."""
    context, state = fireground.context, fireground.state
    firers: list[Firer] = []
    for weapon_id in action.weapons:
        weapon = state.weapons[weapon_id]
        owner = state.units[weapon.owner]
        use = _use(fireground, owner, weapon.mark, context.weapon_card(weapon).range)
        firers.append(Firer(owner, weapon, use, _helper(context, state, owner, weapon, action.units)))
    helpers = [firer.helper.id for firer in firers if firer.helper is not None] if firers else ()
    for unit_id in action.units:
        if unit_id not in helpers:
            unit = state.units[unit_id]
            firers.append(Firer(unit, None, _use(fireground, unit, unit.mark, context.card(unit).range)))
    return _in_order(firers)


def _use(fireground: Fireground, unit: Unit, mark: Mark, normal: int) -> Use:
    assert unit.hex is not None  # noqa: S101 - firers are on the map
    use = fireground.by_mark(mark, unit.hex, normal)
    assert isinstance(use, Use)  # noqa: S101 - the action was checked
    return use


def _each(fireground: Fireground, action: Fire) -> tuple[Firer, ...] | Refusal:
    """The firers by name, each of which may fire; or why one of them may not."""
    firers: list[Firer] = []
    for weapon_id in action.weapons:
        firer = _weapon_firer(fireground, weapon_id, action)
        if isinstance(firer, Refusal):
            return firer
        firers.append(firer)
    helpers = {firer.helper.id for firer in firers if firer.helper is not None}
    for unit_id in action.units:
        if unit_id in helpers:
            continue
        own = _own_firer(fireground, unit_id)
        if isinstance(own, Refusal):
            return own
        firers.append(own)
    return _in_order(firers)


def _in_order(firers: list[Firer]) -> tuple[Firer, ...]:
    if len(firers) > 1:
        firers.sort(key=_by_name)
    return tuple(firers)


def _by_name(firer: Firer) -> str:
    return firer.name


def _own_firer(fireground: Fireground, unit_id: UnitId) -> Firer | Refusal:
    unit = fireground.state.units.get(unit_id)
    if unit is None or unit.side != fireground.seat or not unit.on_map:
        return refuse_stranger("3.2.2", unit_id, fireground.seat)
    use = fireground.unit_use(unit)
    return use.refusal(unit_id) if isinstance(use, Bar) else Firer(unit, None, use)


def _weapon_firer(fireground: Fireground, weapon_id: WeaponId, action: Fire) -> Firer | Refusal:
    state = fireground.state
    weapon = state.weapons.get(weapon_id)
    owner = state.units.get(weapon.owner) if weapon is not None else None
    if weapon is None or owner is None or owner.side != fireground.seat or not owner.on_map:
        return Refusal(
            "1.2.4",
            f"{weapon_id!r} is no weapon in the possession of {fireground.seat}",
            "name one that a unit of yours possesses",
        )
    use = fireground.weapon_use(weapon)
    if isinstance(use, Bar):
        return use.refusal(weapon_id)
    helper = _helper(fireground.context, state, owner, weapon, action.units)
    return Firer(owner, weapon, use, helper)


@rule("4.1")
def _helper(context: Context, state: State, owner: Unit, weapon: Weapon, units: Collection[UnitId]) -> Unit | None:
    """A second SMC of the hex who is named to fire a SMC's MG with him (4.1)."""
    if not context.card(owner).is_leader or not context.weapon_card(weapon).is_mg:
        return None
    for unit_id in units:
        unit = state.units.get(unit_id)
        if unit is not None and is_free_smc(context, unit, owner, weapon):
            return unit
    return None


def is_free_smc(context: Context, unit: Unit, owner: Unit, weapon: Weapon) -> bool:
    """Whether a SMC may lend a hand with the weapon of another in his hex, for the first time or again (4.1, 4.4.1)."""
    if not context.card(unit).is_leader or unit.id == owner.id or unit.hex != owner.hex or unit.side != owner.side:
        return False
    if unit.hazardous:
        # He has manhandled a Gun in this player turn, and fires no more in it (6.5).
        return False
    return unit.good_order and not unit.directed and {weapon.id}.issuperset(unit.used) and unit.mark is owner.mark


@rule("4.2")
def _refuse_flamethrower(context: Context, state: State, group: Sequence[Firer], action: Fire) -> Refusal | None:
    """A FT fires alone, undirected, and no unit uses two (4.2)."""
    for firer in group:
        if not is_flame(context, firer):
            continue
        if len(group) > 1:
            return Refusal("4.2", f"{firer.name} may not combine with any other attack", "let it fire alone")
        if action.leaders:
            return Refusal("4.2", "leadership does not modify a flamethrower's attack", "name no leader")
        if has_used_other_flame(context, state, firer.unit, firer.name):
            return Refusal("4.2", f"{firer.unit.id} has used another flamethrower", "let another unit use it")
    return None


def has_used_other_flame(context: Context, state: State, unit: Unit, weapon: str) -> bool:
    """Whether a unit has used a flamethrower besides this one: it may not use two (4.2)."""
    return any(_is_flamethrower(context, state, name) for name in unit.used if name != weapon)


def is_flame(context: Context, firer: Firer) -> bool:
    """Whether a flamethrower fires, which joins nobody (4.2)."""
    return firer.weapon is not None and context.weapon_card(firer.weapon).kind is _FT


def _is_flamethrower(context: Context, state: State, name: WeaponId) -> bool:
    weapon = state.weapons.get(name)
    return weapon is not None and context.weapon_card(weapon).kind is _FT


@rule("4.0")
def forfeits(kind: UnitKind, weapons: int) -> bool:
    """Whether using so many weapons costs a unit its own FP (4.0)."""
    return kind is not _SMC and weapons >= weapon_count(kind)


@rule("4.0")
def refuse_usage(context: Context, unit: Unit, weapons: Iterable[str], *, own_fp: bool, again: bool) -> Refusal | None:
    """Why a unit may not use these weapons with or without its own FP (4.0)."""
    kind = context.card(unit).kind
    used, most = len({*unit.used, *weapons}), weapon_count(kind)
    if used > most:
        return Refusal("4.0", f"{unit.id} would use {used} weapons", f"a {kind.value} uses {most}")
    if again or kind is _SMC or used < most:
        return None
    if own_fp or (unit.mark is not _UNMARKED and not unit.forfeited):
        return Refusal(
            "4.0",
            f"{unit.id} would have to give up its own FP for these weapons, and uses it",
            "let its own FP rest, or use fewer weapons",
        )
    return None


def _refuse_usages(context: Context, group: Sequence[Firer]) -> Refusal | None:
    by_unit: dict[UnitId, list[Firer]] = {}
    for firer in group:
        by_unit.setdefault(firer.unit.id, []).append(firer)
    for firers in by_unit.values():
        weapons = [firer.weapon.id for firer in firers if firer.weapon is not None]
        if not weapons:
            continue
        own = any(firer.weapon is None for firer in firers)
        again = any(firer.use in _AGAIN for firer in firers)
        refusal = refuse_usage(context, firers[0].unit, weapons, own_fp=own, again=again)
        if refusal is not None:
            return refusal
    return None


_AGAIN = (Use.SUBSEQUENT, Use.PROTECTIVE)


@rule("3.3.3")
def _refuse_partial_protection(fireground: Fireground, group: Sequence[Firer]) -> Refusal | None:
    """A unit using Final Protective Fire uses all its FP and usable MG (3.3.3)."""
    for unit in {firer.unit.id: firer.unit for firer in group if firer.use is _PROTECTIVE}.values():
        missing = missing_protection(fireground, unit, {firer.name for firer in group})
        if missing:
            reason = f"{unit.id} uses Final Protective Fire and must use all its FP and MG"
            return Refusal("3.3.3", reason, f"add {', '.join(missing)}")
    return None


def missing_protection(fireground: Fireground, unit: Unit, named: Collection[str]) -> list[str]:
    """What a unit that uses FPF has left out: its own FP, or MG up to the number it may use."""
    missing = []
    if unit.id not in named and isinstance(fireground.unit_use(unit), Use):
        missing.append(str(unit.id))
    usable = [weapon.id for weapon in protective_weapons(fireground, unit)]
    others = max(0, weapon_count(fireground.context.card(unit).kind) - len(unit.used))
    most = sum(weapon in unit.used for weapon in usable) + others
    if sum(weapon in named for weapon in usable) < min(most, len(usable)):
        missing += [weapon for weapon in usable if weapon not in named]
    return missing


def protective_weapons(fireground: Fireground, unit: Unit) -> list[Weapon]:
    """The MG that a unit could use in Final Protective Fire: no more weapons than it may fire in all (4.0)."""
    context = fireground.context
    return [
        weapon
        for weapon in weapons_of(fireground.context, fireground.state, unit.id)
        if context.weapon_card(weapon).is_mg
        and isinstance(fireground.weapon_use(weapon), Use)
        and refuse_usage(context, unit, (weapon.id,), own_fp=True, again=True) is None
    ]


def _refuse_sight(fireground: Fireground, group: Sequence[Firer]) -> Refusal | None:
    """For learners only: fire without a LOS is refused rather than lost (3.2.1)."""
    if not fireground.context.scenario.conditions.free_sight:
        return None
    for firer in group:
        if not fireground.sees(firer.hex):
            return Bar.NO_LOS.refusal(firer.name)
    return None


def _components(hexes: Iterable[Hex]) -> list[set[Hex]]:
    """Hexes in groups that are joined by adjacency."""
    left = set(hexes)
    found = []
    while left:
        group: set[Hex] = set()
        edge = [left.pop()]
        while edge:
            hex = edge.pop()
            group.add(hex)
            near = left.intersection(NEIGHBOURS[hex])
            left -= near
            edge += near
        found.append(group)
    return found


@rule("3.2.2")
def links(context: Context, firers: Iterable[Firer]) -> list[set[Hex]]:
    """The largest groups that hang together: hexes next to one another, with leaders alone at their edge (3.2.2).

    A hex in which only SMC fire may be part of several groups, since it links none.
    """
    manned: set[Hex] = set()
    others: set[Hex] = set()
    for firer in firers:
        (others if context.card(firer.unit).is_leader else manned).add(firer.hex)
    if len(manned | others) == 1:
        return [manned | others]
    others -= manned
    parts = _components(manned)
    for part in parts:
        part |= {hex for hex in others if not part.isdisjoint(NEIGHBOURS[hex])}
    return [*parts, *_components(others.difference(*parts))]


@rule("3.2.2")
def _refuse_scattered(context: Context, group: Sequence[Firer]) -> Refusal | None:
    """Each member of a fire group is in or next to the hex of another; a leader alone is no link (3.2.2)."""
    hexes = {firer.hex for firer in group}
    if len(hexes) > 1 and not any(hexes <= part for part in links(context, group)):
        return Refusal("3.2.2", "the members of a fire group are not in adjacent hexes", "fire them one after another")
    return None


def was_attacked(attacked: Sequence[Attacked], target: Hex) -> bool:
    """Whether somebody has fired at a target in this phase, or at this expenditure of MF."""
    for one in attacked:  # noqa: SIM110 - a loop is twice as quick as any() over so few
        if one.on == target:
            return True
    return False


@rule("3.2.2", "4.1", "4.2")
def newcomers(fireground: Fireground, group: Sequence[Firer], attacked: Sequence[Attacked]) -> Refusal | None:
    """Units of one hex that attack the same target do so together; ROF attacks again, FT apart (3.2.2, 4.1)."""
    for before in attacked:
        if before.on != fireground.target or before.vehicle:
            continue
        for firer in group:
            if firer.hex != before.by or firer.name in before.firers or is_flame(fireground.context, firer):
                continue
            if not _is_pair(fireground, firer, before):
                reason = f"others of its hex have fired at this target without {firer.name}"
                return Refusal("3.2.2", reason, "units in the same hex attack the same target as one fire group")
            if not _may_part(fireground.state, firer, group, before):
                reason = f"{' and '.join(before.firers)} fired at this target without {firer.name}"
                return Refusal(
                    "4.1", reason, "a MMC fires apart from its MG if that kept its ROF, or as SFF without it"
                )
    return None


def _is_pair(fireground: Fireground, firer: Firer, before: Attacked) -> bool:
    """Whether nobody but a MMC and MG of its own are concerned (4.1)."""
    context, state, unit = fireground.context, fireground.state, firer.unit
    if firer.weapon is not None and not (context.weapon_card(firer.weapon).is_mg and unit.id in before.firers):
        return False
    for name in before.firers:
        weapon = state.weapons.get(WeaponId(name))
        if name != unit.id and (weapon is None or weapon.owner != unit.id or not context.weapon_card(weapon).is_mg):
            return False
    return True


@rule("4.1")
def _may_part(state: State, firer: Firer, group: Sequence[Firer], before: Attacked) -> bool:
    """Whether a MMC attacks apart from its MG: those that fired kept their ROF, or it is SFF without one (4.1)."""
    if firer.weapon is not None:
        return firer.unit.id in before.subsequent
    if all(_keeps_rate(state.weapons[WeaponId(name)]) for name in before.firers):
        return True
    armed = any(other.weapon is not None and other.unit.id == firer.unit.id for other in group)
    return firer.use is Use.SUBSEQUENT and not armed


def _keeps_rate(weapon: Weapon) -> bool:
    """Whether a weapon that has fired kept its ROF: it has no marker then."""
    return weapon.mark is Mark.NONE and weapon.state is WeaponState.WORKING


@rule("1.2.1", "3.2.2", "3.4", "4.4.2")
def is_direction_free(leader: Unit, names: Collection[str]) -> bool:
    """Whether a leader may direct these: his first direction this player turn, or the same firers again (3.4)."""
    if leader.directing == "panzerfaust":
        return False
    if leader.directed:
        return set(names) <= set(leader.directed)
    return leader.mark is Mark.NONE


@rule("1.2.1", "3.2.2", "6.5")
def may_direct(context: Context, leader: Unit, firers: Sequence[Firer]) -> bool:
    """Whether a leader may direct the firers of his hex: in Good Order, unpinned, not at a weapon himself (3.2.2).

    Who directs is treated as if he attacked, so nobody does who has manhandled a Gun (6.5).
    """
    if not leader.good_order or leader.pinned or leader.busy or leader.hazardous or not context.card(leader).is_leader:
        return False
    for firer in firers:
        if leader.id == firer.unit.id or (firer.helper is not None and leader.id == firer.helper.id):
            return False
        if not lends_leadership(context, leader, firer.unit):
            return False
    return is_direction_free(leader, [firer.name for firer in firers])


def _refuse_direction(fireground: Fireground, group: Sequence[Firer], action: Fire) -> Refusal | None:
    context, state = fireground.context, fireground.state
    for firer in group:
        far = fireground.reach(firer.hex) > MG_REACH
        if far and firer.weapon is not None and context.weapon_card(firer.weapon).is_mg and not action.leaders:
            return Refusal("4.1", f"{firer.name} reaches beyond {MG_REACH} hexes only when directed", "name a leader")
    if not action.leaders:
        return None
    hexes = {firer.hex for firer in group}
    led = set()
    for leader_id in action.leaders:
        leader = state.units.get(leader_id)
        if leader is None or leader.side != fireground.seat or leader.hex not in hexes:
            return Refusal(
                "3.2.2", f"{leader_id!r} is no leader in a hex that fires", "name one who is stacked with a firer"
            )
        if leader.hex in led:
            return Refusal("1.2.1", "leadership modifiers are not cumulative", "name one leader a hex")
        led.add(leader.hex)
        if not may_direct(context, leader, group):
            return refuse_director(leader)
    if led != hexes:
        return Refusal(
            "3.2.2", "a leader must direct in every hex of a multi-hex fire group", "name a leader in each, or none"
        )
    return None


def refuse_director(leader: Unit) -> Refusal:
    """Why a leader does not direct, in words (3.2.2, 4.4.2, 6.5)."""
    if leader.hazardous:
        return Bar.MANHANDLED.refusal(leader.id)
    if leader.directing == "panzerfaust":
        return Refusal(
            "4.4.2",
            f"{leader.id} has directed a panzerfaust, which is all that he directs in this phase",
            "let another leader direct, or nobody",
        )
    remedy = "he must be a Good Order, unpinned leader who has neither fired nor directed"
    if leader.directed:
        remedy = f"he has directed {', '.join(leader.directed)} this player turn and may direct only these again"
    return Refusal("3.2.2", f"{leader.id} may not direct this fire", remedy)
