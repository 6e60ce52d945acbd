"""The conformance suite: what every system must hold, as functions for authors of systems and packs.

:func:`check_system` plays random games of a system's scenarios and looks at every state on the way; a test
of yours calls it and is done. The single checks take a ruleset and a state and raise :class:`Broken`, so
they can be used one by one. ``sandtable fuzz`` runs the same checks and keeps each failure as a log that
can be loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from random import Random
from typing import Any

import msgspec

from sandtable import catalog
from sandtable.core.capabilities import ConcealsScenario, HasHiddenVariants, TellsWhoHides
from sandtable.core.codec import decode, digest, encode, first_difference
from sandtable.core.content.pack import Pack
from sandtable.core.decision import Assign, Decision, Drawing, Leaf, Node, Path, Seat
from sandtable.core.dice import Dice, SeededDice
from sandtable.core.errors import Refusal, Refused
from sandtable.core.game import Game
from sandtable.core.log import Entry, Header, dump, load
from sandtable.core.replay import replay, verify
from sandtable.core.ruleset import Ruleset, Space
from sandtable.core.view import ShowsCounters, View
from sandtable.geo.map import map_of
from sandtable.geo.plane.space import table_of
from sandtable.testing.broken import Broken, require, same
from sandtable.testing.drawing import check_drawing, told_of_drawing
from sandtable.testing.filling import check_filling, check_slots, told_of_slots
from sandtable.testing.looking import is_offered
from sandtable.testing.wording import Vocabulary, worded

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
LISTED = 24
"""How many of the options are taken from a list, at the most."""
SAMPLED = 3
"""How many of the options are taken apart to word others."""
WORDED = 12
"""How many actions are worded outside the tree, at the most."""
VARIANTS = 6
"""How many ways of dealing out the hidden facts are compared, at the most."""


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


def check_question(ruleset: AnyRuleset, state: Any, decision: Decision[Any]) -> None:
    """A question is put to somebody at the table, under a rule, and has an answer; the game is not over."""
    require(bool(decision.asked), "question", f"nobody is asked: {decision.title}")
    strangers = set(decision.asked) - set(ruleset.seats)
    require(not strangers, "question", f"asked are {sorted(strangers)}, who have no seat")
    require(bool(decision.rule and decision.title), "question", "it has no rule or no title")
    for seat, asked in (decision.wordings or {}).items():
        require(seat in decision.asked, "question", f"it is worded for {seat}, who is not asked")
        require(bool(asked.rule and asked.title), "question", f"{seat} is asked without a rule or a title")
    require(ruleset.outcome(state) is None, "question", "the game is over, yet somebody is asked")
    for seat in decision.asked:
        require(bool(decision.options(seat)), "dead end", f"{seat} has no answer: {decision.title}")


def check_options(ruleset: AnyRuleset, state: Any, seat: Seat, rng: Random) -> None:
    """What the options sample, list, count and lead to is accepted, and survives encoding."""
    decision = ruleset.decision(state)
    assert decision is not None  # noqa: S101 - callers have asked
    options = decision.options(seat)
    listed = list(islice(options, LISTED + 1))
    if len(listed) <= LISTED:
        # A tree that has more is not walked to its end. What can be drawn is listed in part and never counted.
        number = options.count()
        require(number is None or not options.root.holds_open(), "options", "what is open is counted")
        require(number in (None, len(listed)), "options", f"count {number}, listed {len(listed)}")
    strolled, keys = _stroll(options.root, rng, partial(ruleset.refusal, state, seat))
    found = [*listed, *(options.sample(rng) for _ in range(3)), strolled]
    require(list(options.at(*keys)) == [strolled], "options", f"{' > '.join(keys)} leads elsewhere than its branches")
    found += _destinations(options.root, rng)
    for action in found:
        refusal = ruleset.refusal(state, seat, action)
        require(refusal is None, "options", f"{_text(action)} is offered but refused: {refusal}")
        require(action in options, "options", f"{_text(action)} is offered but not `in` the options")
        again = decode(encode(action), ruleset.action_type)
        require(again == action, "codec", f"{_text(action)} does not survive encoding")
        require(isinstance(ruleset.describe(action), str), "words", "describe gives no text")


def check_refusals(game: AnyGame, seat: Seat, rng: Random, foreign: Sequence[Any] = ()) -> None:
    """Actions of other moments and worded ones: `in` and refusal agree, and a refused one changes nothing.

    What is hidden from the seat makes no difference to any refusal, and what is accepted is offered.
    """
    decision = game.decision
    assert decision is not None  # noqa: S101 - callers have asked
    ruleset, state = game.ruleset, game.state
    before = digest(state)
    options = decision.options(seat)
    offered = [options.sample(rng) for _ in range(SAMPLED)]
    composed = list(worded(ruleset, Vocabulary(ruleset.action_type, state, [*offered, *foreign]), offered, rng, WORDED))
    _check_offered(ruleset, state, seat, composed)
    tried = [*foreign, *composed, offered[0]]
    known = ruleset.conceal(state, seat)
    for other in set(ruleset.seats) - set(decision.asked):
        require(game.refusal(other, tried[0]) is not None, "refusal", f"{other} may act but is not asked")
    for action in tried:
        refusal = ruleset.refusal(state, seat, action)
        require((refusal is None) == (action in options), "refusal", f"`in` disagrees about {_text(action)}")
        same(ruleset.refusal(known, seat, action), refusal, "leak", f"{seat} learns hidden facts by {_text(action)}")
        if refusal is None:
            require(bool(ruleset.resolve(state, seat, action, SeededDice(0)).events), "resolve", "no event")
            require(digest(state) == before, "purity", f"{_text(action)} changed the state it was tried in")
            continue
        require(bool(refusal.reason), "refusal", f"{_text(action)} is refused without a reason")
        lines = len(game.lines)
        try:
            game.play(seat, action)
        except Refused:
            require(digest(game.state) == before, "refusal", f"refused {_text(action)} changed the state")
        require(len(game.lines) == lines, "refusal", f"refused {_text(action)} went into the log")


def check_action(game: AnyGame, seat: Seat, action: Any) -> None:
    """Play a legal action: its events fold to the state it gives, can be told and redacted; the old state stands."""
    ruleset, before = game.ruleset, game.state
    bytes_before = encode(before)
    try:
        entry = game.play(seat, action)
    except Refused as refused:
        raise Broken("options", f"{_text(action)} is offered but refused: {refused}") from None
    require(encode(before) == bytes_before, "purity", f"{_text(action)} changed the state it was played in")
    state = before
    for event in entry.events:
        state = ruleset.fold(state, event)
        _check_event(ruleset, event)
    same(state, game.state, "fold", f"events of {_text(action)} fold to another state")
    require(bool(ruleset.consequence(before, state)), "words", "consequence gives no text; NO_EFFECT is one")
    if game.undo_refusal(seat) is None:
        require(not entry.rolls, "undo", f"{_text(action)} rolled dice and may be undone freely")


def check_names(game: AnyGame, before: Any) -> None:
    """The last action is told to nobody with the name of a counter that he did not see, and that no event told him."""
    ruleset, entry = game.ruleset, game.lines[-1]
    assert isinstance(entry, Entry)  # noqa: S101 - an action was played
    actor = Seat(entry.seat)

    def seen(seat: Seat | None) -> set[str]:
        return {counter.id for state in (before, game.state) for counter in ruleset.view(state, seat).counters}

    own = seen(actor)
    for seat in (*ruleset.seats, None):
        action = ruleset.redact_action(entry.action, actor, seat) if seat != actor else None
        if action is not None:
            words, events = encode(action), encode([ruleset.redact(event, seat) for event in entry.events])
            secret = [one for one in sorted(own - seen(seat)) if encode(one) in words and encode(one) not in events]
            require(not secret, "leak", f"{_text(entry.action)} tells {seat} of {', '.join(secret)}")


def check_secrets(ruleset: AnyRuleset, state: Any, rng: Random) -> None:
    """A seat's view comes from what it may know: hidden facts dealt out otherwise change nothing that it sees."""
    for seat in (*ruleset.seats, None):
        known = ruleset.conceal(state, seat)
        same(ruleset.conceal(known, seat), known, "conceal", f"{seat}: concealing twice differs")
        seen = ruleset.view(state, seat)
        same(ruleset.view(known, seat), seen, "view", f"{seat} sees more than the concealed state holds")
        same(seen.state, known, "view", f"{seat}: the view's state is not the concealed one")
        _check_counters(ruleset, known, seen)
        for variant in islice(_variants(ruleset, state, seat), VARIANTS):
            same(ruleset.conceal(variant, seat), known, "leak", f"{seat}: the concealed state tells hidden facts")
            same(ruleset.view(variant, seat), seen, "leak", f"{seat}: the view tells hidden facts")
        _check_open_seats(ruleset, state, seat)
        decision = ruleset.decision(state)
        if seat is not None and decision is not None and seat in decision.asked:
            shown = None if seen.prompt is None else (seen.prompt.rule, seen.prompt.title)
            require(shown == decision.wording(seat), "view", f"{seat} is asked in other words than it is shown")
            _check_same_question(ruleset, state, known, seat, rng.random())


def _check_counters(ruleset: AnyRuleset, known: Any, seen: View) -> None:
    """Counters have ids of their own, and one that is looked up is the one of the view."""
    ids = [counter.id for counter in seen.counters]
    require(len(ids) == len(set(ids)), "counters", "two counters have one id")
    if isinstance(ruleset, ShowsCounters):
        found = [ruleset.counter(known, counter.id) for counter in seen.counters]
        same(found, list(seen.counters), "counters", "a single counter is not as in the view")
        same(ruleset.tracks(known), seen.tracks, "counters", "the tracks are not as in the view")
        require(ruleset.counter(known, "\0") is None, "counters", "there is a counter that the view has not")


def _check_open_seats(ruleset: AnyRuleset, state: Any, seat: Seat | None) -> None:
    """Whoever cannot hide anything from a seat, by what that seat knows, hides nothing from it."""
    if not isinstance(ruleset, TellsWhoHides):
        return
    open_to = [holder for holder in ruleset.seats if not ruleset.may_hide(ruleset.conceal(state, seat), holder)]
    for holder in open_to:
        held = ruleset.conceal(state, holder)
        same(ruleset.conceal(held, seat), held, "open", f"{holder} hides something from {seat} all the same")


def check_secret_answers(ruleset: AnyRuleset, state: Any, decision: Decision[Any], rng: Random) -> None:
    """Where several answer in secret at once, nobody learns from another's answer what it was."""
    if len(decision.asked) < 2:
        return
    for actor in decision.asked:
        options = decision.options(actor)
        one, other = options.sample(rng), options.sample(rng)
        results = [ruleset.resolve(state, actor, action, SeededDice(1)) for action in (one, other)]
        for seat in (*ruleset.seats, None):
            if seat == actor:
                continue
            shown = [ruleset.redact_action(action, actor, seat) for action in (one, other)]
            same(shown[0], shown[1], "leak", f"{seat} sees the secret action of {actor}")
            told = [[ruleset.redact(event, seat) for event in result.events] for result in results]
            same(told[0], told[1], "leak", f"events tell {seat} what {actor} did in secret")
            seen = [ruleset.view(result.state, seat) for result in results]
            same(seen[0], seen[1], "leak", f"the view tells {seat} what {actor} did in secret")


def check_unseen_answers(ruleset: AnyRuleset, state: Any, decision: Decision[Any], rng: Random) -> None:
    """Whoever sees nothing of what comes of an answer is told nothing of the answer itself.

    Else the wording would tell: a set-up as suggested, when units that are placed one by one are not shown.
    """
    for actor in decision.asked:
        options = decision.options(actor)
        answers = [branch.then.sample(rng) for branch in islice(options.root.branches(), LISTED)]
        for seat in (*ruleset.seats, None):
            if seat == actor:
                continue
            unseen = [action for action in answers if _is_unseen(ruleset, state, actor, action, seat)]
            shown = [ruleset.redact_action(action, actor, seat) for action in unseen]
            for action, told in zip(unseen, shown, strict=True):
                same(told, shown[0], "leak", f"{seat} tells secret answers of {actor} apart, such as {_text(action)}")


def _is_unseen(ruleset: AnyRuleset, state: Any, actor: Seat, action: Any, seat: Seat | None) -> bool:
    events = ruleset.resolve(state, actor, action, SeededDice(1)).events
    return all(ruleset.redact(event, seat) is None for event in events)


def check_scenario_file(ruleset: AnyRuleset, header: Header) -> None:
    """What a seat may read of the scenario of a running game is concealed once and for all."""
    if not isinstance(ruleset, ConcealsScenario):
        return
    for seat in (*ruleset.seats, None):
        known = ruleset.conceal_scenario(header.scenario, seat)
        same(ruleset.conceal_scenario(known, seat), known, "conceal", f"{seat}: concealing the scenario twice differs")
        watched = ruleset.conceal_scenario(known, None)
        same(ruleset.conceal_scenario(header.scenario, None), watched, "leak", f"watchers read more than {seat}")


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
    require(decode(encode(event), ruleset.event_type) == event, "codec", f"{_text(event)} does not survive encoding")
    require(isinstance(ruleset.narrate(event), str), "words", "narrate gives no text")
    for breakdown in ruleset.breakdowns(event):
        require(bool(breakdown.rule and breakdown.title), "words", f"{_text(event)}: a number without its rule")
    for seat in (*ruleset.seats, None):
        told = ruleset.redact(event, seat)
        if told is not None:
            decode(encode(told), ruleset.event_type)
            twice = ruleset.redact(told, seat)
            same(twice, told, "redact", f"{seat}: redacting twice differs")


def _check_same_question(ruleset: AnyRuleset, state: Any, known: Any, seat: Seat, seed: float) -> None:
    """What a seat may answer depends on nothing that it may not know."""
    one, other = ruleset.decision(state), ruleset.decision(known)
    if one is None or other is None:
        raise Broken("leak", f"{seat} is asked something only if what is hidden from it is known")
    asked = [(decision.wording(seat), decision.wording(None), decision.asked) for decision in (one, other)]
    require(asked[0] == asked[1], "leak", f"{seat}: the question depends on hidden facts")
    ways = [list(islice(decision.options(seat), LISTED)) for decision in (one, other)]
    same(ways[0], ways[1], "leak", f"{seat}: the options depend on hidden facts")
    slots = [told_of_slots(decision.options(seat), seed) for decision in (one, other)]
    same(slots[0], slots[1], "leak", f"{seat}: slots, or what is said of fillings, depend on hidden facts")
    drawn = [told_of_drawing(decision.options(seat), seed) for decision in (one, other)]
    same(drawn[0], drawn[1], "leak", f"{seat}: what may be drawn, or what is said of it, depends on hidden facts")
    samples = [decision.options(seat).sample(Random(seed)) for decision in (one, other)]
    same(samples[0], samples[1], "leak", f"{seat}: a sampled option depends on hidden facts")


def _check_offered(ruleset: AnyRuleset, state: Any, seat: Seat, composed: Sequence[Any]) -> None:
    """An action from outside the tree that is accepted is one of the options, found by looking for it."""
    for action in composed:
        if ruleset.refusal(state, seat, action) is None:
            found = is_offered(ruleset, state, seat, action)
            require(found is not False, "refusal", f"accepted but never offered: {_text(action)}")


def _variants(ruleset: AnyRuleset, state: Any, seat: Seat | None) -> Iterator[Any]:
    return iter(ruleset.hidden_variants(state, seat)) if isinstance(ruleset, HasHiddenVariants) else iter(())


def _stroll(node: Node[Any], rng: Random, refusal: Callable[[Any], Refusal | None]) -> tuple[Any, tuple[str, ...]]:
    """The action at the end of a walk from branch to branch, as a client makes it, and the keys on the way."""
    keys: tuple[str, ...] = ()
    before: Node[Any] | None = None
    assigned: tuple[Assign[Any], int] | None = None
    while not isinstance(node, Leaf):
        if type(before) is not type(node):
            check_slots(node)
            if isinstance(node, Drawing):
                check_drawing(node, refusal, rng)
            assigned = (node, len(keys)) if isinstance(node, Assign) else assigned
        branches = list(node.branches())
        require(bool(branches), "dead end", f"a {node.shape} without a branch")
        require(
            len({branch.key for branch in branches}) == len(branches), "options", f"{node.shape}: a key stands twice"
        )
        branch = rng.choice(branches)
        before, node, keys = node, branch.then, (*keys, branch.key)
    if assigned is not None:
        root, depth = assigned
        check_filling(root, keys[depth : depth + len(root.slots)], refusal, rng)
    return node.action, keys


def _destinations(node: Node[Any], rng: Random) -> Iterator[Any]:
    """Actions of some destinations, of a path that a walk meets."""
    while not isinstance(node, Leaf):
        if isinstance(node, Path):
            places = list(node.destinations())
            yield from (branch.then.sample(rng) for branch in rng.sample(places, min(4, len(places))))
            return
        node = rng.choice(list(node.branches())).then


def _text(value: object) -> str:
    return encode(value).decode()
