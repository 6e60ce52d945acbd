"""Situations: a position, optionally actions with their dice, and what is expected of them.

What FEN is to chess, with a test inside. The format is in ``docs/situations.md``; the position part belongs to the
system, the steps are common to all systems and are run here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from sandtable.core.capabilities import ShowsSheets, Supposes, TellsUnitOdds
from sandtable.core.codec import decode, encode, spell_out
from sandtable.core.content.reading import convert
from sandtable.core.decision import Seat
from sandtable.core.dice import MOST_WAYS, ScriptedDice
from sandtable.core.errors import BadInput, Fault, Faults
from sandtable.core.game import not_asked
from sandtable.core.modifier import Breakdown
from sandtable.core.odds import Chance, Supposition, first_answer, odds
from sandtable.core.places import PlaceOf, with_places
from sandtable.core.ruleset import Position, Ruleset, System
from sandtable.core.sheet import Sheet

__all__ = [
    "MOST_STEPS",
    "Played",
    "SituationHead",
    "SituationStep",
    "StepResult",
    "play_steps",
    "read_action",
    "read_situation_head",
    "run",
    "situation_odds",
    "situation_sheet",
    "situation_suppositions",
    "situation_unit_odds",
    "unmet",
]

MOST_STEPS = 200
"""Steps of a situation; the longest example of a rulebook has 21."""


class SituationStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing done or asked, and what should come of it."""

    seat: str = ""
    action: dict[str, Any] | None = None
    ask: dict[str, Any] | None = None
    dice: list[Any] = []
    expect: dict[str, Any] = {}


class SituationHead(msgspec.Struct, frozen=True):
    """The part of a situation file that every system shares."""

    system: str
    title: str = ""
    rules: list[str] = []
    """Numbers of the rules that this shows."""
    ruling: str = ""
    """Where the book is unclear or a picture is missing: what was assumed and where that is written down."""
    steps: list[SituationStep] = []


class StepResult(msgspec.Struct, frozen=True):
    """What a step gave."""

    events: tuple[Any, ...] = ()
    breakdowns: tuple[Breakdown, ...] = ()
    narration: tuple[str, ...] = ()
    answer: dict[str, Any] = {}
    refused: str = ""
    refused_rule: str = ""
    faults: tuple[str, ...] = ()
    """Where the result is not what was expected."""


class Played(NamedTuple):
    """A step that was run."""

    step: SituationStep
    action: Any
    """What was done, as the system has it; None of a question."""
    result: StepResult
    state: Any
    """Afterwards."""


def read_situation_head(draft: Mapping[str, Any], where: str) -> SituationHead:
    """The shared part of a situation draft."""
    head = convert(dict(draft), SituationHead, where)
    faults = Faults(where)
    if len(head.steps) > MOST_STEPS:
        faults.add("steps", f"{len(head.steps)} steps", f"at most {MOST_STEPS}")
    for index, step in enumerate(head.steps):
        if step.action is None and step.ask is None:
            faults.add(f"steps[{index}]", "neither action nor ask", "one of them")
        elif step.action is not None and step.ask is not None:
            faults.add(f"steps[{index}]", "both action and ask", "a step for each of them")
        _check_step(step, f"steps[{index}]", faults)
    faults.check()
    return head


def _check_step(step: SituationStep, field: str, faults: Faults) -> None:
    """What a step expects must have the shape of what it can be compared with."""
    for index, entry in enumerate(step.dice):
        faces = entry if isinstance(entry, list) else [entry]
        if not all(type(face) is int for face in faces):
            faults.add(f"{field}.dice[{index}]", repr(entry), "a number, or a list of faces")
    if not isinstance(step.expect.get("events", []), list):
        faults.add(f"{field}.expect.events", "is no list", "a list of events")
    for index, event in enumerate(found if isinstance(found := step.expect.get("events"), list) else ()):
        if not isinstance(event, dict):
            faults.add(f"{field}.expect.events[{index}]", repr(event), "fields of an event")


def run(system: System, position: Position, head: SituationHead, where: str) -> tuple[list[StepResult], Any]:
    """Run the steps; the results and the last state."""
    played = list(play_steps(system, position, head, where))
    return [one.result for one in played], played[-1].state if played else position.state


def play_steps(system: System, position: Position, head: SituationHead, where: str) -> Iterator[Played]:
    """Run the steps one after another, each from where the one before has led."""
    state = position.state
    for index, step in enumerate(head.steps):
        place = f"{where}: steps[{index}]"
        if step.ask is not None:
            answer = system.answer(Position(position.ruleset, state), step.ask, place)
            result = StepResult(answer=answer, faults=_mismatches(step.expect, answer, "answer", None))
            yield Played(step, None, result, state)
        else:
            action = read_action(position.ruleset, step.action, f"{place}: action")
            result, state = _act(position, state, step, action, place)
            yield Played(step, action, result, state)


def _act(position: Position, state: Any, step: SituationStep, action: Any, place: str) -> tuple[StepResult, Any]:
    ruleset = position.ruleset
    seat = Seat(step.seat)
    refusal = not_asked(ruleset.decision(state), seat) or ruleset.refusal(state, seat, action)
    if refusal is not None:
        found = {"refused": refusal.rule, "reason": refusal.reason}
        faults = (
            _mismatches(step.expect, found, "refusal", None) if "refused" in step.expect else (f"refused: {refusal}",)
        )
        return StepResult(refused=str(refusal), refused_rule=refusal.rule, faults=faults), state
    if "refused" in step.expect:
        return StepResult(faults=(f"accepted, but expected a refusal under {step.expect['refused']}",)), state
    script = ScriptedDice(step.dice)
    try:
        resolution = ruleset.resolve(state, seat, action, script)
    except BadInput as bad:
        raise BadInput(Fault(f"{place}: {fault.where}", fault.wrong, fault.right) for fault in bad.faults) from None
    breakdowns = tuple(b for event in resolution.events for b in ruleset.breakdowns(event))
    result = StepResult(
        events=tuple(resolution.events),
        breakdowns=breakdowns,
        narration=tuple(text for text in map(ruleset.narrate, resolution.events) if text),
    )
    missed = [f"{script.left} dice were not rolled"] if script.left else []
    missed += _check_expectations(step.expect, result, resolution.state, ruleset.place)
    return msgspec.structs.replace(result, faults=tuple(missed)), resolution.state


def read_action(ruleset: Ruleset[Any, Any, Any], plain: Mapping[str, Any] | None, place: str) -> Any:
    """An action as a person writes it, with labels for places; raise :class:`BadInput` if it is none."""
    try:
        return decode(encode(with_places(plain, ruleset.action_type, ruleset.place)), ruleset.action_type)
    except BadInput as bad:
        raise BadInput(Fault(place, fault.wrong, fault.right) for fault in bad.faults) from None
    except (msgspec.ValidationError, TypeError) as error:  # a key that is no text has no encoding
        raise BadInput([Fault(place, str(error), "an action of the system")]) from None


def unmet(
    ruleset: Ruleset[Any, Any, Any], expect: Mapping[str, Any], events: Iterable[Any], state: object
) -> list[str]:
    """Where what happened is not what was expected of it."""
    happened = tuple(events)
    breakdowns = tuple(b for event in happened for b in ruleset.breakdowns(event))
    return _check_expectations(expect, StepResult(events=happened, breakdowns=breakdowns), state, ruleset.place)


def _check_expectations(expect: Mapping[str, Any], result: StepResult, state: object, place: PlaceOf) -> list[str]:
    """``events``: each expected pattern is found in order; ``totals``: breakdown totals; ``state``: a pattern."""
    known = {"events", "totals", "nets", "state", "refused"}
    faults = [f"unknown expectation {key!r}" for key in expect if key not in known]
    if "events" in expect:
        plain = spell_out(result.events)
        position = 0
        for pattern in expect["events"]:
            while position < len(plain) and _differences(pattern, plain[position], "", place):
                position += 1
            if position == len(plain):
                faults.append(f"no event like {pattern} among {[event.get('type') for event in plain]}")
                break
            position += 1
    if "totals" in expect:
        totals = [(breakdown.title, breakdown.total) for breakdown in result.breakdowns]
        faults += _mismatches(expect["totals"], _by_title(expect["totals"], totals), "totals", None)
    if "nets" in expect:
        nets = [(breakdown.title, breakdown.net) for breakdown in result.breakdowns]
        faults += _mismatches(expect["nets"], _by_title(expect["nets"], nets), "nets", None)
    if "state" in expect:
        faults += _mismatches(expect["state"], spell_out(state), "state", place)
    return faults


def _by_title(expected: object, told: Sequence[tuple[str, int]]) -> dict[str, int | list[int]]:
    """The last number under each title, or all of them where a list is expected."""
    wanted = expected if isinstance(expected, Mapping) else {}
    found: dict[str, list[int]] = {}
    for title, number in told:
        found.setdefault(title, []).append(number)
    return {title: numbers if isinstance(wanted.get(title), list) else numbers[-1] for title, numbers in found.items()}


def _mismatches(pattern: object, found: object, path: str, place: PlaceOf | None) -> tuple[str, ...]:
    return tuple(_differences(pattern, found, path, place))


def _differences(pattern: object, found: object, path: str, place: PlaceOf | None) -> list[str]:
    """Where ``found`` lacks what ``pattern`` names; what the pattern does not name may be anything.

    With ``place``, a text is the label of a place where a pair of coordinates was found.
    """
    if isinstance(pattern, Mapping):
        if not isinstance(found, Mapping):
            return [f"{path}: {found!r}, expected fields {sorted(pattern)}"]
        missing = [f"{path}.{key}: missing" for key in pattern if key not in found]
        inner = [
            _differences(want, found[key], f"{path}.{key}", place) for key, want in pattern.items() if key in found
        ]
        return missing + [text for texts in inner for text in texts]
    if isinstance(pattern, Sequence) and not isinstance(pattern, str):
        if not isinstance(found, Sequence) or isinstance(found, str) or len(found) != len(pattern):
            return [f"{path}: {found!r}, expected {list(pattern)!r}"]
        pairs = enumerate(zip(pattern, found, strict=True))
        return [text for i, (want, got) in pairs for text in _differences(want, got, f"{path}[{i}]", place)]
    if place is not None and isinstance(pattern, str) and isinstance(found, Sequence) and not isinstance(found, str):
        return [] if list(place(pattern)) == list(found) else [f"{path}: {list(found)!r}, expected {pattern}"]
    return [] if pattern == found else [f"{path}: {found!r}, expected {pattern!r}"]


def situation_odds(
    position: Position, head: SituationHead, where: str, most: int = MOST_WAYS, given: Supposition | None = None
) -> list[Chance]:
    """The exact odds of what the situation's first action brings about; ``most`` is how many ways are followed.

    With ``given``, the odds if that is so.
    """
    move = _first_move(position, head, where)
    if given is None:
        return odds(position.ruleset, position.state, [move], first_answer, most)
    return odds(position.ruleset, given.state, [move], given.reply, most)


def situation_unit_odds(
    position: Position, head: SituationHead, where: str, given: Supposition | None = None
) -> dict[str, list[Chance]]:
    """The exact odds of what becomes of each unit that the first action strikes, where the system tells them apart."""
    _, action = _first_move(position, head, where)
    state = position.state if given is None else given.state
    unit_odds = position.ruleset.unit_odds(state, action) if isinstance(position.ruleset, TellsUnitOdds) else {}
    return {unit: list(chances) for unit, chances in unit_odds.items()}


def situation_suppositions(position: Position, head: SituationHead, where: str) -> list[Supposition]:
    """What those odds leave out, by the system's own account."""
    seat, action = _first_move(position, head, where)
    ruleset = position.ruleset
    return list(ruleset.suppositions(position.state, seat, action)) if isinstance(ruleset, Supposes) else []


def situation_sheet(position: Position, head: SituationHead, where: str) -> Sheet | None:
    """The sheet of the first action that has one, where the system shows sheets; those before it go as written.

    What is refused on the way is left out, as whoever wrote it expected.
    """
    ruleset, state = position.ruleset, position.state
    if not isinstance(ruleset, ShowsSheets):
        return None
    for index, step in enumerate(head.steps):
        if step.action is None:
            continue
        place, seat = f"{where}: steps[{index}]", Seat(step.seat)
        action = read_action(ruleset, step.action, f"{place}: action")
        if (not_asked(ruleset.decision(state), seat) or ruleset.refusal(state, seat, action)) is not None:
            continue
        sheet = ruleset.sheet(state, seat, action)
        if sheet is not None:
            return sheet
        _, state = _act(position, state, step, action, place)
    return None


def _first_move(position: Position, head: SituationHead, where: str) -> tuple[Seat, Any]:
    """The first action of a situation that is not there to be refused; it must be legal."""
    faults = Faults(where)
    moves = []
    for index, step in enumerate(head.steps):
        if step.action is not None and "refused" not in step.expect:
            place = f"{where}: steps[{index}]"
            with faults.gathering():
                moves.append((Seat(step.seat), read_action(position.ruleset, step.action, f"{place}: action")))
    if not moves and not faults:
        faults.add("steps", "no action to give odds for", "a step with an action")
    faults.check()
    seat, action = moves[0]
    refusal = not_asked(position.ruleset.decision(position.state), seat) or position.ruleset.refusal(
        position.state, seat, action
    )
    if refusal is not None:
        raise BadInput([Fault(f"{where}: steps", f"refused: {refusal}", "a legal action")])
    return seat, action
