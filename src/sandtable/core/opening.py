"""Where a game starts: the scenario's own set-up, or a position that its log names."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from sandtable.core.codec import decode, encode
from sandtable.core.dice import Dice
from sandtable.core.errors import BadInput, Fault
from sandtable.core.log import Header
from sandtable.core.ruleset import Resolution, Ruleset

__all__ = ["begin_game", "first_state"]

S = TypeVar("S")
E = TypeVar("E")


def first_state(ruleset: Ruleset[S, Any, E], header: Header) -> S:
    """The state before the first entry."""
    if header.start is msgspec.UNSET:
        return ruleset.setup()
    try:
        return decode(encode(header.start), ruleset.state_type)
    except msgspec.ValidationError as error:
        raise BadInput([Fault("line 1: start", str(error), f"a position of {header.system}")]) from None


def begin_game(ruleset: Ruleset[S, Any, E], header: Header, state: S, dice: Dice) -> Resolution[S, E]:
    """What happens before the first question: nothing where the game is taken up in the middle."""
    if header.start is msgspec.UNSET:
        return ruleset.begin(state, dice)
    return Resolution(state, ruleset.fold, dice)
