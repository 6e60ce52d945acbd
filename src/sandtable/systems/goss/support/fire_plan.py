"""11.2.4, 11.2.5, 11.4.1 A fire plan: which guns fire with how many points, in how many volleys."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Slot
from sandtable.core.errors import Refusal
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Action
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.pieces.unit import UnitId
from sandtable.systems.goss.support.capacity import Capacity
from sandtable.systems.goss.support.guns import Call, Gun, Loaded, Tie, guns_for
from sandtable.systems.goss.support.volleys import volleys

__all__ = ["Fire", "FirePlan", "Shot"]

_NONE, _FIRED, _HELD = "none", "fire", "hold"
_VOLLEY = 8
Values = tuple[str, ...]


class Shot(msgspec.Struct, frozen=True):
    """A gun and its points."""

    unit: UnitId
    points: int


class Fire(Action, frozen=True):
    """Fire the mission."""

    guns: tuple[Shot, ...]
    holds_rest: bool = False
    """What is left over after volleys of eight is not fired (11.4.1a)."""
    intensive: int = 0
    """Volleys added for an ammunition point each (11.4.1g)."""

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        guns = "; ".join(f"{context.title(one.unit)} with {one.points}" for one in self.guns)
        more = f", {self.intensive} intensive" if self.intensive else ""
        return f"fire: {guns}{', whole volleys only' if self.holds_rest else ''}{more}"

    def is_secret(self) -> bool:
        """Which guns fire is not told (8.4.0)."""
        return True

    def spends(self) -> bool:
        """Barrage factors are fired."""
        return True


@rule("1.5.0", "14.2.1")
def _strength(shots: Iterable[tuple[Gun, int]]) -> int:
    """The points of a mission: halves of fatigued guns are added up before they are rounded up (1.5.0)."""
    fired = list(shots)
    halves = sum(gun.ends_in_half and points == gun.points for gun, points in fired)
    return sum(points for _, points in fired) - halves // 2


class FirePlan:
    """What may be fired in answer to a call; the same limits for offers and refusals."""

    def __init__(self, context: Context, state: State, call: Call, guns: Sequence[Loaded] | None = None) -> None:
        self.context = context
        self.call = call
        self.guns = guns_for(context, state, call, guns)
        self.intensive = 0
        if context.scenario.side(call.side).adv > 0:
            most = _strength((gun, gun.points) for gun in self.guns)
            self.intensive = min(state.ammo.get(call.side, 0), most // _VOLLEY)

    def is_possible(self) -> bool:
        """Whether any gun can answer."""
        return bool(self.staff)

    @cached_property
    @rule("11.2.4", "11.2.4d", "11.2.5")
    def staff(self) -> tuple[Gun, ...]:
        """What a staff would fire: all that the capacity allows, the formation's own guns first."""
        ranked = sorted(self.guns, key=lambda gun: (gun.counts, gun.tie != Tie.OWN, gun.tie != Tie.FREE, -gun.points))
        chosen: list[Gun] = []
        for gun in ranked:
            if self._refusal([*chosen, gun], is_whole=False) is None:
                chosen.append(gun)
        return tuple(chosen) if chosen and self._refusal(chosen, is_whole=True) is None else ()

    def points(self) -> int:
        """Points that a staff would fire."""
        return _strength((gun, gun.points) for gun in self.staff)

    def tree(self) -> Assign[Action]:
        """All plans."""
        chosen = {gun.unit for gun in self.staff}
        slots = []
        for gun in self.guns:
            values = (_NONE, *map(str, range(gun.least, gun.points + 1)))
            plain = str(gun.points) if gun.unit in chosen else _NONE
            slots.append(Slot(gun.unit, "gun", self.context.title(gun.unit), values, plain=plain))
        slots.append(Slot("rest", "volley", "Volley of less than eight", (_FIRED, _HELD), plain=_FIRED))
        if self.intensive:
            counts = tuple(map(str, range(self.intensive + 1)))
            slots.append(Slot("intensive", "volley", "Intensive volleys", counts, plain="0"))
        return Assign(slots, self._built, judge=self._judge, is_foretold=True)

    def _built(self, values: Values) -> Action:
        fired = [
            Shot(gun.unit, int(value))
            for gun, value in zip(self.guns, values, strict=False)
            if value not in (_NONE, "")
        ]
        rest, more = values[len(self.guns)], values[len(self.guns) + 1 :]
        return Fire(tuple(fired), holds_rest=rest == _HELD, intensive=int(more[0]) if more else 0)

    def _judge(self, values: Values) -> Refusal | None:
        """Refuses a plan; of one that is half made only what nothing could mend."""
        count = len(self.guns)
        pairs = list(zip(self.guns, values[:count], strict=True))
        firing = [gun for gun, value in pairs if value not in (_NONE, "")]
        is_whole = all(values)
        refusal = self._refusal(firing, is_whole=False)
        if refusal is not None:
            return refusal
        if not is_whole:
            could = [gun for gun, value in pairs if value != _NONE]
            return self._missing(could) or self._volleys(pairs, values[count:], is_whole=False)
        return self._missing(firing) or self._volleys(pairs, values[count:], is_whole=True)

    def _volleys(self, pairs: Sequence[tuple[Gun, str]], more: Values, *, is_whole: bool) -> Refusal | None:
        most = _strength((gun, gun.points if value == "" else int(value)) for gun, value in pairs if value != _NONE)
        firing = [gun for gun, value in pairs if value not in (_NONE, "")]
        added = int(more[1]) if len(more) > 1 and more[1] else 0
        return self._points_refusal(firing, most, added, holds_rest=more[0] == _HELD, is_whole=is_whole)

    @rule("11.4.1a", "11.4.1g")
    def _points_refusal(
        self, firing: Sequence[Gun], points: int, added: int, *, holds_rest: bool, is_whole: bool
    ) -> Refusal | None:
        """Volleys of eight, and one intensive one for each at most (11.4.1a, 11.4.1g)."""
        if holds_rest and (points < _VOLLEY or (is_whole and points % _VOLLEY == 0)):
            return Refusal("11.4.1a", "nothing is left over that could be held", "fire it")
        if added > points // _VOLLEY:
            return Refusal(
                "11.4.1g", f"{added} intensive volleys of {points // _VOLLEY}", "one for each volley of eight"
            )
        if added and not all(gun.may_be_intensive for gun in firing if not gun.is_auxiliary):
            return Refusal("11.4.1g", "a gun is not in general supply", "guns in general supply only")
        return None

    def _refusal(self, firing: Sequence[Gun], *, is_whole: bool) -> Refusal | None:
        """Why these guns are too many, or from too many formations."""
        counted = [gun for gun in firing if gun.counts]
        if len(counted) > self.call.most:
            reason = f"{len(counted)} artillery units in a {self.call.capacity} capacity mission"
            return Refusal("11.2.4", reason, f"at most {self.call.most}")
        others = {gun.tie for gun in firing} - {Tie.OWN, Tie.FREE}
        if len(others) > 1:
            return Refusal("11.2.5", f"guns of {', '.join(sorted(others))}", "one other formation at most")
        return self._missing(firing) if is_whole else None

    def _missing(self, firing: Sequence[Gun]) -> Refusal | None:
        """Why these guns are too few: Flak and tank destroyers alone, or none of the spotter's formation."""
        if not any(not gun.is_auxiliary for gun in firing):
            return Refusal("11.4.1b", "no artillery unit fires", "at least one beside Flak and tank destroyers")
        needs_own = self.call.capacity is not Capacity.LIGHT and self.call.spotter is not None
        if needs_own and not any(gun.tie == Tie.OWN and not gun.is_auxiliary for gun in firing):
            return Refusal("11.2.5", "no artillery unit of the spotter's formation fires", "at least one")
        return None

    def refusal(self, action: Fire) -> Refusal | None:
        """Why an order to fire is not to be had."""
        by_id = {gun.unit: gun for gun in self.guns}
        ids = [shot.unit for shot in action.guns]
        if len(set(ids)) < len(ids):
            return Refusal("11.4.1", "a gun is named twice", "each once")
        for shot in action.guns:
            gun = by_id.get(shot.unit)
            if gun is None:
                return Refusal("11.2.3", f"{self.context.title(shot.unit)} cannot fire there", "a gun that can")
            if not gun.least <= shot.points <= gun.points:
                return Refusal("11.4.1d", f"{shot.points} points", f"{gun.least} to {gun.points}")
        firing = [by_id[one] for one in ids]
        refusal = self._refusal(firing, is_whole=True)
        if refusal is not None:
            return refusal
        if not 0 <= action.intensive <= self.intensive:
            return Refusal("11.4.1g", f"{action.intensive} intensive volleys", f"0 to {self.intensive}")
        points = self.strength(action)
        return self._points_refusal(firing, points, action.intensive, holds_rest=action.holds_rest, is_whole=True)

    def strength(self, action: Fire) -> int:
        """The points of an order to fire."""
        by_id = {gun.unit: gun for gun in self.guns}
        return _strength((by_id[shot.unit], shot.points) for shot in action.guns)

    def volleys(self, action: Fire) -> tuple[int, ...]:
        """Points of every volley, the intensive ones last (11.4.1a, 11.4.1g)."""
        return (*volleys(self.strength(action), with_rest=not action.holds_rest), *(_VOLLEY,) * action.intensive)
