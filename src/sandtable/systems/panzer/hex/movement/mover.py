"""Judging a move: where it may end or stop, and which legs lead to a legal end (4.5.1.1.5, 4.5.1.1.8, 4.5.1.1.10).

The same few functions judge a whole move, execute it leg by leg, and try thousands of legs for those who look ahead.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator
from heapq import heappop, heappush
from itertools import count

from sandtable.core.content.rule import rule
from sandtable.geo.hex import Hex, distance
from sandtable.systems.panzer.hex.movement.stepping import Stepper
from sandtable.systems.panzer.hex.progress import FORBIDDEN, MoveProgress
from sandtable.systems.panzer.hex.state import Leg, LegKind

__all__ = ["Mover"]

_STAY = LegKind.STAY
"""Names are looked up quicker than members of enums."""


class Mover(Stepper):
    """A vehicle that moves, and what its owner may do with it."""

    # As they are in the Basic Game, and for most units.
    ends: Container[Hex] | None = None
    """Where the move may end on the mapboard, None for anywhere: those who share a command end together."""
    homes: Collection[Hex] = ()
    """Some of these hexes, or all: where to look for a way to them first."""
    column = False
    """Whether it is held to Path or Road speed: it shares a command in a column (6.2.1.1.3)."""

    @rule("4.5.1.1.5", "4.5.1.1.10")
    def may_end(self, now: MoveProgress) -> bool:
        """Whether the move as it stands is a complete and legal one (4.5.1.1.5, 4.5.1.1.10)"""
        if now.hex in self.enemies and not now.exited:
            return False
        return self.is_paid_for(now) and (self.ends is None or self.is_among_sharers(now))

    def is_among_sharers(self, now: MoveProgress) -> bool:
        """Whether those who share the unit's command let it end here (6.2.1.1.4)."""
        if self.column and now.entered and (now.tracks or now.askew or not now.on_route):
            return False
        return self.ends is None or now.exited or now.hex in self.ends

    def is_paid_for(self, now: MoveProgress) -> bool:
        """Whether the move so far is within an allowance that it may use, or just one hex."""
        if now.spent <= now.cross_country:
            return True
        if now.entered == 1 and not now.paid and (now.spent < FORBIDDEN or (now.on_route and not now.askew)):
            return True
        return now.on_route and now.entered > 0 and not now.askew and now.spent_route <= now.allowance(now.route_rate)

    @rule("4.5.1.1.8")
    def may_stop(self, now: MoveProgress, *, going_on: bool) -> bool:
        """Whether the vehicle may stay where it is: always, but for an enemy's hex that it can leave (4.5.1.1.8)

        ``going_on`` is for a move that fire has interrupted: what was legal up to there may end there.
        """
        if now.hex not in self.enemies and self.is_among_sharers(now):
            return going_on or self.is_paid_for(now)
        return next(self.legs(now), None) is None

    def legs(self, now: MoveProgress) -> Iterator[tuple[Leg, MoveProgress]]:
        """The legs that may come next, with what the move is then; each leads to a legal end."""
        if now.exited:
            return
        for leg in self.all_legs:
            after = self.leg(now, leg)
            if after is not None and self.leads_on(after, final=leg.step is _STAY):
                yield leg, after

    def leads_on(self, after: MoveProgress, *, final: bool) -> bool:
        """Whether a move can end here or, unless this is its last leg, after further legs."""
        return self.may_end(after) or (not final and self._finds_end(after))

    def _finds_end(self, now: MoveProgress) -> bool:
        """Whether further legs lead to a legal end: out of an enemy's hex, or on to enough Road hexes."""
        if self.ends is not None:
            return self._finds_way(now)
        seen = {now}
        open_ends = [now]
        while open_ends:
            here = open_ends.pop()
            if here.exited:
                continue
            for leg in self.all_legs:
                after = self.leg(here, leg)
                if after is None or after in seen:
                    continue
                if self.may_end(after):
                    return True
                if leg.step is not _STAY:
                    seen.add(after)
                    open_ends.append(after)
        return False

    def _finds_way(self, now: MoveProgress) -> bool:
        """The same where few hexes will do: the nearest to them first."""
        order = count()
        seen = {now}
        open_ends = [(0, 0, now)]
        while open_ends:
            _, _, here = heappop(open_ends)
            for leg in self.all_legs if not here.exited else ():
                after = self.leg(here, leg)
                if after is None or after in seen:
                    continue
                if self.may_end(after):
                    return True
                if leg.step is not _STAY:
                    seen.add(after)
                    far = min((distance(after.hex, end) for end in self.homes), default=0)
                    heappush(open_ends, (far, next(order), after))
        return False
