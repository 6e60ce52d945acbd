"""Work for workers: what is done, what goes wrong, and what never ends."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sandtable.core.errors import BadInput, Fault
from sandtable.session.thinking.worker import Colleagues


def add(a: int, b: int) -> int:
    return a + b


def pid() -> int:
    return os.getpid()


def note(path: str, what: str) -> None:
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(what + "\n")


def wait_for(path: str) -> None:
    """Until there is such a file."""
    while not Path(path).exists():
        time.sleep(0.005)


def never() -> None:
    while True:
        time.sleep(1)


def read_for_ever(*_: object) -> None:
    """A file that never comes to its end."""
    never()


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def die() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def bad() -> None:
    raise BadInput([Fault("file", "no good", "better")])


class Odd(Exception):
    """One that does not survive being packed."""

    def __init__(self, a: int, b: int) -> None:
        super().__init__(f"{a} and {b}")


def odd() -> None:
    raise Odd(1, 2)


def too_deep() -> int:
    return too_deep() + 1


def count(to: int, tell: Callable[[int], None]) -> str:
    """Tell of every step."""
    for n in range(to):
        tell(n)
    return "counted"


def shared(part: Callable[..., Any], parts: int, colleagues: Colleagues) -> list[Any]:
    """Our process, and what comes of so many parts that the others are asked to do."""
    found: list[Any] = [os.getpid()]
    asked: set[int] = set()
    while len(found) + len(asked) <= parts or asked:
        while len(found) + len(asked) <= parts and (number := colleagues.ask(part)) is not None:
            asked.add(number)
        for number, value in colleagues.told():
            asked.remove(number)
            found.append(value)
        time.sleep(0.002)
    return found


def careless(path: str, colleagues: Colleagues) -> bool:
    """Ask for something and go away before it is done."""
    return colleagues.ask(wait_for, path) is not None
