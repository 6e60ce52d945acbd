"""The conformance suite: what every system must hold, as functions for authors of systems and packs.

:func:`check_system` plays random games of a system's scenarios and looks at every state on the way; a test
of yours calls it and is done. The single checks take a ruleset and a state and raise :class:`Broken`, so
they can be used one by one. ``sandtable fuzz`` runs the same checks and keeps each failure as a log that
can be loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from sandtable import catalog
from sandtable.core.capabilities import HasHiddenVariants
from sandtable.core.codec import decode, encode, first_difference
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Decision, Seat
from sandtable.core.dice import Dice, SeededDice
from sandtable.core.errors import Refused
from sandtable.core.game import Game
from sandtable.core.log import Entry, Header, dump, load
from sandtable.core.replay import replay, verify
from sandtable.core.ruleset import Ruleset, Space
from sandtable.geo.map import map_of
from sandtable.geo.plane.space import table_of
from sandtable.testing.answers import check_options, check_question, check_refusals
from sandtable.testing.broken import Broken, require, same, text
from sandtable.testing.secrecy import (
    check_names,
    check_scenario_file,
    check_secret_answers,
    check_secrets,
    check_unseen_answers,
)

__all__ = [
    "Broken",
    "Failure",
    "Report",
    "check_action",
    "check_card",
    "check_codec",
    "check_game",
    "check_log",
    "check_names",
    "check_options",
    "check_question",
    "check_refusals",
    "check_scenario",
    "check_scenario_file",
    "check_secret_answers",
    "check_secrets",
    "check_state",
    "check_system",
    "check_twin",
    "check_undo",
    "check_unseen_answers",
]

AnyRuleset = Ruleset[Any, Any, Any]
AnyGame = Game[Any, Any, Any]
MAX_DECISIONS = 20_000


class Failure(msgspec.Struct, frozen=True):
    """A random game that went wrong."""

    scenario: str
    seed: str
    message: str
    log: str
    """The game up to there, loadable."""


class Report(msgspec.Struct):
    """What random games of the conformance suite gave: how many, how long, and every failure."""

    games: int = 0
    decisions: int = 0
    failures: list[Failure] = []


def check_system(
    system_id: str,
    scenario_ids: Sequence[str] | None = None,
    games: int = 3,
    seed: int = 0,
    extra: Sequence[Pack] = (),
) -> Report:
    """Play ``games`` of each scenario and check everything; raise :class:`Broken` with all failures."""
    chosen = scenario_ids or [head.id for head in catalog.scenarios(system_id, extra)]
    total = Report()
    for scenario_id in chosen:
        found = catalog.open_scenario(scenario_id, extra)
        report = check_scenario(found.ruleset, found.header, games, seed)
        total.games += report.games
        total.decisions += report.decisions
        total.failures = [*total.failures, *report.failures]
    if total.failures:
        raise Broken(system_id, "\n".join(f"{f.scenario}, seed {f.seed}: {f.message}" for f in total.failures))
    return total


def check_scenario(ruleset: AnyRuleset, header: Header, games: int, seed: int, thorough: float = 1.0) -> Report:
    """Play ``games`` of one scenario; ``thorough`` is the share of states that get the costly checks."""
    report = Report(failures=[])
    for number in range(games):
        key = f"{seed}/{number}"
        game = _start(ruleset, header, key)
        name = str(header.scenario.get("id", ""))
        try:
            check_scenario_file(ruleset, header)
            check_game(game, key, thorough)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong in a random game is a finding
            message = str(error) if isinstance(error, Broken) else f"{type(error).__name__}: {error}"
            report.failures.append(Failure(name, key, message, "".join(dump(game.header, game.lines))))
        report.games += 1
        report.decisions += sum(isinstance(line, Entry) for line in game.lines[1:])
    return report


def check_game(game: AnyGame, key: str, thorough: float = 1.0) -> None:
    """Play a game to its end with random answers, checking every state; then its log, its undo and its twin."""
    check_card(game)
    rng, doubts = Random(key), Random(f"checks {key}")
    foreign: list[Any] = []
    while (decision := game.decision) is not None:
        require(len(game.lines) <= MAX_DECISIONS, "end", f"no end in {MAX_DECISIONS} decisions")
        check_codec(game.ruleset, game.state)
        check_card(game)
        # The checks have chance of their own: a new one among them leaves the games as they are.
        if doubts.random() < thorough:
            check_state(game, decision, doubts, foreign)
        seat = rng.choice(decision.asked)
        action = decision.options(seat).sample(rng)
        before = game.state
        check_action(game, seat, action)
        if doubts.random() < thorough:
            check_names(game, before)
        foreign = [*foreign[-20:], action]
    require(game.outcome is not None, "outcome", "nobody is asked, but the game has no outcome")
    check_codec(game.ruleset, game.state)
    check_log(game)
    check_twin(game, key)
    check_undo(game)


def check_card(game: AnyGame) -> None:
    """What the system's card says is true of the position that a game stands at, and of how it came there."""
    ruleset, card, state = game.ruleset, game.ruleset.card, game.state
    seats = len(ruleset.seats)
    require(seats == card.players, "card", f"{seats} seats, and the card says {card.players}")
    on_hexes = map_of(ruleset) is not None
    on_table = table_of(ruleset) is not None
    is_so = on_hexes == (card.space is Space.HEXES) and on_table == (card.space is Space.PLANE)
    require(is_so, "card", f"the card says that it is played on {card.space}")
    line = game.lines[-1]
    require(card.chance or not (isinstance(line, Entry) and line.rolls), "card", "dice fall, and the card says no")
    decision = game.decision
    if decision is not None and len(decision.asked) > 1:
        require(card.simultaneous, "card", "several seats are asked at once, and the card says no")
    if card.hidden:
        return
    require(not isinstance(ruleset, HasHiddenVariants), "card", "it hides facts, and the card says no")
    require(decision is None or not decision.secret, "card", "a secret is asked for, and the card says no")
    for seat in (*ruleset.seats, None):
        same(ruleset.conceal(state, seat), state, "card", f"facts are hidden from {seat}, and the card says no")


def check_state(game: AnyGame, decision: Decision[Any], rng: Random, foreign: Sequence[Any] = ()) -> None:
    """All checks of the state that a game stands at."""
    ruleset, state = game.ruleset, game.state
    check_question(ruleset, state, decision)
    for seat in decision.asked:
        check_options(ruleset, state, seat, rng)
        check_refusals(game, seat, rng, foreign)
    check_secrets(ruleset, state, rng)
    check_secret_answers(ruleset, state, decision, rng)
    check_unseen_answers(ruleset, state, decision, rng)


def check_codec(ruleset: AnyRuleset, state: Any) -> None:
    """A state survives encoding, and its encoding is stable."""
    data = encode(state)
    try:
        again = decode(data, ruleset.state_type)
    except msgspec.DecodeError as error:
        raise Broken("codec", f"an encoded state does not decode: {error}") from None
    if again != state or encode(again) != data:
        raise Broken("codec", f"decode(encode(state)) differs: {first_difference(again, state)}")


def check_action(game: AnyGame, seat: Seat, action: Any) -> None:
    """Play a legal action: its events fold to the state it gives, can be told and redacted; the old state stands."""
    ruleset, before = game.ruleset, game.state
    bytes_before = encode(before)
    try:
        entry = game.play(seat, action)
    except Refused as refused:
        raise Broken("options", f"{text(action)} is offered but refused: {refused}") from None
    require(encode(before) == bytes_before, "purity", f"{text(action)} changed the state it was played in")
    state = before
    for event in entry.events:
        state = ruleset.fold(state, event)
        _check_event(ruleset, event)
    same(state, game.state, "fold", f"events of {text(action)} fold to another state")
    require(bool(ruleset.consequence(before, state)), "words", "consequence gives no text; NO_EFFECT is one")
    if game.undo_refusal(seat) is None:
        require(not entry.rolls, "undo", f"{text(action)} rolled dice and may be undone freely")


def check_log(game: AnyGame) -> None:
    """A log dumps, loads, replays and verifies; cut off in its last line, it loads up to the entry before."""
    text = "".join(dump(game.header, game.lines))
    log = load(text, game.ruleset, "log")
    require("".join(dump(log.header, log.lines)) == text, "log", "it does not dump as it was loaded")
    states = replay(game.ruleset, log)
    for number, (one, other) in enumerate(zip(states, game.states, strict=True)):
        same(one, other, "replay", f"entry {number} gives another state")
    differences = verify(game.ruleset, log)
    require(not differences, "verify", "; ".join(differences[:3]))
    cut = load(text[:-2], game.ruleset, "log")
    require(bool(cut.warning) and len(cut.lines) == len(log.lines) - 1, "log", "a cut-off log does not load")


def check_twin(game: AnyGame, key: str) -> None:
    """The same seed and the same actions give the same states."""
    twin = _start(game.ruleset, game.header, key)
    for line in game.lines[1:]:
        if isinstance(line, Entry):
            twin.play(Seat(line.seat), line.action)
            same(twin.state, game.states[line.seq], "twin", f"entry {line.seq} goes another way")


def check_undo(game: AnyGame) -> None:
    """Taken back one by one, by consent, every earlier state stands again; the log of it replays."""
    seat, *others = game.ruleset.seats
    standing = list(game.states)
    while len(standing) > 1:
        standing.pop()
        game.undo(seat, others)
        require(game.state == standing[-1], "undo", f"back at entry {len(standing) - 1} is another state")
    # Its entries are those that were verified; what is new in this log are the lines that take them back.
    log = load("".join(dump(game.header, game.lines)), game.ruleset, "log")
    require(replay(game.ruleset, log)[-1] == standing[-1], "undo", "the log of it replays to another state")


def _start(ruleset: AnyRuleset, header: Header, key: str) -> AnyGame:
    dice: Dice = SeededDice(f"dice {key}")
    return Game.start(ruleset, header, dice)


def _check_event(ruleset: AnyRuleset, event: Any) -> None:
    require(decode(encode(event), ruleset.event_type) == event, "codec", f"{text(event)} does not survive encoding")
    require(isinstance(ruleset.narrate(event), str), "words", "narrate gives no text")
    for breakdown in ruleset.breakdowns(event):
        require(bool(breakdown.rule and breakdown.title), "words", f"{text(event)}: a number without its rule")
    for seat in (*ruleset.seats, None):
        told = ruleset.redact(event, seat)
        if told is not None:
            decode(encode(told), ruleset.event_type)
            twice = ruleset.redact(told, seat)
            same(twice, told, "redact", f"{seat}: redacting twice differs")
