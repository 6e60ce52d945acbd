"""13.2, 13.9 An assault from its first step to its last: the questions in their order, the dice, the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Seat
from sandtable.core.frames import Changed, Closed, Opened, unchanged
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.goss.assault.advancing import may_advance
from sandtable.systems.goss.assault.declaring import AttackersHandler, LineHandler, defenders_of
from sandtable.systems.goss.assault.frames import (
    Advancing,
    Assault,
    Attackers,
    Demolishing,
    Leads,
    Line,
    Reserves,
    Sparing,
    Stage,
    StandOff,
    Stranded,
    Suffering,
    assault_of,
)
from sandtable.systems.goss.assault.integrity import INTEGRITY
from sandtable.systems.goss.assault.leading import LeadsHandler, ReservesHandler
from sandtable.systems.goss.assault.measure import DEFENDED, SUPPORTED, measure
from sandtable.systems.goss.assault.status import (
    DemolishingHandler,
    SparingHandler,
    StandOffHandler,
    StrandedHandler,
    check_bridges,
)
from sandtable.systems.goss.assault.steps import change_assault
from sandtable.systems.goss.common.checks import surrender
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.dice import roll_percent
from sandtable.systems.goss.common.facts import Fought, LaidOut, ReserveSpent, Used
from sandtable.systems.goss.common.handler import Fact, Handler, Play
from sandtable.systems.goss.common.harm import abandon, living, run_out, stand_down, tire
from sandtable.systems.goss.common.rest import is_resting
from sandtable.systems.goss.common.state import State, Use
from sandtable.systems.goss.pieces.unit import Supply, UnitId
from sandtable.systems.goss.tables.ground_assault import COLUMNS

__all__ = ["AssaultHandler", "AssaultRolled", "is_at_dice"]


class AssaultRolled(Fact, frozen=True):
    """Both sides rolled on the Ground Assault Table (13.9.0)."""

    hex: Hex
    ratio: tuple[int, int]
    column: int
    rolls: tuple[int, int]
    """Of the attacker and of the defender, before the DRM."""
    results: tuple[str, str]
    """On the defender and on the attacker."""
    numbers: tuple[Breakdown, ...]

    def sentence(self, context: Context) -> str:
        """The ratio, the column, both rolls and what they do."""
        attack, defence = self.ratio
        drm = self.numbers[-1].total
        return (
            f"Assault on {context.label(self.hex)}: {attack} against {defence}, column {COLUMNS[self.column]}, "
            f"DRM {drm:+d}. The attacker rolls {self.rolls[0]:02d}, defender: {self.results[0]}; "
            f"the defender rolls {self.rolls[1]:02d}, attacker: {self.results[1]}."
        )

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """Strengths, shifts and DRM."""
        return self.numbers

    def reveals(self) -> bool:
        """Dice fell."""
        return True


def is_at_dice(state: State) -> bool:
    """Whether the dice of an assault fall next."""
    frame = state.stack[-1] if state.stack else None
    return isinstance(frame, Assault) and frame.stage is Stage.ROLL


class AssaultHandler(Handler[Assault]):
    """13.2.0 The eight steps."""

    frame, is_before_dice = Assault, True
    folds = MappingProxyType({AssaultRolled: unchanged})

    @rule("8.4.4")
    def conceal(self, frame: Assault, seat: Seat | None) -> Assault:
        """Until both sides lay their units out, each knows only its own (8.4.4)."""
        if frame.stage > Stage.LAY_OUT or not (frame.attackers or frame.defenders):
            return frame
        known = frame if seat == frame.player else replace(frame, attackers=())
        return known if seat == self.context.other(frame.player) else replace(known, defenders=(), aside=())

    @rule("13.2.0")
    def advance(self, play: Play, frame: Assault) -> bool:
        """The next stage."""
        us, them = frame.player, self.context.other(frame.player)
        stages: dict[Stage, Callable[[], None]] = {
            Stage.LINE: lambda: LineHandler.ask(self.context, play, Line(them)),
            Stage.ATTACKERS: lambda: AttackersHandler.ask(self.context, play, Attackers(us)),
            Stage.SURRENDER: lambda: self._surrender(play),
            Stage.STAND_OFF_ATTACKER: lambda: StandOffHandler.ask(self.context, play, StandOff(us)),
            Stage.STAND_OFF_DEFENDER: lambda: StandOffHandler.ask(self.context, play, StandOff(them)),
            Stage.LAY_OUT: lambda: self._lay_out(play),
            Stage.SPARE_ATTACKER: lambda: SparingHandler.ask(self.context, play, Sparing(us)),
            Stage.SPARE_DEFENDER: lambda: SparingHandler.ask(self.context, play, Sparing(them)),
            Stage.DEMOLITION: lambda: DemolishingHandler.ask(self.context, play, Demolishing(them)),
            Stage.COLLAPSE: lambda: check_bridges(self.context, play),
            Stage.STRANDED: lambda: StrandedHandler.ask(self.context, play, Stranded(us)),
            Stage.LEAD_ATTACKER: lambda: self._lead(play),
            Stage.LEAD_DEFENDER: lambda: LeadsHandler.ask(self.context, play, Leads(them)),
            Stage.RESERVE_DEFENDER: lambda: ReservesHandler.ask(self.context, play, Reserves(them)),
            Stage.RESERVE_ATTACKER: lambda: ReservesHandler.ask(self.context, play, Reserves(us)),
            Stage.ROLL: lambda: self._roll(play),
            Stage.SUFFER_ATTACKER: lambda: self._suffer(play, us),
            Stage.SUFFER_DEFENDER: lambda: self._suffer(play, them),
            Stage.ADVANCE: lambda: self._advance(play),
            Stage.END: lambda: self._end(play),
        }
        if frame.stage is not Stage.END:
            play.emit(Changed(replace(frame, stage=Stage(frame.stage + 1))))
        stages[frame.stage]()
        return True

    @rule("13.5.0", "13.5.1", "13.5.5")
    def _surrender(self, play: Play) -> None:
        """Defenders who are cut off and out of supply may surrender (13.5.1).

        For whom there is room now defends in their place. If nobody is left the hex is free; if only such are there as
        have retreated from another assault, who cannot be attacked by themselves, the assault is over (13.5.5; B-31).
        """
        target, checked = assault_of(play.state).target, set[UnitId]()
        while ids := [one for one in assault_of(play.state).defenders if one not in checked]:
            checked.update(ids)
            surrender(play, self.context, living(play.state, ids), is_morning=False)
            if any(play.state.units[one].hex is None for one in ids):
                defenders, aside = defenders_of(self.context, play.state, target)
                change_assault(play, defenders=defenders, aside=aside)
        if not assault_of(play.state).defenders:
            change_assault(play, stage=Stage.END if play.state.on(target) else Stage.ADVANCE)

    def _lay_out(self, play: Play) -> None:
        """Both sides show who takes part (8.4.4)."""
        frame = assault_of(play.state)
        play.emit(LaidOut((*frame.attackers, *frame.defenders, *frame.aside)))

    @rule("13.5.6")
    def _lead(self, play: Play) -> None:
        """If only such are left as stand off, the assault is over (13.5.6); else the attacker names who leads."""
        frame = assault_of(play.state)
        if all(unit in frame.stand_off for unit in frame.attackers):
            change_assault(play, stage=Stage.END)
        else:
            LeadsHandler.ask(self.context, play, Leads(frame.player))

    @rule("13.9.0", "13.9.1", "13.9.2", "13.6.2", "13.7.2")
    def _roll(self, play: Play) -> None:
        """Two rolls with one DRM: the attacker's is what the defender suffers, and the other way round (13.9.1)."""
        frame = assault_of(play.state)
        sheet = measure(self.context, play.state, frame)
        table, column, drm = self.context.charts.assault, sheet.column, sheet.drm.total
        attack = roll_percent(play, "attacker's assault", lambda die: table.defender_result(column, die + drm))
        defence = roll_percent(play, "defender's assault", lambda die: table.attacker_result(column, die + drm))
        on_defender = table.defender_result(column, attack + drm)
        on_attacker = table.attacker_result(column, defence + drm)
        play.emit(
            AssaultRolled(
                frame.target,
                (sheet.attack, sheet.defence),
                column,
                (attack, defence),
                (str(on_defender), str(on_attacker)),
                (*sheet.strengths, sheet.shifts, sheet.drm),
            )
        )
        if not sheet.is_column_below:
            play.emit(Used(Use(DEFENDED, hex=frame.target)))
        for hex in sheet.supports:
            play.emit(Used(Use(SUPPORTED, hex=hex)))
        for unit in sheet.integrity:
            play.emit(Used(Use(INTEGRITY, by=unit)))
        change_assault(
            play,
            engineers=sheet.engineers,
            is_below=sheet.is_ratio_below,
            results=(on_attacker.severity, on_defender.severity),
        )
        self._tire_defenders(play, sheet.halved)
        self._spend_reserves(play, frame.defenders)

    @rule("5.8.0")
    def _spend_reserves(self, play: Play, defenders: Sequence[UnitId]) -> None:
        """Who has defended is no longer in Combat Reserve, whatever came of it (5.8.0)."""
        held_back = tuple(unit.id for unit in living(play.state, defenders) if unit.in_reserve)
        if held_back:
            play.emit(ReserveSpent(held_back))

    @rule("3.5.4")
    def _tire_defenders(self, play: Play, halved: tuple[UnitId, ...]) -> None:
        """Who defends in his rest game turn with more than half of his strength is fatigued (3.5.4c)."""
        wholly = [unit for unit in living(play.state, assault_of(play.state).defenders) if unit.id not in halved]
        tire(play, self.context, [unit.id for unit in wholly if is_resting(self.context, play.state, unit)])

    @rule("13.10.0")
    def _suffer(self, play: Play, side: Seat) -> None:
        """The attacker applies his result first (13.10.0)."""
        frame = assault_of(play.state)
        losses, hits, check = frame.results[0 if side == frame.player else 1]
        if losses or hits or check:
            play.emit(Opened(Suffering(side, losses, hits, check=check)))

    @rule("13.12.0", "13.12.1", "17.4.1f")
    def _advance(self, play: Play) -> None:
        """Into a hex that nobody holds any more; its fieldworks are gone (13.12.1, 17.4.1f)."""
        frame = assault_of(play.state)
        if play.state.on(frame.target):
            return
        abandon(play, frame.target, self.context.other(frame.player))
        if may_advance(self.context, play.state, frame):
            play.emit(Opened(Advancing(frame.player)))

    @rule("13.5.3", "13.12.1", "15.5.0")
    def _end(self, play: Play) -> None:
        """Supply that was used is gone, the attackers are no longer designated, the units are covered again."""
        frame = assault_of(play.state)
        for unit in living(play.state, (*frame.attackers, *frame.defenders)):
            if unit.supply is Supply.ON_HAND and unit.id not in frame.spared:
                run_out(play, self.context, unit.id)
        play.emit(Fought(frame.attackers))
        stand_down(play, self.context, frame.player, frame.attackers)
        play.emit(LaidOut())
        play.emit(Closed())
