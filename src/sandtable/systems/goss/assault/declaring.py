"""13.2-13.4 Steps 1 and 2: which hex is assaulted, on which terrain line, and by whom."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed, Opened, unchanged
from sandtable.geo.hex import Hex
from sandtable.systems.goss.assault.deeds import subset
from sandtable.systems.goss.assault.eligibility import (
    ASSAULTED,
    PREPARED_GA,
    RETREATED,
    TACTICAL_GA,
    Candidate,
    Plans,
    designated,
    ferries,
    must_stand_off,
)
from sandtable.systems.goss.assault.frames import Assault, Assaults, Attackers, Line, assault_of
from sandtable.systems.goss.assault.position import is_mech
from sandtable.systems.goss.assault.steps import StepHandler, UnitsHandler, change_assault
from sandtable.systems.goss.common.as_one import stacks_of
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.handler import Action, Fact, Play, SegmentHandler
from sandtable.systems.goss.common.harm import stand_down
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.pieces.steps import strength
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.stacking.limits import limits, overstack
from sandtable.systems.goss.stacking.stacker import stacker
from sandtable.systems.goss.turn.segments import Step

__all__ = [
    "AssaultsHandler",
    "AttackersHandler",
    "ChooseLine",
    "Commit",
    "LineHandler",
    "MakeAssault",
    "defenders_of",
]


class MakeAssault(Action, frozen=True):
    """Assault a hex."""

    hex: Hex

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"assault {context.label(self.hex)}"


class ChooseLine(Action, frozen=True):
    """Defend on a terrain line."""

    line: int

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return f"defend on terrain line {self.line}"


class Commit(Action, frozen=True):
    """Attack with units."""

    units: tuple[UnitId, ...]

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"attack with {'; '.join(map(context.title, self.units))}"

    def is_secret(self) -> bool:
        """The units are laid out later (8.4.4)."""
        return True


class AssaultBegan(Fact, frozen=True):
    """A hex is assaulted (13.3.0)."""

    player: Seat
    hex: Hex

    def sentence(self, context: Context) -> str:
        """Who, and where."""
        return f"{self.player} assaults {context.label(self.hex)}."


def targets_of(context: Context, state: State, side: Seat) -> list[Hex]:
    """The hexes that may be assaulted next: such that all who are designated can still attack (13.2.0)."""
    plans = Plans(context, state, side)
    if not plans.can_all_attack():
        return list(plans.targets)
    return [
        target
        for target in plans.targets
        if any(plans.can_all_attack(fixed={one.id: target}) for one in plans.on(target) if target in one.alone)
    ]


class AssaultsHandler(SegmentHandler[Assaults]):
    """13.2.0 One assault after the other, in the order that the attacker likes."""

    frame, answers, step, is_before_dice = Assaults, (MakeAssault,), Step.ASSAULT, True
    folds = MappingProxyType({AssaultBegan: unchanged})

    @rule("13.0", "13.2.0")
    def begin(self, play: Play, player: Seat) -> None:
        """Nobody designated: no assault."""
        if designated(play.state, player):
            play.emit(Opened(Assaults(player)))

    @rule("13.4.0")
    def advance(self, play: Play, frame: Assaults) -> bool:
        """Who is designated must attack: an only assault begins unasked, the last of several with a look at it."""
        targets = targets_of(self.context, play.state, frame.player)
        if len(targets) > 1 or (targets and frame.begun):
            return False
        if targets:
            self._open(play, frame, targets[0])
            return True
        stand_down(play, self.context, frame.player, [one.id for one in designated(play.state, frame.player)])
        play.emit(Closed())
        return True

    def question(self, state: State, frame: Assaults) -> Asking:  # noqa: ARG002
        """The active side."""
        return Asking("13.3.0", "Assault a hex", (frame.player,))

    def options(self, state: State, frame: Assaults, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Every hex whose assault leaves the others theirs."""
        targets = targets_of(self.context, state, seat)
        label = self.context.label
        return Pick(
            lambda: (Branch(label(one), "hex", label(one), Leaf(MakeAssault(one)), label(one)) for one in targets)
        )

    @rule("13.3.0", "13.3.1", "13.2.0")
    def refusal(self, state: State, frame: Assaults, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """An enemy hex beside designated units, once a segment, so that all can attack (13.3.1)."""
        assert isinstance(action, MakeAssault)  # noqa: S101 - `answers` says so
        if action.hex in targets_of(self.context, state, seat):
            return None
        return Refusal("13.2.0", "it cannot be assaulted now, or others would be left without an attack", "another hex")

    def apply(self, play: Play, frame: Assaults, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Begin it."""
        assert isinstance(action, MakeAssault)  # noqa: S101 - `answers` says so
        self._open(play, frame, action.hex)

    def _open(self, play: Play, frame: Assaults, target: Hex) -> None:
        play.emit(AssaultBegan(frame.player, target))
        play.emit(Changed(replace(frame, begun=frame.begun + 1)))
        play.emit(Opened(Assault(frame.player, target)))


class LineHandler(StepHandler[Line]):
    """13.3.2 The defender chooses among the terrain of his hex."""

    frame, answers, is_before_dice = Line, (ChooseLine,), True
    number, title = "13.3.2", "Choose the terrain line"

    @rule("13.3.2")
    def options(self, state: State, frame: Line, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """The best line first."""
        ground = self.context.ground_in(state).at(assault_of(state).target)
        lines = self.context.charts.defences.terrain_lines(ground.features)
        return Pick(lambda: (Branch(str(one), "choice", f"Terrain line {one}", Leaf(ChooseLine(one))) for one in lines))

    def take(self, play: Play, frame: Line, action: ChooseLine) -> None:  # noqa: ARG002
        """Note it."""
        change_assault(play, line=action.line)


class AttackersHandler(UnitsHandler[Attackers]):
    """13.4.0 The attacker names his units."""

    frame, answers = Attackers, (Commit,)
    number, title = "13.4.0", "Choose the attacking units"

    def action(self, units: tuple[UnitId, ...]) -> Action:
        """Attack with them."""
        return Commit(units)

    def candidates(self, state: State, assault: Assault, seat: Seat) -> Sequence[UnitId]:
        """All who may attack the hex."""
        return [one.id for one in Plans(self.context, state, seat).on(assault.target)]

    def options(self, state: State, frame: Attackers, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """All in PA mode, else the first stack with TA markers; then unit by unit."""
        target = assault_of(state).target
        plans = Plans(self.context, state, seat)
        found = plans.on(target)
        is_bound = plans.can_all_attack()
        prepared = [one.id for one in found if one.is_prepared]
        plain = prepared or [one.id for one in found if one.hex == found[0].hex]
        return subset(
            self.context,
            [one.id for one in found],
            self.action,
            lambda units: self._judged(plans, target, units, is_bound=is_bound),
            plain=frozenset(plain),
            early=lambda units, others: self._judged_early(plans, target, units, others, is_bound=is_bound),
        )

    def judge(self, state: State, assault: Assault, seat: Seat, units: Sequence[UnitId]) -> Refusal | None:
        """Why these units together do not attack."""
        plans = Plans(self.context, state, seat)
        return self._judged(plans, assault.target, units, is_bound=plans.can_all_attack())

    @rule("5.2.4", "9.6.2c", "13.4.1", "13.4.2", "13.4.3", "13.2.0", "6.7.0")
    def _judged(self, plans: Plans, target: Hex, units: Sequence[UnitId], *, is_bound: bool) -> Refusal | None:
        """Together by PA, or of one hex by TA; each stack fit to attack; and all others still have an attack."""
        if not units:
            return Refusal("13.4.0", "nobody attacks", "at least one unit")
        for stack in stacks_of(plans.state.units[one] for one in units).values():
            if not any(target in plans.candidates[unit.id].alone for unit in stack):
                return Refusal("4.4.0", "they may not attack by themselves", "another unit of their hex with them")
            if all(plans.candidates[unit.id].is_rear for unit in stack):
                return Refusal("9.6.2c", "rear echelon attacks only with others", "another unit of their hex with them")
        others = tuple(one.id for one in plans.on(target) if one.id not in units)
        return self._judged_early(plans, target, units, others, is_bound=is_bound)

    def _judged_early(
        self, plans: Plans, target: Hex, units: Sequence[UnitId], others: Sequence[UnitId], *, is_bound: bool
    ) -> Refusal | None:
        """What no more units mend: who is too much, and who is left without an attack."""
        chosen = [plans.candidates[one] for one in units]
        prepared = {one.is_prepared for one in chosen}
        if len(prepared) > 1 or (prepared == {False} and len({one.hex for one in chosen}) > 1):
            return Refusal("13.4.1", "TA markers attack by themselves", "units of one hex, or all in PA mode")
        refusal = self._stack_refusal(plans, target, chosen)
        if refusal is not None or not is_bound:
            return refusal
        if plans.can_all_attack(fixed=dict.fromkeys(units, target), barred=(target, frozenset(others))):
            return None
        return Refusal("13.2.0", "others would be left without an attack", "units such that all can attack")

    def _stack_refusal(self, plans: Plans, target: Hex, chosen: Sequence[Candidate]) -> Refusal | None:
        state = plans.state
        for hex, stack in stacks_of(state.units[one.id] for one in chosen).items():
            ids = [unit.id for unit in stack]
            if not plans.fits(target, ids):
                return Refusal("13.4.3", "too many for a constricted hex", "one battalion and one company of a hex")
            stackers = [stacker(unit, self.context.card(unit)) for unit in stack]
            if overstack(stackers, limits(is_constricted=self.context.ground.at(hex).is_constricted)):
                return Refusal("6.7.0", "more than may stack in their hex", "no more than the stacking limit")
            if not self._is_ferried(state, stack, hex, target):
                return Refusal("17.2.2", "engineers do not ferry all of them", "a unit for each unit of engineers")
        return None

    def _is_ferried(self, state: State, stack: Sequence[Unit], hex: Hex, target: Hex) -> bool:
        over = crossing(self.context, state, hex, target)
        if not over.is_major or over.has_bridge:
            return True
        ferried, working = ferries(self.context, stack, is_major=True)
        return all(is_mech(self.context, unit) or unit.id in ferried | working for unit in stack)

    @rule("16.3.3", "13.3.1")
    def take(self, play: Play, frame: Attackers, action: Commit) -> None:  # noqa: ARG002
        """Note who attacks, and what it takes of the formations' assaults (16.3.3)."""
        assault = assault_of(play.state)
        units = [play.state.units[one] for one in action.units]
        kind = PREPARED_GA if units[0].mode is Mode.PREPARED_ASSAULT else TACTICAL_GA
        forced = tuple(unit.id for unit in units if must_stand_off(self.context, play.state, unit, assault.target))
        defenders, aside = defenders_of(self.context, play.state, assault.target)
        play.emit(Used(Use(ASSAULTED, hex=assault.target)))
        for formation in sorted({self.context.formation_of(unit) for unit in units}):
            play.emit(Used(Use(kind, by=formation, hex=assault.target)))
        changed = replace(assault, attackers=action.units, stand_off=forced, defenders=defenders, aside=aside)
        play.emit(Changed(changed))


@rule("13.3.1", "13.5.5", "6.7.0")
def defenders_of(context: Context, state: State, target: Hex) -> tuple[tuple[UnitId, ...], tuple[UnitId, ...]]:
    """Who defends a hex, and who only shares the results: earlier retreats, and what is over the limit (13.5.5).

    Of an overstack the strongest fight (6.7.0; ruling B-64).
    """
    units = [unit for unit in state.on(target) if not state.has_used(RETREATED, by=unit.id)]
    units.sort(key=lambda unit: (-strength(context.card(unit), unit.steps).defence, unit.id))
    most = limits(is_constricted=context.ground.at(target).is_constricted)
    fighting: list[Unit] = []
    for unit in units:
        counted = [one for one in (*fighting, unit) if context.card(one).takes_room]
        if not overstack([stacker(one, context.card(one)) for one in counted], most):
            fighting.append(unit)
    ids = {unit.id for unit in fighting}
    return (
        tuple(unit.id for unit in state.on(target) if unit.id in ids),
        tuple(unit.id for unit in state.on(target) if unit.id not in ids),
    )
