"""What happens in fire support: missions, what they do to those struck, ammunition (11.1-11.8, 16.3.7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.core.frames import unchanged
from sandtable.core.modifier import Breakdown
from sandtable.geo.hex import Hex
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.facts import Displaced, UnitFact
from sandtable.systems.goss.common.handler import Fact
from sandtable.systems.goss.common.state import State, entered, with_units
from sandtable.systems.goss.observation.disclosure import Report, told_in_words
from sandtable.systems.goss.pieces.unit import Mode, UnitId
from sandtable.systems.goss.support.fire_plan import Shot
from sandtable.systems.goss.tables.fire_support import FireResult

__all__ = [
    "FOLDS",
    "AmmoChecked",
    "AmmoSpent",
    "FellBack",
    "MissionFired",
    "MovedIn",
    "ProficiencyChecked",
    "ReplenishRolled",
    "Replenished",
    "SpotterNamed",
    "TargetNamed",
    "Volley",
]


class SpotterNamed(Fact, frozen=True):
    """A unit spots, or aircraft do; the other side told the armour of what it looks into (11.2.1, 8.4.3)."""

    side: Seat
    unit: UnitId = UnitId("")
    told: tuple[Report, ...] = ()

    def sentence(self, context: Context) -> str:
        """Who, and what he is told."""
        who = context.title(self.unit) if self.unit else "Air observation"
        told = "; ".join(told_in_words(context, self.told))
        return f"{who} spots{f' ({told})' if told else ''}."

    def known_to(self, seat: Seat | None) -> Fact | None:
        """Both sides know what was told; a watcher does not."""
        return self if seat is not None or not self.told else replace(self, told=())

    def reveals(self) -> bool:
        """It tells of hidden units."""
        return bool(self.told)


class TargetNamed(Fact, frozen=True):
    """A target hex was named, and the other side told the DRMs (11.2.0, 8.4.3)."""

    side: Seat
    hex: Hex
    drm: Breakdown

    def sentence(self, context: Context) -> str:
        """Where."""
        return f"Target {context.label(self.hex)}, DRM {self.drm.total:+d}."

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The DRMs."""
        return (self.drm,)

    def reveals(self) -> bool:
        """It tells of hidden units."""
        return True


class Volley(msgspec.Struct, frozen=True):
    """One volley and what came of it (11.6.0)."""

    points: int
    roll: int
    fsv: int
    result: FireResult


class MissionFired(Fact, frozen=True):
    """A mission was fired (11.6.0); which guns is ``()`` to all but the firer."""

    side: Seat
    hex: Hex
    volleys: tuple[Volley, ...]
    guns: tuple[Shot, ...] = ()

    def sentence(self, context: Context) -> str:
        """Volleys and results."""
        told = "; ".join(f"{one.points} points, FSV {one.fsv}: {one.result}" for one in self.volleys)
        return f"Fire on {context.label(self.hex)}: {told}."

    def known_to(self, seat: Seat | None) -> Fact | None:
        """Guns are the firer's to know."""
        return self if seat == self.side or not self.guns else replace(self, guns=())


class ProficiencyChecked(Fact, frozen=True):
    """Those who were hit checked whether they hold (11.6.2a, 4.4.1)."""

    hex: Hex
    rating: int
    roll: int

    def sentence(self, context: Context) -> str:
        """The check."""
        passed = "holds" if self.roll < self.rating else "falls back"
        return f"{context.label(self.hex)}: PRC {self.roll} against {self.rating}, the stack {passed}."


class FellBack(Displaced, frozen=True):
    """A stack retreated from fire (11.6.3)."""

    def sentence(self, context: Context) -> str:
        """Who, and where to."""
        return f"{self.named(context)} falls back to {context.label(self.hex)}."


class MovedIn(Displaced, frozen=True):
    """Attackers moved into a hex that fire has emptied (11.7.0)."""

    to_tac: bool = False
    """Those in PA mode go back to Tac mode."""

    def sentence(self, context: Context) -> str:
        """Who, and where to."""
        return f"{self.named(context)} advances into {context.label(self.hex)}."


class AmmoChecked(Fact, frozen=True):
    """Ammunition was checked after a mission (11.8.0)."""

    side: Seat
    roll: int
    adv: int
    drm: Breakdown
    depleted: int
    """Artillery units that run dry, by the roll and by intensive fire."""

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """The check."""
        total = self.roll + self.drm.total
        return f"Ammunition of {self.side}: {total} against {self.adv}, {self.depleted or 'no'} units depleted."

    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The DRMs."""
        return (self.drm,)


class Replenished(UnitFact, frozen=True):
    """An artillery unit has ammunition again (16.3.7)."""

    unit: UnitId

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)} is replenished."


class ReplenishRolled(UnitFact, frozen=True):
    """A roll for ammunition (16.3.7b)."""

    unit: UnitId
    roll: int
    adv: int

    def sentence(self, context: Context) -> str:
        """The roll."""
        return f"{context.title(self.unit)}: replenishment {self.roll} against {self.adv}."


class AmmoSpent(Fact, frozen=True):
    """Ammunition points were spent (11.4.1g, 16.3.7a)."""

    side: Seat
    points: int

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """How many."""
        return f"{self.side} spends {self.points} AmP."


def _went(state: State, event: Displaced, change: Callable[[Any], Any]) -> State:
    units = (state.units[one] for one in event.units)
    return with_units(state, *(entered(state, change(unit), event.hex) for unit in units))


def _fell_back(state: State, event: FellBack) -> State:
    return _went(state, event, lambda unit: replace(unit, mode=Mode.TAC) if unit.mode is Mode.EXPLOIT else unit)


def _moved_in(state: State, event: MovedIn) -> State:
    def change(unit: Any) -> Any:
        mode = Mode.TAC if event.to_tac and unit.mode is Mode.PREPARED_ASSAULT else unit.mode
        return replace(unit, mode=mode, is_designated=False)

    return _went(state, event, change)


def _marked(state: State, unit: UnitId, *, is_depleted: bool) -> State:
    return with_units(state, replace(state.units[unit], is_depleted=is_depleted))


FOLDS: Mapping[type, Callable[[Any, Any], Any]] = {
    SpotterNamed: unchanged,
    TargetNamed: unchanged,
    MissionFired: unchanged,
    ProficiencyChecked: unchanged,
    FellBack: _fell_back,
    MovedIn: _moved_in,
    AmmoChecked: unchanged,
    Replenished: lambda state, event: _marked(state, event.unit, is_depleted=False),
    ReplenishRolled: unchanged,
    AmmoSpent: lambda state, event: replace(
        state, ammo=state.ammo | {event.side: state.ammo.get(event.side, 0) - event.points}
    ),
}
"""How each changes the state."""
