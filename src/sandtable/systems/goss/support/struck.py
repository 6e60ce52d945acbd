"""11.6.1-11.6.3 The owner of those who were hit: a step loss first or a retreat first, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.as_one import with_own_rating
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import has_strong_works, works_of
from sandtable.systems.goss.common.dice import roll_d10
from sandtable.systems.goss.common.facts import WorksGone
from sandtable.systems.goss.common.handler import Action, Frame, Handler, Play
from sandtable.systems.goss.common.harm import abandon, eliminate, lose_step, stand_down, tire
from sandtable.systems.goss.common.shifts import shake
from sandtable.systems.goss.common.state import State
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.pieces.unit import Unit, UnitId
from sandtable.systems.goss.support.facts import ProficiencyChecked
from sandtable.systems.goss.support.falling_back import Refuges, fall_back, take_shelter
from sandtable.systems.goss.support.losses import is_z_step, may_lose, most_convertible

__all__ = ["Choose", "Convert", "Deed", "GoBack", "Lose", "Struck", "StruckHandler"]


class Deed(StrEnum):
    """What has to be done about hits, one after another."""

    CHOOSE = "choose"
    FIRST_LOSS = "first loss"
    CHECK = "check"
    ONE_LOSS = "one loss"
    MAY_TIRE = "may tire"
    LOSSES = "losses"
    CAPPED_LOSSES = "capped losses"
    MUST_TIRE = "must tire"
    SHAKEN = "shaken"
    RETREAT = "retreat"
    HALVE = "halve"
    BESIDE_ENEMY = "beside the enemy"


_LOSS_FIRST = (Deed.FIRST_LOSS, Deed.CHECK)
_HELD = (Deed.ONE_LOSS, Deed.MAY_TIRE, Deed.LOSSES)
_BROKE = (Deed.SHAKEN, Deed.RETREAT, Deed.CAPPED_LOSSES, Deed.MAY_TIRE, Deed.LOSSES)
_RETREAT_FIRST = (Deed.SHAKEN, Deed.RETREAT, Deed.HALVE, Deed.CAPPED_LOSSES, Deed.MUST_TIRE)
_MANY_HITS = 3


class Struck(Frame, frozen=True):
    """Units that were hit, and what is still to be done about it; who they are is ``()`` to the enemy."""

    owner: Seat
    hex: Hex
    """The target hex."""
    hits: int
    units: tuple[UnitId, ...] = ()
    lost: tuple[UnitId, ...] = ()
    """Units that took a hit as a step loss, once for each."""
    plan: tuple[Deed, ...] = (Deed.CHOOSE,)
    was_designated: bool = False
    gave_up_works: bool = False
    """The ET-3 was given up for the first hit: it does not spare the check (11.6.2a)."""


class Choose(Action, frozen=True):
    """How the first numerical hit is taken (11.6.2)."""

    as_retreat: bool

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "take the first hit as a retreat" if self.as_retreat else "take the first hit as a step loss"


class Lose(Action, frozen=True):
    """The unit that loses a step; ``""`` gives up the ET-3 instead."""

    unit: UnitId = UnitId("")

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"{context.title(self.unit)} loses a step" if self.unit else "give up the ET-3"

    def is_secret(self) -> bool:
        """Who it is need not be told (8.4.3)."""
        return bool(self.unit)


class GoBack(Action, frozen=True):
    """Where the stack retreats to; None: into the works of its hex."""

    hex: Hex | None = None

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"fall back to {context.label(self.hex)}" if self.hex is not None else "withdraw into the works"


class Convert(Action, frozen=True):
    """Hits that become fatigue of all who were struck (11.6.2a)."""

    hits: int

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return f"take {self.hits} {'hit' if self.hits == 1 else 'hits'} as fatigue"


_ASKED = {
    Deed.CHOOSE: ("11.6.2", "Take the first numerical hit as a step loss or as a retreat", Choose),
    Deed.FIRST_LOSS: ("11.6.2a", "Choose who takes the step loss", Lose),
    Deed.ONE_LOSS: ("11.6.2a", "Choose who takes the step loss", Lose),
    Deed.LOSSES: ("11.6.2a", "Choose who takes the step loss", Lose),
    Deed.CAPPED_LOSSES: ("11.6.2", "Choose who takes the step loss", Lose),
    Deed.BESIDE_ENEMY: ("11.6.3d", "Choose who takes the step loss beside the enemy", Lose),
    Deed.RETREAT: ("11.6.3a", "Choose where to retreat", GoBack),
    Deed.MAY_TIRE: ("11.6.2a", "Choose the hits that become fatigue", Convert),
}


class StruckHandler(Handler[Struck]):
    """11.6.2: the deeds of a plan one after another; the owner is asked where he has a choice."""

    frame, answers = Struck, (Choose, Lose, GoBack, Convert)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._doing: Mapping[Deed, Callable[[Play, Struck], bool]] = {
            Deed.CHECK: self._check,
            Deed.SHAKEN: self._shaken,
            Deed.HALVE: self._halve,
            Deed.MUST_TIRE: self._must_tire,
        }

    def question(self, state: State, frame: Struck) -> Asking:  # noqa: ARG002
        """Asked of the owner."""
        number, title, _ = _ASKED[frame.plan[0]]
        return Asking(number, title, (frame.owner,))

    def is_answer(self, frame: Struck, action: Action) -> bool:
        """What the deed at hand asks for."""
        return isinstance(action, _ASKED[frame.plan[0]][2])

    def conceal(self, frame: Struck, seat: Seat | None) -> Struck:
        """Who was struck is the owner's to know (8.4.3)."""
        return frame if seat == frame.owner or not (frame.units or frame.lost) else replace(frame, units=(), lost=())

    # --- answers ---

    def _units(self, state: State, frame: Struck) -> tuple[Unit, ...]:
        """Those who were struck and are still on the map."""
        found = (state.units[one] for one in frame.units if one in state.units)
        return tuple(unit for unit in found if unit.hex is not None)

    def _ways(self, state: State, frame: Struck) -> tuple[Action, ...]:
        """The answers to the deed at hand, the plain one first."""
        units, deed = self._units(state, frame), frame.plan[0]
        if deed is Deed.CHOOSE:
            return self._choices(state, frame, units)
        if deed is Deed.RETREAT:
            refuges = Refuges(self.context, state, units, frame.hex, was_designated=frame.was_designated)
            shelter = (GoBack(),) if refuges.has_works else ()
            return (*(GoBack(hex) for hex in refuges.hexes), *shelter)
        if deed is Deed.MAY_TIRE:
            most = most_convertible(self.context, units, frame.hits)
            return tuple(Convert(hits) for hits in range(most, -1, -1))
        return self._losers(state, frame, units)

    @rule("11.6.2", "11.6.2b")
    def _choices(self, state: State, frame: Struck, units: Sequence[Unit]) -> tuple[Action, ...]:
        """A step loss; a retreat, if there is somewhere to go (11.6.2b)."""
        refuges = Refuges(self.context, state, units, frame.hex, was_designated=frame.was_designated)
        if not refuges or refuges.has_stayers:
            return (Choose(as_retreat=False),)
        stays = frame.hits < _MANY_HITS or self._is_dug_in(state, units)
        return tuple(Choose(as_retreat=one) for one in ((False, True) if stays else (True, False)))

    def _is_dug_in(self, state: State, units: Sequence[Unit]) -> bool:
        return all(has_strong_works(works_of(self.context, state, unit)) for unit in units)

    @rule("11.6.2a", "11.6.3d")
    def _losers(self, state: State, frame: Struck, units: Sequence[Unit]) -> tuple[Action, ...]:
        """Who may lose a step; an ET-3 may go for the first hit on those who do not attack (11.6.2a)."""
        if frame.plan[0] is Deed.BESIDE_ENEMY:
            gone = [unit for unit in units if unit.hex != frame.hex]
            return tuple(Lose(unit.id) for unit in gone if not is_z_step(self.context, unit))
        struck = [state.units[one] for one in frame.units]
        is_capped = frame.plan[0] is Deed.CAPPED_LOSSES
        able = may_lose(self.context, units, frame.lost, capped=struck if is_capped else None)
        losers = tuple(Lose(unit.id) for unit in able)
        work = state.work_at(frame.hex)
        is_spared = frame.plan[0] is Deed.FIRST_LOSS and not frame.was_designated and work is not None
        if is_spared and work is not None and work.kind is Work.ET3 and all(unit.in_works for unit in units):
            return (*losers, Lose())
        return losers

    def options(self, state: State, frame: Struck, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """The answers."""
        return Pick(lambda: self._branches(state, frame))

    def _branches(self, state: State, frame: Struck) -> Iterator[Branch[Action]]:
        for way in self._ways(state, frame):
            if isinstance(way, Lose):
                label = way.phrase(self.context)
                yield Branch(way.unit or "works", "unit" if way.unit else "order", label, Leaf(way), way.unit)
            elif isinstance(way, GoBack) and way.hex is not None:
                label = self.context.label(way.hex)
                yield Branch(label, "hex", label, Leaf(way), label, is_hex=True)
            else:
                words = way.phrase(self.context)
                yield Branch(words, "order", words[0].upper() + words[1:], Leaf(way))

    def refusal(self, state: State, frame: Struck, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """One of the answers."""
        ways = self._ways(state, frame)
        if action in ways:
            return None
        number, title, _ = _ASKED[frame.plan[0]]
        remedy = "; ".join(way.phrase(self.context) for way in ways)
        return Refusal(number, f"that is not open here: {title.lower()}", remedy)

    def apply(self, play: Play, frame: Struck, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Do the deed at hand in the way that was chosen."""
        if isinstance(action, Choose):
            self._go_on(play, frame, (_RETREAT_FIRST if action.as_retreat else _LOSS_FIRST))
        elif isinstance(action, Lose):
            self._lose(play, frame, action)
        elif isinstance(action, GoBack):
            self._go_back(play, frame, action.hex)
        elif isinstance(action, Convert):
            self._tire(play, frame, action.hits)

    # --- what happens by itself ---

    def _go_on(self, play: Play, frame: Struck, plan: tuple[Deed, ...]) -> bool:
        play.emit(Changed(replace(frame, plan=plan)))
        return True

    @rule("11.6.2", "17.4.1f")
    def advance(self, play: Play, frame: Struck) -> bool:
        """The next deed: by itself where there is no choice, and not at all where there is nothing to do."""
        units = self._units(play.state, frame)
        if not units or not frame.plan:
            play.emit(Closed())
            abandon(play, frame.hex, frame.owner)
            return True
        deed, rest = frame.plan[0], frame.plan[1:]
        doing = self._doing.get(deed)
        if doing is not None:
            return doing(play, frame)
        if frame.hits == 0 and deed not in (Deed.RETREAT, Deed.BESIDE_ENEMY):
            return self._go_on(play, frame, rest)
        is_loss = _ASKED[deed][2] is Lose
        if is_loss and all(is_z_step(self.context, unit) for unit in units):
            return self._perish(play, frame, units)
        ways = self._ways(play.state, frame)
        if not ways:
            return self._go_on(play, frame, rest)
        if len(ways) > 1:
            return False
        self.apply(play, frame, frame.owner, ways[0])
        return True

    @rule("4.1.3")
    def _perish(self, play: Play, frame: Struck, units: Sequence[Unit]) -> bool:
        """Z-steps alone are gone if any loss is asked of them (4.1.3)."""
        eliminate(play, [unit.id for unit in units])
        return self._go_on(play, replace(frame, hits=0), ())

    def _lose(self, play: Play, frame: Struck, action: Lose) -> None:
        deed, rest = frame.plan[0], frame.plan[1:]
        if not action.unit:
            play.emit(WorksGone(frame.hex))
            self._go_on(play, replace(frame, hits=frame.hits - 1, gave_up_works=True), rest)
            return
        lose_step(play, self.context, action.unit)
        if deed is Deed.BESIDE_ENEMY:
            self._go_on(play, frame, rest)
            return
        hits = frame.hits - 1
        goes_on = deed in (Deed.LOSSES, Deed.CAPPED_LOSSES) and hits
        taken = replace(frame, hits=hits, lost=(*frame.lost, action.unit))
        self._go_on(play, taken, frame.plan if goes_on else rest)

    @rule("11.6.2a", "17.4.1a", "4.4.1", "6.2.0")
    def _check(self, play: Play, frame: Struck) -> bool:
        """With hits left the stack checks by its lowest defensive PR; strong works spare it the check (11.6.2a).

        Companies that ride with a larger unit have its PR (6.2.0).
        """
        if frame.hits == 0:
            return self._go_on(play, frame, ())
        units = self._units(play.state, frame)
        if not frame.gave_up_works and self._is_dug_in(play.state, units):
            return self._go_on(play, frame, _HELD)
        rating = min(self.context.card(unit).defensive for unit in with_own_rating(self.context, units))
        roll = roll_d10(play, "proficiency check", lambda face: face < rating)
        play.emit(ProficiencyChecked(frame.hex, rating, roll))
        return self._go_on(play, frame, _HELD if roll < rating else _BROKE)

    @rule("5.2.5", "11.6.2a", "11.6.2b", "11.6.1")
    def _shaken(self, play: Play, frame: Struck) -> bool:
        """Attack designations go, and all suffer an AS (11.6.2a, 11.6.2b)."""
        units = self._units(play.state, frame)
        attackers = tuple(unit.id for unit in units if unit.is_attacking)
        stand_down(play, self.context, frame.owner, attackers)
        shake(play, self.context, frame.units, 1)
        return self._go_on(play, frame, frame.plan[1:])

    def _go_back(self, play: Play, frame: Struck, hex: Hex | None) -> None:
        units = self._units(play.state, frame)
        if hex is None:
            take_shelter(play, frame.owner, units)
            self._go_on(play, frame, frame.plan[1:])
            return
        outcome = fall_back(play, self.context, units, frame.hex, hex)
        beside = (Deed.BESIDE_ENEMY,) if outcome.is_beside_enemy else ()
        self._go_on(play, replace(frame, hits=max(0, frame.hits - outcome.guns_lost)), (*beside, *frame.plan[1:]))

    @rule("11.6.2b")
    def _halve(self, play: Play, frame: Struck) -> bool:
        """The retreat takes one hit, and half of the others are left, rounded up (11.6.2b)."""
        return self._go_on(play, replace(frame, hits=max(0, frame.hits) // 2), frame.plan[1:])

    @rule("11.6.2b")
    def _must_tire(self, play: Play, frame: Struck) -> bool:
        """What Max step loss leaves becomes fatigue, two at most, and the rest is ignored (11.6.2b)."""
        self._tire(play, frame, most_convertible(self.context, self._units(play.state, frame), frame.hits))
        return True

    @rule("11.6.2a", "14.1.0")
    def _tire(self, play: Play, frame: Struck, hits: int) -> None:
        """Each such hit tires all who were struck (14.1.0)."""
        tire(play, self.context, [unit.id for unit in self._units(play.state, frame)], hits)
        self._go_on(play, replace(frame, hits=frame.hits - hits), frame.plan[1:])
