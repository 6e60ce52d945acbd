"""Random games by rules that keep something from one state to the next: with all of it forgotten, or shared."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

from sandtable.core.codec import encode
from sandtable.core.dice import SeededDice

__all__ = ["SEEDS", "always", "forgetful", "played", "played_on_threads"]

SEEDS = ("one", "two", "three")


def always(ruleset: Any) -> Callable[[], Any]:
    """The same rules for every decision."""
    return lambda: ruleset


def forgetful(ruleset: Any) -> Callable[[], Any]:
    """The same rules, which forget everything before every decision."""

    def rules() -> Any:
        ruleset.context.memory.forget()
        return ruleset

    return rules


def played(seed: str, rules: Callable[[], Any]) -> Iterator[bytes]:
    """A game, decision by decision: what was answered and what came of it. ``rules`` gives those for the next one."""
    dice, rng = SeededDice(seed), Random(seed)
    ruleset = rules()
    state = ruleset.begin(ruleset.setup(), dice).state
    while (decision := (ruleset := rules()).decision(state)) is not None:
        seat = rng.choice(decision.asked)
        action = decision.options(seat).sample(rng)
        resolution = ruleset.resolve(state, seat, action, dice)
        state = resolution.state
        yield encode((action, resolution.events))


def played_on_threads(shared: Any, seeds: Sequence[str] = SEEDS) -> list[list[bytes]]:
    """Games of several seeds at once by the same rules, as at a server: the threads change places all the time."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(len(seeds)) as pool:
            return list(pool.map(lambda seed: list(played(seed, always(shared))), seeds))
    finally:
        sys.setswitchinterval(interval)
