"""What a check raises."""

from __future__ import annotations

from typing import Any

from sandtable.core.codec import encode, first_difference

__all__ = ["Broken", "require", "same", "text"]


class Broken(AssertionError):
    """A system does not hold what the kernel promises."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(f"{check}: {message}")
        self.check = check


def require(holds: bool, check: str, message: str) -> None:
    """Raise :class:`Broken` unless it holds."""
    if not holds:
        raise Broken(check, message)


def same(one: Any, other: Any, check: str, message: str) -> None:
    """Raise :class:`Broken` unless both are encoded alike."""
    if encode(one) != encode(other):
        raise Broken(check, f"{message}: {first_difference(one, other)}")


def text(value: object) -> str:
    """An action or event as a message names it."""
    return encode(value).decode()
