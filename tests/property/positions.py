"""Random positions of both books: small maps with every sort of terrain, a few vehicles, any step of the turn."""

from typing import Any

from hypothesis import strategies as st

from tests.rulebook.engine import BOOKS, Play, play

FACINGS = ("N", "NE", "SE", "S", "SW", "NW")
CARDS = ("tank", "light", "heavy", "fixed", "rear", "truck", "pivot")
GROUND = {
    "panzer-na": {"w": "medium_grove", "b": "wood_building", "y": "gully", "r": "rough", "s": "scrub"},
    "mbt": {"w": "woods", "b": "brick_building", "y": "stream", "r": "rough", "s": "scrub"},
}
SIDES = ("slope", "crest", "wall", "hedgerow")
STEPS = {
    "commands": ("",),
    "direct fire": ("FIRE", "SHORT_HALT", "MOVE", "OW", "N/C"),
    "movement": ("SHORT_HALT", "MOVE", "OW", "N/C"),
}


@st.composite
def positions(draw: st.DrawFn) -> Play:
    """A position somewhere in a turn."""
    book = draw(st.sampled_from(BOOKS))
    columns, rows = draw(st.integers(3, 5)), draw(st.integers(2, 4))
    codes = st.sampled_from([".", ".", ".", *GROUND[book]])
    levels = st.sampled_from(["", "", "", "1", "2"])
    words = [[draw(codes) + draw(levels) for _ in range(columns)] for _ in range(rows)]
    labels = [f"{'ABCDE'[column]}{row + 1}" for row in range(rows) for column in range(columns)]
    step = draw(st.sampled_from(sorted(STEPS)))
    return play(
        book,
        "\n".join(" ".join(row) for row in words),
        "\n".join(_units(draw, labels, STEPS[step])),
        legend=GROUND[book],
        features=_features(draw, labels, columns, rows),
        wrecks=draw(st.dictionaries(st.sampled_from(labels), st.sampled_from(["KO", "BU"]), max_size=2)),
        open=step,
        first=draw(st.sampled_from(["red", "blue"])),
        turns=draw(st.integers(1, 3)),
        objectives=[{"id": "o", "title": "O", "hexes": labels[:2], "points": {"red": 5, "blue": 5}}],
    )


def _features(draw: st.DrawFn, labels: list[str], columns: int, rows: int) -> list[dict[str, Any]]:
    """A road or path down a column, and hexsides."""
    column = "ABCDE"[draw(st.integers(0, columns - 1))]
    kind = draw(st.sampled_from(["road", "path"]))
    found: list[dict[str, Any]] = [{"kind": kind, "line": [f"{column}{row + 1}" for row in range(rows)]}]
    sides = st.tuples(st.sampled_from(SIDES), st.sampled_from(labels), st.sampled_from(FACINGS))
    for name, label, facing in draw(st.lists(sides, max_size=5)):
        found.append({"kind": name, "sides": [f"{label}:{facing}"]})
    return found


def _units(draw: st.DrawFn, labels: list[str], commands: tuple[str, ...]) -> list[str]:
    """One to three vehicles a side; opposing ones stand in different hexes."""
    places = draw(st.permutations(labels))
    half = len(places) // 2
    found = []
    for force, own in (("r", places[:half]), ("b", places[half:])):
        for number in range(draw(st.integers(1, 3))):
            words = [f"{force}{number}", draw(st.sampled_from(CARDS)), draw(st.sampled_from(own[:4]))]
            words += [draw(st.sampled_from(FACINGS)), draw(st.sampled_from(commands))]
            words.append(draw(st.sampled_from(["", "", "damaged", "spot=SPOT/FIRE", "spot=SPOT/MOVE"])))
            found.append(" ".join(words))
    return found
