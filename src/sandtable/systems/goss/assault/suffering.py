"""13.10 Step 8: a side applies its result: check, mandatory hits, then discretionary ones by the stance it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.frames import Changed, Closed, Opened
from sandtable.geo.hex import Hex
from sandtable.systems.goss.assault.eligibility import REFUGE, RETREATED
from sandtable.systems.goss.assault.frames import (
    Discretion,
    Losses,
    Reducing,
    Retreat,
    RetreatPath,
    Settling,
    Stance,
    Suffering,
    SufferStage,
    assault_of,
)
from sandtable.systems.goss.assault.hits import (
    can_shelter,
    can_tire,
    fighters,
    is_z,
    lagging,
    lowest_rated,
    must_lose,
    old_z_steps,
    participants,
    strong_works,
)
from sandtable.systems.goss.assault.paths import open_hexes
from sandtable.systems.goss.assault.position import rating, works_for
from sandtable.systems.goss.assault.steps import change_assault
from sandtable.systems.goss.assault.taking import (
    CONVERT,
    ET3,
    DiscretionHandler,
    LossesHandler,
    ReducingHandler,
    SettlingHandler,
    ways_to_settle,
)
from sandtable.systems.goss.common.as_one import stacks_of, units_as_one
from sandtable.systems.goss.common.checks import CHECKED, check
from sandtable.systems.goss.common.facts import Used
from sandtable.systems.goss.common.handler import Handler, Play
from sandtable.systems.goss.common.harm import eliminate, living, tire
from sandtable.systems.goss.common.retreat import may_retreat
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.pieces.unit import Unit

__all__ = ["SufferingHandler"]


class SufferingHandler(Handler[Suffering]):
    """13.10.0 One stage after the other."""

    frame = Suffering
    folds = CHECKED

    def advance(self, play: Play, frame: Suffering) -> bool:
        """The next stage."""
        stages = {
            SufferStage.CHECK: self._check,
            SufferStage.REDUCE: self._reduce,
            SufferStage.CONVERT: self._convert,
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
        as_one = tuple(units_as_one(self.context, [unit for unit in units if not is_z(self.context, unit)]))
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
        self._go(play, frame, SufferStage.CONVERT)
        if frame.losses:
            ReducingHandler.ask(self.context, play, Reducing(frame.player, ET3))

    def _convert(self, play: Play, frame: Suffering) -> None:
        self._go(play, frame, SufferStage.LOSSES)
        if frame.losses:
            ReducingHandler.ask(self.context, play, Reducing(frame.player, CONVERT))

    @rule("13.10.3", "4.1.3")
    def _losses(self, play: Play, frame: Suffering) -> None:
        """Mandatory hits one by one; what nobody can take becomes discretionary (13.10.3)."""
        units = self._units(play.state, frame)
        if not frame.losses:
            self._go(play, frame, SufferStage.CHOOSE)
        elif units and all(is_z(self.context, unit) for unit in units) and not frame.lost:
            eliminate(play, [unit.id for unit in units])
            self._go(play, frame, SufferStage.CHOOSE)
        elif must_lose(self.context, play.state, frame):
            LossesHandler.ask(self.context, play, Losses(frame.player))
        else:
            more = 0 if self._was_in_fort(play.state, frame) else frame.losses
            self._go(play, frame, SufferStage.CHOOSE, losses=0, hits=frame.hits + more)

    def _was_in_fort(self, state: State, frame: Suffering) -> bool:
        """Whether a defending side is in a Fort, or was before that took its last step (13.10.3)."""
        has_fallen = any(self.context.card(state.units[one]).is_fort for one in frame.lost)
        return has_fallen or strong_works(self.context, state, frame) == Work.FORT

    @rule("13.10.4")
    def _choose(self, play: Play, frame: Suffering) -> None:
        """Each hex that the attacker retreated spares the defender a hit; without hits or units there is no choice.

        Hits that a failed check added, and mandatory ones that nobody could take, are among those that are spared.
        """
        assault, units = assault_of(play.state), self._units(play.state, frame)
        # The attacker comes first: while he applies his own result nobody has retreated yet.
        hits = max(frame.hits - assault.retreated, 0)
        in_fort = strong_works(self.context, play.state, frame) == Work.FORT
        if not hits or not units or in_fort:
            self._go(play, frame, SufferStage.END, hits=hits)
            return
        self._go(play, frame, SufferStage.HOLD, hits=hits)
        DiscretionHandler.ask(self.context, play, Discretion(frame.player))

    @rule("13.10.4a", "13.10.4b", "13.10.4c", "17.4.1a")
    def _hold(self, play: Play, frame: Suffering) -> None:
        """The check of the lowest PR; works pass it by themselves (13.10.4a)."""
        units = self._units(play.state, frame)
        waiting = tuple(stacks_of(units))
        passed = False
        if frame.stance is not Stance.FULL:
            works = strong_works(self.context, play.state, frame)
            passed = works not in ("", Work.IP) or self._holds(play, frame, units)
        if passed and frame.stance is Stance.HOLD:
            self._go(play, frame, SufferStage.SETTLE, is_passed=True)
        else:
            self._go(play, frame, SufferStage.RETREAT, is_passed=passed, waiting=waiting)

    def _holds(self, play: Play, frame: Suffering, units: Sequence[Unit]) -> bool:
        """By the lowest PR of those who took part, while there are any (13.10.4a)."""
        assault = assault_of(play.state)
        is_attacker = frame.player == assault.player
        rated = fighters(play.state, assault, frame.player) or units
        lowest = lowest_rated(self.context, rated, is_attacker=is_attacker)
        needed = rating(self.context, lowest, is_attacker=is_attacker)
        return check(play, self.context, lowest, needed, f"{frame.stance}")

    @rule("13.11.4", "13.10.4")
    def _retreat(self, play: Play, frame: Suffering) -> None:
        """One stack after the other; guns that cannot go, or have nowhere to go, are lost, and their steps count."""
        if not frame.waiting or frame.hits <= 0:
            self._go(play, frame, SufferStage.SETTLE)
            return
        hex, rest = frame.waiting[0], frame.waiting[1:]
        stack = [unit for unit in self._units(play.state, frame) if unit.hex == hex]
        hits = frame.hits
        for unit in stack:
            if self._is_stuck(play.state, unit, hex):
                eliminate(play, (unit.id,))
                hits = max(hits - unit.steps, 0)
        going = tuple(unit.id for unit in living(play.state, [unit.id for unit in stack]))
        changed = replace(frame, waiting=rest, hits=hits)
        play.emit(Changed(changed))
        if not going or not hits:
            return
        is_attacker = frame.player == assault_of(play.state).player
        is_limited = frame.stance is Stance.LIMITED and frame.is_passed
        shelter = is_attacker and can_shelter(self.context, play.state, stack) and (is_limited or hits == 1)
        play.emit(
            Opened(
                Retreat(
                    frame.player,
                    going,
                    RetreatPath(hex),
                    hits,
                    is_attacker=is_attacker,
                    may_stop=is_limited,
                    may_shelter=shelter,
                )
            )
        )

    @rule("13.11.4")
    def _is_stuck(self, state: State, unit: Unit, hex: Hex) -> bool:
        """Whether a unit that must retreat is lost: artillery that cannot, or has no hex to go to (13.11.4).

        Static AT and Flak are none: they stay and take the hits (13.10.4a; ruling B-108).
        """
        card = self.context.card(unit)
        if not card.is_artillery:
            return False
        return not may_retreat(card, unit) or not open_hexes(self.context, state, [unit], RetreatPath(hex))

    @rule("4.1.3", "13.10.4", "13.10.4a", "13.10.4c")
    def _settle(self, play: Play, frame: Suffering) -> None:
        """What is left, hit by hit; Z-steps of whom a step is asked, and who are alone, perish (4.1.3).

        After a failed check: steps up to Max step loss, two fatigue hits, then steps again.
        """
        affected = lagging(play.state, frame)
        alone = bool(affected) and all(is_z(self.context, unit) for unit in affected)
        doomed = old_z_steps(self.context, affected, frame) if alone else []
        if not affected:
            self._go(play, frame, SufferStage.END)
        elif doomed and not frame.is_passed:
            self._perish(play, frame, doomed)
        elif ways_to_settle(self.context, play.state, frame):
            SettlingHandler.ask(self.context, play, Settling(frame.player))
        elif not frame.is_passed and can_tire(frame, affected):
            tire(play, self.context, [unit.id for unit in affected])
            self._go(play, frame, frame.stage, settled=frame.settled + 1, fatigue=frame.fatigue + 1)
        else:
            self._perish(play, frame, doomed)

    def _perish(self, play: Play, frame: Suffering, doomed: Sequence[Unit]) -> None:
        eliminate(play, [unit.id for unit in doomed])
        self._go(play, frame, SufferStage.END)

    @rule("4.1.3", "13.12.3")
    def _end(self, play: Play, frame: Suffering) -> None:
        """Z-steps of a hex in which nobody larger is left go too; the assault goes on (4.1.3)."""
        for hex, stack in stacks_of(self._units(play.state, frame)).items():
            if frame.lost and all(is_z(self.context, unit) for unit in play.state.on(hex)):
                eliminate(play, [unit.id for unit in old_z_steps(self.context, stack, frame)])
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
