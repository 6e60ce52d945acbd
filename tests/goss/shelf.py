"""The pack of GOSS by itself, for tests that need no system."""

from functools import cache
from pathlib import Path

from sandtable import packs
from sandtable.core.content.pack import Library
from sandtable.systems.goss.pieces.card_files import Shelf, parse_shelf
from sandtable.systems.goss.tables.charts import Charts, read_charts

SHARED = Path(__file__).parents[2].parent / "shared"
"""What lies beside the checkout; tests that read it skip where it is not."""


def library() -> Library:
    """The shipped pack."""
    return Library([packs.shipped("goss")])


@cache
def charts() -> Charts:
    """Its charts."""
    return read_charts(library().tables())


@cache
def shelf() -> Shelf:
    """Its types, formations and cards."""
    return parse_shelf({place: data for _, data, place in library().section("cards")})
