"""Why a bot chose: what it considered, in odds and objectives.

The numbers are points as the scenario counts them, for the bot's own side: what it expects to be ahead by. They come
from the same thinking that made the choice, run with a notebook open.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.core.odds import Chance

__all__ = ["Considered", "Explanation", "LeftOut", "Reason"]


class Reason(msgspec.Struct, frozen=True):
    """One thing that speaks for or against an answer."""

    what: str
    points: float


class Considered(msgspec.Struct, frozen=True):
    """An answer that was weighed."""

    what: str
    worth: float
    """Points for the side, at first sight."""
    reasons: tuple[Reason, ...] = ()
    looked: float | None = None
    """Points on average in imagined continuations, where it was tried in some."""
    worlds: int = 0
    """In how many."""


class LeftOut(msgspec.Struct, frozen=True):
    """Something that the odds leave out, and the odds if it comes about."""

    what: str
    rule: str
    odds: tuple[Chance, ...] = ()


class Explanation(msgspec.Struct, frozen=True):
    """Why a bot chose."""

    bot: str
    rule: str
    question: str
    chosen: str
    plan: tuple[str, ...] = ()
    """What the side is about, in words."""
    considered: tuple[Considered, ...] = ()
    """The best first."""
    odds: tuple[Chance, ...] = ()
    """The exact odds of what was chosen, for all that the seat knows."""
    left_out: tuple[LeftOut, ...] = ()
    """What those odds leave out."""
    numbers: tuple[str, ...] = ()
    """The numbers that the odds rest on, term by term."""
    cut_short: bool = False
    """Whether the clock ended the thinking."""

    def lines(self) -> list[str]:
        """The explanation for a person to read."""
        told = [f"{self.bot}, asked under {self.rule}: {self.question}", f"chooses: {self.chosen}"]
        told += [f"plan: {line}" for line in self.plan]
        if len(self.odds) > 1:
            told.append(f"odds: {_odds(self.odds)}")
        told += [f"odds if {one.what} ({one.rule}): {_odds(one.odds) or 'not worked out'}" for one in self.left_out]
        told += [f"number: {line}" for line in self.numbers]
        for rank, item in enumerate(self.considered, start=1):
            told.append(f"{rank}. {item.what}: {_worth(item)}{_reasons(item.reasons)}")
        if self.cut_short:
            told.append("the clock cut the thinking short")
        return told


def _odds(chances: Sequence[Chance]) -> str:
    return ", ".join(f"{chance.what} {chance.probability:.0%}" for chance in chances[:5])


def _worth(item: Considered) -> str:
    first = f"{item.worth:+.1f} points at first sight"
    if item.looked is None:
        return first
    return f"{item.looked:+.1f} points on average in {item.worlds} imagined worlds ({first})"


def _reasons(reasons: Sequence[Reason]) -> str:
    told = ", ".join(f"{reason.what} {reason.points:+.1f}" for reason in reasons if reason.what)
    return f" [{told}]" if told else ""
