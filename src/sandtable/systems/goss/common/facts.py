"""What happens in more than one question: time passes, units move, lose steps, change their markers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from sandtable.core.decision import Seat
from sandtable.geo.hex import Hex
from sandtable.geo.hexside import Hexside, hexes_of
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.handler import Fact
from sandtable.systems.goss.common.state import BridgeChange, BridgeKind, State, Use, WorkHere, entered, with_units
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.ground.weather import Weather
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import Box, Mode, Supply, Unit, UnitId
from sandtable.systems.goss.turn.segments import PASSING, Moment, Part

__all__ = [
    "FACTS",
    "BridgeHeld",
    "BridgeLost",
    "Depleted",
    "Displaced",
    "Fought",
    "GameEnded",
    "Isolated",
    "LaidOut",
    "LeftBattery",
    "ModeSet",
    "ReserveSpent",
    "RestShown",
    "SegmentBegan",
    "Sheltered",
    "Shifted",
    "StepsLost",
    "StoodDown",
    "SupplyBecame",
    "Surrendered",
    "Tired",
    "UnitEliminated",
    "UnitFact",
    "UnitsPlaced",
    "Used",
    "UsesCleared",
    "WeatherCame",
    "WorksGone",
    "WorksTaken",
]


class UnitFact(Fact, frozen=True, kw_only=True):
    """What happened to units; of those that lie hidden only their owner is told (8.4.0)."""

    owner: Seat = Seat("")
    """Whose hidden units they are; ``""``: everybody sees it. See :func:`common.fog.owner_if_hidden`."""

    def known_to(self, seat: Seat | None) -> Fact | None:
        """Everybody, or the owner alone."""
        return self if self.owner in ("", seat) else None


class SegmentBegan(Fact, frozen=True):
    """The Sequence of Play went on to its next segment (3.3.0)."""

    at: Moment

    def sentence(self, context: Context) -> str:
        """The segment, with its part of the day; nothing of one that always passes."""
        segment = self.at.segment
        if segment is None or segment.step in PASSING:
            return ""
        calendar = context.calendar
        turn = f"Day {calendar.day(self.at.turn)} {calendar.part(self.at.turn)}"
        return f"{turn}, {self.at.player or 'both'}: {segment.step}."


class WeatherCame(Fact, frozen=True):
    """The weather of the game turn (19.1.0)."""

    weather: Weather

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """Sky and ground, of the zones too."""
        told = (("", self.weather), *((f"{zone}: ", one) for zone, one in self.weather.zones))
        words = (f"{zone}{one.sky}, ground {one.ground}{', rain' if one.rain else ''}" for zone, one in told)
        return f"Weather: {'; '.join(words)}."


class ModeSet(UnitFact, frozen=True):
    """A unit was put into a mode (5.0)."""

    unit: UnitId
    mode: Mode

    def sentence(self, context: Context) -> str:
        """Who, and which."""
        return f"{context.title(self.unit)}: {self.mode} mode."


class StepsLost(UnitFact, frozen=True):
    """A unit lost steps and lives on (4.2.1)."""

    unit: UnitId
    steps: int
    """What is left; 0 is its Z-step."""

    def sentence(self, context: Context) -> str:
        """Who, and what is left."""
        left = "its Z-step" if self.steps == 0 else f"{self.steps} step{'s' if self.steps > 1 else ''}"
        return f"{context.title(self.unit)} is down to {left}."


class UnitEliminated(Fact, frozen=True):
    """A unit is gone (4.2.2)."""

    unit: UnitId
    box: Box = Box.ELIMINATED

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)} is eliminated."


class Tired(UnitFact, frozen=True):
    """A unit's fatigue changed (14.1.0, 14.4.0)."""

    unit: UnitId
    fatigue: int

    def sentence(self, context: Context) -> str:
        """Who, and how worn."""
        return f"{context.title(self.unit)}: fatigue {self.fatigue}."


class Shifted(UnitFact, frozen=True):
    """A unit's AS markers changed (11.6.1)."""

    unit: UnitId
    shifts: int

    def sentence(self, context: Context) -> str:
        """Who, and how many."""
        return f"{context.title(self.unit)}: {self.shifts} AS." if self.shifts else ""


class Used(UnitFact, frozen=True):
    """Something was done that counts once in its phase."""

    use: Use


class UsesCleared(Fact, frozen=True):
    """What counts once a phase counts anew."""


class Displaced(Fact, frozen=True):
    """Units went to another hex; those that lie hidden are left out for the enemy (8.4.0)."""

    side: Seat
    units: tuple[UnitId, ...]
    hex: Hex
    hidden: tuple[UnitId, ...] = ()
    """Who of them lay where the enemy may not look."""

    def named(self, context: Context) -> str:
        """Who, as far as it is known."""
        return "; ".join(map(context.title, self.units)) or "A stack"

    def known_to(self, seat: Seat | None) -> Fact | None:
        """What lies under the top unit is the owner's to know (8.4.0)."""
        if seat == self.side or not self.hidden:
            return self
        return replace(self, units=tuple(one for one in self.units if one not in self.hidden), hidden=())


class UnitsPlaced(Displaced, frozen=True):
    """Units went back, retreated or advanced."""

    def sentence(self, context: Context) -> str:
        """Who, and where."""
        return f"{self.named(context)} to {context.label(self.hex)}."


class LaidOut(Fact, frozen=True):
    """Units lie open to both sides; none: those that did are covered again (8.4.4)."""

    units: tuple[UnitId, ...] = ()

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"Laid out: {'; '.join(map(context.title, self.units))}." if self.units else ""

    def reveals(self) -> bool:
        """The enemy has seen them."""
        return bool(self.units)


class StoodDown(Fact, frozen=True):
    """Units lost their attack designation (12.1.0, 12.2.0, 13.12.1); who they are is ``()`` to the enemy."""

    side: Seat
    units: tuple[UnitId, ...]

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"No longer attack designated: {'; '.join(map(context.title, self.units))}." if self.units else ""

    def known_to(self, seat: Seat | None) -> Fact | None:
        """What lies under the top unit is the owner's to know (8.4.0)."""
        return self if seat == self.side else replace(self, units=())


class Sheltered(Fact, frozen=True):
    """Units withdrew into the works of their hex (12.2.0, 13.10.4); who they are is ``()`` to the enemy."""

    side: Seat
    units: tuple[UnitId, ...]

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"Into the works: {'; '.join(map(context.title, self.units))}." if self.units else ""

    def known_to(self, seat: Seat | None) -> Fact | None:
        """What is in works is the owner's to know (8.4.0)."""
        return self if seat == self.side else replace(self, units=())


class LeftBattery(UnitFact, frozen=True):
    """Artillery went out of battery (5.6, 13.11.4)."""

    unit: UnitId

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)} goes out of battery."


class Fought(UnitFact, frozen=True):
    """Units attacked, or were hit by fire support, in their own Combat Phase: they do not rest (14.3.0)."""

    units: tuple[UnitId, ...]


class ReserveSpent(UnitFact, frozen=True):
    """Units left Combat Reserve: committed to an assault, or shelled (13.8.2, 11.6.1)."""

    units: tuple[UnitId, ...]

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"Out of Combat Reserve: {'; '.join(map(context.title, self.units))}."


class SupplyBecame(UnitFact, frozen=True):
    """A unit is supplied otherwise (13.5.3, 15.0)."""

    unit: UnitId
    supply: Supply

    def sentence(self, context: Context) -> str:
        """Who, and how."""
        return f"{context.title(self.unit)}: supply {self.supply}."


class Isolated(UnitFact, frozen=True):
    """A unit was cut off, or is no longer (15.7.0)."""

    unit: UnitId
    is_isolated: bool

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)} is {'isolated' if self.is_isolated else 'no longer isolated'}."


class Surrendered(Fact, frozen=True):
    """A unit laid down its arms (13.5.1, 15.7.1)."""

    unit: UnitId

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)} surrenders."


class Depleted(UnitFact, frozen=True):
    """An artillery unit has run out of ammunition (11.8.0)."""

    unit: UnitId

    def sentence(self, context: Context) -> str:
        """Who."""
        return f"{context.title(self.unit)}: ammunition depleted."


class WorksGone(Fact, frozen=True):
    """Defensive works are gone (13.10.2, 17.4.1f)."""

    hex: Hex

    def sentence(self, context: Context) -> str:
        """Where."""
        return f"The works in {context.label(self.hex)} are gone."


class WorksTaken(Fact, frozen=True):
    """A fortified area fell, or its ruins changed hands: improved positions of who holds it now are there (17.4.1f)."""

    hex: Hex
    side: Seat

    def sentence(self, context: Context) -> str:
        """Where."""
        return f"{self.side} turns the fortifications in {context.label(self.hex)} into improved positions."


class BridgeLost(Fact, frozen=True):
    """A bridge was blown up, or broke (17.3.2)."""

    side: Hexside

    def sentence(self, context: Context) -> str:
        """Where."""
        here, there = hexes_of(self.side)
        return f"The bridge between {context.label(here)} and {context.label(there)} is down."


class BridgeHeld(Fact, frozen=True):
    """A bridge bore its first heavy vehicle: it needs no other check (17.3.2a)."""

    side: Hexside


class RestShown(Fact, frozen=True):
    """A side had to tell when it rests: its units did at night what nobody does who rests (3.5.2)."""

    player: Seat
    name: str
    """The side, or the formation that designates it."""
    part: Part

    def sentence(self, context: Context) -> str:
        """Who, and when."""
        who = self.name if self.name in context.seats else context.formation(FormationId(self.name)).title
        return f"{who} does not rest at night: the {self.part} game turn was for that."

    def reveals(self) -> bool:
        """It was secret."""
        return True


class GameEnded(Fact, frozen=True):
    """The game is over (3.3.4)."""

    why: str

    def sentence(self, context: Context) -> str:  # noqa: ARG002
        """Why."""
        return self.why


def _began(state: State, event: SegmentBegan) -> State:
    is_new = event.at.turn != state.at.turn
    return replace(state, at=event.at, surrendered=() if is_new else state.surrendered)


def _surrendered(state: State, event: Surrendered) -> State:
    unit = state.units[event.unit]
    gone = with_units(state, replace(unit, hex=None, box=Box.ISOLATED))
    return gone if unit.hex is None else replace(gone, surrendered=(*state.surrendered, unit.hex))


def _eliminated(state: State, event: UnitEliminated) -> State:
    return with_units(state, replace(state.units[event.unit], hex=None, box=event.box))


def _each(state: State, ids: tuple[UnitId, ...], change: Callable[[Unit], Unit]) -> State:
    return with_units(state, *(change(state.units[one]) for one in ids))


def _stood_down(unit: Unit) -> Unit:
    mode = Mode.TAC if unit.mode is Mode.PREPARED_ASSAULT else unit.mode
    return replace(unit, is_designated=False, mode=mode)


def _placed(state: State, event: UnitsPlaced) -> State:
    return _each(state, event.units, lambda unit: entered(state, unit, event.hex))


def _sheltered(state: State, event: Sheltered) -> State:
    # A Ft Area has no marker to lie under: its top unit is seen (8.4.0).
    marked = tuple(
        one for one in event.units if (hex := state.units[one].hex) is not None and state.work_at(hex) is not None
    )
    return _each(state, marked, lambda unit: replace(unit, in_works=True))


def _works_gone(state: State, event: WorksGone) -> State:
    outside = tuple(replace(unit, in_works=False) for unit in state.on(event.hex) if unit.in_works)
    return replace(with_units(state, *outside), works=tuple(work for work in state.works if work.hex != event.hex))


def _works_taken(state: State, event: WorksTaken) -> State:
    ruins = state.ruins if event.hex in state.ruins else (*state.ruins, event.hex)
    others = tuple(work for work in state.works if work.hex != event.hex)
    taken = replace(state, ruins=ruins, works=(*others, WorkHere(event.hex, Work.IP, event.side)))
    inside = (unit for unit in state.on(event.hex) if not unit.is_attacking and unit.mode is Mode.TAC)
    return with_units(taken, *(replace(unit, in_works=True) for unit in inside))


def _bridge_lost(state: State, event: BridgeLost) -> State:
    kept = tuple(change for change in state.bridges if change.side != event.side)
    return replace(state, bridges=(*kept, BridgeChange(event.side, BridgeKind.DOWN)))


FACTS: Mapping[type, Callable[[Any, Any], Any]] = {
    SegmentBegan: _began,
    WeatherCame: lambda state, event: replace(state, weather=event.weather),
    ModeSet: lambda state, event: with_units(state, replace(state.units[event.unit], mode=event.mode)),
    StepsLost: lambda state, event: with_units(state, replace(state.units[event.unit], steps=event.steps)),
    UnitEliminated: _eliminated,
    Tired: lambda state, event: with_units(state, replace(state.units[event.unit], fatigue=event.fatigue)),
    Shifted: lambda state, event: with_units(state, replace(state.units[event.unit], shifts=event.shifts)),
    Used: lambda state, event: replace(state, used=(*state.used, event.use)),
    UsesCleared: lambda state, event: replace(state, used=()),  # noqa: ARG005
    UnitsPlaced: _placed,
    LaidOut: lambda state, event: replace(state, shown=event.units),
    StoodDown: lambda state, event: _each(state, event.units, _stood_down),
    Sheltered: _sheltered,
    Fought: lambda state, event: _each(state, event.units, lambda unit: replace(unit, has_fought=True)),
    LeftBattery: lambda state, event: _each(state, (event.unit,), lambda unit: replace(unit, in_battery=False)),
    ReserveSpent: lambda state, event: _each(state, event.units, lambda unit: replace(unit, in_reserve=False)),
    SupplyBecame: lambda state, event: _each(state, (event.unit,), lambda unit: replace(unit, supply=event.supply)),
    Isolated: lambda state, event: _each(
        state, (event.unit,), lambda unit: replace(unit, is_isolated=event.is_isolated)
    ),
    Surrendered: _surrendered,
    Depleted: lambda state, event: _each(state, (event.unit,), lambda unit: replace(unit, is_depleted=True)),
    WorksGone: _works_gone,
    WorksTaken: _works_taken,
    BridgeLost: _bridge_lost,
    BridgeHeld: lambda state, event: replace(
        state, bridges=(*state.bridges, BridgeChange(event.side, BridgeKind.PROVEN))
    ),
    RestShown: lambda state, event: replace(state, rests_shown=(*state.rests_shown, event.name)),
    GameEnded: lambda state, event: replace(state, ended=event.why),
}
"""How each changes the state."""
