"""What to look for on a map: some kinds of terrain, all but some kinds, or ground above a level."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["TerrainQuery"]


class TerrainQuery(NamedTuple):
    """A question to a drawn map; ask it of a place with :meth:`sees`."""

    kinds: frozenset[str] = frozenset()
    others: bool = False
    """Whether everything but these kinds is meant."""
    above: int | None = None
    """Ground above this level is meant, whatever it shows."""

    @classmethod
    def at(cls, *kinds: str) -> TerrainQuery:
        """Look for some kinds of terrain."""
        return cls(frozenset(kinds))

    def sees(self, kind: str, level: int) -> bool:
        """Whether a place that shows ``kind`` at ``level`` is meant."""
        if self.above is not None:
            return level > self.above
        return (kind in self.kinds) != self.others
