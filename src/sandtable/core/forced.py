"""Answers that need no asking: the only ones there are, where giving them costs nothing."""

from __future__ import annotations

from typing import Any, TypeVar

from sandtable.core.decision import Options
from sandtable.core.ruleset import Ruleset

__all__ = ["forced_answer"]

A = TypeVar("A")


def forced_answer(ruleset: Ruleset[Any, A, Any], options: Options[A]) -> A | None:
    """The only answer, if there is just one and it spends nothing; a shot is its owner's to fire, though he must."""
    only = options.only()
    return None if only is None or ruleset.spends(only) else only
