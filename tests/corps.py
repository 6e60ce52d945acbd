"""Corps: a game of one question a turn with 120 slots, to try questions for large forces with.

The attacker orders 120 battalions of ten divisions, the defender ten sectors, both in secret and at once, under rules
of their own (1.1, 1.2). A division attacks with three battalions at the most (1.3), and only with another in support
(1.4); all of them share the supply (1.5). The defender may give up four sectors at the most (1.6). Then every division
that attacks rolls for its sector (2.1). Counters stand on a map, where they stay. Its pack and its System are here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable import catalog
from sandtable.core.content.pack import Library, Pack
from sandtable.core.content.reading import convert
from sandtable.core.content.rule import rule
from sandtable.core.content.yaml_text import parse_yaml
from sandtable.core.decision import Assign, Budget, Decision, Options, Seat, Slot, Wording
from sandtable.core.dice import Dice, DiceSpec
from sandtable.core.errors import BadInput, Fault, Refusal
from sandtable.core.log import FORMAT, Header
from sandtable.core.modifier import Breakdown
from sandtable.core.ruleset import Outcome, Position, Resolution, Space, SystemCard
from sandtable.core.view import Counter, Face, Prompt, Score, Track, View
from sandtable.geo.board import Board, BoardDraft
from sandtable.geo.grid import Grid
from sandtable.geo.hex import Hex
from sandtable.geo.labels import LabelScheme
from sandtable.geo.map import GameMap

ATTACKER, DEFENDER = Seat("attacker"), Seat("defender")
SEATS = (ATTACKER, DEFENDER)
HOLD, MOVE, ATTACK, LEAVE, HIDDEN = "hold", "move up", "attack", "give up", "?"
ONE_DIE = DiceSpec(1, 6)

CARD = SystemCard(
    id="corps",
    title="Corps",
    rulebook="The Book of Corps",
    version=1,
    package="tests.corps",
    pack="corps",
    players=2,
    hidden=True,
    chance=True,
    simultaneous=True,
    space=Space.HEXES,
)

PACK = {
    "manifest.yaml": b"{id: corps, title: Corps, system: corps, edition: corps, version: 1}",
    "rules.yaml": b"""
book: The Book of Corps
rules:
- {number: "1.0", title: Orders, chapter: "1", level: basic, kind: container}
- {number: "1.1", title: Orders for Battalions, chapter: "1", level: basic}
- {number: "1.2", title: Orders for Sectors, chapter: "1", level: basic}
- {number: "1.3", title: Battalions in an Attack, chapter: "1", level: basic}
- {number: "1.4", title: Support, chapter: "1", level: basic}
- {number: "1.5", title: Supply, chapter: "1", level: basic}
- {number: "1.6", title: Sectors Given Up, chapter: "1", level: basic}
- {number: "2.1", title: The Assault, chapter: "2", level: basic}
""",
    "scenarios/breakthrough.yaml": b"""
id: breakthrough
system: corps
title: The Breakthrough
turns: 2
status: original
divisions: 10
battalions: 12
supply: 20
""",
    "scenarios/reserves.yaml": b"""
id: reserves
system: corps
title: Twelve Reserves
turns: 1
status: original
divisions: 3
battalions: 12
supply: 20
reserves: 12
""",
}


class State(msgspec.Struct, frozen=True):
    turn: int
    waiting: tuple[Seat, ...]
    orders: dict[str, str]
    """Of battalions and sectors; those of this turn once they are given, else those of the last."""
    taken: tuple[int, ...] = ()
    ended: str = ""


class GiveOrders(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    orders: dict[str, str]


class TurnBegan(msgspec.Struct, frozen=True, tag=True):
    turn: int


class OrdersGiven(msgspec.Struct, frozen=True, tag=True):
    side: Seat
    orders: dict[str, str]


class Assaulted(msgspec.Struct, frozen=True, tag=True):
    division: int
    roll: int
    needed: Breakdown
    taken: bool


class SectorEntered(msgspec.Struct, frozen=True, tag=True):
    division: int


class GameEnded(msgspec.Struct, frozen=True, tag=True):
    why: str


Event = TurnBegan | OrdersGiven | Assaulted | SectorEntered | GameEnded


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    system: str
    title: str
    turns: int
    status: str
    divisions: int
    battalions: int
    supply: int
    reserves: int = 0
    """As many places there are for battalions that are taken out of the line."""
    summary: str = ""


class Corps:
    """The ruleset of one scenario."""

    card = CARD
    seats: tuple[Seat, ...] = SEATS
    state_type = State
    action_type = GiveOrders
    event_type = Event

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.game_map = _map()
        self.divisions = range(1, scenario.divisions + 1)
        self.listed: list[str] = []
        """Battalions whose orders somebody has listed."""

    def setup(self) -> State:
        orders = {self._battalion(d, n): HOLD for d in self.divisions for n in range(1, self.scenario.battalions + 1)}
        return State(0, (), orders | {self._sector(d): HOLD for d in self.divisions})

    def begin(self, state: State, dice: Dice) -> Resolution[State, Event]:
        going = Resolution(state, self.fold, dice)
        going.emit(TurnBegan(1))
        return going

    @staticmethod
    def _battalion(division: int, number: int) -> str:
        return f"B{division}.{number}"

    @staticmethod
    def _sector(division: int) -> str:
        return f"S{division}"

    # --- questions ---

    def decision(self, state: State) -> Decision[GiveOrders] | None:
        if not state.waiting:
            return None

        def options(seat: Seat) -> Options[GiveOrders]:
            return Options(self._root(state, seat), partial(self.refusal, state, seat))

        words = {ATTACKER: Wording("1.1", "Order the battalions"), DEFENDER: Wording("1.2", "Order the sectors")}
        asked = {seat: words[seat] for seat in state.waiting}
        return Decision("1.0", "Give orders", state.waiting, options, secret=True, wordings=asked)

    def _root(self, state: State, seat: Seat) -> Assign[GiveOrders]:
        slots = self._battalions(state) if seat == ATTACKER else self._sectors(state)
        keys = [slot.key for slot in slots]

        def build(values: tuple[str, ...]) -> GiveOrders:
            return GiveOrders(dict(zip(keys, values, strict=True)))

        if seat == DEFENDER:
            return Assign(slots, build, budgets=[Budget("Sectors given up", 4, "1.6", {LEAVE: 1})])
        attacks = [Budget(f"Attacks of division {d}", 3, "1.3", {ATTACK: 1}, f"Division {d}") for d in self.divisions]
        supply = Budget("Supply", self.scenario.supply, "1.5", {ATTACK: 2, MOVE: 1})
        return Assign(slots, build, judge=partial(self._unsupported, slots), budgets=[supply, *attacks])

    def _battalions(self, state: State) -> list[Slot]:
        return [
            Slot(
                key,
                "order",
                f"Battalion {key}",
                partial(self._list, state, key),
                plain=state.orders[key] if state.orders[key] in (HOLD, MOVE) else HOLD,
                group=f"Division {_division(key)}",
            )
            for key in state.orders
            if key.startswith("B")
        ]

    def _list(self, state: State, key: str) -> tuple[str, ...]:
        """1.1: whose sector is taken has nobody left to attack."""
        self.listed.append(key)
        away = tuple(f"reserve {number}" for number in range(1, self.scenario.reserves + 1))
        return (HOLD, MOVE, *away) if _division(key) in state.taken else (HOLD, MOVE, ATTACK, *away)

    def _sectors(self, state: State) -> list[Slot]:
        open_ones = [d for d in self.divisions if d not in state.taken]
        return [Slot(self._sector(d), "order", f"Sector {d}", (HOLD, LEAVE), plain=HOLD) for d in open_ones]

    @rule("1.4")
    def _unsupported(self, slots: list[Slot], values: tuple[str, ...]) -> Refusal | None:
        """1.4: a division that attacks has a battalion that moves up; one whose orders are open still may."""
        by_division: dict[str, list[tuple[str, str]]] = {}
        for slot, value in zip(slots, values, strict=True):
            by_division.setdefault(slot.group, []).append((slot.key, value))
        for division, given in by_division.items():
            attackers = tuple(key for key, value in given if value == ATTACK)
            if attackers and not any(value in ("", MOVE) for _, value in given):
                return Refusal("1.4", f"{division} attacks without support", "move a battalion of it up", attackers)
        return None

    def refusal(self, state: State, seat: Seat, action: GiveOrders) -> Refusal | None:
        root = self._root(state, seat)
        if set(action.orders) != {slot.key for slot in root.slots}:
            return Refusal("1.0", "not one order for each of your own")
        refusals = root.refusals(tuple(action.orders[slot.key] for slot in root.slots))
        return refusals[0] if refusals else None

    # --- what comes of an action ---

    def resolve(self, state: State, seat: Seat, action: GiveOrders, dice: Dice) -> Resolution[State, Event]:
        going = Resolution(state, self.fold, dice)
        going.emit(OrdersGiven(seat, action.orders))
        if not going.state.waiting:
            for division in self.divisions:
                self._assault(going, division)
            if going.state.turn >= self.scenario.turns:
                going.emit(GameEnded("time is up"))
            else:
                going.emit(TurnBegan(going.state.turn + 1))
        return going

    @rule("2.1")
    def _assault(self, going: Resolution[State, Event], division: int) -> None:
        orders = going.state.orders
        strength = sum(order == ATTACK for key, order in orders.items() if key.startswith(f"B{division}."))
        if not strength or division in going.state.taken:
            return
        if orders[self._sector(division)] == LEAVE:
            going.emit(SectorEntered(division))
            return
        needed = Breakdown("Assault", "2.1", base=strength, base_label=f"{strength} battalions")
        roll = going.dice.roll(ONE_DIE, f"division {division} assaults", cuts=(strength,)).total
        going.emit(Assaulted(division, roll, needed, taken=roll <= strength))

    def fold(self, state: State, event: Event) -> State:
        match event:
            case TurnBegan(turn):
                return replace(state, turn=turn, waiting=SEATS)
            case OrdersGiven(side, orders):
                waiting = tuple(seat for seat in state.waiting if seat != side)
                return replace(state, orders=state.orders | orders, waiting=waiting)
            case Assaulted(division) | SectorEntered(division):
                taken = isinstance(event, SectorEntered) or event.taken
                return replace(state, taken=(*state.taken, division) if taken else state.taken)
            case GameEnded(why):
                return replace(state, ended=why)

    # --- who may know what ---

    def conceal(self, state: State, seat: Seat | None) -> State:
        def is_secret(key: str) -> bool:
            owner = ATTACKER if key.startswith("B") else DEFENDER
            return owner != seat and bool(state.waiting) and owner not in state.waiting

        return replace(state, orders={key: HIDDEN if is_secret(key) else o for key, o in state.orders.items()})

    def view(self, state: State, seat: Seat | None) -> View:
        known = self.conceal(state, seat)
        decision = self.decision(known)
        prompt = None
        if decision is not None:
            prompt = Prompt(*decision.wording(seat), tuple(decision.asked), seat in decision.asked)
        return View(
            seat=seat or "",
            tracks=(Track("turn", "Turn", tuple(map(str, range(1, self.scenario.turns + 1))), state.turn - 1),),
            counters=tuple(self._counters(known)),
            hex_markers=(),
            boxes=(),
            scores=tuple(Score(side, points) for side, points in self._scores(known).items()),
            prompt=prompt,
            outcome=state.ended,
            state=known,
        )

    def _counters(self, state: State) -> Iterator[Counter]:
        for key in state.orders:
            side = ATTACKER if key.startswith("B") else DEFENDER
            yield Counter(key, side, Face("foot", key, key, side), _place(key))

    def redact(self, event: Event, seat: Seat | None) -> Event | None:
        if isinstance(event, OrdersGiven) and event.side != seat:
            return OrdersGiven(event.side, dict.fromkeys(event.orders, HIDDEN))
        return event

    def redact_action(self, action: GiveOrders, by: Seat, seat: Seat | None) -> GiveOrders | None:
        return action if by == seat else GiveOrders(dict.fromkeys(action.orders, HIDDEN))

    def reveals(self, event: Event) -> bool:
        return isinstance(event, Assaulted | SectorEntered)

    # --- words ---

    def breakdowns(self, event: Event) -> tuple[Breakdown, ...]:
        return (event.needed,) if isinstance(event, Assaulted) else ()

    def narrate(self, event: Event) -> str:
        match event:
            case TurnBegan(turn):
                return f"Turn {turn} begins."
            case OrdersGiven(side):
                return f"The {side} has given orders."
            case Assaulted(division, roll):
                return f"Division {division} rolls {roll} and {'takes it' if event.taken else 'is thrown back'}."
            case SectorEntered(division):
                return f"Division {division} enters the sector that was given up."
            case GameEnded(why):
                return f"The game is over: {why}."

    def spends(self, action: GiveOrders) -> bool:
        return False

    def describe(self, action: GiveOrders) -> str:
        changed = [f"{key} {order}" for key, order in action.orders.items() if order != HOLD]
        return ", ".join(changed) or "all hold"

    def place(self, label: str) -> Hex:
        return self.game_map.hex(label)

    def consequence(self, before: State, after: State) -> str:
        won = [str(division) for division in after.taken if division not in before.taken]
        return f"{', '.join(won)} taken" if won else "no effect"

    def _scores(self, state: State) -> dict[str, int]:
        return {ATTACKER: len(state.taken), DEFENDER: len(self.divisions) - len(state.taken)}

    def outcome(self, state: State) -> Outcome | None:
        if not state.ended:
            return None
        scores = self._scores(state)
        winner = max(scores, key=lambda side: scores[side]) if len(set(scores.values())) > 1 else ""
        return Outcome(winner, state.ended, "2.1", scores)


def _division(key: str) -> int:
    return int(key[1:].partition(".")[0])


def _map() -> GameMap:
    """Two columns for a division: six rows of battalions, and the sector in front of them."""
    grid = Grid(half_columns=False, half_rows=False, labels=LabelScheme.NUMBERS)
    return GameMap.of_board(Board.from_draft(BoardDraft("front", 20, 9, grid=grid)))


def _place(key: str) -> str:
    column, number = 2 * _division(key) - 1, int(key.partition(".")[2] or 0)
    return f"{column + number % 2:02}{(number - 1) // 2 + 4 if number else 2:02}"


class System:
    """Binds scenarios to the rules."""

    card = CARD

    def ruleset(self, scenario: Mapping[str, Any], library: Library, where: str) -> Corps:
        return Corps(convert(dict(scenario), Scenario, where))

    def position(self, situation: Mapping[str, Any], library: Library, where: str) -> Position:
        raise BadInput([Fault(where, "there are no situations of this game")])

    def answer(self, position: Position, question: Mapping[str, Any], where: str) -> dict[str, Any]:
        raise BadInput([Fault(where, "there is nothing to ask")])

    def sight(self, map_name: str, library: Library) -> Callable[[str, str], dict[str, Any]]:
        raise BadInput([Fault(map_name, "there is no map")])

    def check_pack(self, library: Library) -> None:
        pass


def corps_scenario(**changes: int) -> dict[str, Any]:
    """The scenario, or a smaller one like it."""
    return {**parse_yaml(PACK["scenarios/breakthrough.yaml"], "breakthrough"), **changes}


def corps_ruleset(**changes: int) -> Corps:
    """The scenario, bound."""
    return System().ruleset(corps_scenario(**changes), Library([Pack(PACK, "packs/corps")]), "breakthrough")


def corps_header(**changes: int) -> Header:
    """The header of a log of it."""
    return Header(
        FORMAT, "corps", CARD.version, Library([Pack(PACK, "packs/corps")]).digests, corps_scenario(**changes)
    )


def register_corps() -> None:
    """Let the catalog know it."""
    catalog.register(catalog.Registration("corps", System, lambda: Pack(PACK, "packs/corps")))
