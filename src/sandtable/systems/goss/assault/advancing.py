"""13.12 Advance after an assault: along the path of retreat, as far as mode, class, fuel and the enemy allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.core.content.rule import rule
from sandtable.core.decision import Branch, Leaf, Node, Pick, Seat
from sandtable.core.errors import Refusal
from sandtable.core.frames import Asking, Changed, Closed
from sandtable.geo.hex import NEIGHBOURS, Hex
from sandtable.systems.goss.assault.eligibility import RETREATED, ferries
from sandtable.systems.goss.assault.frames import Advancing, Assault, assault_of
from sandtable.systems.goss.assault.paths import must_stop
from sandtable.systems.goss.assault.position import is_mech
from sandtable.systems.goss.common.context import Context
from sandtable.systems.goss.common.cover import falls_to, strong_works
from sandtable.systems.goss.common.crossing import crossing
from sandtable.systems.goss.common.facts import UnitsPlaced, WorksTaken
from sandtable.systems.goss.common.fog import hidden_of
from sandtable.systems.goss.common.handler import Action, Handler, Play
from sandtable.systems.goss.common.harm import living
from sandtable.systems.goss.common.retreat import is_overstacked, may_displace
from sandtable.systems.goss.common.state import FuelState, State
from sandtable.systems.goss.common.weak_bridges import heavy_over
from sandtable.systems.goss.ground.weather import GroundCondition
from sandtable.systems.goss.movement.front import Front
from sandtable.systems.goss.movement.fuel import fuel_of
from sandtable.systems.goss.pieces.card import Kind
from sandtable.systems.goss.pieces.unit import Mode, Unit, UnitId
from sandtable.systems.goss.stacking.limits import limits, overstack
from sandtable.systems.goss.stacking.stacker import stacker

__all__ = ["Advance", "AdvancingHandler", "EndAdvance", "advance_limit", "may_advance"]

_PREPARED_MECH, _PREPARED_LEG, _OTHERS = 4, 2, 1
_LED_LOW_FUEL = 2


class Advance(Action, frozen=True):
    """A unit advances along a path."""

    unit: UnitId
    path: tuple[Hex, ...]

    def phrase(self, context: Context) -> str:
        """It in a phrase."""
        return f"{context.title(self.unit)} advances to {context.label(self.path[-1]) if self.path else 'nowhere'}"


class EndAdvance(Action, frozen=True):
    """Nobody else advances."""

    def phrase(self, context: Context) -> str:  # noqa: ARG002
        """It in a phrase."""
        return "nobody else advances"


@rule("13.12.3", "13.12.5b", "13.12.5c", "13.12.5d")
def advance_limit(
    *,
    is_mech: bool,
    is_prepared: bool,
    is_mud: bool = False,
    is_night: bool = False,
    fuel: FuelState = FuelState.NORMAL,
    leader: int = 0,
    on_good_road: bool = False,
) -> int:
    """Hexes that a unit may advance after an assault, the defender's the first of them (13.12.3).

    ``leader``: hexes that a leader adds. ``on_good_road``: the whole advance is along primary or secondary roads, which
    mud does not hinder (19.4.3; ruling B-7).
    """
    if is_mech and fuel is FuelState.NONE:
        return 0
    most = _OTHERS
    if is_prepared:
        most = _PREPARED_MECH if is_mech else _PREPARED_LEG
    most += leader
    if is_mech and fuel is FuelState.LOW:
        most = min(most, 1 + min(leader, _LED_LOW_FUEL))
    if is_night or (is_mud and not on_good_road):
        most = min(most, 1 + min(leader, 1))
    return most


@rule("13.12.1", "13.5.2")
def may_advance(context: Context, state: State, assault: Assault) -> list[Unit]:
    """Attackers who took part, did not stand off, did not retreat, and can enter the hex (13.12.1)."""
    found = []
    for unit in living(state, assault.attackers):
        if unit.hex is None or assault.target not in NEIGHBOURS[unit.hex] or unit.id in assault.stand_off:
            continue
        if not state.has_used(RETREATED, by=unit.id) and _can_enter_first(context, state, unit, assault):
            found.append(unit)
    return found


def _can_enter_first(context: Context, state: State, unit: Unit, assault: Assault) -> bool:
    """Into the hex of the defenders: engineers who ferried over a major river stay, those whom they took do not."""
    assert unit.hex is not None  # noqa: S101 - it stands on the map
    over = crossing(context, state, unit.hex, assault.target)
    if over.is_major and not over.has_bridge:
        stack = [one for one in living(state, assault.attackers) if one.hex == unit.hex]
        return unit.id in ferries(context, stack, is_major=True)[0]
    return may_displace(context, state, unit, unit.hex, assault.target)


class AdvancingHandler(Handler[Advancing]):
    """13.12.0 The attacker advances unit by unit, as he likes."""

    frame, answers = Advancing, (Advance, EndAdvance)

    def question(self, state: State, frame: Advancing) -> Asking:  # noqa: ARG002
        """The attacker."""
        return Asking("13.12.0", "Advance after the assault", (frame.player,))

    @rule("13.4.3")
    def _units(self, state: State, frame: Advancing) -> list[Unit]:
        """Who may still advance: into or through a constricted hex no more than stack there in all (13.4.3)."""
        assault = assault_of(state)
        found = [unit for unit in may_advance(self.context, state, assault) if unit.id not in frame.done]
        if not self.context.ground.at(assault.target).is_constricted:
            return found
        gone = [stacker(unit, self.context.card(unit)) for unit in living(state, frame.done)]
        most = limits(is_constricted=True)
        return [unit for unit in found if not overstack([*gone, stacker(unit, self.context.card(unit))], most)]

    def advance(self, play: Play, frame: Advancing) -> bool:
        """Nobody left who can: go on."""
        if any(next(self._paths(play.state, unit), None) for unit in self._units(play.state, frame)):
            return False
        play.emit(Closed())
        return True

    @rule("13.12.3", "13.12.5b", "13.12.5c", "13.12.5d", "19.4.3")
    def _limit(self, state: State, unit: Unit, path: Sequence[Hex]) -> int:
        """Hexes that a unit may advance, by the way that it takes (13.12.3)."""
        assert unit.hex is not None  # noqa: S101 - it stands on the map
        return advance_limit(
            is_mech=is_mech(self.context, unit),
            is_prepared=unit.mode is Mode.PREPARED_ASSAULT,
            is_mud=self.context.weather_at(state, unit.hex).ground is GroundCondition.MUD,
            is_night=self.context.is_night(state),
            fuel=fuel_of(self.context, state, unit).fuel,
            on_good_road=self._is_by_road(state, unit, path, good=True),
        )

    def _is_by_road(self, state: State, unit: Unit, path: Sequence[Hex], *, good: bool = False) -> bool:
        """Whether a way is along roads alone; ``good``: primary and secondary ones."""
        assert unit.hex is not None  # noqa: S101 - it stands on the map
        roads = [crossing(self.context, state, *pair).road for pair in zip((unit.hex, *path), path, strict=False)]
        return all(road is not None and (road.is_good or not good) for road in roads)

    def _is_easy(self, state: State, unit: Unit, path: Sequence[Hex]) -> bool:
        """Whether every hex of a way is clear or entered by a road (13.12.4)."""
        assert unit.hex is not None  # noqa: S101 - it stands on the map
        ground = self.context.ground_in(state)
        return all(
            ground.at(there).is_clear or crossing(self.context, state, here, there).road is not None
            for here, there in zip((unit.hex, *path), path, strict=False)
        )

    @rule("13.12.3")
    def _is_dry(self, state: State, unit: Unit, path: Sequence[Hex]) -> bool:
        """Whether a way crosses water by roads alone, as recon units must that go further than others (13.12.3)."""
        assert unit.hex is not None  # noqa: S101 - it stands on the map
        over = [crossing(self.context, state, *pair) for pair in zip((unit.hex, *path), path, strict=False)]
        return all(one.water is None or one.road is not None for one in over)

    @rule("13.12.2", "13.12.4", "13.12.3")
    def _may_follow(self, state: State, unit: Unit, path: tuple[Hex, ...]) -> bool:
        """Whether a way beyond the first hex is one of the path of retreat, or as free as the rules leave it."""
        assault = assault_of(state)
        trail, beyond = assault.path, path[1:]
        deviates = is_mech(self.context, unit) and self._is_easy(state, unit, path)
        if beyond[: len(trail)] != trail[: len(beyond)] and not deviates:
            return False
        most = 1 + len(trail)
        if assault.unresolved and not living(state, (*assault.defenders, *assault.aside)):
            # All were eliminated: after their last hex the way is free, for as many hexes as hits were left.
            most = most + assault.unresolved if trail else assault.unresolved
        if self.context.card(unit).kind is Kind.RECON and deviates and self._is_dry(state, unit, path):
            most += 1
        return len(path) <= most

    @rule("13.12.5", "13.12.5a")
    def _paths(self, state: State, unit: Unit) -> Iterator[tuple[Hex, ...]]:
        """All ways that a unit may advance, the shortest first, by what the attacker knows."""
        assault = assault_of(state)
        if unit.hex is None:
            return
        front = Front(self.context, state, unit.side)
        edge: list[tuple[Hex, ...]] = [(assault.target,)]
        while edge:
            further = []
            for path in edge:
                if len(path) > self._limit(state, unit, path):
                    continue
                if not is_overstacked(self.context, state, (unit,), path[-1]):
                    yield path
                if not self._must_halt(state, front, unit, path):
                    further += self._steps(state, unit, path)
            edge = further

    def _steps(self, state: State, unit: Unit, path: tuple[Hex, ...]) -> list[tuple[Hex, ...]]:
        enemy = self.context.other(unit.side)
        deployment = self.context.deployment(state)
        return [
            (*path, near)
            for near in NEIGHBOURS[path[-1]]
            if near not in path
            and near != unit.hex
            and not deployment.held_by(near, enemy)
            and may_displace(self.context, state, unit, path[-1], near)
            and self._may_follow(state, unit, (*path, near))
        ]

    def _must_halt(self, state: State, front: Front, unit: Unit, path: tuple[Hex, ...]) -> bool:
        """Whether a unit goes no further than the last hex of a way: terrain, works beside it, a movement halt."""
        assert unit.hex is not None  # noqa: S101 - it stands on the map
        came = path[-2] if len(path) > 1 else unit.hex
        enemy = self.context.other(unit.side)
        over = crossing(self.context, state, came, path[-1])
        if over.is_river and not over.has_bridge and not is_mech(self.context, unit):
            # In an advance a ford does not spare Leg units the halt behind a river (13.12.5).
            return True
        if must_stop(self.context, state, unit, came, path[-1]) or path[-1] in front.halting:
            return True
        return any(strong_works(self.context, state, near, enemy) for near in NEIGHBOURS[path[-1]])

    def options(self, state: State, frame: Advancing, seat: Seat) -> Node[Action]:  # noqa: ARG002
        """Unit, then where to; the hex of the defenders first."""
        return Pick(lambda: self._branches(state, frame))

    def _branches(self, state: State, frame: Advancing) -> Iterator[Branch[Action]]:
        title = self.context.title
        for unit in self._units(state, frame):
            if next(self._paths(state, unit), None) is not None:
                yield Branch(unit.id, "unit", f"{title(unit.id)} advances", self._ends(state, unit), unit.id)
        yield Branch("done", "pass", "Nobody else advances", Leaf(EndAdvance()))

    def _ends(self, state: State, unit: Unit) -> Node[Action]:
        label = self.context.label
        return Pick(
            lambda: (
                Branch(
                    " ".join(map(label, path)), "hex", label(path[-1]), Leaf(Advance(unit.id, path)), label(path[-1])
                )
                for path in self._paths(state, unit)
            )
        )

    def refusal(self, state: State, frame: Advancing, seat: Seat, action: Action) -> Refusal | None:  # noqa: ARG002
        """A unit that may advance, along a way that is open to it."""
        if isinstance(action, EndAdvance):
            return None
        assert isinstance(action, Advance)  # noqa: S101 - `answers` says so
        unit = next((one for one in self._units(state, frame) if one.id == action.unit), None)
        if unit is None:
            return Refusal("13.12.1", "that unit does not advance", "one that took part and did not stand off")
        if action.path in list(self._paths(state, unit)):
            return None
        return Refusal("13.12.4", "it may not advance so", "the hex of the defenders, then their path of retreat")

    @rule("13.12.2", "17.4.1f")
    def apply(self, play: Play, frame: Advancing, seat: Seat, action: Action) -> None:  # noqa: ARG002
        """Hex by hex: bridges may break, and what the attacker did not know may halt him (7.7.0).

        A fortified area that he enters is destroyed, and the ruins of one are his (17.4.1f).
        """
        if not isinstance(action, Advance):
            play.emit(Closed())
            return
        unit = play.state.units[action.unit]
        front = Front(self.context, play.state, unit.side)
        assert unit.hex is not None  # noqa: S101 - `refusal` says so
        here, gone = unit.hex, list[Hex]()
        for hex in action.path:
            if not heavy_over(play, self.context, [unit], here, hex):
                break
            gone.append(hex)
            here = hex
            if self._must_halt(play.state, front, unit, tuple(gone)):
                break
        if gone:
            hidden = hidden_of(self.context, play.state, [unit])
            play.emit(UnitsPlaced(unit.side, (unit.id,), gone[-1], hidden))
        for hex in gone:
            if falls_to(self.context, play.state, hex, unit.side):
                play.emit(WorksTaken(hex, unit.side))
        play.emit(Changed(replace(frame, done=(*frame.done, unit.id))))
