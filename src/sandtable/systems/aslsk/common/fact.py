"""What every event of this system is."""

from __future__ import annotations

import msgspec

__all__ = ["Fact"]


class Fact(msgspec.Struct, frozen=True, tag=True):
    """Something that happened; the folds of a ruleset say what there is."""
