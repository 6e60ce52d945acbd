"""The map of a game: one or more boards in their places, cropped to what is playable.

A :class:`GameMap` never changes during play. Facts are kept for every hex of the boards, playable or not,
so that a line between two playable hexes that touches one beyond the crop sees the same terrain as on the
whole board. Hexes outside all boards have no facts. See :mod:`sandtable.geo.board` for the hexes that two
boards share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import lcm
from typing import Protocol, runtime_checkable

import msgspec

from sandtable.core.codec import digest
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.geo.board import MOST_HEXES, Board
from sandtable.geo.facts import CLEAR, HexFacts, hex_facts, named_hexes, routes_of, side_facts
from sandtable.geo.feature import Feature
from sandtable.geo.hex import NEIGHBOURS, Hex, centre, distance
from sandtable.geo.hexside import SIDES, Hexside
from sandtable.geo.placing import Placed, PlacementDraft, place_boards

__all__ = ["Edge", "GameMap", "HexFacts", "MapDraft", "PlaysOnHexes", "map_of"]


class Edge(StrEnum):
    """An edge of the map."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


class MapDraft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A map as a scenario gives it: boards and how they lie."""

    placements: tuple[PlacementDraft, ...]


@dataclass(frozen=True, slots=True, eq=False)
class GameMap:
    """A map in play; make one with :meth:`from_boards` or :meth:`of_board`."""

    hexes: frozenset[Hex]
    """The playable hexes."""
    facts: Mapping[Hex, HexFacts]
    """Facts of every hex of the boards, those beyond the crop included."""
    sides: Mapping[Hexside, tuple[str, ...]]
    """Kinds of feature on each hexside that has any."""
    routes: Mapping[str, frozenset[Hexside]]
    """For each kind of road, path or stream, the hexsides that it runs across."""
    features: tuple[Feature, ...]
    """Everything drawn, in map coordinates; points in ``1 / scale`` of a lattice unit."""
    scale: int
    names: Mapping[str, tuple[Hex, ...]]
    """Hexes of every named feature."""
    boards: Mapping[Hex, tuple[str, ...]]
    """Names of the boards that a hex lies on, the one that it belongs to first."""
    exits: Mapping[Hex, Mapping[int, tuple[Edge, ...]]]
    """For each playable hex at the border, the directions that leave the map and the edges they cross."""
    placed: tuple[Placed, ...]
    digest: str
    _labels: Mapping[Hex, tuple[str, ...]]
    _by_label: Mapping[str, Hex]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameMap) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __contains__(self, hex: Hex) -> bool:
        return hex in self.hexes

    @classmethod
    def of_board(cls, board: Board) -> GameMap:
        """The map of one whole board."""
        return cls.from_boards({board.id: board}, [PlacementDraft(board.id)])

    @classmethod
    def from_boards(
        cls, boards: Mapping[str, Board], placements: Sequence[PlacementDraft], where: str = "map"
    ) -> GameMap:
        """Place boards and read their features; :class:`BadInput` with all faults."""
        placed = place_boards(boards, placements, where)
        owners, playable = _owners(placed, where)
        scale = lcm(*(one.board.scale for one in placed))
        features = tuple(_features(placed, owners, scale))
        facts = hex_facts(features, owners)
        labels, by_label = _labels(placed, owners)
        return cls(
            hexes=playable,
            facts=facts,
            sides=side_facts(features),
            routes=routes_of(features),
            features=features,
            scale=scale,
            names=named_hexes(features, scale),
            boards={hex: tuple(placed[index].name for index in shared) for hex, shared in owners.items()},
            exits=_exits(playable),
            placed=placed,
            digest=digest([[one.board.digest, draft] for one, draft in zip(placed, placements, strict=True)]),
            _labels=labels,
            _by_label=by_label,
        )

    def drawn(self) -> tuple[Feature, ...]:
        """The features as they are to be drawn: what boards show as pictures has outlines, made at every call."""
        return tuple(
            shape if one.board.picture is None else one.feature(shape, self.scale)
            for one in self.placed
            for shape in (
                [feature for feature in self.features if feature.board == one.name]
                if one.board.picture is None
                else one.board.drawn()
            )
        )

    def at(self, hex: Hex) -> HexFacts:
        """Facts of a hex; one outside all boards is clear ground."""
        return self.facts.get(hex, CLEAR)

    def side(self, side: Hexside) -> tuple[str, ...]:
        """Kinds of feature on a hexside."""
        return self.sides.get(side, ())

    def has_route(self, kind: str, hex: Hex, direction: int) -> bool:
        """Whether a line of that kind leaves ``hex`` through the side in ``direction``."""
        sides = self.routes.get(kind)
        return sides is not None and SIDES[hex][direction] in sides

    def edge_hexes(self, edge: Edge) -> frozenset[Hex]:
        """The playable hexes from which one may leave the map over that edge."""
        return frozenset(hex for hex, ways in self.exits.items() if any(edge in over for over in ways.values()))

    def label(self, hex: Hex) -> str:
        """The label of a hex, with the name of its board if there are several."""
        try:
            return self._labels[hex][0]
        except KeyError:
            raise BadInput([Fault("hex", f"{tuple(hex)} is not on the map")]) from None

    def labels(self, hex: Hex) -> tuple[str, ...]:
        """All labels of a hex, that of the board it belongs to first."""
        return self._labels.get(hex, ())

    def hex(self, label: str, where: str = "hex") -> Hex:
        """The playable hex of a label, in either case; :class:`BadInput` if there is none."""
        found = self._find(label.strip(), where)
        if found is None:
            raise BadInput([Fault(where, f"{label!r} is not on the map", self._extent())])
        if found not in self.hexes:
            raise BadInput([Fault(where, f"{label!r} is outside the playable area")])
        return found

    def place(self, label: str, where: str = "place") -> Hex:
        """The playable hex of a label, as of any :class:`~sandtable.geo.plane.space.AnyMap`."""
        return self.hex(label, where)

    def range(self, one: Hex, other: Hex) -> int:
        """The range in hexes."""
        return distance(one, other)

    def spot(self, label: str) -> tuple[float, float]:
        """Where a hex is drawn, on the lattice."""
        return centre(self.hex(label))

    def _find(self, text: str, where: str) -> Hex | None:
        """The hex of a label with the name of its board, or without where only one board has it."""
        if (exact := self._by_label.get(text)) is not None:
            return exact
        candidates: dict[str, Hex] = {}
        for one in self.placed:
            full = one.name + text.removeprefix(one.name).upper()
            for key in (full, one.name + text.upper()):
                if key in self._by_label:
                    candidates[key] = self._by_label[key]
        if len(set(candidates.values())) > 1:
            raise BadInput([Fault(where, f"{text!r} is on several boards", " or ".join(candidates))])
        return next(iter(candidates.values()), None)

    def _extent(self) -> str:
        extents = [one.board.layout.extent() for one in self.placed]
        if len(extents) == 1:
            return extents[0]
        return "; ".join(f"{one.name} and {extent}" for one, extent in zip(self.placed, extents, strict=True))


def _owners(placed: Sequence[Placed], where: str) -> tuple[dict[Hex, tuple[int, ...]], frozenset[Hex]]:
    """For each hex the boards that it lies on, its own first; and the playable hexes."""
    faults = Faults(where)
    total = sum(one.board.layout.columns * one.board.layout.rows for one in placed)
    if total > MOST_HEXES:
        faults.add("placements", f"{total} hexes", f"at most {MOST_HEXES}")
    faults.check()
    claims: dict[Hex, list[int]] = {}
    playable = set()
    prints: dict[tuple[int, Hex], bool] = {}
    for index, one in enumerate(placed):
        layout = one.board.layout
        for local in layout.hexes():
            hex = one.transform.hex(local)
            cut = layout.cut_by(local)
            prints[index, hex] = not any(edge in layout.grid.unnumbered for edge in cut)
            if hex in claims and (not cut or not all(_is_cut(placed[other], hex) for other in claims[hex])):
                names = f"{one.name} and {placed[claims[hex][0]].name}"
                faults.add(f"placements[{index}]", f"{names} both cover {one.name}{layout.label(local)}")
                faults.check()
            claims.setdefault(hex, []).append(index)
            if one.is_playable(local):
                playable.add(hex)
    if not playable:
        faults.add("placements", "leave no playable hex", "wider columns or rows")
    faults.check()
    owners = {
        hex: tuple(sorted(indexes, key=lambda index: (not prints[index, hex], index)))
        for hex, indexes in claims.items()
    }
    return owners, frozenset(playable)


def _is_cut(one: Placed, hex: Hex) -> bool:
    return bool(one.board.layout.cut_by(one.transform.hex_back(hex)))


def _features(placed: Sequence[Placed], owners: Mapping[Hex, tuple[int, ...]], scale: int) -> Iterable[Feature]:
    """All features where they lie; a hex shared by boards is filled by the one that it belongs to."""
    for index, one in enumerate(placed):
        for feature in one.board.features:
            moved = one.feature(feature, scale)
            if moved.hexes and not moved.line and not moved.outline:
                own = tuple(hex for hex in moved.hexes if owners[hex][0] == index)
                if not own:
                    continue
                moved = msgspec.structs.replace(moved, hexes=own)
            yield moved


def _labels(
    placed: Sequence[Placed], owners: Mapping[Hex, tuple[int, ...]]
) -> tuple[dict[Hex, tuple[str, ...]], dict[str, Hex]]:
    labels: dict[Hex, tuple[str, ...]] = {}
    by_label: dict[str, Hex] = {}
    single = len(placed) == 1
    for hex, indexes in owners.items():
        names = []
        for index in indexes:
            one = placed[index]
            plain = one.board.layout.label(one.transform.hex_back(hex))
            by_label[one.name + plain] = hex
            names.append(plain if single else one.name + plain)
        labels[hex] = tuple(names)
    if single:
        # Last, so that on a board named A the label AA1 is the hex that prints it.
        by_label.update((names[0], hex) for hex, names in labels.items())
    return labels, by_label


def _exits(playable: frozenset[Hex]) -> dict[Hex, dict[int, tuple[Edge, ...]]]:
    """Where the playable area ends, and over which edge of the map one leaves it there."""
    columns = [hex[0] for hex in playable]
    ys = [centre(hex)[1] for hex in playable]
    west, east, north, south = min(columns), max(columns), min(ys), max(ys)
    exits: dict[Hex, dict[int, tuple[Edge, ...]]] = {}
    for hex in sorted(playable):
        for direction, beyond in enumerate(NEIGHBOURS[hex]):
            if beyond in playable:
                continue
            y = centre(beyond)[1]
            over = [
                edge
                for edge, is_over in (
                    (Edge.NORTH, y < north),
                    (Edge.EAST, beyond[0] > east),
                    (Edge.SOUTH, y > south),
                    (Edge.WEST, beyond[0] < west),
                )
                if is_over
            ]
            # In a bay between boards no outer edge is crossed; the way one faces names it.
            exits.setdefault(hex, {})[direction] = tuple(over) or (_WAY[direction],)
    return exits


_WAY = (Edge.NORTH, Edge.EAST, Edge.EAST, Edge.SOUTH, Edge.WEST, Edge.WEST)


@runtime_checkable
class PlaysOnHexes(Protocol):
    """A ruleset with a map of hexes: a capability as those of :mod:`sandtable.core.capabilities`."""

    @property
    def game_map(self) -> GameMap:
        """The map that is played on."""
        ...


def map_of(ruleset: object) -> GameMap | None:
    """The map that a ruleset plays on; None if it has none."""
    return ruleset.game_map if isinstance(ruleset, PlaysOnHexes) else None
