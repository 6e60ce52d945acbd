"""13.10.2-13.10.4 The questions of a side that applies its result: hits reduced, steps lost, hold or retreat."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.frames import Changed
from sandtable.systems.goss.assault.frames import (
    Assault,
    Discretion,
    Losses,
    Reducing,
    Settling,
    Stance,
    Suffering,
    assault_of,
)
from sandtable.systems.goss.assault.hits import (
    can_lose,
    can_retreat,
    can_shelter,
    can_tire,
    fighters,
    forced_losers,
    lagging,
    lead_first,
    must_lose,
    old_z_steps,
    participants,
    strong_works,
    suffering_of,
)
from sandtable.systems.goss.assault.steps import StepHandler
from sandtable.systems.goss.common.as_one import stacks_of, units_as_one
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at
from sandtable.systems.goss.common.facts import WorksGone
from sandtable.systems.goss.common.handler import Action, Play
from sandtable.systems.goss.common.harm import eliminate, lose_step, tire
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Cover, Work
from sandtable.systems.goss.pieces.card import Kind, Trait
from sandtable.systems.goss.pieces.unit import UnitId

__all__ = [
    "CONVERT",
    "ET3",
    "Decide",
    "DiscretionHandler",
    "LoseStep",
    "LossesHandler",
    "Reduce",
    "ReducingHandler",
    "SettlingHandler",
    "TakeHit",
    "ways_to_settle",
]

ET3, CONVERT = "ET-3", "convert"
"""How a mandatory hit is averted (13.10.2)."""
_A_PAIR = 2
"""Z-steps that make up for a discretionary hit (13.10.4)."""


class Reduce(Action, frozen=True):
    """Give ET-3 up for a mandatory hit, or take one as discretionary; ``""``: neither."""

    how: str = ""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        told = {ET3: "give ET-3 up for a hit", CONVERT: "convert a mandatory hit"}
        return told.get(self.how, "take the mandatory hits")


class LoseStep(Action, frozen=True):
    """A unit takes the next mandatory hit."""

    unit: UnitId

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"{context.title(self.unit)} loses a step"


class Decide(Action, frozen=True):
    """What is done about discretionary hits."""

    stance: Stance

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return f"{self.stance}"

    def is_plain(self) -> bool:
        """To hold takes a check."""
        return False


class TakeHit(Action, frozen=True):
    """A discretionary hit is taken as a step of a unit, or as fatigue of all; two Z-steps may take one."""

    unit: UnitId = UnitId("")
    by_z_steps: bool = False

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        if self.by_z_steps:
            return "two Z-steps are eliminated"
        return f"{context.title(self.unit)} loses a step" if self.unit else "all are fatigued"


@rule("13.10.4", "13.10.4a")
def ways_to_settle(context: Context, state: State, frame: Suffering) -> list[TakeHit]:
    """How the next of the remaining hits may be taken: fatigue or a step, or a step if it is forced (13.10.4a).

    The first step of a side is the lead unit's (13.8.1); two Z-steps may go for a step (13.10.4).
    """
    affected = lagging(state, frame)
    if frame.is_passed:
        ways = [TakeHit()] if can_tire(frame, affected) else []
        losers = can_lose(context, affected, frame, is_limited=False)
    else:
        ways, losers = [], forced_losers(context, state, frame)
    ways += map(TakeHit, lead_first(state, frame, losers))
    if (frame.is_passed or losers) and len(old_z_steps(context, affected, frame)) >= _A_PAIR:
        ways.append(TakeHit(by_z_steps=True))
    return ways


class ReducingHandler(StepHandler[Reducing]):
    """13.10.2 First ET-3 may be given up for a hit, then recon and commandos may convert one."""

    frame, answers = Reducing, (Reduce,)
    number, title = "13.10.2", "Reduce or convert a mandatory hit"

    @rule("13.10.2")
    def options(self, state: State, frame: Reducing, seat: Seat) -> Node[Action]:
        """To do what is asked about, if it is open, or not; only with a way to retreat (13.10.2)."""
        ways = [Reduce()]
        assault, suffering = assault_of(state), suffering_of(state)
        units = participants(state, assault, frame.player)
        if units and can_retreat(self.context, state, units):
            if frame.how == ET3 and strong_works(self.context, state, suffering) == Work.ET3:
                ways.insert(0, Reduce(ET3))
            if frame.how == CONVERT and self._may_convert(state, assault, seat):
                ways.append(Reduce(CONVERT))
        return Pick(
            lambda: (
                Branch(way.how or "no", "choice", way.phrase(self.context).capitalize(), Leaf(way)) for way in ways
            )
        )

    def _may_convert(self, state: State, assault: Assault, seat: Seat) -> bool:
        """Recon and commandos alone took part, unless armour caught them in the open without guns (13.10.2)."""
        units = fighters(state, assault, seat)
        cards = {unit.id: self.context.card(unit) for unit in units}
        hosts = [cards[group[0]] for group in units_as_one(self.context, units)]
        if not all(card.kind is Kind.RECON or card.has(Trait.COMMANDO) for card in hosts):
            return False
        enemy = self.context.other(seat)
        in_open = any(
            unit.hex is not None and cover_at(self.context, state, unit.hex, enemy) is Cover.OPEN for unit in units
        )
        gun = dict(assault.armour).get(enemy)
        is_hunted = gun is not None and bool(self.context.card(state.units[gun]).arm_attack)
        return not (in_open and is_hunted and seat not in dict(assault.armour))

    def take(self, play: Play, frame: Reducing, action: Reduce) -> None:  # noqa: ARG002
        """One hit less; converted, it is discretionary."""
        suffering = suffering_of(play.state)
        if action.how == ET3:
            play.emit(Changed(replace(suffering, losses=suffering.losses - 1, is_left=True)))
            play.emit(WorksGone(assault_of(play.state).target))
        elif action.how == CONVERT:
            play.emit(Changed(replace(suffering, losses=suffering.losses - 1, hits=suffering.hits + 1)))


class LossesHandler(StepHandler[Losses]):
    """13.10.3 The owner chooses among those who may take the next mandatory hit."""

    frame, answers = Losses, (LoseStep,)
    number, title = "13.10.3", "Choose the unit that loses a step"

    def options(self, state: State, frame: Losses, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Who may."""
        units = must_lose(self.context, state, suffering_of(state))
        title = self.context.title
        return Pick(lambda: (Branch(one, "unit", title(one), Leaf(LoseStep(one)), one) for one in units))

    @rule("13.10.3", "4.1.3")
    def take(self, play: Play, frame: Losses, action: LoseStep) -> None:
        """A Z-step goes with it, and makes up for nothing (4.1.3)."""
        suffering = suffering_of(play.state)
        play.emit(Changed(replace(suffering, losses=suffering.losses - 1, lost=(*suffering.lost, action.unit))))
        lose_step(play, self.context, action.unit)
        for unit in participants(play.state, assault_of(play.state), frame.player):
            if unit.id != action.unit and unit in old_z_steps(self.context, [unit], suffering):
                eliminate(play, (unit.id,))
                break


class DiscretionHandler(StepHandler[Discretion]):
    """13.10.4 Hold, limited retreat, or full retreat."""

    frame, answers = Discretion, (Decide,)
    number, title = "13.10.4", "Hold the position, or retreat"

    @rule("13.10.4", "13.10.4b")
    def options(self, state: State, frame: Discretion, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Hold first; a limited retreat only where all have a way (13.10.4b)."""
        assault = assault_of(state)
        units = participants(state, assault, frame.player)
        stances = [Stance.HOLD, Stance.FULL]
        shelters = frame.player == assault.player and all(
            can_shelter(self.context, state, stack) for stack in stacks_of(units).values()
        )
        if shelters or can_retreat(self.context, state, units):
            stances.insert(1, Stance.LIMITED)
        return Pick(lambda: (Branch(one, "choice", one.capitalize(), Leaf(Decide(one))) for one in stances))

    def take(self, play: Play, frame: Discretion, action: Decide) -> None:  # noqa: ARG002
        """Note it."""
        play.emit(Changed(replace(suffering_of(play.state), stance=action.stance)))


class SettlingHandler(StepHandler[Settling]):
    """13.10.4a How the next of the remaining hits is taken."""

    frame, answers = Settling, (TakeHit,)
    number, title = "13.10.4a", "Take a discretionary hit"

    def options(self, state: State, frame: Settling, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """After a passed check any way; after a failed one a step, by Max step loss while it lasts."""
        return Pick(lambda: self._branches(state))

    def _branches(self, state: State) -> Iterator[Branch[Action]]:
        for way in ways_to_settle(self.context, state, suffering_of(state)):
            key = "z-steps" if way.by_z_steps else way.unit or "fatigue"
            yield Branch(key, "unit" if way.unit else "choice", way.phrase(self.context), Leaf(way), way.unit)

    def take(self, play: Play, frame: Settling, action: TakeHit) -> None:  # noqa: ARG002
        """A step, two Z-steps, or fatigue for all."""
        suffering = suffering_of(play.state)
        lost = (*suffering.lost, action.unit) if action.unit else suffering.lost
        fatigue = suffering.fatigue + (not action.unit and not action.by_z_steps)
        play.emit(Changed(replace(suffering, settled=suffering.settled + 1, lost=lost, fatigue=fatigue)))
        affected = lagging(play.state, suffering)
        if action.unit:
            lose_step(play, self.context, action.unit)
        elif action.by_z_steps:
            eliminate(play, [unit.id for unit in old_z_steps(self.context, affected, suffering)[:_A_PAIR]])
        else:
            tire(play, self.context, [unit.id for unit in affected])
