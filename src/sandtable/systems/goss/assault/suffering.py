"""13.10 Step 8: a side applies its result: check, mandatory hits, then discretionary ones by the stance it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.frames import Changed, Closed, Opened
from sandtable.systems.goss.assault.eligibility import REFUGE, RETREATED
from sandtable.systems.goss.assault.frames import (
    Assault,
    Discretion,
    Losses,
    Reducing,
    Retreat,
    Settling,
    Stance,
    Suffering,
    SufferStage,
    Way,
    assault_of,
)
from sandtable.systems.goss.assault.paths import longest
from sandtable.systems.goss.assault.position import rating, stacks_of, units_as_one, works_for
from sandtable.systems.goss.assault.steps import StepHandler, change_assault
from sandtable.systems.goss.common.checks import CHECKED, check
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import cover_at, has_shelter
from sandtable.systems.goss.common.facts import UnitEliminated, Used, WorksGone
from sandtable.systems.goss.common.handler import Action, Handler, Play
from sandtable.systems.goss.common.harm import MOST_FATIGUE, living, lose_step, tire
from sandtable.systems.goss.common.retreat import may_retreat
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.ground.cover import Cover, Work
from sandtable.systems.goss.pieces.card import Kind, Size, Trait
from sandtable.systems.goss.pieces.steps import size_of
from sandtable.systems.goss.pieces.unit import Unit, UnitId

__all__ = [
    "Decide",
    "DiscretionHandler",
    "LoseStep",
    "LossesHandler",
    "Reduce",
    "ReducingHandler",
    "SettlingHandler",
    "SufferingHandler",
    "TakeHit",
]

_ET3, _CONVERT = "ET-3", "convert"


class Reduce(Action, frozen=True):
    """Give ET-3 up for a mandatory hit, or take one as discretionary; ``""``: neither."""

    how: str = ""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        told = {_ET3: "give ET-3 up for a hit", _CONVERT: "convert a mandatory hit"}
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


# --- who can take what ------------------------------------------------------------------------------------------


def suffering_of(state: State) -> Suffering:
    """The side that applies its result now."""
    return next(frame for frame in reversed(state.stack) if isinstance(frame, Suffering))


def participants(state: State, assault: Assault, seat: Seat) -> list[Unit]:
    """All whom the result of a side affects, those included who only shared the hex (13.5.5)."""
    ids = assault.attackers if seat == assault.player else (*assault.defenders, *assault.aside)
    return living(state, ids)


def _is_z(context: Context, unit: Unit) -> bool:
    return size_of(context.card(unit), unit.steps) is Size.Z_STEP


@rule("4.2.1", "4.2.1a", "13.10.3")
def can_lose(context: Context, units: Sequence[Unit], frame: Suffering, *, is_limited: bool) -> list[UnitId]:
    """Who may lose the next step: the least hit so far, HQs and artillery after all others (13.10.3).

    ``is_limited``: Max step loss, one for each unit and those who stack for free with it, the eliminated ones among
    them too (4.2.1a, 6.2.0).
    """
    larger = [unit for unit in units if not _is_z(context, unit)]
    hits = Counter(frame.lost)
    if is_limited:
        free = {one for group in frame.as_one if not any(hits[member] for member in group) for one in group}
        larger = [unit for unit in larger if unit.id in free]
    else:
        least = min((hits[unit.id] for unit in larger), default=0)
        larger = [unit for unit in larger if hits[unit.id] == least]
    first = [unit for unit in larger if not _is_rear(context, unit)]
    return [unit.id for unit in first or larger]


def _is_rear(context: Context, unit: Unit) -> bool:
    card = context.card(unit)
    return card.is_headquarters or card.is_artillery


def _strong_works(context: Context, state: State, frame: Suffering) -> str:
    """The works that a defending side is in; ``""`` for attackers and after ET-3 was given up."""
    assault = assault_of(state)
    if frame.player == assault.player or frame.is_left:
        return ""
    works = works_for(context, state, living(state, assault.defenders))
    return works.kind if works is not None else ""


def _can_retreat(context: Context, state: State, units: Sequence[Unit]) -> bool:
    """Whether all stacks have a way of one hex at least."""
    movable = [unit for unit in units if may_retreat(context.card(unit), unit)]
    return len(movable) == len(units) and all(
        longest(context, state, stack, Way(hex), 1) for hex, stack in stacks_of(units).items()
    )


def _can_shelter(context: Context, state: State, stack: Sequence[Unit]) -> bool:
    """Whether works of its own lie in the hex of a stack."""
    first = stack[0]
    return first.hex is not None and has_shelter(context, state, first.hex, first.side)


# --- the machine ------------------------------------------------------------------------------------------------


class SufferingHandler(Handler[Suffering]):
    """13.10.0 One stage after the other."""

    frame = Suffering
    folds = CHECKED

    def advance(self, play: Play, frame: Suffering) -> bool:
        """The next stage."""
        stages = {
            SufferStage.CHECK: self._check,
            SufferStage.REDUCE: self._reduce,
            SufferStage.LOSSES: self._losses,
            SufferStage.CHOOSE: self._choose,
            SufferStage.HOLD: self._hold,
            SufferStage.RETREAT: self._retreat,
            SufferStage.SETTLE: self._settle,
            SufferStage.END: self._end,
        }
        stages[frame.stage](play, frame)
        return True

    def _units(self, state: State, frame: Suffering) -> list[Unit]:
        return participants(state, assault_of(state), frame.player)

    def _go(self, play: Play, frame: Suffering, stage: SufferStage, **changes: Any) -> None:
        play.emit(Changed(replace(frame, stage=stage, **changes)))

    @rule("13.10.1")
    def _check(self, play: Play, frame: Suffering) -> None:
        """The lead unit's check: failed, one discretionary hit more (13.10.1).

        In a Fort it is passed, and all discretionary hits are ignored (13.10.3, 13.10.4).
        """
        assault = assault_of(play.state)
        hits, units = frame.hits, self._units(play.state, frame)
        as_one = tuple(units_as_one(self.context, [unit for unit in units if not _is_z(self.context, unit)]))
        lead = dict(assault.leads).get(frame.player)
        is_attacker = frame.player == assault.player
        works = None if is_attacker else works_for(self.context, play.state, living(play.state, assault.defenders))
        if frame.check and lead and (works is None or works.kind != Work.FORT):
            unit = play.state.units[lead]
            needed = rating(self.context, unit, is_attacker=is_attacker)
            if works is not None:
                needed = works.rated(needed)
            hits += not check(play, self.context, unit, needed, "mandatory check")
        if works is not None and works.kind == Work.FORT:
            hits = 0
        self._go(play, frame, SufferStage.REDUCE, hits=hits, as_one=as_one)

    def _reduce(self, play: Play, frame: Suffering) -> None:
        self._go(play, frame, SufferStage.LOSSES)
        if frame.losses:
            ReducingHandler.ask(self.context, play, Reducing(frame.player))

    @rule("13.10.3", "4.1.3")
    def _losses(self, play: Play, frame: Suffering) -> None:
        """Mandatory hits one by one; what nobody can take becomes discretionary (13.10.3)."""
        units = self._units(play.state, frame)
        if not frame.losses:
            self._go(play, frame, SufferStage.CHOOSE)
        elif units and all(_is_z(self.context, unit) for unit in units) and not frame.lost:
            for unit in units:
                play.emit(UnitEliminated(unit.id))
            self._go(play, frame, SufferStage.CHOOSE)
        elif self._must_lose(play.state, frame):
            LossesHandler.ask(self.context, play, Losses(frame.player))
        else:
            more = 0 if self._was_in_fort(play.state, frame) else frame.losses
            self._go(play, frame, SufferStage.CHOOSE, losses=0, hits=frame.hits + more)

    def _was_in_fort(self, state: State, frame: Suffering) -> bool:
        """Whether a defending side is in a Fort, or was before that took its last step (13.10.3)."""
        has_fallen = any(self.context.card(state.units[one]).is_fort for one in frame.lost)
        return has_fallen or _strong_works(self.context, state, frame) == Work.FORT

    def _must_lose(self, state: State, frame: Suffering) -> list[UnitId]:
        return must_lose(self.context, state, frame)

    @rule("13.10.4")
    def _choose(self, play: Play, frame: Suffering) -> None:
        """Nothing to do without hits, without units, or in a Fort (13.10.4)."""
        units = self._units(play.state, frame)
        in_fort = _strong_works(self.context, play.state, frame) == Work.FORT
        if frame.hits <= 0 or not units or in_fort:
            self._go(play, frame, SufferStage.END)
            return
        self._go(play, frame, SufferStage.HOLD)
        DiscretionHandler.ask(self.context, play, Discretion(frame.player))

    @rule("13.10.4a", "13.10.4b", "13.10.4c", "17.4.1a")
    def _hold(self, play: Play, frame: Suffering) -> None:
        """The check of the lowest PR; works pass it by themselves (13.10.4a)."""
        units = self._units(play.state, frame)
        waiting = tuple(stacks_of(units))
        passed = False
        if frame.stance is not Stance.FULL:
            works = _strong_works(self.context, play.state, frame)
            passed = works not in ("", Work.IP) or self._holds(play, frame, units)
        if passed and frame.stance is Stance.HOLD:
            self._go(play, frame, SufferStage.SETTLE, is_passed=True)
        else:
            self._go(play, frame, SufferStage.RETREAT, is_passed=passed, waiting=waiting)

    def _holds(self, play: Play, frame: Suffering, units: Sequence[Unit]) -> bool:
        is_attacker = frame.player == assault_of(play.state).player
        hosts = {group[0] for group in units_as_one(self.context, units)}
        counted = [unit for unit in units if unit.id in hosts]
        lowest = min(counted, key=lambda unit: (rating(self.context, unit, is_attacker=is_attacker), unit.id))
        needed = rating(self.context, lowest, is_attacker=is_attacker)
        return check(play, self.context, lowest, needed, f"{frame.stance}")

    @rule("13.11.4", "13.10.4")
    def _retreat(self, play: Play, frame: Suffering) -> None:
        """One stack after the other; guns that cannot go are lost, and their steps count (13.11.4)."""
        if not frame.waiting or frame.hits <= 0:
            self._go(play, frame, SufferStage.SETTLE)
            return
        hex, rest = frame.waiting[0], frame.waiting[1:]
        stack = [unit for unit in self._units(play.state, frame) if unit.hex == hex]
        hits = frame.hits
        for unit in stack:
            if not may_retreat(self.context.card(unit), unit):
                play.emit(UnitEliminated(unit.id))
                hits = max(hits - max(unit.steps, 1), 0)
        going = tuple(unit.id for unit in living(play.state, [unit.id for unit in stack]))
        changed = replace(frame, waiting=rest, hits=hits)
        play.emit(Changed(changed))
        if not going or not hits:
            return
        is_attacker = frame.player == assault_of(play.state).player
        is_limited = frame.stance is Stance.LIMITED and frame.is_passed
        shelter = is_attacker and _can_shelter(self.context, play.state, stack) and (is_limited or hits == 1)
        play.emit(
            Opened(
                Retreat(
                    frame.player,
                    going,
                    Way(hex),
                    hits,
                    is_attacker=is_attacker,
                    may_stop=is_limited,
                    may_shelter=shelter,
                )
            )
        )

    def _settle(self, play: Play, frame: Suffering) -> None:
        """What is left, hit by hit."""
        affected = lagging(play.state, frame)
        if not affected:
            self._go(play, frame, SufferStage.END)
        elif frame.is_passed:
            if hits_free(self.context, play.state, frame):
                SettlingHandler.ask(self.context, play, Settling(frame.player))
            else:
                self._go(play, frame, SufferStage.END)
        else:
            self._settle_forced(play, frame, affected)

    @rule("13.10.4a", "13.10.4c")
    def _settle_forced(self, play: Play, frame: Suffering, affected: Sequence[Unit]) -> None:
        """Steps up to Max step loss, two fatigue hits, then steps again; after a full retreat no more (13.10.4c)."""
        everybody = self._units(play.state, frame)
        is_split = len(affected) < len(everybody) and frame.stance is not Stance.FULL
        if not is_split and can_lose(self.context, affected, frame, is_limited=True):
            SettlingHandler.ask(self.context, play, Settling(frame.player))
        elif frame.fatigue < MOST_FATIGUE and any(unit.fatigue < MOST_FATIGUE for unit in affected):
            tire(play, self.context, [unit.id for unit in affected])
            self._go(play, frame, frame.stage, settled=frame.settled + 1, fatigue=frame.fatigue + 1)
        elif frame.stance is Stance.FULL and frame.gone:
            self._go(play, frame, SufferStage.END)
        elif can_lose(self.context, affected, frame, is_limited=False):
            SettlingHandler.ask(self.context, play, Settling(frame.player))
        else:
            self._go(play, frame, SufferStage.END)

    @rule("4.1.3", "13.12.3")
    def _end(self, play: Play, frame: Suffering) -> None:
        """Z-steps that are left alone go too; the assault goes on (4.1.3)."""
        for stack in stacks_of(self._units(play.state, frame)).values():
            fresh = [unit for unit in stack if unit.id in frame.lost]
            if frame.lost and all(_is_z(self.context, unit) for unit in stack):
                for unit in stack:
                    if unit not in fresh:
                        play.emit(UnitEliminated(unit.id))
        self._note_retreat(play, frame)
        play.emit(Closed())
        if frame.player == assault_of(play.state).player:
            change_assault(play, retreated=frame.gone)
        else:
            left = max(frame.hits - frame.gone - frame.settled, 0) + frame.losses
            change_assault(play, path=frame.path, unresolved=left)

    @rule("13.3.1", "13.5.5", "13.11.2")
    def _note_retreat(self, play: Play, frame: Suffering) -> None:
        """Who retreated is not attacked again where he is alone, and fights no more where he is not (13.5.5)."""
        gone = [one for one, hexes in frame.retreated if hexes]
        for unit in living(play.state, gone):
            play.emit(Used(Use(RETREATED, by=unit.id)))
        for hex in stacks_of(living(play.state, gone)):
            if all(play.state.has_used(RETREATED, by=unit.id) for unit in play.state.on(hex)):
                play.emit(Used(Use(REFUGE, hex=hex)))


@rule("13.10.3", "17.6.0")
def must_lose(context: Context, state: State, frame: Suffering) -> list[UnitId]:
    """Who may take the next mandatory hit: lead PR unit, lead gun, engineers who counted, then anybody (13.10.3).

    When all have met Max step loss, the Fort that they are in, as often as it must.
    """
    assault = assault_of(state)
    is_limited = not (assault.is_below and frame.player == assault.player)
    units = participants(state, assault, frame.player)
    able = can_lose(context, [one for one in units if not context.card(one).is_fort], frame, is_limited=is_limited)
    if not able:
        return [unit.id for unit in units if context.card(unit).is_fort]
    first = (dict(assault.leads).get(frame.player), dict(assault.armour).get(frame.player))
    for one in first:
        if one is not None and one in able and one not in frame.lost:
            return [one]
    engineers = [one for one in able if one in assault.engineers]
    if engineers and not any(one in assault.engineers for one in frame.lost):
        return engineers
    return able


def lagging(state: State, frame: Suffering) -> list[Unit]:
    """Those who have not made up for all hits by the hexes that they retreated (13.10.4a)."""
    gone = dict(frame.retreated)
    units = participants(state, assault_of(state), frame.player)
    return [unit for unit in units if frame.hits - gone.get(unit.id, 0) > frame.settled]


def hits_free(context: Context, state: State, frame: Suffering) -> list[TakeHit]:
    """How a hit may be taken after a check that was passed: fatigue, a step, two Z-steps (13.10.4a)."""
    affected = lagging(state, frame)
    ways = []
    if frame.fatigue < MOST_FATIGUE and any(unit.fatigue < MOST_FATIGUE for unit in affected):
        ways.append(TakeHit())
    ways += [TakeHit(one) for one in can_lose(context, affected, frame, is_limited=False)]
    if len([unit for unit in affected if _is_z(context, unit) and unit.id not in frame.lost]) > 1:
        ways.append(TakeHit(by_z_steps=True))
    return ways


# --- its questions ----------------------------------------------------------------------------------------------


class ReducingHandler(StepHandler[Reducing]):
    """13.10.2 ET-3 may be given up for a hit; recon and commandos may convert one."""

    frame, answers = Reducing, (Reduce,)
    number, title = "13.10.2", "Reduce or convert a mandatory hit"

    @rule("13.10.2")
    def options(self, state: State, frame: Reducing, seat: Seat) -> Node[Action]:
        """Neither, or what is open; only with a way to retreat (13.10.2)."""
        ways = [Reduce()]
        assault, suffering = assault_of(state), suffering_of(state)
        units = participants(state, assault, frame.player)
        if units and _can_retreat(self.context, state, units):
            if seat != assault.player and _strong_works(self.context, state, suffering) == Work.ET3:
                ways.insert(0, Reduce(_ET3))
            if self._may_convert(state, assault, seat, units):
                ways.append(Reduce(_CONVERT))
        return Pick(
            lambda: (
                Branch(way.how or "no", "choice", way.phrase(self.context).capitalize(), Leaf(way)) for way in ways
            )
        )

    def _may_convert(self, state: State, assault: Assault, seat: Seat, units: Sequence[Unit]) -> bool:
        """Recon and commandos alone, unless armour catches them in the open without guns (13.10.2)."""
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
        return not (in_open and is_hunted and seat not in assault.has_armour)

    def take(self, play: Play, frame: Reducing, action: Reduce) -> None:  # noqa: ARG002
        """One hit less; converted, it is discretionary."""
        suffering = suffering_of(play.state)
        if action.how == _ET3:
            play.emit(Changed(replace(suffering, losses=suffering.losses - 1, is_left=True)))
            play.emit(WorksGone(assault_of(play.state).target))
        elif action.how == _CONVERT:
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
            if _is_z(self.context, unit) and unit.id not in (*suffering.lost, action.unit):
                play.emit(UnitEliminated(unit.id))
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
            _can_shelter(self.context, state, stack) for stack in stacks_of(units).values()
        )
        if shelters or _can_retreat(self.context, state, units):
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

    def _ways(self, state: State) -> list[TakeHit]:
        suffering = suffering_of(state)
        if suffering.is_passed:
            return hits_free(self.context, state, suffering)
        affected = lagging(state, suffering)
        able = can_lose(self.context, affected, suffering, is_limited=True)
        everybody = participants(state, assault_of(state), suffering.player)
        is_split = len(affected) < len(everybody) and suffering.stance is not Stance.FULL
        if is_split or not able:
            able = can_lose(self.context, affected, suffering, is_limited=False)
        return [TakeHit(one) for one in able]

    def _branches(self, state: State) -> Iterator[Branch[Action]]:
        for way in self._ways(state):
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
            gone = [unit for unit in affected if _is_z(self.context, unit) and unit.id not in suffering.lost][:2]
            for unit in gone:
                play.emit(UnitEliminated(unit.id))
        else:
            tire(play, self.context, [unit.id for unit in affected])
