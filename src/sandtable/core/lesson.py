"""Lessons: a position, and what somebody who learns the game reads and does there, one idea a step.

A lesson is data in a pack (``lessons/*.yaml``). Its position is a situation, or a scenario with changes; its dice are
scripted, so that what the text tells is what happens. Playing a lesson through is how it is checked: every wanted
action must be legal, the dice must be just those that are rolled, and what is told must come about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.core.codec import to_plain
from sandtable.core.content.pack import Library
from sandtable.core.content.reading import convert, read_yaml
from sandtable.core.content.scenario import read_draft
from sandtable.core.decision import Seat
from sandtable.core.dice import ScriptedDice
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.game import Game
from sandtable.core.log import FORMAT, Entry, Header
from sandtable.core.ruleset import Position, System
from sandtable.core.situation import read_action, unmet

__all__ = ["PARTS", "Deed", "Lecture", "Lesson", "LessonStep", "Light", "check_lessons", "open_lecture", "read_lesson"]

PARTS = ("prompt", "orders", "map", "log", "unit", "tools", "tables", "track", "scores")
"""Parts of the page that a step may light."""


class Light(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a step points at, besides the way to what it wants, which is lit by itself."""

    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


class Deed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that another side does after a step, or what else has to be answered by itself."""

    seat: str
    action: dict[str, Any]
    dice: list[Any] = []
    expect: dict[str, Any] = {}


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One idea: read it, and do it where there is something to do."""

    text: str
    do: dict[str, Any] | None = None
    """The action that is wanted; a step without one is only read."""
    want: str = ""
    """What is wanted, as the end of "here we want to"."""
    dice: list[Any] = []
    expect: dict[str, Any] = {}
    """What comes of it, as a situation's step says it: the text of the next step rests on that."""
    light: Light = Light()
    then: tuple[Deed, ...] = ()


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson file."""

    id: str
    system: str
    title: str
    summary: str
    seat: str
    """Whose part the learner plays."""
    position: dict[str, Any]
    """A situation without its steps, or ``scenario`` with ``changes`` to it."""
    steps: tuple[LessonStep, ...]
    minutes: int = 10


class _Named(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scenario: str
    changes: dict[str, Any] = {}
    dice: list[Any] = []


class Move(msgspec.Struct, frozen=True):
    """A deed that was read: whose, what, with which dice, and where it stands in the file."""

    seat: Seat
    action: Any
    dice: list[Any]
    expect: dict[str, Any]
    place: str


class Lecture:
    """A lesson with its rules at hand, which can be begun at any step."""

    def __init__(self, lesson: Lesson, system: System, library: Library, where: str) -> None:
        self.lesson = lesson
        self.system = system
        self.library = library
        self._where = where
        self._header, position = _opened(lesson, system, library, f"{where}: position")
        self.ruleset = position.ruleset
        self._start = position.state
        if lesson.seat not in self.ruleset.seats:
            right = f"one of {', '.join(self.ruleset.seats)}"
            raise BadInput([Fault(f"{where}: seat", f"no seat {lesson.seat!r}", right)])
        self.moves = self._read_moves()
        """What is done at each step, the learner's part first."""

    @property
    def draft(self) -> dict[str, Any]:
        """The scenario, as far as there is one."""
        return self._header.scenario

    def _read_moves(self) -> tuple[tuple[Move, ...], ...]:
        faults = Faults()
        found = []
        for number, step in enumerate(self.lesson.steps):
            place = f"{self._where}: steps[{number}]"
            deeds = [] if step.do is None else [(self.lesson.seat, step.do, step.dice, step.expect, f"{place}.do")]
            deeds += [
                (one.seat, one.action, one.dice, one.expect, f"{place}.then[{i}]") for i, one in enumerate(step.then)
            ]
            moves = []
            for seat, plain, dice, expect, at in deeds:
                with faults.gathering():
                    moves.append(Move(Seat(seat), read_action(self.ruleset, plain, at), dice, expect, at))
            found.append(tuple(moves))
        faults.check()
        return tuple(found)

    def begin(self, step: int = 0) -> Game[Any, Any, Any]:
        """The game as it stands before ``step``."""
        game: Game[Any, Any, Any] = Game.start(self.ruleset, self._header, ScriptedDice(()))
        for number in range(step):
            for move in self.moves[number]:
                self.play(game, move)
        return game

    def play(self, game: Game[Any, Any, Any], move: Move) -> None:
        """Do what the lesson says, with its dice; raise :class:`BadInput` where that is not possible."""
        refusal = game.refusal(move.seat, move.action)
        if refusal is not None:
            raise BadInput([Fault(move.place, f"not legal: {refusal}", "an action that the rules allow there")])
        game.dice = dice = ScriptedDice(move.dice)
        try:
            game.play(move.seat, move.action)
        except BadInput as bad:
            raise BadInput(Fault(f"{move.place}.{f.where}", f.wrong, f.right) for f in bad.faults) from None
        if dice.left:
            raise BadInput([Fault(f"{move.place}.dice", f"{dice.left} dice were not rolled", "just those that fall")])

    def holds_with(self, step: int, action: Any) -> bool:
        """Whether all that is told from ``step`` on comes about as well if the learner does ``action`` there."""
        game = self.begin(step)
        try:
            for number in range(step, len(self.moves)):
                for index, move in enumerate(self.moves[number]):
                    done = replace(move, action=action) if number == step and not index else move
                    self.play(game, done)
                    if next(self._unmet(game, done), None):
                        return False
        except BadInput:
            return False
        return True

    def faults(self) -> Iterator[Fault]:
        """All that is wrong with it: played through from the first step to the last."""
        try:
            game = self.begin()
        except BadInput as bad:
            yield from bad.faults
            return
        for number, step in enumerate(self.lesson.steps):
            place = f"{self._where}: steps[{number}]"
            yield from self._faults_of_words(step, place)
            yield from self._faults_of_lights(step, game, f"{place}.light")
            if step.do is None and (step.want or step.dice or step.expect):
                yield Fault(place, "want, dice or expect without do", "all of them or none")
            for move in self.moves[number]:
                try:
                    self.play(game, move)
                except BadInput as bad:
                    yield from bad.faults
                    return
                for wrong in self._unmet(game, move):
                    yield Fault(f"{move.place}.expect", wrong)

    def _unmet(self, game: Game[Any, Any, Any], move: Move) -> Iterator[str]:
        """Where what came of a move that was just played is not what is told of it."""
        line = game.lines[-1]
        events = line.events if isinstance(line, Entry) else ()
        yield from unmet(self.ruleset, move.expect, events, game.states[-1])

    def _faults_of_words(self, step: LessonStep, place: str) -> Iterator[Fault]:
        if not step.text.strip():
            yield Fault(f"{place}.text", "nothing to read", "one idea in a few sentences")
        if step.do is not None and not step.want.strip():
            yield Fault(f"{place}.want", "missing", 'the end of "here we want to"')

    def _faults_of_lights(self, step: LessonStep, game: Game[Any, Any, Any], place: str) -> Iterator[Fault]:
        ids = {counter.id for counter in self.ruleset.view(game.state, Seat(self.lesson.seat)).counters}
        for unit in step.light.units:
            if unit not in ids:
                yield Fault(f"{place}.units", f"no unit {unit!r} there", f"one of {', '.join(sorted(ids))}")
        for label in step.light.hexes:
            try:
                self.ruleset.place(label)
            except BadInput as bad:
                for fault in bad.faults:
                    yield Fault(f"{place}.hexes", fault.wrong, fault.right)
        for part in step.light.parts:
            if part not in PARTS:
                yield Fault(f"{place}.parts", f"no part {part!r}", f"one of {', '.join(PARTS)}")


def read_lesson(data: bytes | str, where: str) -> Lesson:
    """Read a lesson file, not yet its position; raise :class:`BadInput` with all faults."""
    lesson = read_yaml(data, Lesson, where)
    if not lesson.steps:
        raise BadInput([Fault(f"{where}: steps", "none", "at least one")])
    return lesson


def open_lecture(system: System, library: Library, data: bytes | str, where: str) -> Lecture:
    """A lesson with its rules; raise :class:`BadInput` with all faults that show before it is played."""
    lesson = read_lesson(data, where)
    if lesson.system != system.card.id:
        raise BadInput([Fault(f"{where}: system", f"{lesson.system!r}", system.card.id)])
    return Lecture(lesson, system, library, where)


def check_lessons(system: System, library: Library) -> None:
    """Play every lesson of the packs through; raise :class:`BadInput` with all faults.

    A lesson is played with the numbers that it was written for: a later pack may change them.
    """
    faults = Faults()
    seen: dict[str, str] = {}
    for pack, own in library.growing():
        for _, data, where in pack.section("lessons"):
            with faults.gathering():
                lecture = open_lecture(system, own, data, where)
                name = lecture.lesson.id
                if name in seen:
                    raise BadInput([Fault(f"{where}: id", f"{name} stands in {seen[name]} too", "a name of its own")])
                seen[name] = where
                raise BadInput(lecture.faults())
    faults.check()


def _opened(lesson: Lesson, system: System, library: Library, where: str) -> tuple[Header, Position]:
    """The position that a lesson begins in, and the header of a game that begins there."""
    card = system.card
    if "scenario" in lesson.position:
        named = convert(lesson.position, _Named, where)
        draft = {**_scenario(named.scenario, library, where), **named.changes}
        ruleset = system.ruleset(draft, library, where)
        state = ruleset.begin(ruleset.setup(), ScriptedDice(named.dice)).state
    else:
        draft = {"system": lesson.system, **lesson.position}
        ruleset, state = system.position(draft, library, where)
    draft = {**draft, "id": lesson.id, "title": lesson.title}
    header = Header(FORMAT, card.id, card.version, library.digests, draft, start=to_plain(state))
    return header, Position(ruleset, state)


def _scenario(name: str, library: Library, where: str) -> Mapping[str, Any]:
    found = {}
    for _, data, place in library.section("scenarios"):
        draft = read_draft(data, place)
        found[str(draft.get("id"))] = draft
    if name not in found:
        raise BadInput([Fault(f"{where}.scenario", f"no scenario {name!r}", f"one of {', '.join(sorted(found))}")])
    return found[name]
