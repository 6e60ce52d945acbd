"""6.2 Command Phase of the Advanced Game: every formation has so many commands, which its units may share.

Orders are one question for all units of a force: a value is a command, or the command of another unit
(``FIRE with A1``). Of those who share one, the first by id has the counter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from sandtable.core.content.rule import rule
from sandtable.core.decision import Assign, Budget, Node, Seat, Slot
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.geo.hex import NEIGHBOURS, distance
from sandtable.geo.hexside import SIDES
from sandtable.systems.panzer import events as ev
from sandtable.systems.panzer.advanced_card import GpKind, UnitClass
from sandtable.systems.panzer.command.available import available_commands, command_range
from sandtable.systems.panzer.command.control import UNIQUE, FormationStatus, Member, active_units, groups, refuse_group
from sandtable.systems.panzer.command.orders import GIVEN, commanded
from sandtable.systems.panzer.edition import Module
from sandtable.systems.panzer.frames import PlacingOrders
from sandtable.systems.panzer.hex.actions import Action, PlaceOrders
from sandtable.systems.panzer.hex.context import Context
from sandtable.systems.panzer.hex.handler import Handler, Play
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.movement.march import refuse_short_halt
from sandtable.systems.panzer.terrain import Rate
from sandtable.systems.panzer.unit import MOVING_COMMANDS, Command, Order, Status, UnitId

__all__ = [
    "PlacingOrdersHandler",
    "formation_status",
    "ordered",
    "refuse_order",
    "refuse_orders",
    "within_command_range",
]

BOOK = ("panzer-na",)
_NONE = Command.NONE.value


def ordered(state: State, seat: str) -> list[Unit]:
    """The units of a force that take an order this turn; passengers act by that of their vehicle (6.6.7.2)."""
    return [
        unit for unit in commanded(state.units, state.turn, seat) if not (unit.markers.carrier or unit.markers.bailed)
    ]


def is_armed(context: Context, unit: Unit) -> bool:
    """Whether it is a combat unit (6.2.1.1)."""
    return context.cards[unit.card].armed


def within_command_range(one: Unit, other: Unit, reach: int) -> bool:
    """Whether two units are within Command Range; reserves that come in at the same hexes are (6.2.1.1.2)."""
    if one.hex is None or other.hex is None:
        return one.hex is other.hex and bool(one.entry) and one.entry == other.entry
    return distance(one.hex, other.hex) <= reach


def _follows(context: Context, one: Unit, other: Unit) -> bool:
    """Whether two vehicles stand on the same road or path, in one hex or in hexes that it joins (6.2.1.1.3)."""
    for unit in (one, other):
        if unit.hex is None or context.cards[unit.card].unit_class is not UnitClass.VEHICLE:
            return False
    assert one.hex is not None  # noqa: S101 - just seen to
    ground, here = context.ground, one.hex
    ways = [
        way
        for way in range(6)
        if any(ground.terrain[kind].rate in (Rate.ROAD, Rate.PATH) for kind in ground.routes.get(SIDES[here][way], ()))
    ]
    return bool(ways) if here == other.hex else any(NEIGHBOURS[here][way] == other.hex for way in ways)


@rule("6.2", "6.2.1", editions=BOOK)
def formation_status(context: Context, state: State, formation_id: str) -> FormationStatus:
    """A formation as it stands: active units, available commands and Command Range (6.2.1)."""
    formation = next(one for one in context.scenario.formations.values() if one.id == formation_id)
    roster, units = context.scenario.roster, state.units
    table = context.tables["available_commands"]
    reach = command_range(table, formation.grade)
    members = {}
    for unit_id in formation.units:
        unit = units[unit_id]
        if unit.status is Status.ABOARD:
            continue
        able = unit.in_play and unit.hex is not None and not unit.markers.bailed
        recon = roster[unit_id].roles.recon
        members[unit_id] = Member(unit_id, is_armed(context, unit), recon, unit.markers.carrier, able)
    active = active_units(members.values(), lambda a, b: within_command_range(units[a], units[b], reach))
    return FormationStatus(formation, members, active, available_commands(table, formation.grade, len(active)), reach)


@rule("6.2", editions=BOOK)
def refuse_order(context: Context, state: State, unit: Unit, command: Command) -> Refusal | None:
    """Why a unit cannot be given a command, whoever has its counter (6.2)."""
    if command not in GIVEN:
        return Refusal("4.2", f"{command.value!r} is no command", "FIRE, MOVE, SHORT HALT, OW or N/C")
    if command is Command.NONE:
        return None
    name = f"{context.cards[unit.card].name} {unit.id}"
    if unit.status is Status.RESERVE:
        if command is Command.MOVE:
            return None
        return Refusal("4.5.1.1.9", f"{unit.id} is not on the mapboard yet", "MOVE brings it in, N/C holds it back")
    if command in (Command.FIRE, Command.SHORT_HALT) and not is_armed(context, unit):
        return Refusal("4.2", f"{name} is unarmed", "MOVE, OW to observe, or N/C")
    if command is Command.OVERWATCH and not is_armed(context, unit) and not _observes(context, unit.id):
        return Refusal("4.2", f"{name} is unarmed", "MOVE or N/C")
    refusal = _refuse_moving(context, unit, command) if command in MOVING_COMMANDS else None
    if refusal is not None:
        return refusal
    if command in (Command.FIRE, Command.SHORT_HALT) and not _has_target(context, state, unit):
        return Refusal("4.2.1", f"{name} has no spotted target", "MOVE, OW or N/C")
    return None


@rule("6.1.4.2", "6.5.2.2.1", editions=BOOK)
def _refuse_moving(context: Context, unit: Unit, command: Command) -> Refusal | None:
    """Why a unit cannot be told to move: Full Cover, weapons that it carries or pulls, Track Hits (6.1.4.2)."""
    facts, name = context.move_facts(unit), f"{context.cards[unit.card].name} {unit.id}"
    assert facts is not None  # noqa: S101 - of the Advanced Game only
    heavy = facts.unit_class is UnitClass.TOWED or facts.is_burdened
    if command is Command.SHORT_HALT:
        refusal = refuse_short_halt(facts)
        if refusal is not None:
            return refusal
    if facts.markers.full_cover and (command is Command.SHORT_HALT or heavy):
        return Refusal("6.1.4.2", f"{name} is in Full Cover", "FIRE, OW or N/C" if heavy else "FIRE or MOVE")
    if facts.markers.track:
        return Refusal("6.5.2.2.1", f"{name} has a Track Hit", "FIRE, OW or N/C")
    return None


@rule("4.2.1")
def _has_target(context: Context, state: State, unit: Unit) -> bool:
    """Whether a unit, or one that it carries, spots a target, or fires without: smoke, and called fire (4.2.1)

    Smoke needs no spotted target (6.1.4.3.10), nor does a barrage on places that were plotted or seen (6.5.1).
    """
    aboard = (unit.id, *unit.markers.passengers)
    if any(state.spotted.get(one) for one in aboard):
        return True
    roster = context.scenario.roster
    return any(
        roster[one].roles.engineer
        or (_observes(context, one) and context.plays(Module.INDIRECT_FIRE))
        or any(
            arm.smoke or any(row.kind is GpKind.INDIRECT for row in arm.gp) for arm in context.arms(state.units[one])
        )
        for one in aboard
    )


def _observes(context: Context, unit: UnitId) -> bool:
    """Whether it may call fire: a command, Recon or FO unit (6.5.1)."""
    roles = context.scenario.roster[unit].roles
    return bool(roles.command) or roles.recon or roles.observer


def _parse(value: str) -> Order:
    """The order that a value of a slot stands for."""
    command, _, shares = value.partition(" with ")
    return Order(Command(command), UnitId(shares))


def _unlinked(one: UnitId, other: UnitId) -> bool:  # noqa: ARG001
    """For those who share a command wherever the roads lead."""
    return False


def _left(units: Sequence[UnitId], without: Sequence[UnitId]) -> list[UnitId]:
    return [one for one in units if one not in without]


class _OrderSheet:
    """All that orders of one force are judged by."""

    def __init__(self, context: Context, state: State, seat: Seat) -> None:
        self.context = context
        self.state = state
        self.units = ordered(state, seat)
        self.index = {unit.id: index for index, unit in enumerate(self.units)}
        scenario = context.scenario
        self.formations = {
            name: formation_status(context, state, name)
            for name, one in scenario.formations.items()
            if one.side == seat
        }
        self.of = {unit.id: self.formations[scenario.roster[unit.id].formation] for unit in self.units}
        self._own: dict[UnitId, list[Command]] = {}
        self._read: dict[str, Order] = {}
        self._apart: dict[tuple[bool, tuple[UnitId, ...]], Refusal | None] = {}
        self._together: set[tuple[UnitId, ...]] = set()
        """Those who may share any command, and so a MOVE too."""
        self._links: dict[tuple[UnitId, UnitId], bool] = {}

    def _within(self, reach: int, one: UnitId, other: UnitId) -> bool:
        return within_command_range(self.state.units[one], self.state.units[other], reach)

    def _linked(self, one: UnitId, other: UnitId) -> bool:
        found = self._links.get((one, other))
        if found is None:
            units = self.state.units
            found = self._links[one, other] = _follows(self.context, units[one], units[other])
        return found

    def own(self, unit: Unit) -> list[Command]:
        """The commands that a unit can be given, worked out once: all after it in its formation ask too."""
        found = self._own.get(unit.id)
        if found is None:
            found = [command for command in GIVEN if refuse_order(self.context, self.state, unit, command) is None]
            self._own[unit.id] = found
        return found

    def values(self, unit: Unit) -> tuple[str, ...]:
        """What a unit can be ordered: a command of its own, or one of those before it that it may share."""
        commands = self.own(unit)
        found = [command.value for command in commands]
        status = self.of[unit.id]
        for other in self.units:
            if other.id >= unit.id or self.of[other.id] is not status:
                continue
            both = [command for command in self.own(other) if command in commands and command in UNIQUE]
            found += [str(Order(one, other.id)) for one in both if self.may_share(one, other.id, unit.id)]
        return tuple(found)

    def may_share(self, command: Command, holder: UnitId, unit: UnitId) -> bool:
        """Whether two units may share a command, with others between them if need be."""
        return self.refuse_sharing(command, (holder, unit), partial(self._others, holder, unit)) is None

    def _others(self, *units: UnitId) -> list[UnitId]:
        status = self.of[units[0]]
        return [one for one in self.index if one not in units and self.of[one] is status]

    def refuse_sharing(
        self, command: Command, units: tuple[UnitId, ...], between: Callable[[], Sequence[UnitId]]
    ) -> Refusal | None:
        """Why units cannot share a command (6.2.1.1.3): asked for every filling, worked out once but for columns."""
        status, moves = self.of[units[0]], command is Command.MOVE
        if command in UNIQUE and units in self._together:
            return None
        share = partial(refuse_group, status, command, units, partial(self._within, status.reach))
        if command not in UNIQUE:
            return share(_unlinked)
        if (moves, units) not in self._apart:
            apart = self._apart[moves, units] = share(_unlinked)
            if apart is None and not moves:
                self._together.add(units)
        apart = self._apart[moves, units]
        if apart is None or not moves or not all(self._linked(one, one) for one in units):
            return apart
        return share(self._linked, between=between())

    def refuse(self, orders: Mapping[UnitId, Order], open_ones: Sequence[UnitId] = ()) -> Refusal | None:
        """Why orders do not go together, however those that are still open are filled (6.2.1.1.3)."""
        for unit_id, order in orders.items():
            if not order.shares:
                continue
            if order.shares not in self.index or self.of[order.shares] is not self.of[unit_id]:
                return Refusal(
                    "6.2.1.1.3",
                    f"{order.shares!r} is not of the formation of {unit_id}",
                    "share with a unit of its formation",
                    (unit_id,),
                )
            if order.shares >= unit_id:
                return Refusal(
                    "6.2.1.1.3", f"{order.shares} comes after {unit_id}", "the first has the counter", (unit_id,)
                )
            holder = orders.get(order.shares)
            if holder is None and order.shares in open_ones:
                continue
            if holder is None or holder.shares or holder.command is not order.command:
                remedy = f"{order.command.value} for {order.shares}"
                reason = f"{order.shares} has no {order.command.value} command of its own"
                return Refusal("6.2.1.1.3", reason, remedy, (unit_id, order.shares))
        for holder_id, units in groups(orders).items():
            command = next(orders[unit].command for unit in units if unit in orders)
            status = self.of[holder_id]
            between = partial(_left, [one for one in open_ones if self.of[one] is status], units)
            refusal = self.refuse_sharing(command, tuple(units), between)
            if refusal is not None:
                return refusal
        return None

    def _order(self, value: str) -> Order:
        """The order of a value, read once: the judge is asked for every filling."""
        found = self._read.get(value)
        if found is None:
            found = self._read[value] = _parse(value)
        return found

    def judge(self, values: tuple[str, ...]) -> Refusal | None:
        """The judge of the whole assignment."""
        orders = {unit.id: self._order(value) for unit, value in zip(self.units, values, strict=True) if value}
        if not any(order.shares for order in orders.values()):
            return None
        return self.refuse(orders, [unit.id for unit in self.units if unit.id not in orders])

    @rule("6.2.1.1.1", "6.2.1.1.3", editions=BOOK)
    def budgets(self) -> Iterator[Budget]:
        """The available commands of each formation that has orders to give; Recon units' are free (6.2.1.1.3)."""
        costs = {command.value: 1 for command in UNIQUE}
        for status in self.formations.values():
            if self.index.keys().isdisjoint(status.members):
                continue
            recon = [unit for unit, member in status.members.items() if member.recon]
            free: dict[str, int] = {unit: 0 for unit in recon if unit in self.index}
            title = status.formation.title
            note = f"{len(status.active)} active, Command Range {status.reach}"
            yield Budget(f"commands of {title}", status.commands, "6.2.1.1.1", costs, title, free, note)

    def _note(self, unit: UnitId) -> str:
        """Whom of its formation it is in Command Range of, or why that does not matter (6.2.1.1.2, 6.2.1.1.3)."""
        status = self.of[unit]
        if status.members[unit].recon:
            return "Recon: a command of its own, free"
        if self.state.units[unit].hex is not None and unit not in status.active:
            return "inactive: it shares with nobody"
        near = [one for one in self._others(unit) if one in status.active and self._within(status.reach, unit, one)]
        return f"in range: {', '.join(near)}" if near else "nobody in range"

    def slots(self) -> list[Slot]:
        """One for each unit, below its formation."""
        return [
            Slot(
                unit.id,
                "command",
                f"{self.context.cards[unit.card].name} {unit.id}",
                partial(self.values, unit),
                plain=_NONE,
                group=self.of[unit.id].formation.title,
                note=self._note(unit.id),
            )
            for unit in self.units
        ]


def _options(context: Context, state: State, seat: Seat) -> Node[Action]:
    sheet = _OrderSheet(context, state, seat)

    def build(values: tuple[str, ...]) -> Action:
        return PlaceOrders({unit.id: _parse(value) for unit, value in zip(sheet.units, values, strict=True)})

    return Assign(sheet.slots(), build, judge=sheet.judge, budgets=tuple(sheet.budgets()))


@rule("6.2.1.1.3", editions=BOOK)
def refuse_orders(context: Context, state: State, seat: Seat, action: PlaceOrders) -> Refusal | None:
    """Why these orders cannot be given (6.2.1.1.3)."""
    sheet = _OrderSheet(context, state, seat)
    for unit_id, order in action.orders.items():
        if unit_id not in sheet.index:
            return Refusal("4.2.1", f"{unit_id!r} is no unit of {seat} that takes an order now", "leave it out")
        refusal = refuse_order(context, state, state.units[unit_id], order.command)
        if refusal is not None:
            return refusal
    refusal = sheet.refuse(action.orders)
    if refusal is not None:
        return refusal
    slots = sheet.slots()
    values = [str(action.orders.get(unit.id, Order(Command.NONE))) for unit in sheet.units]
    return next((found for budget in sheet.budgets() if (found := budget.refusal(slots, values))), None)


class PlacingOrdersHandler(Handler[PlacingOrders]):
    """6.2: both forces give their orders in secret."""

    frame = PlacingOrders
    answers = (PlaceOrders,)

    def question(self, state: State, frame: PlacingOrders) -> Asking:
        """Both forces, until each has given its orders."""
        return Asking("6.2.1", "Give every unit a command of its own or one that it shares", frame.waiting, secret=True)

    def options(self, state: State, frame: PlacingOrders, seat: Seat) -> Node[Action]:
        """An order for every unit, within the commands of its formation."""
        return _options(self.context, state, seat)

    def why_not(
        self, state: State, frame: PlacingOrders, seat: Seat, keys: Sequence[str], ref: str, *, is_hex: bool
    ) -> Refusal | None:
        """A command that a unit could not carry out."""
        unit = next((unit for unit in ordered(state, seat) if unit.id == ref), None)
        if is_hex or not keys or unit is None or keys[-1] not in set(Command):
            return None
        return refuse_order(self.context, state, unit, Command(keys[-1]))

    def refusal(self, state: State, frame: PlacingOrders, seat: Seat, action: Action) -> Refusal | None:
        """Orders over budget, sharers that may not share, commands that cannot be carried out."""
        assert isinstance(action, PlaceOrders)  # noqa: S101 - the only answer
        return refuse_orders(self.context, state, seat, action)

    def apply(self, play: Play, frame: PlacingOrders, seat: Seat, action: Action) -> None:
        """The orders lie face down."""
        assert isinstance(action, PlaceOrders)  # noqa: S101 - the only answer
        given = {unit.id: action.orders.get(unit.id, Order(Command.NONE)) for unit in ordered(play.state, seat)}
        play.emit(ev.OrdersPlaced(seat, given))
        waiting = tuple(other for other in frame.waiting if other != seat)
        play.emit(Changed(PlacingOrders(waiting)) if waiting else Closed())
