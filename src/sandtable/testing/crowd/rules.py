"""The rules of crowds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from sandtable.core.capabilities import StepPrice
from sandtable.core.decision import Branch, Decision, Leaf, Node, Options, Path, Pick, Seat
from sandtable.core.dice import Dice, DiceSpec
from sandtable.core.errors import Refusal
from sandtable.core.modifier import Breakdown, Modifier
from sandtable.core.ruleset import Outcome, Resolution
from sandtable.core.showing import Shown
from sandtable.core.stakes import Aim, Stakes, Tally
from sandtable.core.view import Counter, Face, Marker, Prompt, Score, Track, Value, View
from sandtable.geo.board import Board, BoardDraft
from sandtable.geo.feature import FeatureDraft
from sandtable.geo.grid import Grid
from sandtable.geo.hex import NEIGHBOURS, Hex, distance
from sandtable.geo.labels import LabelScheme
from sandtable.geo.map import GameMap
from sandtable.geo.path import cheapest, hex_steps
from sandtable.testing.crowd.pieces import (
    CARD,
    Action,
    Event,
    Fire,
    GameEnded,
    Held,
    Hold,
    Leg,
    Move,
    Pass,
    Scenario,
    Shot,
    State,
    Stepped,
    TurnPassed,
    Unit,
)

__all__ = ["CrowdRules"]

WEST, EAST = Seat("west"), Seat("east")
SEATS = (WEST, EAST)
TWO_DICE = DiceSpec(2, 6)
MOVEMENT, RANGE = 4, 3
COLUMNS = ROWS = 50


class _March(Path[Action]):
    """1.1: leg after leg."""

    def __init__(self, rules: CrowdRules, state: State, unit: Unit, path: tuple[Hex, ...] = (), spent: int = 0) -> None:
        self._rules = rules
        self._state = state
        self._unit = unit
        self._path = path
        self._spent = spent

    def branches(self) -> Iterator[Branch[Action]]:
        if self._path:
            yield Branch("stop", "stop", "stop here", Leaf(Move(self._unit.id, tuple(map(Leg, self._path)))))
        here = self._path[-1] if self._path else self._unit.hex
        for beyond, cost in self._rules.steps(self._state, self._unit)(here):
            if self._spent + cost <= MOVEMENT and beyond not in (self._unit.hex, *self._path):
                then = _March(self._rules, self._state, self._unit, (*self._path, beyond), self._spent + cost)
                label = self._rules.game_map.label(beyond)
                yield Branch(label, "leg", f"to {label}", then, label, is_hex=True)

    def destinations(self) -> Iterator[Branch[Action]]:
        reach = cheapest((self._unit.hex,), self._rules.steps(self._state, self._unit), MOVEMENT)
        for to, cost in reach.costs.items():
            if to != self._unit.hex:
                label = self._rules.game_map.label(to)
                leaf = Leaf[Action](Move(self._unit.id, tuple(map(Leg, reach.way(to)[1:]))))
                yield Branch(label, "hex", f"to {label}", leaf, label, cost=cost, is_hex=True)


class CrowdRules:
    """The ruleset of one scenario."""

    card = CARD
    seats: tuple[Seat, ...] = SEATS
    state_type = State
    action_type = Action
    event_type = Event

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.game_map = _map()
        self._occupied: tuple[dict[str, Unit], dict[Hex, list[Unit]]] = ({}, {})
        self._counters: dict[tuple[str, int], tuple[Unit, Counter]] = {}

    # --- questions ---

    def setup(self) -> State:
        """Both sides in lines a few hexes apart."""
        half = self.scenario.units // 2
        units = {}
        for number in range(half):
            column, row = number // 44 * 3, number % 44 + 3
            for side, place in ((WEST, 23 - column), (EAST, 26 + column)):
                key = f"{side[0]}{number + 1}"
                units[key] = Unit(key, side, self.game_map.hex(_label(place, row)), 1 + number % 3 // 2)
        return State(0, EAST, units)

    def begin(self, state: State, dice: Dice) -> Resolution[State, Event]:
        """The first turn."""
        going = Resolution[State, Event](state, self.fold, dice)
        going.emit(TurnPassed(1, WEST))
        return going

    def decision(self, state: State) -> Decision[Action] | None:
        """Whoever's turn it is acts with one unit after another."""
        if state.ended:
            return None

        def options(seat: Seat) -> Options[Action]:
            return Options(Pick(lambda: self._units(state, seat)), lambda action: self.refusal(state, seat, action))

        return Decision("1.0", "Act with a unit, or end the turn", (state.player,), options)

    def _units(self, state: State, seat: Seat) -> Iterator[Branch[Action]]:
        yield Branch("pass", "pass", "end the turn", Leaf(Pass()))
        for unit in state.units.values():
            if unit.side == seat and not unit.is_done:
                yield Branch(unit.id, "unit", f"act with {unit.id}", self._orders(state, unit), unit.id)

    def _orders(self, state: State, unit: Unit) -> Node[Action]:
        def orders() -> Iterator[Branch[Action]]:
            yield Branch("hold", "order", "hold", Leaf(Hold(unit.id)))
            yield Branch("move", "order", "move", _March(self, state, unit))
            for target in self._targets(state, unit):
                yield Branch(
                    f"fire {target.id}", "target", f"fire at {target.id}", Leaf(Fire(unit.id, target.id)), target.id
                )

        return Pick(orders)

    def _targets(self, state: State, unit: Unit) -> Iterator[Unit]:
        for hex, units in self.occupied(state).items():
            if distance(hex, unit.hex) <= RANGE:
                yield from (other for other in units if other.side != unit.side)

    def occupied(self, state: State) -> dict[Hex, list[Unit]]:
        """Who is where; kept for the last state."""
        kept, found = self._occupied
        if kept is not state.units:
            found = {}
            for unit in state.units.values():
                found.setdefault(unit.hex, []).append(unit)
            self._occupied = state.units, found
        return found

    def steps(self, state: State, unit: Unit) -> Callable[[Hex], Any]:
        """1.1: where one can go from a hex, and what it costs."""
        occupied = self.occupied(state)

        def cost(_: Hex, __: int, to: Hex) -> int | None:
            if to not in self.game_map or any(other.side != unit.side for other in occupied.get(to, ())):
                return None
            return self.cost(to)

        return hex_steps(cost)

    def cost(self, hex: Hex) -> int:
        """1.1: what it costs to enter a hex."""
        return 2 if self.game_map.at(hex).terrain else 1

    # --- refusals ---

    def refusal(self, state: State, seat: Seat, action: Action) -> Refusal | None:
        """Why not."""
        if isinstance(action, Pass):
            return None
        unit = state.units.get(action.unit)
        if unit is None or unit.side != seat or unit.is_done:
            return Refusal("1.0", f"{action.unit} cannot act", "a unit of yours that has not acted")
        match action:
            case Move(_, path):
                return self._march_refusal(state, unit, [leg.to for leg in path])
            case Fire(_, target):
                if all(other.id != target for other in self._targets(state, unit)):
                    return Refusal("1.2", f"{target} is no target", f"an enemy within {RANGE} hexes")
            case Hold():
                pass
        return None

    def _march_refusal(self, state: State, unit: Unit, path: Sequence[Hex]) -> Refusal | None:
        if len({unit.hex, *path}) <= len(path):
            return Refusal("1.1", "the way goes round", "no hex twice")
        steps, here, spent = self.steps(state, unit), unit.hex, 0
        for beyond in path:
            price = dict(steps(here)).get(beyond) if beyond in NEIGHBOURS[here] else None
            if price is None:
                return Refusal("1.1", "there is no way", "from hex to hex, past no enemy")
            here, spent = beyond, spent + price
        if not 0 < spent <= MOVEMENT:
            return Refusal("1.1", f"{spent} movement points", f"1 to {MOVEMENT}")
        return None

    # --- what comes of an action ---

    def resolve(self, state: State, seat: Seat, action: Action, dice: Dice) -> Resolution[State, Event]:
        """What comes of an action."""
        going = Resolution[State, Event](state, self.fold, dice)
        match action:
            case Move(key, path):
                for leg in path:
                    hex = leg.to
                    cost = Breakdown("Movement points", "1.1", base=self.cost(hex), base_label="to enter")
                    going.emit(Stepped(key, hex, self.game_map.label(hex), cost))
                going.emit(Held(key))
            case Fire(key, target):
                self._fire(going, state.units[key], state.units[target])
            case Hold(key):
                going.emit(Held(key))
            case Pass():
                self._pass(going, seat)
        return going

    def _fire(self, going: Resolution[State, Event], unit: Unit, target: Unit) -> None:
        reach = distance(unit.hex, target.hex)
        needed = Breakdown("To hit", "1.2", base=6, base_label="two dice")
        needed = needed.plus([Modifier(reach, "hexes", "1.2"), Modifier(-unit.strength, "strength", "1.4")])
        roll = going.dice.roll(TWO_DICE, f"{unit.id} fires at {target.id}", cuts=(needed.total - 1,)).total
        left = max(0, target.strength - 1) if roll >= needed.total else -1
        going.emit(Shot(unit.id, target.id, roll, needed, left))
        if not any(one.side == target.side for one in going.state.units.values()):
            going.emit(GameEnded(f"{unit.side} holds the field"))

    def _pass(self, going: Resolution[State, Event], seat: Seat) -> None:
        if seat == WEST:
            going.emit(TurnPassed(going.state.turn, EAST))
        elif going.state.turn >= self.scenario.turns:
            going.emit(GameEnded("time is up"))
        else:
            going.emit(TurnPassed(going.state.turn + 1, WEST))

    def fold(self, state: State, event: Event) -> State:
        """The state after an event."""
        units = state.units
        match event:
            case Stepped(key, to):
                return replace(state, units=units | {key: replace(units[key], hex=to)})
            case Held(key):
                return replace(state, units=units | {key: replace(units[key], is_done=True)})
            case Shot(key, target, _, _, left):
                after = units | {key: replace(units[key], is_shown=True, is_done=True)}
                if left > 0:
                    after[target] = replace(units[target], strength=left, is_shown=True)
                elif left == 0:
                    del after[target]
                return replace(state, units=after)
            case TurnPassed(turn, player):
                ready = {key: replace(unit, is_done=False) if unit.is_done else unit for key, unit in units.items()}
                return State(turn, player, ready)
            case GameEnded(why):
                return replace(state, ended=why)

    # --- who may know what ---

    def conceal(self, state: State, seat: Seat | None) -> State:
        """1.4: how strong the others are stays theirs until it shows."""
        hidden = {
            key: replace(unit, strength=0)
            for key, unit in state.units.items()
            if unit.side != seat and not unit.is_shown and unit.strength
        }
        return replace(state, units=state.units | hidden) if hidden else state

    def hidden_variants(self, state: State, seat: Seat | None) -> Iterator[State]:
        """The same with other strengths where they are hidden."""
        for turned in (1, 2):
            dealt = {
                key: replace(unit, strength=turned)
                for key, unit in state.units.items()
                if unit.side != seat and not unit.is_shown
            }
            yield replace(state, units=state.units | dealt)

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat sees."""
        known = self.conceal(state, seat)
        decision = self.decision(known)
        left = self._scores(known)
        half = self.scenario.units // 2
        aims = tuple(
            Aim(side, "take all enemies", "2.0", tallies=(Tally("enemies", half - left[other], half),))
            for side, other in (SEATS, SEATS[::-1])
        )
        return View(
            seat=seat or "",
            tracks=self.tracks(known),
            counters=tuple(map(self._counter, known.units.values())),
            hex_markers=(),
            boxes=(),
            scores=tuple(Score(side, points) for side, points in left.items()),
            prompt=None
            if decision is None
            else Prompt(decision.rule, decision.title, tuple(decision.asked), seat in decision.asked),
            outcome=known.ended,
            state=known,
            stakes=Stakes(known.turn, self.scenario.turns, "The game ends after its last turn.", "1.0", aims),
        )

    def counter(self, known: State, unit: str) -> Counter | None:
        """One counter."""
        found = known.units.get(unit)
        return None if found is None else self._counter(found)

    def tracks(self, known: State) -> tuple[Track, ...]:
        """The turn."""
        return (Track("turn", "Turn", tuple(map(str, range(1, self.scenario.turns + 1))), known.turn - 1),)

    def _counter(self, unit: Unit) -> Counter:
        """The counter of a unit; kept as long as the unit is as it was."""
        kept = self._counters.get((unit.id, unit.strength))
        if kept is not None and kept[0] == unit:
            return kept[1]
        values = (Value("strength", str(unit.strength or "?")), Value("movement", str(MOVEMENT)))
        face = Face("infantry", f"Company {unit.id}", unit.id, unit.side, values)
        markers = (Marker("done", "has acted"),) if unit.is_done else ()
        made = Counter(unit.id, unit.side, face, self.game_map.label(unit.hex), markers=markers)
        self._counters[unit.id, unit.strength] = unit, made
        return made

    def redact(self, event: Event, seat: Seat | None) -> Event | None:  # noqa: ARG002
        """Events show what is public."""
        return event

    def redact_action(self, action: Action, by: Seat, seat: Seat | None) -> Action | None:  # noqa: ARG002
        """So do actions."""
        return action

    def reveals(self, event: Event) -> bool:
        """A shot does."""
        return isinstance(event, Shot)

    # --- words ---

    def breakdowns(self, event: Event) -> tuple[Breakdown, ...]:
        """The numbers of a step or shot."""
        match event:
            case Stepped():
                return (event.cost,)
            case Shot():
                return (event.needed,)
            case _:
                return ()

    def step_price(self, event: Event) -> StepPrice | None:
        """What a step costs."""
        return StepPrice(event.cost.total, event.cost.explain()) if isinstance(event, Stepped) else None

    def narrate(self, event: Event) -> str:
        """An event in a sentence."""
        match event:
            case Stepped(unit, _, at):
                return f"{unit} moves to {at}."
            case Shot(unit, target, roll, _, left):
                result = {-1: "a miss", 0: "it is lost"}.get(left, "it is hit")
                return f"{unit} fires at {target} with a {roll}: {result}."
            case TurnPassed(turn, player):
                return f"Turn {turn}: {player} acts."
            case GameEnded(why):
                return f"The game is over: {why}."
            case Held():
                return ""

    def show(self, event: Event) -> Shown | None:
        """What is to be seen of an event."""
        match event:
            case Stepped(unit, _, at):
                return Shown(kind="move", units=(unit,), hex=at)
            case Shot(unit, target, roll, needed, left):
                return Shown(
                    kind="result",
                    units=(target,),
                    firers=(unit,),
                    needed=f"{needed.total} or more",
                    rolled=str(roll),
                    came_off=left >= 0,
                )
            case TurnPassed() | GameEnded():
                return Shown(kind="phase")
            case Held():
                return None

    def describe(self, action: Action) -> str:
        """An action in a phrase."""
        match action:
            case Move(unit, path):
                return f"move {unit} to {self.game_map.label(path[-1].to)}" if path else f"move {unit}"
            case Fire(unit, target):
                return f"fire with {unit} at {target}"
            case Hold(unit):
                return f"hold with {unit}"
            case Pass():
                return "end the turn"

    def spends(self, action: Action) -> bool:
        """All but ending the turn."""
        return not isinstance(action, Pass)

    def place(self, label: str) -> Hex:
        """The hex of a label."""
        return self.game_map.hex(label)

    def consequence(self, before: State, after: State) -> str:
        """Who is lost or hit."""
        was, now = before.units, after.units
        lost = sorted(was.keys() - now.keys()) if len(was) != len(now) else []
        hit = [key for key, unit in now.items() if unit is not was[key] and unit.strength != was[key].strength]
        told = [f"{key} lost" for key in lost] + [f"{key} hit" for key in hit]
        return ", ".join(told) or "no effect"

    def _scores(self, state: State) -> dict[Seat, int]:
        west = sum(unit.side == WEST for unit in state.units.values())
        return {WEST: west, EAST: len(state.units) - west}

    def outcome(self, state: State) -> Outcome | None:
        """Whoever has more left wins."""
        if not state.ended:
            return None
        scores = self._scores(state)
        winner = "" if scores[WEST] == scores[EAST] else max(SEATS, key=lambda side: scores[side])
        return Outcome(winner, state.ended, "2.0", {str(side): points for side, points in scores.items()})


def _label(column: int, row: int) -> str:
    return f"{column:02}{row:02}"


@cache
def _map() -> GameMap:
    """A field of 2,500 hexes with copses of wood and a road across it."""
    woods = [
        _label(x, y) for x in range(1, COLUMNS + 1) for y in range(1, ROWS + 1) if (x // 3 * 5 + y // 2 * 7) % 11 == 0
    ]
    features = (
        FeatureDraft("woods", hexes=tuple(woods)),
        FeatureDraft("road", line=(_label(1, 25), _label(COLUMNS, 25))),
    )
    grid = Grid(half_columns=False, half_rows=False, labels=LabelScheme.NUMBERS)
    return GameMap.of_board(Board.from_draft(BoardDraft("field", COLUMNS, ROWS, grid=grid, features=features)))
