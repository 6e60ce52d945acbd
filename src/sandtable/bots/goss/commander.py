"""Whoever plays GOSS by rules of thumb: own answers where there is something to decide, else what a staff would do."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from sandtable.bots.doctrine import Idea
from sandtable.bots.general import GeneralDoctrine
from sandtable.bots.goss.front import FrontLine
from sandtable.bots.goss.marching import may_march, worth_of_place
from sandtable.bots.policy import Question
from sandtable.bots.style import Style
from sandtable.core.decision import Assign, Branch, Path
from sandtable.core.ruleset import Ruleset
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.modes.designation import AssaultChoice, DesignateAssault
from sandtable.systems.goss.modes.mode_phase import ModeChoice, SetModes
from sandtable.systems.goss.modes.reserve import DesignateReserves, ReserveChoice
from sandtable.systems.goss.movement.marching import EndMoves, NonRoadMarch, PreparedMarch, RoadMarch
from sandtable.systems.goss.movement.road_stacking import overstack_in
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.rules import GossRules

__all__ = ["GossDoctrine"]

_STIR = 0.9
"""Hexes that a march must gain."""
_RESERVES = 3
_BEHIND = range(2, 4)
"""Hexes from the enemy in which reserves are held."""


class GossDoctrine(GeneralDoctrine):
    """How to think about GOSS."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        super().__init__(ruleset)
        assert isinstance(ruleset, GossRules)  # noqa: S101 - the card of that system alone names this doctrine
        self._context: Context = ruleset.context

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        """What a staff would do, and what looks better than that."""
        del style, rng
        plain = next(iter(question.options))
        front = FrontLine(self._context, question.known, question.seat)
        frame = question.known.stack[-1]
        if isinstance(frame, RoadMarch | NonRoadMarch | PreparedMarch):
            return self._march(question, front) or [Idea(plain, 0.0)]
        own: Any = None
        if isinstance(frame, ModeChoice):
            own = self._modes(question, front)
        elif isinstance(frame, ReserveChoice):
            own = self._reserves(question, front)
        elif isinstance(frame, AssaultChoice):
            own = self._assaults(question, front)
        if own is None or self._ruleset.refusal(question.known, question.seat, own) is not None:
            return [Idea(plain, 0.0)]
        return [Idea(own, 1.0), Idea(plain, 0.0)]

    def plan(self, question: Question[Any], style: Style) -> list[str]:
        """What is to be taken, or held."""
        del style
        front = FrontLine(self._context, question.known, question.seat)
        verb, hexes = ("take", front.goals) if front.is_attacker else ("hold", front.charges)
        return [f"{verb} {', '.join(self._context.label(hex) for hex in hexes)}"] if hexes else []

    # --- the questions ---

    def _slots(self, question: Question[Any]) -> tuple[Unit, ...]:
        root = question.options.root
        slots = root.slots if isinstance(root, Assign) else ()
        return tuple(question.known.units[UnitId(slot.key)] for slot in slots)

    def _modes(self, question: Question[Any], front: FrontLine) -> SetModes:
        """PA for those who attack from where they are; guns in battery wherever they reach an enemy."""
        units = self._slots(question)
        fighters = tuple(unit for unit in units if not self._context.card(unit).is_artillery)
        guns = [unit for unit in units if self._context.card(unit).is_artillery]
        reaching = [
            unit.id
            for unit in guns
            if unit.hex is not None and front.to_enemy(unit.hex) <= self._context.card(unit).range
        ]
        attacks = set(front.attacks(fighters))
        return SetModes(tuple(unit.id for unit in fighters if unit.id in attacks), tuple(reaching))

    def _reserves(self, question: Question[Any], front: FrontLine) -> DesignateReserves:
        """Battalions close behind the front of who defends; attackers need all of theirs."""
        if front.is_attacker:
            return DesignateReserves()
        units = [unit for unit in self._slots(question) if unit.hex is not None]
        near = [unit for unit in units if unit.hex is not None and front.to_enemy(unit.hex) in _BEHIND]
        return DesignateReserves(tuple(unit.id for unit in near[:_RESERVES]))

    def _assaults(self, question: Question[Any], front: FrontLine) -> DesignateAssault:
        """All who attack at a good ratio; nobody in his rest game turn, which would tire him."""
        units = tuple(unit for unit in self._slots(question) if not is_resting(self._context, question.known, unit))
        attacks = set(front.attacks(units))
        return DesignateAssault(tuple(unit.id for unit in units if unit.id in attacks))

    def _march(self, question: Question[Any], front: FrontLine) -> list[Idea]:
        """The first party that has something to gain, to where it gains most; else the moves are over."""
        done = Idea(EndMoves(), 0.0)
        if EndMoves() not in question.options:
            return []
        mine = (unit for unit in question.known.units.values() if unit.side == question.seat)
        if not any(may_march(front, unit) for unit in mine):
            return [done]
        for branch in question.options.root.branches():
            units = [question.known.units.get(UnitId(one)) for one in branch.key.split("+")]
            unit = units[0]
            if isinstance(branch.then, Path) and len(units) == 1 and unit is not None and may_march(front, unit):
                best = max(self._ends(front, unit, branch.then), key=lambda idea: idea.worth, default=done)
                if best.worth > _STIR:
                    return [best, done]
        return [done]

    def _ends(self, front: FrontLine, unit: Unit, path: Path[Any]) -> Iterator[Idea]:
        """Where a unit may go, with what it gains."""
        assert unit.hex is not None  # noqa: S101 - who moves is on the map
        here = worth_of_place(front, unit, unit.hex)
        ends: Iterator[Branch[Any]] = path.destinations()
        for end in ends:
            hex = self._context.game_map.hex(end.ref)
            if overstack_in(self._context, (*front.deployment.at(hex), unit), hex):
                continue
            yield Idea(next(iter(end.then)), worth_of_place(front, unit, hex) - here)
