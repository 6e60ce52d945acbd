"""Looking ahead: several answers tried in the same imagined worlds, and how far to believe the difference.

A world is what the seat knows with every hidden fact drawn anew. In each world an answer is played, both sides go on by
quick answers, and the system's evaluation judges where that led. What is compared are differences within a world, where
both answers have the same luck. They are noisy all the same, and the first sight of an idea is worth something too: the
two are weighed by how much the differences vary and by how far first sight is known to err, so that a few
lucky worlds do not overturn good sense.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean
from typing import Any

from sandtable.bots.clock import Clock, OutOfTime
from sandtable.bots.doctrine import Doctrine, Idea
from sandtable.bots.looking import Helpers, Looking, Outlook
from sandtable.bots.policy import Question
from sandtable.bots.sharing import SharedLooks, Wanted
from sandtable.bots.style import Level, Style
from sandtable.bots.thinking import filled
from sandtable.core.decision import Assign, Gather

__all__ = ["Search", "Tried"]

FIRST = 3
"""Worlds in which every answer is tried before any is dropped."""


class Tried:
    """An idea and how it did."""

    def __init__(self, idea: Idea, action: Any, what: str = "") -> None:
        self.idea = idea
        self.action = action
        """The whole answer, None if the idea makes none."""
        self.what = what
        """What is told of it; "" for the answer itself."""
        self.values: dict[int, float] = {}
        """Points by world."""

    @property
    def mean(self) -> float:
        """Points on average."""
        return fmean(self.values.values())

    def edge_over(self, other: Tried, doubt: float) -> float:
        """Points by which this is better than another, as far as that can be believed."""
        first = self.idea.worth - other.idea.worth
        shared = self.values.keys() & other.values.keys()
        if not shared:
            return first
        gaps = [self.values[world] - other.values[world] for world in shared]
        doubt *= max(self.idea.scale, other.idea.scale)
        # Of so few worlds the spread may seem too small: what first sight errs by is added to it, as one world more.
        spread = (sum((gap - fmean(gaps)) ** 2 for gap in gaps) + 4 * doubt * doubt) / len(gaps)
        error = spread / len(gaps)
        trust = doubt * doubt / (doubt * doubt + error)
        return trust * fmean(gaps) + (1 - trust) * first


class Search:
    """Looks ahead from one question."""

    def __init__(
        self,
        question: Question[Any],
        doctrine: Doctrine,
        rng: Random,
        *,
        style: Style,
        level: Level,
        clock: Clock,
        helpers: Helpers | None = None,
        bot: str = "",
    ) -> None:
        """Looks are taken together with ``helpers``, who know the captain by the name of ``bot``."""
        self._question = question
        self._level = level
        self._clock = clock
        self._rng = rng
        self._doubt = doctrine.doubt
        self._seeds: list[int] = []
        dice_seed = rng.getrandbits(48)
        self._looking = Looking(question, doctrine, style, horizons=level.horizons, dice_seed=dice_seed)
        self._shared = (
            SharedLooks(bot, question, self._looking, helpers, clock, dice_seed=dice_seed) if helpers else None
        )
        self._numbers: dict[Tried, int] = {}
        """Answers as helpers know them."""
        self.looks = self._steps = 0
        """Looks taken so far, and the steps that they took."""

    def answers(self, ideas: Sequence[Idea]) -> list[Tried]:
        """The best few of some answers, tried: the best first."""
        rivals = [Tried(idea, idea.answer) for idea in ideas[: self._level.breadth]]
        if not rivals:
            return []
        # What first sight finds much worse than the best is not worth a look.
        near = [tried for tried in rivals if rivals[0].idea.worth - tried.idea.worth < 3 * self._doubt]
        # Nor is one that there is no time to try in a few worlds.
        near = near[: self._level.answer_looks // FIRST] or near
        return self._race(near, self._level.answer_looks) + rivals[len(near) :]

    def assignment(self, slots: Sequence[Sequence[Idea]]) -> list[Tried]:
        """A value for every slot: those that look best, then the changes that do better, single ones all together."""
        base = [ideas[0].answer for ideas in slots]
        plain = Tried(Idea(None, 0.0), filled(self._question.options.root, base), "as it looks best at first sight")
        singles = self._singles(slots, base)
        rivals = [plain, *singles, *self._stances(slots, base)]
        tried = self._race(rivals, self._level.looks * 2 // 3, keep=plain)
        better: dict[int, Tried] = {}
        for one in tried:
            if one in singles and one.edge_over(plain, self._doubt) > 0:
                better.setdefault(singles[one], one)
        if len(better) < 2:
            return tried
        return self._together(tried, plain, better, base)

    def _singles(self, slots: Sequence[Sequence[Idea]], base: Sequence[str]) -> dict[Tried, int]:
        """Changes in one slot, and which: those that cost least at first sight for what hangs on them."""
        root = self._question.options.root
        labels = [slot.label for slot in root.slots] if isinstance(root, Assign | Gather) else []
        changes = sorted(
            ((ideas[0].worth - idea.worth, place, idea) for place, ideas in enumerate(slots) for idea in ideas[1:]),
            key=lambda change: (change[0] / change[2].scale, change[1]),
        )
        found: dict[Tried, int] = {}
        for gap, place, idea in changes[: self._level.breadth]:
            values = [*base[:place], idea.answer, *base[place + 1 :]]
            told = f"{labels[place]}: {idea.answer}"
            found[Tried(idea._replace(worth=-gap), filled(root, values), told)] = place
        return found

    def _stances(self, slots: Sequence[Sequence[Idea]], base: Sequence[str]) -> list[Tried]:
        """The same value in every slot that takes it: what pays only when all do it is no sum of single changes."""
        found: list[Tried] = []
        root = self._question.options.root
        for value in dict.fromkeys(idea.answer for ideas in slots for idea in ideas):
            values, gap, scale, changed = list(base), 0.0, 0.0, 0
            for place, ideas in enumerate(slots):
                idea = next((idea for idea in ideas if idea.answer == value), ideas[0])
                if idea is not ideas[0]:
                    values[place] = value
                    gap, scale, changed = gap + ideas[0].worth - idea.worth, scale + idea.scale, changed + 1
            if changed > 1:
                found.append(Tried(Idea(None, -gap, scale=scale), filled(root, values), f"{value} wherever possible"))
        return sorted(found, key=lambda one: -one.idea.worth)[: self._level.breadth // 2]

    def _together(self, tried: list[Tried], plain: Tried, better: dict[int, Tried], base: Sequence[str]) -> list[Tried]:
        """All good changes at once, and half of them, beside the best by itself."""
        root = self._question.options.root
        ranked = sorted(better.items(), key=lambda item: -item[1].edge_over(plain, self._doubt))
        packages: list[Tried] = []
        for number in sorted({(len(ranked) + 1) // 2, len(ranked)} - {1}):
            values = list(base)
            for place, single in ranked[:number]:
                values[place] = single.idea.answer
            scale = sum(single.idea.scale for _, single in ranked[:number])
            hoped = sum(single.edge_over(plain, self._doubt) for _, single in ranked[:number])
            told = " and ".join(single.what for _, single in ranked[:number])
            # Some of what several changes promise one by one is the same gain counted twice.
            packages.append(Tried(Idea(None, 0.7 * hoped, scale=scale), filled(root, values), told))
        rivals = [ranked[0][1], plain, *packages]
        rivals += [one for one in tried[:1] if one not in rivals]
        final = self._race(rivals, self._level.looks, keep=plain)
        return final + [one for one in tried if one not in final]

    # --- races ------------------------------------------------------------------------------------------

    def _race(self, rivals: list[Tried], looks: int, keep: Tried | None = None) -> list[Tried]:
        """All of them in a few worlds, then the better half in more, and so on; the best first."""
        alive, out = self._affordable(rivals, looks)
        world = 0
        while len(alive) > 1 and world < self._level.worlds:
            self._plan(alive, world, looks, keep)
            for _ in range(FIRST):
                left = sum(world not in tried.values for tried in alive)
                if not self._is_affordable(left, looks) or not self._look(alive, world):
                    break
                world += 1
            else:
                alive, dropped = self._halved(alive, keep)
                out = dropped + out
                continue
            break
        return self._ranked(alive) + out

    def _halved(self, alive: list[Tried], keep: Tried | None) -> tuple[list[Tried], list[Tried]]:
        """The better half, with the one that is kept in any case, and the others."""
        ranked = self._ranked(alive)
        half = max(2, (len(ranked) + 1) // 2)
        rest = ranked[half:]
        return ranked[:half] + [tried for tried in rest if tried is keep], [
            tried for tried in rest if tried is not keep
        ]

    def _affordable(self, rivals: list[Tried], looks: int) -> tuple[list[Tried], list[Tried]]:
        """Those that there are steps enough for to try in some worlds, at the price of a first look, and the others."""
        if len(rivals) < 2 or not self._is_affordable(len(rivals), looks):
            return rivals, []
        others = sorted(range(1, len(rivals)), key=lambda n: -rivals[n].idea.worth / rivals[n].idea.scale)
        if self._shared is not None:
            # However dear looks are, two will be tried, and most likely in a second world.
            self._shared.plan(self._wanted([rivals[0], rivals[others[0]]], range(2))[:looks], self._foreseen(FIRST))
        if not self._look(rivals[:1], 0):
            return rivals, []
        most = max(2, int((self._level.steps - self._steps) / (2 * FIRST * self._price)))
        near = set(others[: most - 1])
        kept = [tried for n, tried in enumerate(rivals) if n == 0 or n in near]
        return kept, [tried for tried in rivals if tried not in kept]

    def _is_affordable(self, number: int, looks: int) -> bool:
        """Whether so many more looks are within what the level allows."""
        return self.looks + number <= looks and self._steps + number * self._price <= self._level.steps

    @property
    def _price(self) -> float:
        """Steps that a look takes on average."""
        return self._steps / self.looks if self._steps else 1.0

    def _ranked(self, alive: list[Tried]) -> list[Tried]:
        """By what they gain on the one that looked best at first."""
        first = max(alive, key=lambda tried: tried.idea.worth)
        return sorted(alive, key=lambda tried: -tried.edge_over(first, self._doubt) if tried is not first else 0.0)

    def _look(self, rivals: Sequence[Tried], number: int) -> bool:
        """Try them all in the world of a number; whether there was one, and time for it."""
        try:
            self._clock.check()
            if self._looking.world(self._seed(number)) is None:
                return False
            for tried in rivals:
                if number not in tried.values and tried.action is not None:
                    self.looks += 1
                    outlook = self._outlook(tried, number)
                    if outlook is None:
                        return False
                    self._steps += outlook.steps
                    tried.values[number] = outlook.points
        except OutOfTime:
            return False
        return True

    def _outlook(self, tried: Tried, number: int) -> Outlook | None:
        """What comes of an answer in the world of a number."""
        if self._shared is not None:
            return self._shared.take(Wanted(self._number(tried), number))
        return self._looking.take(tried.action, number, self._seed(number), self._clock.check)

    def _seed(self, number: int) -> int:
        """What the world of a number is drawn by."""
        while number >= len(self._seeds):
            self._seeds.append(self._rng.getrandbits(48))
        return self._seeds[number]

    # --- helpers ----------------------------------------------------------------------------------------

    def _plan(self, alive: list[Tried], world: int, looks: int, keep: Tried | None) -> None:
        """Say which looks come next, those of a round, and which most likely come after them."""
        if self._shared is None:
            return
        worlds = self._worlds(alive, world, self._affords(looks))
        wanted = self._wanted(alive, worlds)[: max(0, looks - self.looks)]

        def after() -> list[Wanted]:
            rest = self._wanted(alive, range(worlds.stop, min(world + FIRST, self._level.worlds)))
            if rest:
                # Should looks turn out to be shorter than those so far, the round goes on.
                return rest
            further = self._affords(looks) - len(self._wanted(alive, worlds))
            leading = self._halved(alive, keep)[0]
            return self._wanted(leading, self._worlds(leading, world + FIRST, further)) if further > 0 else []

        self._shared.plan(wanted, self._foreseen(world + 2 * FIRST), after)

    def _affords(self, looks: int) -> float:
        """How many more looks are within what the level allows, at the price of those so far."""
        return min(looks - self.looks, (self._level.steps - self._steps) / self._price)

    def _worlds(self, rivals: Sequence[Tried], world: int, looks: float) -> range:
        """The worlds of a round in which there are so many looks for some answers; one at least."""
        end = world
        while end < min(world + FIRST, self._level.worlds):
            looks -= sum(end not in tried.values for tried in rivals)
            if looks < 0 and end > world:
                break
            end += 1
        return range(world, end)

    def _wanted(self, rivals: Sequence[Tried], worlds: range) -> list[Wanted]:
        """Looks at some answers in some worlds."""
        return [
            Wanted(self._number(tried), number)
            for number in worlds
            for tried in rivals
            if number not in tried.values and tried.action is not None
        ]

    def _foreseen(self, worlds: int) -> list[int]:
        """The seeds of so many worlds. The stream of chance stands where it stands: it moves when a world is used."""
        ahead = Random(0)
        ahead.setstate(self._rng.getstate())
        return self._seeds + [ahead.getrandbits(48) for _ in range(len(self._seeds), worlds)]

    def _number(self, tried: Tried) -> int:
        assert self._shared is not None  # noqa: S101 - nobody else needs numbers
        if tried not in self._numbers:
            self._numbers[tried] = self._shared.number(tried.action)
        return self._numbers[tried]
