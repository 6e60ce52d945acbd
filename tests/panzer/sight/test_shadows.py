"""Fields of sight worked out whole agree with the explained line, pair by pair (4.1.4)."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.core.content.reading import convert
from sandtable.geo.board import Board, read_board
from sandtable.geo.draw import DrawingDraft, drawn_board
from sandtable.geo.hex import DIRECTION_NAMES
from sandtable.geo.map import GameMap
from sandtable.geo.placing import PlacementDraft
from sandtable.systems.panzer.edition import MBT, PANZER_NA, Edition
from sandtable.systems.panzer.hex.sight.blind_zone import BlindZones
from sandtable.systems.panzer.hex.sight.ground import Ground
from sandtable.systems.panzer.hex.sight.los import Sighting, line_of_sight
from sandtable.systems.panzer.hex.sight.smoke import with_smoke
from sandtable.systems.panzer.hex.state import State, Wreck
from sandtable.systems.panzer.sequence import Phase
from sandtable.systems.panzer.unit import WreckKind
from tests.panzer.grounds import LEGEND, PACKS, drawn_ground, ground_of, tables

rules = pytest.mark.rules

CODES = {PANZER_NA: "....ggbly", MBT: "....wbytfv"}
SIDES = ("hedgerow", "crest", "slope", "slope")
SHAPES = [(8, 7), (2, 20), (16, 3)]
BOARDS = [(edition, file) for edition in (PANZER_NA, MBT) for file in sorted((PACKS / edition.id / "boards").glob("*"))]


def disagreements(ground: Ground, every: int = 1) -> Iterator[tuple[str, str]]:
    """Pairs of hexes on which the field of either and the single line do not say the same; each so manieth pair."""
    fields = {hex: ground.fields[hex] for hex in ground.places}
    for a, b in islice(combinations_with_replacement(sorted(ground.places), 2), 0, None, every):
        clear = not Sighting.of(ground, a, b).is_blocked()
        if not clear is (b in fields[a]) is (a in fields[b]):
            yield ground.label(a), ground.label(b)


@st.composite
def grounds(draw: st.DrawFn) -> Ground:
    """A board with everything on it that matters to sight, some of it beyond the playable area."""
    edition = draw(st.sampled_from([PANZER_NA, MBT]))
    columns, rows = draw(st.sampled_from(SHAPES))
    rng = draw(st.randoms(use_true_random=False))
    names = [chr(ord("A") + column) for column in range(columns)]
    levels = ["", "", "1", "2", "3", "5"] if draw(st.booleans()) else [""]
    cells = [[rng.choice(CODES[edition]) + rng.choice(levels) for _ in names] for _ in range(rows)]
    features: list[dict[str, object]] = []
    for kind in SIDES:
        count = draw(st.integers(0, columns * rows // 2))
        if count:
            among = [f"{rng.choice(names)}{rng.randint(1, rows)}:{rng.choice(DIRECTION_NAMES)}" for _ in range(count)]
            features.append({"kind": kind, "sides": among})
    for kind in draw(st.lists(st.sampled_from(["road", "path"]), max_size=2)):
        column = rng.choice(names)
        features.append({"kind": kind, "line": [f"{column}1", f"{column}{rows}"]})
    text = "\n".join(" ".join(row) for row in cells)
    draft = {"cells": text, "legend": LEGEND[edition.id], "features": features, "prefix": "1"}
    board = Board.from_draft(drawn_board(convert(draft, DrawingDraft, "drawing")))
    crop = PlacementDraft("1", rows=f"2-{rows - 1}" if draw(st.booleans()) else f"1-{rows}")
    return ground_of(GameMap.from_boards({"1": board}, [crop]), edition)


@rules("4.1.4", "4.1.4.1.5.1", "4.1.4.1.6", "4.1.4.2.4", "4.1.4.2.6")
@pytest.mark.parametrize(("edition", "file"), BOARDS, ids=lambda one: one.stem if isinstance(one, Path) else one.id)
def test_4_1_4_fields_agree_with_single_lines_over_whole_boards(edition: Edition, file: Path) -> None:
    ground = ground_of(GameMap.of_board(read_board(file.read_bytes(), file.name)), edition)
    # Small boards are compared pair by pair below; of these a third of the pairs is 15,000 and more.
    assert not list(disagreements(ground, every=3))


@rules("4.1.4", "4.1.4.1.3", "4.1.4.1.5.1", "4.1.4.1.6", "4.1.4.1.7", "4.1.4.2.4", "4.1.4.2.6")
@settings(max_examples=25)
@given(ground=grounds())
def test_4_1_4_fields_agree_with_single_lines_on_any_board(ground: Ground) -> None:
    assert not list(disagreements(ground))


@rules("4.1.4")
@settings(max_examples=10)
@given(ground=grounds())
def test_4_1_4_a_line_is_blocked_where_its_explanation_says_so(ground: Ground) -> None:
    hexes = sorted(ground.places)
    for a in hexes[::5]:
        for b in hexes[::3]:
            assert line_of_sight(ground, a, b).blocked is Sighting.of(ground, a, b).is_blocked()
    assert ground.field_of_sight(hexes[0]) == ground.fields[hexes[0]] & ground.map.hexes


@rules("4.1.4.1", "4.1.4.1.8", "4.1.4.1.9")
def test_4_1_4_1_9_wrecks_and_smoke_hinder_and_hide_nothing() -> None:
    ground = drawn_ground(". . g . .\n. 1 . . .\n. . . b .\n. . . . .\n. . . . .")
    hexes = sorted(ground.places)
    wrecks = tuple(Wreck(hex, WreckKind.BU if n % 2 else WreckKind.KO) for n, hex in enumerate(hexes))
    state = State(3, Phase.MOVEMENT, "axis", {}, wrecks)
    hindered = 0
    for a, b in combinations_with_replacement(hexes, 2):
        sight = with_smoke(ground.sight(a, b), state)
        assert sight.blocked is not ground.sees(a, b)
        hindered += bool(sight.hindrances)
    assert hindered


@rules("4.1.4.2.4", "4.1.4.2.4.1")
@pytest.mark.parametrize("edition", [PANZER_NA, MBT], ids=lambda edition: edition.id)
def test_4_1_4_2_4_the_least_range_at_which_a_zone_is_so_deep(edition: Edition) -> None:
    zones = BlindZones(tables(edition.id))
    for below in range(1, 6):
        for lower in range(-1, 4):
            deep = [zones.zone(below, lower, range_hexes) for range_hexes in range(200)]
            for hidden in range(1, 12):
                least = next((n for n, zone in enumerate(deep) if zone >= hidden), None)
                assert zones.least_range(below, lower, hidden) == least
