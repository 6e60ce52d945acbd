"""How to paint a kind of terrain of which nothing else is known: by the words of its name."""

from __future__ import annotations

__all__ = ["paint_of"]

_PAINTS = (
    ("woods", ("woods", "forest", "grove", "jungle", "tree")),
    ("orchard", ("orchard", "vineyard", "olive", "palm")),
    ("bridge", ("bridge",)),
    ("water", ("water", "lake", "pond", "river", "sea", "canal")),
    ("building", ("building", "village", "town", "city", "house", "farm", "factory", "rubble", "fort")),
    ("road", ("road", "highway")),
    ("path", ("path", "trail")),
    ("rail", ("rail", "railroad", "railway")),
    ("track", ("track",)),
    ("stream", ("stream", "creek", "ford")),
    ("gully", ("gully", "wadi", "ditch", "depression", "trench", "crater")),
    ("hedge", ("hedge", "hedgerow", "bocage", "fence")),
    ("wall", ("wall",)),
    ("cliff", ("cliff", "escarpment")),
    ("ridge", ("crest", "ridge")),
    ("slope", ("slope",)),
    ("level", ("hill", "level", "contour", "elevation")),
    ("rough", ("rough", "rocks", "broken", "hummock", "mountain")),
    ("sand", ("sand", "dune", "desert", "beach")),
    ("marsh", ("marsh", "swamp", "bog", "paddy")),
    ("scrub", ("scrub", "brush", "heath")),
    ("field", ("crops", "field", "grain", "grass", "polder")),
    ("label", ("name", "label", "text")),
    ("objective", ("objective",)),
    ("open", ("clear", "open")),
)


def paint_of(kind: str) -> str:
    """The paint for a kind: one of the names above, or ``other``."""
    words = kind.casefold().replace("-", "_").split("_")
    for paint, names in _PAINTS:
        if any(word.removesuffix("s") == name.removesuffix("s") for word in words for name in names):
            return paint
    return "other"
