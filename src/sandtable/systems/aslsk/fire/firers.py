"""3.2.2, 3.3.3, 3.4, 3.5, 4.0: who may fire at a hex now, and in which way.

One :class:`Fireground` stands for all fire of a side at one hex in one phase. It answers in enum members, so that
listing the ways to fire costs little; the reason for a no is put into words only when somebody asks.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import NamedTuple

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.errors import Refusal
from sandtable.geo.hex import Hex, distance
from sandtable.systems.aslsk.common.context import Context
from sandtable.systems.aslsk.common.hidden import veiled
from sandtable.systems.aslsk.common.stacking import held
from sandtable.systems.aslsk.common.vehicles_here import is_occupied
from sandtable.systems.aslsk.pieces.cards import UnitKind, WeaponKind
from sandtable.systems.aslsk.pieces.state import (
    Mark,
    Phase,
    State,
    UnderWay,
    Unit,
    Weapon,
    WeaponState,
)

__all__ = ["Bar", "FireMode", "Fireground", "Use", "bar_mortar", "mode_of", "weapon_count"]

MG_REACH = 16
"""Hexes beyond which a SW MG needs a leader's direction (4.1)."""


class FireMode(StrEnum):
    """The kinds of fire, by the markers that they leave."""

    PREP = "Prep Fire"
    FIRST = "First Fire"
    FINAL = "Final Fire"
    ADVANCING = "Advancing Fire"
    BOUNDING = "Bounding First Fire"
    """Of a vehicle in its own MPh (3.3.2.2)."""


class Use(StrEnum):
    """In which way a unit or weapon fires."""

    PLAIN = ""
    SUBSEQUENT = "Subsequent First Fire"
    PROTECTIVE = "Final Protective Fire"
    ADJACENT = "Final Fire at an adjacent hex"


class _Why(NamedTuple):
    rule: str
    reason: str
    remedy: str = ""


class Bar(Enum):
    """Why a unit or weapon may not fire; ``{0}`` is its name."""

    BROKEN = _Why("3.2.3", "{0} is broken and may only rout and attempt to rally")
    MELEE = _Why("3.8", "{0} is held in Melee")
    NO_FP = _Why("1.2.1", "{0} has no FP of its own", "let it fire a weapon or direct")
    ENEMY_IN_HEX = _Why("3.2.2.1", "{0} may not fire outside its hex with an enemy unit in it")
    OUT_OF_RANGE = _Why("3.2.2", "the target is beyond double the normal range of {0}")
    NO_LONG_RANGE = _Why("4.4.4", "{0} has no long range fire")
    FIRED = _Why("3.2", "{0} has fired already", "each fires once a player turn unless it keeps ROF")
    FORFEITED = _Why("4.0", "{0} has given up its own FP by firing weapons")
    NOT_ADJACENT_FPF = _Why("3.3.3", "{0} has a Final Fire marker and fires only at adjacent movers")
    NOT_ADJACENT_FINAL = _Why("3.4", "{0} has a First Fire marker and fires only at an adjacent hex")
    SFF_RANGE = _Why("3.3.3", "Subsequent First Fire of {0} does not reach beyond its normal range")
    SFF_CLOSER = _Why("3.3.3", "an enemy unit is closer to {0} than the target")
    TOO_OFTEN = _Why("3.3.3", "{0} has fired at this location as often as MF were spent in it")
    NO_LOS = _Why("3.2.1", "{0} has no line of sight to the target")
    DIRECTED = _Why("1.2.1", "the leader with {0} has directed fire this player turn")
    UNPOSSESSED = _Why("1.2.4", "nobody possesses {0}")
    MALFUNCTIONED = _Why("1.2.4", "{0} is malfunctioned", "repair it in a RPh")
    NOT_ON_IFT = _Why("3.2.4", "{0} is ordnance and must secure a hit first", "fire it as ordnance")
    DC_NOT_FIRED = _Why("4.3", "{0} is placed in the MPh and attacks in the AFPh")
    MOVED = _Why("3.5", "{0} was moved in the MPh and does not fire in the AFPh")
    MANHANDLED = _Why("6.5", "{0} has manhandled a Gun and does not fire in the AFPh")
    PINNED_FT = _Why("4.2", "the unit with {0} is pinned")
    FT_ONCE = _Why("3.3.3", "{0} has fired, and only own FP and MG fire again")
    MG_ONLY = _Why("3.3.3", "{0} is no MG: only own FP and MG fire again")
    TOO_CLOSE = _Why("6.9", "the target is closer than the minimum range of {0}")
    IN_BUILDING = _Why("6.9", "{0} may not fire from a building")

    def refusal(self, name: str) -> Refusal:
        """The reason in words."""
        why = self.value
        return Refusal(why.rule, why.reason.format(name), why.remedy)


def mode_of(phase: Phase) -> FireMode:
    """The kind of fire that a phase has."""
    return _MODES[phase]


_MODES = {
    Phase.PREP_FIRE: FireMode.PREP,
    Phase.MOVEMENT: FireMode.FIRST,
    Phase.DEFENSIVE_FIRE: FireMode.FINAL,
    Phase.ADVANCING_FIRE: FireMode.ADVANCING,
}

_MOST_WEAPONS = {UnitKind.SQUAD: 2, UnitKind.HALF_SQUAD: 1, UnitKind.CREW: 1, UnitKind.LEADER: 1}


@rule("4.0")
def weapon_count(kind: UnitKind) -> int:
    """How many weapons a unit may fire: two for a squad, one for all others (4.0)."""
    return _MOST_WEAPONS[kind]


_UNMARKED, _FIRST_FIRE, _WORKING = Mark.NONE, Mark.FIRST_FIRE, WeaponState.WORKING
_PLAIN, _SUBSEQUENT, _FIRST, _ADVANCING = Use.PLAIN, Use.SUBSEQUENT, FireMode.FIRST, FireMode.ADVANCING
_DC, _FT, _ATR, _MTR = WeaponKind.DC, WeaponKind.FT, WeaponKind.ATR, WeaponKind.MTR
"""Names are looked up quicker than members of enums."""


class Fireground:
    """Fire of one side at one hex."""

    __slots__ = ("_nearest", "context", "mode", "moving", "seat", "state", "target")

    def __init__(
        self, context: Context, state: State, mode: FireMode, seat: Seat, target: Hex, *, moving: UnderWay | None = None
    ) -> None:
        self.context = context
        self.state = state
        self.mode = mode
        self.seat = seat
        self.target = target
        self.moving = moving
        """The move that it interrupts, if it does."""
        self._nearest: dict[Hex, int] = {}

    def now(self, state: State) -> Fireground:
        """The same fire as the state stands by now."""
        return Fireground(self.context, state, self.mode, self.seat, self.target, moving=self.moving)

    def reach(self, hex: Hex) -> int:
        """Range in hexes."""
        return self.context.memory.ranges[self.target][hex]

    def sees(self, hex: Hex) -> bool:
        """Whether there is a line of sight from ``hex`` to the target now."""
        return self.context.sees(self.state, hex, self.target)

    def is_target(self, unit: Unit) -> bool:
        """Whether an enemy unit is among those that the fire is meant for: in the MPh movers alone (3.3.3)."""
        aimed = unit.hex == self.target and unit.side != self.seat
        return aimed and (self.moving is None or unit.id in self.moving.movers)

    def has_shot_at(self, name: str) -> bool:
        """Whether a firer has fired at the movers in their present location."""
        return self.moving is not None and name in self.moving.shots

    @rule("3.3.3")
    def nearest(self, hex: Hex) -> int:
        """Range to the closest enemy unit in LOS of ``hex``; who is hidden binds nobody (3.3.3, 6.4)."""
        found = self._nearest.get(hex)
        if found is None:
            found = self.reach(hex)
            known = veiled(self.context, self.state, self.seat)
            for there in held(self.context, known, self.seat)[1]:
                if distance(hex, there) < found and self.context.sees(self.state, hex, there):
                    found = distance(hex, there)
            for vehicle in self.state.vehicles.values():
                if vehicle.hex is None or not vehicle.in_play or vehicle.side == self.seat:
                    continue
                if distance(hex, vehicle.hex) < found and self.context.sees(self.state, hex, vehicle.hex):
                    found = distance(hex, vehicle.hex)
            self._nearest[hex] = found
        return found

    def spent_shots(self, name: str) -> bool:
        """Whether a firer has used all its shots at the mover's location (3.3.3)."""
        moving = self.moving
        return moving is not None and moving.shots.get(name, 0) >= max(1, moving.here // 2)

    def bar_unit(self, unit: Unit) -> Bar | None:
        """Why a unit fires nothing at all at the target: broken, held, busy with a Gun, an enemy in its own hex."""
        if unit.broken:
            return Bar.BROKEN
        if unit.melee:
            return Bar.MELEE
        if unit.hazardous and self.mode is _ADVANCING:
            return Bar.MANHANDLED
        if unit.hex != self.target and is_occupied(self.context, self.state, unit.hex, self.seat):
            return Bar.ENEMY_IN_HEX
        return None

    def by_mark(self, mark: Mark, hex: Hex, normal: int) -> Use | Bar:
        """The way in which something with this marker fires (3.2, 3.3.3, 3.4)."""
        if mark is _UNMARKED:
            return _PLAIN
        if self.mode is _FIRST:
            return self._again(mark, hex, normal)
        if self.mode is FireMode.FINAL and mark is Mark.FIRST_FIRE:
            return Use.ADJACENT if self.reach(hex) <= 1 else Bar.NOT_ADJACENT_FINAL
        return Bar.FIRED

    @rule("3.3.3")
    def _again(self, mark: Mark, hex: Hex, normal: int) -> Use | Bar:
        """Subsequent First Fire and Final Protective Fire (3.3.3)."""
        reach = self.reach(hex)
        if mark is _FIRST_FIRE:
            if reach > normal:
                return Bar.SFF_RANGE
            return Use.SUBSEQUENT if reach <= self.nearest(hex) else Bar.SFF_CLOSER
        if mark is Mark.FINAL_FIRE:
            return Use.PROTECTIVE if reach <= 1 else Bar.NOT_ADJACENT_FPF
        return Bar.FIRED

    @rule("1.2.2", "3.2.2", "3.3.3", "3.4", "3.5")
    def unit_use(self, unit: Unit) -> Use | Bar:
        """How a unit may use its own FP at the target, or why not; sight apart (3.2.2)."""
        bar = self.bar_unit(unit)
        if bar is not None:
            return bar
        card = self.context.card(unit)
        if not card.fp:
            return Bar.NO_FP
        assert unit.hex is not None  # noqa: S101 - units on the map only are asked about
        if self.reach(unit.hex) > 2 * card.range:
            return Bar.OUT_OF_RANGE
        use = self.by_mark(unit.mark, unit.hex, card.range)
        if isinstance(use, Bar):
            return use
        if unit.forfeited and use not in (Use.SUBSEQUENT, Use.PROTECTIVE):
            return Bar.FORFEITED
        return Bar.TOO_OFTEN if self.spent_shots(unit.id) else use

    def _bar_weapon(self, weapon: Weapon) -> Bar | None:
        if not weapon.owner:
            return Bar.UNPOSSESSED
        if weapon.state is not _WORKING:
            return Bar.MALFUNCTIONED
        owner = self.state.units[weapon.owner]
        return Bar.DIRECTED if owner.directed else self.bar_unit(owner)

    @rule("3.5", "4.1", "4.2", "4.4.4")
    def weapon_use(self, weapon: Weapon) -> Use | Bar:
        """How a MG, ATR or FT may fire at the target, or why not; sight apart (4.1, 4.2, 4.4.4)."""
        bar = self._bar_weapon(weapon)
        if bar is not None:
            return bar
        card = self.context.weapon_card(weapon)
        kind = card.kind
        if kind is _DC:
            return Bar.DC_NOT_FIRED
        if kind not in _ON_IFT:
            return Bar.NOT_ON_IFT
        owner = self.state.units[weapon.owner]
        assert owner.hex is not None  # noqa: S101 - it is on the map
        reach = self.reach(owner.hex)
        if kind is _ATR and reach > card.range:
            return Bar.NO_LONG_RANGE
        if reach > 2 * card.range:
            return Bar.OUT_OF_RANGE
        if kind is _FT:
            return self._flamethrower(weapon, owner)
        return self._small_arm(weapon, owner, owner.hex)

    def _flamethrower(self, weapon: Weapon, owner: Unit) -> Use | Bar:
        if owner.pinned:
            return Bar.PINNED_FT
        if weapon.mark is not _UNMARKED:
            return Bar.FT_ONCE
        return Bar.TOO_OFTEN if self.spent_shots(weapon.id) else _PLAIN

    def _small_arm(self, weapon: Weapon, owner: Unit, hex: Hex) -> Use | Bar:
        card = self.context.weapon_card(weapon)
        if self.mode is _ADVANCING and weapon.moved and card.kind in _HEAVY:
            return Bar.MOVED
        if weapon.mark is not _UNMARKED and not card.is_mg:
            return Bar.MG_ONLY
        use = self.by_mark(weapon.mark, hex, card.range)
        if use is _SUBSEQUENT and owner.mark is not _FIRST_FIRE:
            return Bar.FIRED
        if isinstance(use, Use) and self.spent_shots(weapon.id):
            return Bar.TOO_OFTEN
        return use

    @rule("4.4", "4.5")
    def ordnance_use(self, weapon: Weapon) -> Use | Bar:
        """Whether a light mortar or LATW may fire at the target; sight and target apart (4.4, 4.5, 6.9)."""
        bar = self._bar_weapon(weapon)
        if bar is not None:
            return bar
        card = self.context.weapon_card(weapon)
        hex = self.state.units[weapon.owner].hex
        assert hex is not None  # noqa: S101 - it is on the map
        reach = self.reach(hex)
        if reach > card.range:
            return Bar.OUT_OF_RANGE
        if weapon.mark is not _UNMARKED:
            return Bar.FIRED
        if card.kind is _MTR:
            if reach < card.min_range:
                return Bar.TOO_CLOSE
            bar = bar_mortar(self.context, self.mode, weapon, hex)
            if bar is not None:
                return bar
        return Bar.TOO_OFTEN if self.spent_shots(weapon.id) else _PLAIN


def bar_mortar(context: Context, mode: FireMode, weapon: Weapon, hex: Hex) -> Bar | None:
    """Why a mortar does not fire from where it is, whatever at: in a building, or moved before Advancing Fire (6.9)."""
    if context.ground.place(hex).building:
        return Bar.IN_BUILDING
    return Bar.MOVED if mode is _ADVANCING and weapon.moved else None


_ON_IFT = frozenset((WeaponKind.LMG, WeaponKind.MMG, WeaponKind.HMG, WeaponKind.ATR, WeaponKind.FT))
_HEAVY = frozenset((WeaponKind.MMG, WeaponKind.HMG))
