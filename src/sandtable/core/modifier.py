"""Every number explained: a breakdown is a list of (value, label, rule), and its total is their sum.

A finaliser ends the argument: ``final`` holds whatever the modifiers say (``impossible``, ``automatic``).
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

__all__ = ["Breakdown", "Modifier"]


class Modifier(msgspec.Struct, frozen=True, gc=False):
    """One term of a number."""

    value: int
    label: str
    rule: str

    def __str__(self) -> str:
        return f"{self.value:+d} {self.label} ({self.rule})"


class Breakdown(msgspec.Struct, frozen=True, gc=False):
    """A number with its reasons: what it is, its terms, and where a table took it."""

    title: str
    """What the number is, e.g. ``AP Hit Number``."""
    rule: str
    terms: tuple[Modifier, ...] = ()
    base: int = 0
    base_label: str = ""
    result: int | None = None
    """The number looked up with the net modifier, where a table stands between."""
    result_label: str = ""
    final: str = ""
    """``impossible`` or ``automatic``, with the reason, where that settles it."""

    @property
    def net(self) -> int:
        """Base and modifiers together."""
        return self.base + sum([term.value for term in self.terms]) if self.terms else self.base

    @property
    def total(self) -> int:
        """The number itself."""
        return self.net if self.result is None else self.result

    def plus(self, terms: Iterable[Modifier]) -> Breakdown:
        """The same breakdown with more terms."""
        return msgspec.structs.replace(self, terms=(*self.terms, *terms))

    def explain(self) -> str:
        """The breakdown in one line."""
        parts = [f"{self.base} {self.base_label}".rstrip()] if self.base_label or not self.terms else []
        parts += [str(term) for term in self.terms]
        text = f"{self.title} {self.total} ({self.rule}): {', '.join(parts)}"
        if self.result is not None:
            text += f"; net {self.net:+d} {self.result_label}".rstrip()
        return f"{text}; {self.final}" if self.final else text
