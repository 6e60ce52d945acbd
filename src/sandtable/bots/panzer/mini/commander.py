"""Whoever plays the miniatures by rules of thumb: which question is asked, and who knows an answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from sandtable.bots.doctrine import Idea
from sandtable.bots.general import GeneralDoctrine
from sandtable.bots.panzer.mini.driving import worth_of_way
from sandtable.bots.panzer.mini.gunnery import best_shot
from sandtable.bots.panzer.mini.orders import fields_for, orders_for
from sandtable.bots.policy import Question
from sandtable.bots.style import Style
from sandtable.core.decision import Assign, Drawing
from sandtable.core.ruleset import Ruleset
from sandtable.systems.panzer.actions import Fire, Pass, RevealCommand
from sandtable.systems.panzer.frames import CommandReveal, DirectFire, Movement, Overwatch, PlacingCommands
from sandtable.systems.panzer.mini.actions import ChooseAngle
from sandtable.systems.panzer.mini.adjustment.frames import AdjustingTurrets
from sandtable.systems.panzer.mini.combat.frames import AngleChoice
from sandtable.systems.panzer.mini.context import Context
from sandtable.systems.panzer.mini.moves import Moving
from sandtable.systems.panzer.mini.rules import MiniRules
from sandtable.systems.panzer.mini.state import State
from sandtable.systems.panzer.unit import Shot, UnitId

__all__ = ["MiniDoctrine"]

_WAYS = 24
"""Ways of a vehicle that are looked at, beside some that are drawn at random."""
_DRAWN = 6
_WAIT = 2.0
"""Points for which overwatch gives itself away."""


class MiniDoctrine(GeneralDoctrine):
    """How to think about the miniatures."""

    def __init__(self, ruleset: Ruleset[Any, Any, Any]) -> None:
        super().__init__(ruleset)
        assert isinstance(ruleset, MiniRules)  # noqa: S101 - the card of that system alone names this doctrine
        self._context: Context = ruleset.context

    def slots(self, question: Question[Any], style: Style, rng: Random) -> list[list[Idea]] | None:
        """Orders and turrets, vehicle by vehicle."""
        del style, rng
        state: State = question.known
        frame, root = state.stack[-1], question.options.root
        if not isinstance(root, Assign):
            return None
        units = [(state.units[UnitId(slot.key)], slot.values) for slot in root.slots]
        if isinstance(frame, PlacingCommands):
            return [orders_for(self._context, state, unit, values) for unit, values in units]
        if isinstance(frame, AdjustingTurrets):
            return [fields_for(state, unit, values) for unit, values in units]
        return None

    def ideas(self, question: Question[Any], style: Style, rng: Random) -> list[Idea]:
        """Answers with what they look worth, best first."""
        frame = question.known.stack[-1]
        if isinstance(frame, DirectFire):
            found = list(self._fire(question, overwatch=False))
        elif isinstance(frame, Overwatch):
            found = [Idea(Pass(), _WAIT), *self._fire(question, overwatch=True)]
        elif isinstance(frame, Movement | Moving):
            found = list(self._drive(question, rng))
        elif isinstance(frame, CommandReveal):
            found = [Idea(one, float(one == RevealCommand(reveal=True))) for one in question.options]
        elif isinstance(frame, AngleChoice):
            found = list(self._turn(question, frame))
        else:
            found = []
        ranked = sorted(found, key=lambda idea: -idea.worth)
        return ranked or super().ideas(question, style, rng)

    def _fire(self, question: Question[Any], *, overwatch: bool) -> Iterator[Idea]:
        """All who can fire on a target, for every target."""
        state: State = question.known
        for branch in question.options.root.branches():
            target = state.units.get(UnitId(branch.key))
            if target is None or branch.kind != "target":
                continue
            shots: list[Shot] = []
            worth = 0.0
            for slot in branch.then.slots:  # type: ignore[attr-defined]
                found = best_shot(self._context, state, state.units[UnitId(slot.key)], target, overwatch=overwatch)
                if found is not None:
                    shots.append(found[0])
                    worth += found[1]
            if shots:
                yield Idea(Fire(target.id, tuple(shots)), worth)

    def _drive(self, question: Question[Any], rng: Random) -> Iterator[Idea]:
        """Ways of the first vehicle that has still to move."""
        state: State = question.known
        root = question.options.root
        node = root if isinstance(root, Drawing) else next(iter(root.branches())).then
        if not isinstance(node, Drawing):
            return
        drawn = [node.sample(rng) for _ in range(_DRAWN)]
        for action in (*islice(node, _WAYS), *drawn):
            yield Idea(action, worth_of_way(self._context, state, state.units[action.unit], action.strokes))

    def _turn(self, question: Question[Any], frame: AngleChoice) -> Iterator[Idea]:
        """The angle that shows the thicker plates."""
        armor = self._context.card_of(question.known.units[frame.target]).armor
        for hull, turret in frame.angles:
            row = armor.get(hull)
            plates = [] if row is None else [one for name in row.__struct_fields__ if (one := getattr(row, name))]
            yield Idea(ChooseAngle(hull, turret), float(sum(plates)) / (len(plates) or 1))
