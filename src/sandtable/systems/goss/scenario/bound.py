"""A scenario bound to its map and cards: everybody in his place, and every fault of the file at once (2.2.0)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from sandtable.core.content.rule import rule
from sandtable.core.content.scenario import check_sides, check_size
from sandtable.core.decision import Seat
from sandtable.core.errors import BadInput, Faults
from sandtable.geo.hex import DIRECTION_NAMES, Hex, direction_named
from sandtable.geo.hexside import Hexside, hexside
from sandtable.geo.map import GameMap
from sandtable.systems.goss.ground.cover import Work
from sandtable.systems.goss.ground.ground import Ground
from sandtable.systems.goss.ground.weather import Weather
from sandtable.systems.goss.pieces.card import Card, CardId, FormationId
from sandtable.systems.goss.pieces.card_files import Shelf
from sandtable.systems.goss.pieces.steps import after_loss
from sandtable.systems.goss.pieces.unit import Box, Unit, UnitId
from sandtable.systems.goss.scenario.draft import FormationDraft, ScenarioDraft, SideDraft, StackDraft
from sandtable.systems.goss.scenario.forts import fort_id
from sandtable.systems.goss.stacking.limits import limits, overstack
from sandtable.systems.goss.stacking.stacker import stacker
from sandtable.systems.goss.turn.segments import Calendar

__all__ = ["Arrival", "Scenario", "Withdrawal", "Work", "bind"]

SEATS = (Seat("allied"), Seat("axis"))
"""The two sides, in the order of their player turns (2.1.0, 3.2.1)."""
_FUELS, _FUEL_USES = ("normal", "low", "none"), ("all", "units")


class Arrival(msgspec.Struct, frozen=True):
    """Units that enter in a game turn (21.0)."""

    turn: int
    side: Seat
    formation: FormationId
    units: tuple[UnitId, ...]
    entry: tuple[Hex, ...]


class Withdrawal(msgspec.Struct, frozen=True):
    """Units that leave the game in a game turn (21.4.0)."""

    turn: int
    side: Seat
    units: tuple[UnitId, ...]


class Scenario(msgspec.Struct, frozen=True):
    """What the rules read in a scenario."""

    draft: ScenarioDraft
    calendar: Calendar
    units: Mapping[UnitId, Unit]
    """Everybody as he is at the start."""
    titles: Mapping[str, str]
    """Names of units with their formations."""
    superiors: Mapping[FormationId, FormationId]
    """The corps of each formation (9.3)."""
    sources: Mapping[Seat, tuple[Hex, ...]]
    arrivals: tuple[Arrival, ...]
    assets: Mapping[FormationId, tuple[UnitId, ...]]
    """Support units that come with the reinforcements of a formation (21.1.0)."""
    withdrawals: tuple[Withdrawal, ...]
    weather: tuple[Weather, ...]
    """Of every game turn."""
    zones: Mapping[Hex, str]
    """The weather zone of each hex that is in one (19.4.0)."""
    works: tuple[tuple[Hex, Work, Seat], ...]
    bridges_down: tuple[Hexside, ...]
    points: Mapping[Hex, int]
    seats: tuple[Seat, Seat] = SEATS

    def side(self, seat: str) -> SideDraft:
        """A side as the file has it."""
        return next(side for side in self.draft.sides if side.id == seat)


def bind(
    draft: ScenarioDraft, game_map: GameMap, ground: Ground, shelf: Shelf, where: str, *, situation: bool = False
) -> Scenario:
    """Bind a draft; :class:`BadInput` with every fault. In a situation a formation may lack its HQ."""
    binder = _Binder(draft, game_map, ground, shelf, where)
    binder.is_situation = situation
    return binder.scenario()


class _Binder:
    """Gathers what a draft says, and what is wrong with it."""

    def __init__(self, draft: ScenarioDraft, game_map: GameMap, ground: Ground, shelf: Shelf, where: str) -> None:
        self.draft = draft
        self.map = game_map
        self.ground = ground
        self.shelf = shelf
        self.faults = Faults(where)
        self.units: dict[UnitId, Unit] = {}
        self.is_situation = False

    def scenario(self) -> Scenario:
        draft, faults = self.draft, self.faults
        ids = [side.id for side in draft.sides]
        check_sides(ids, faults)
        if sorted(ids) != sorted(SEATS):
            faults.add("sides", ", ".join(ids), "allied and axis (2.1.0)")
        check_size(
            sum(len(one.units) for side in draft.sides for form in side.formations for one in form.set_up), faults
        )
        faults.check()
        dates, days = len(draft.calendar.dates), Calendar(draft.calendar.first, draft.turns).day(draft.turns - 1)
        if dates not in (0, days):
            faults.add("calendar.dates", f"{dates} dates", f"one for each of {days} days, or none")
        if draft.turns < 1:
            faults.add("turns", str(draft.turns), "at least one game turn")
        for index, side in enumerate(draft.sides):
            self._side(side, f"sides[{index}]")
        sources = {
            Seat(side.id): self._sources(side, f"sides[{index}].sources") for index, side in enumerate(draft.sides)
        }
        arrivals = tuple(self._arrivals())
        assets = dict(self._assets(arrivals))
        works = (*self._works(), *self._forts())
        self._check_stacks({(hex, seat) for hex, _, seat in works})
        self._check_surprise()
        scenario = Scenario(
            draft=draft,
            calendar=Calendar(draft.calendar.first, draft.turns),
            units=self.units,
            titles={unit.id: self._title(unit) for unit in self.units.values()},
            superiors={
                FormationId(form.id): FormationId(form.corps or form.id)
                for side in draft.sides
                for form in side.formations
            },
            sources=sources,
            arrivals=arrivals,
            assets=assets,
            withdrawals=tuple(self._withdrawals()),
            weather=self._weather(),
            zones=self._zones(),
            works=works,
            bridges_down=tuple(self._bridges()),
            points=dict(self._points()),
        )
        faults.check()
        return scenario

    def _title(self, unit: Unit) -> str:
        card = self.shelf.cards[unit.card]
        return f"{card.title}, {self.shelf.formations[card.formation].title}"

    def _hex(self, label: str, place: str) -> Hex | None:
        try:
            hex = self.map.hex(label)
        except BadInput:
            hex = None
        if hex is None or hex not in self.map:
            self.faults.add(place, f"no hex {label!r} on the map", "a hex of it")
            return None
        return hex

    def _hexes(self, labels: Sequence[str], place: str) -> tuple[Hex, ...]:
        found = [self._hex(label, f"{place}[{index}]") for index, label in enumerate(labels)]
        return tuple(hex for hex in found if hex is not None)

    def _sources(self, side: SideDraft, place: str) -> tuple[Hex, ...]:
        """Where supply comes from: hexes on the edge of the map; a situation need not say."""
        found = self._hexes(side.sources, place)
        if not self.is_situation:
            if not side.sources:
                self.faults.add(place, "no source of supply", "hexes on the edge of the map")
            self._on_the_edge(found, place)
        return found

    def _on_the_edge(self, hexes: Sequence[Hex], place: str) -> None:
        for hex in hexes:
            if hex not in self.map.exits:
                self.faults.add(place, f"{self.map.label(hex)} is not on the edge of the map", "a hex that is")

    @rule("2.1.0")
    def _side(self, side: SideDraft, place: str) -> None:
        known = {form.id for form in side.formations}
        for index, form in enumerate(side.formations):
            at = f"{place}.formations[{index}]"
            if form.id not in self.shelf.formations:
                self.faults.add(f"{at}.id", f"no formation {form.id!r}", "one of the packs' formations")
                continue
            if form.corps and form.corps not in known:
                self.faults.add(f"{at}.corps", f"no formation {form.corps!r} of this side", "one of its formations")
            if form.fuel not in _FUELS:
                self.faults.add(f"{at}.fuel", repr(form.fuel), ", ".join(_FUELS))
            elif (form.fuel == "normal") is not (form.fuel_value is None) or (form.fuel_value or 0) < 0:
                told = f"{form.fuel_value} in {form.fuel} fuel"
                self.faults.add(f"{at}.fuel_value", told, "a number from 0 in low fuel or none, else nothing (16.4.5a)")
            if form.fuel_for not in _FUEL_USES:
                self.faults.add(f"{at}.fuel_for", repr(form.fuel_for), ", ".join(_FUEL_USES))
            if self.shelf.formations[FormationId(form.id)].nation.is_axis is not (side.id == "axis"):
                self.faults.add(
                    f"{at}.id", f"{form.id} does not fight for {side.id}", "a formation of that side (2.1.0)"
                )
            self._formation(form, Seat(side.id), at)
        self._check_superiors(side, place)

    def _check_superiors(self, side: SideDraft, place: str) -> None:
        """No formation is above itself, be it by others (9.3)."""
        above = {form.id: form.corps for form in side.formations}
        for index, form in enumerate(side.formations):
            found: list[str] = []
            one = form.corps
            while one and one not in found:
                found.append(one)
                one = above.get(one, "")
            if form.id in found:
                chain = " under ".join((form.id, *found[: found.index(form.id) + 1]))
                self.faults.add(f"{place}.formations[{index}].corps", chain, "a formation that is not below it (9.3)")

    def _zone(self, form: FormationDraft, place: str) -> set[Hex]:
        """The hexes of a zone: each a hex, or two corners of a block of columns and rows."""
        found: set[Hex] = set()
        for index, block in enumerate(form.zone):
            first, _, last = block.partition("..")
            corners = self._hexes((first, last or first), f"{place}.zone[{index}]")
            places = [_place(self.map.label(hex)) for hex in corners]
            columns, rows = (sorted(one[axis] for one in places) for axis in (0, 1))
            for hex in self.map.hexes if len(corners) > 1 else ():
                column, row = _place(self.map.label(hex))
                if columns[0] <= column <= columns[1] and rows[0] <= row <= rows[1]:
                    found.add(hex)
        return found

    def _formation(self, form: FormationDraft, seat: Seat, place: str) -> None:
        zone = self._zone(form, place)
        for index, stack in enumerate(form.set_up):
            at = f"{place}.set_up[{index}]"
            hex = self._hex(stack.hex, f"{at}.hex")
            if hex is not None and form.zone and hex not in zone:
                self.faults.add(f"{at}.hex", f"{stack.hex} is out of its zone", f"a hex of {', '.join(form.zone)}")
            for number, name in enumerate(stack.units):
                unit = self._unit(form, name, seat, f"{at}.units[{number}]")
                if unit is not None and hex is not None:
                    self.units[unit.id] = self._placed(unit, stack, hex)
        placed = {unit.id for unit in self.units.values()}
        arriving = {
            f"{one.formation}/{name}" for side in self.draft.sides for one in side.reinforcements for name in one.units
        } | {f"{form.id}/{name}" for name in form.assets}
        for name in form.losses:
            if f"{form.id}/{name}" not in placed | arriving:
                self.faults.add(f"{place}.losses.{name}", "neither set up nor arriving", "a unit of its own (21.3.1)")
        formation = self.shelf.formations[FormationId(form.id)]
        headquarters = f"{form.id}/{formation.hq}"
        if formation.hq and not self.is_situation and headquarters not in placed | arriving:
            self.faults.add(
                f"{place}.set_up", f"{formation.title} without its HQ", f"{formation.hq} among its units (9.3)"
            )

    def _placed(self, unit: Unit, stack: StackDraft, hex: Hex) -> Unit:
        card = self.shelf.cards[unit.card]
        in_battery = stack.in_battery and card.is_artillery
        return msgspec.structs.replace(unit, hex=hex, mode=stack.mode, in_works=stack.in_works, in_battery=in_battery)

    def _unit(self, form: FormationDraft, name: str, seat: Seat, place: str) -> Unit | None:
        card = self.shelf.cards.get(CardId(f"{form.id}/{name}"))
        if card is None:
            self.faults.add(place, f"no unit {name!r} in {form.id}", "one of its units")
            return None
        unit_id = UnitId(card.id)
        if unit_id in self.units:
            self.faults.add(place, f"{card.id} stands twice", "every unit once")
            return None
        return Unit(unit_id, card.id, seat, self._steps(card, form.losses.get(name, 0), place))

    def _steps(self, card: Card, losses: int, place: str) -> int:
        steps: int | None = card.steps
        for _ in range(losses):
            steps = None if steps is None else after_loss(card, steps)
        if steps is None or losses < 0:
            self.faults.add(place, f"{losses} steps lost of {card.steps}", "fewer than it has")
            return card.steps
        return steps

    @rule("21.2.0")
    def _arrivals(self) -> Iterator[Arrival]:
        for index, side in enumerate(self.draft.sides):
            forms = {form.id: form for form in side.formations}
            for number, arrival in enumerate(side.reinforcements):
                place = f"sides[{index}].reinforcements[{number}]"
                form = forms.get(arrival.formation)
                if form is None:
                    self.faults.add(
                        f"{place}.formation", f"no formation {arrival.formation!r}", "one of its formations"
                    )
                    continue
                if not 0 <= arrival.turn < self.draft.turns:
                    self.faults.add(f"{place}.turn", str(arrival.turn), f"0 to {self.draft.turns - 1}")
                found = []
                for at, name in enumerate(arrival.units):
                    unit = self._unit(form, name, Seat(side.id), f"{place}.units[{at}]")
                    if unit is not None:
                        self.units[unit.id] = msgspec.structs.replace(unit, box=Box.COMING)
                        found.append(unit.id)
                entry = self._hexes(arrival.entry, f"{place}.entry")
                if not entry:
                    self.faults.add(f"{place}.entry", "nowhere to enter", "a hex on the edge of the map")
                self._on_the_edge(entry, f"{place}.entry")
                yield Arrival(arrival.turn, Seat(side.id), FormationId(form.id), tuple(found), entry)

    @rule("21.1.0")
    def _assets(self, arrivals: Sequence[Arrival]) -> Iterator[tuple[FormationId, tuple[UnitId, ...]]]:
        """Support units of a division that arrive with its regiments (21.1.0)."""
        coming = {arrival.formation for arrival in arrivals}
        for index, side in enumerate(self.draft.sides):
            for number, form in enumerate(side.formations):
                place = f"sides[{index}].formations[{number}].assets"
                if form.assets and form.id not in coming:
                    self.faults.add(place, f"nobody of {form.id} arrives", "reinforcements that they come with")
                units = [self._unit(form, name, Seat(side.id), f"{place}[{at}]") for at, name in enumerate(form.assets)]
                found = [msgspec.structs.replace(unit, box=Box.COMING) for unit in units if unit is not None]
                self.units |= {unit.id: unit for unit in found}
                if found:
                    yield FormationId(form.id), tuple(unit.id for unit in found)

    @rule("21.4.0")
    def _withdrawals(self) -> Iterator[Withdrawal]:
        """Units that are taken out of the game (21.4.0)."""
        for index, side in enumerate(self.draft.sides):
            for number, leaving in enumerate(side.withdrawals):
                place = f"sides[{index}].withdrawals[{number}]"
                if not 0 <= leaving.turn < self.draft.turns:
                    self.faults.add(f"{place}.turn", str(leaving.turn), f"0 to {self.draft.turns - 1}")
                own = [unit.id for unit in self.units.values() if unit.id.startswith(f"{leaving.formation}/")]
                named = [UnitId(f"{leaving.formation}/{name}") for name in leaving.units] or own
                wrong = [one for one in named if one not in self.units or self.units[one].side != side.id]
                if wrong or not named:
                    told = ", ".join(wrong) or leaving.formation
                    self.faults.add(f"{place}.units", f"{told} is not in the game", "units of this side")
                yield Withdrawal(leaving.turn, Seat(side.id), tuple(named))

    def _check_stacks(self, works: Collection[tuple[Hex, Seat]]) -> None:
        """Nobody too many in a hex, no two sides in one, and nobody in works that are not there (6.1.0, 17.4.1)."""
        stacks: dict[Hex, list[Unit]] = {}
        for unit in self.units.values():
            if unit.hex is not None:
                stacks.setdefault(unit.hex, []).append(unit)
        for hex, stack in stacks.items():
            label = self.map.label(hex)
            if len({unit.side for unit in stack}) > 1:
                self.faults.add(f"hex {label}", "units of both sides", "units of one")
            lost = [unit.id for unit in stack if unit.in_works and (hex, unit.side) not in works]
            if lost:
                self.faults.add(f"hex {label}", f"no works there for {', '.join(lost)}", "works of their side (17.4.1)")
            here = [stacker(unit, self.shelf.cards[unit.card]) for unit in stack]
            here = [one for one in here if self.shelf.cards[CardId(one.id)].takes_room]
            too_much = overstack(here, limits(is_constricted=self.ground.at(hex).is_constricted))
            if too_much:
                self.faults.add(f"hex {label}", too_much, "no more than may stack there (6.1.0)")

    @rule("19.0", "19.2.1")
    def _weather(self) -> tuple[Weather, ...]:
        for index, entry in enumerate(self.draft.weather):
            if not 0 <= entry.turn < self.draft.turns:
                self.faults.add(f"weather[{index}].turn", str(entry.turn), f"0 to {self.draft.turns - 1}")
            if entry.zone and entry.zone not in self.draft.zones:
                self.faults.add(f"weather[{index}].zone", f"no zone {entry.zone!r}", "one of zones")
            if any((one.turn, one.zone) == (entry.turn, entry.zone) for one in self.draft.weather[:index]):
                self.faults.add(f"weather[{index}].turn", f"{entry.turn} stands twice", "one entry for a game turn")
        plain, *zoned = (self._weather_of(zone) for zone in ("", *self.draft.zones))
        return tuple(
            msgspec.structs.replace(weather, zones=tuple(zip(self.draft.zones, others, strict=True)))
            for weather, *others in zip(plain, *zoned, strict=True)
        )

    def _weather_of(self, zone: str) -> list[Weather]:
        """The weather of a zone, game turn after game turn."""
        entries = {entry.turn: entry for entry in self.draft.weather if entry.zone == zone}
        if 0 not in entries:
            where = f" in {zone}" if zone else ""
            self.faults.add("weather", f"nothing for the first game turn{where}", "an entry with turn: 0")
        found: list[Weather] = []
        for turn in range(self.draft.turns):
            change = entries.get(turn)
            before = found[-1] if found else Weather()
            found.append(before if change is None else Weather(change.sky, change.ground, change.rain))
        return found

    def _zones(self) -> dict[Hex, str]:
        """The zone of each hex that is in one."""
        found: dict[Hex, str] = {}
        for zone, labels in self.draft.zones.items():
            for hex in self._hexes(labels, f"zones.{zone}"):
                if hex in found:
                    self.faults.add(f"zones.{zone}", f"{self.map.label(hex)} is in {found[hex]} too", "each hex once")
                found[hex] = zone
        return found

    def _check_surprise(self) -> None:
        for index, one in enumerate(self.draft.surprise):
            if not 0 <= one.turn < self.draft.turns:
                self.faults.add(f"surprise[{index}].turn", str(one.turn), f"0 to {self.draft.turns - 1}")
            if one.side not in SEATS:
                self.faults.add(f"surprise[{index}].side", repr(one.side), "allied or axis")

    def _works(self) -> Iterator[tuple[Hex, Work, Seat]]:
        for index, work in enumerate(self.draft.works):
            hex = self._hex(work.hex, f"works[{index}].hex")
            if work.side not in SEATS:
                self.faults.add(f"works[{index}].side", repr(work.side), "allied or axis")
            elif hex is not None:
                yield hex, work.kind, Seat(work.side)

    @rule("17.6.0")
    def _forts(self) -> Iterator[tuple[Hex, Work, Seat]]:
        """Forts stand in works of their own (17.6.0)."""
        sides = {form.id: Seat(side.id) for side in self.draft.sides for form in side.formations}
        for index, fort in enumerate(self.draft.forts):
            hex = self._hex(fort.hex, f"forts[{index}].hex")
            seat = sides.get(fort.formation)
            if seat is None:
                self.faults.add(f"forts[{index}].formation", f"{fort.formation} is in no side", "one of a side's")
            elif hex is not None:
                card = self.shelf.cards[fort_id(fort)]
                self.units[UnitId(card.id)] = Unit(UnitId(card.id), card.id, seat, card.steps, hex=hex, in_works=True)
                yield hex, Work.FORT, seat

    def _bridges(self) -> Iterator[Hexside]:
        for index, item in enumerate(self.draft.bridges_down):
            place = f"bridges_down[{index}]"
            label, _, name = item.partition(":")
            hex, direction = self._hex(label, place), direction_named(name)
            if direction is None:
                self.faults.add(place, f"{name!r} is no direction", f"one of {', '.join(DIRECTION_NAMES)}")
            elif hex is not None:
                side = hexside(hex, direction)
                if side not in self.ground.bridges:
                    self.faults.add(place, "no bridge there", "a hexside with a bridge")
                yield side

    def _points(self) -> Iterator[tuple[Hex, int]]:
        victory = self.draft.victory
        for index, one in enumerate(victory.points):
            hex = self._hex(one.hex, f"victory.points[{index}].hex")
            if hex is not None:
                yield hex, one.points
        for index, level in enumerate(victory.levels):
            if level.winner not in SEATS:
                self.faults.add(f"victory.levels[{index}].winner", repr(level.winner), "allied or axis")
        if victory.otherwise not in SEATS:
            self.faults.add("victory.otherwise", repr(victory.otherwise), "allied or axis")


def _place(label: str) -> tuple[str, str]:
    """Column and row of a hex number, CCRR."""
    return label[:2], label[2:]
