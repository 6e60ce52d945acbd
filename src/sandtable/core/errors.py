"""The three ways in which Sandtable says no.

::

    SandtableError
    ├── Refused    the rules do not allow it: rule number, reason, what would make it legal
    ├── BadInput   it cannot be read: every fault at once, each with its place
    └── RulesBug   our own mistake: carries a loadable log

Nothing in the library answers an error with ``None``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import msgspec

__all__ = ["BadInput", "Fault", "Faults", "Refusal", "Refused", "RulesBug", "SandtableError"]


class Refusal(msgspec.Struct, frozen=True):
    """Why something is not allowed."""

    rule: str
    """Number of the rule that forbids it."""
    reason: str
    """What stands against it, in one sentence."""
    remedy: str = ""
    """What would make it legal, where that can be told."""
    slots: tuple[str, ...] = ()
    """Keys of the slots that it is about, where a whole assignment was tried."""

    def __str__(self) -> str:
        text = f"{self.reason} ({self.rule})" if self.rule else self.reason
        return f"{text}; {self.remedy}" if self.remedy else text


class Fault(msgspec.Struct, frozen=True):
    """One thing wrong with an input."""

    where: str
    """File, and line or field in it."""
    wrong: str
    right: str = ""
    """What would be right, where that can be told."""

    def __post_init__(self) -> None:
        # A fault may quote what somebody wrote, and that may be as long as a file.
        for name, most in (("where", 500), ("wrong", 500), ("right", 1000)):
            text = getattr(self, name)
            if len(text) > most:
                msgspec.structs.force_setattr(self, name, f"{text[: most - 3]}...")

    def __str__(self) -> str:
        text = f"{self.where}: {self.wrong}"
        return f"{text} (expected {self.right})" if self.right else text


class SandtableError(Exception):
    """Root of the errors that a caller may want to catch."""


class Refused(SandtableError):
    """The rules do not allow it; the state is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[Refused], tuple[Refusal]]:
        """As it travels from a worker."""
        return (type(self), (self.refusal,))


class BadInput(SandtableError):
    """An input cannot be read; all its faults are listed, nothing of it was used."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))

    def __reduce__(self) -> tuple[type[BadInput], tuple[tuple[Fault, ...]]]:
        """As it travels from a worker."""
        return (type(self), (self.faults,))


class RulesBug(SandtableError):
    """The engine contradicts itself; ``log`` reproduces it."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log

    def __reduce__(self) -> tuple[type[RulesBug], tuple[str, str]]:
        """As it travels from a worker."""
        return type(self), (str(self), self.log)


class Faults:
    """Gathers faults, so that an input is rejected once with all of them."""

    def __init__(self, where: str = "") -> None:
        self._where = where
        self._found: list[Fault] = []

    def __iter__(self) -> Iterator[Fault]:
        return iter(self._found)

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, field: str, wrong: str, right: str = "") -> None:
        """Note a fault in ``field`` of the input."""
        where = f"{self._where}: {field}" if self._where and field else self._where or field
        self._found.append(Fault(where, wrong, right))

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Turn a :class:`BadInput` raised inside into faults of this collection, each once."""
        try:
            yield
        except BadInput as bad:
            self._found += [fault for fault in bad.faults if fault not in self._found]

    def check(self) -> None:
        """Raise :class:`BadInput` if anything was found."""
        if self._found:
            raise BadInput(self._found)
