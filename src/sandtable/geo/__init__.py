"""Exact geometry: hexes, hexsides, vertices, lines, boards and maps.

Everything that decides is whole numbers. Terrain words are plain strings here; what they mean is for a
system.
"""

from sandtable.geo.board import Board, BoardDraft, read_board
from sandtable.geo.draw import DrawingDraft, read_drawing
from sandtable.geo.facts import HexFacts
from sandtable.geo.feature import Feature, FeatureDraft
from sandtable.geo.hex import Hex, distance, in_arc, neighbour, neighbours, on_arc_edge
from sandtable.geo.hexside import Hexside, hexes_of, hexside, side_between
from sandtable.geo.line import Along, Corner, Cross, Line, Through, trace
from sandtable.geo.map import Edge, GameMap, MapDraft
from sandtable.geo.path import Reach, cheapest
from sandtable.geo.placing import PlacementDraft
from sandtable.geo.sight import HexSight, SightCache
from sandtable.geo.vertex import Vertex

__all__ = [
    "Along",
    "Board",
    "BoardDraft",
    "Corner",
    "Cross",
    "DrawingDraft",
    "Edge",
    "Feature",
    "FeatureDraft",
    "GameMap",
    "Hex",
    "HexFacts",
    "HexSight",
    "Hexside",
    "Line",
    "MapDraft",
    "PlacementDraft",
    "Reach",
    "SightCache",
    "Through",
    "Vertex",
    "cheapest",
    "distance",
    "hexes_of",
    "hexside",
    "in_arc",
    "neighbour",
    "neighbours",
    "on_arc_edge",
    "read_board",
    "read_drawing",
    "side_between",
    "trace",
]
