"""Frames: the stack of open questions, the events that move it, and the loop that runs to the next question.

A frame is an open question with what belongs to it. One :class:`FrameHandler` says everything about one kind of frame:
who is asked what, which answers there are, why one is refused, what comes of it, how the game goes on by itself, and
what of the frame a seat may know; and which actions and events the question brings. Rules that are built on
:class:`FrameRules` list their handlers and nothing more: what a log may hold follows from them. Whoever adds a phase
writes a handler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, Generic, Protocol, TypeVar, Union, final

import msgspec
from msgspec.structs import replace

from sandtable.core.decision import Decision, Node, Options, Seat, Wording
from sandtable.core.dice import Dice
from sandtable.core.errors import Refusal, RulesBug
from sandtable.core.ruleset import Resolution
from sandtable.core.view import Prompt

__all__ = ["FRAME_FOLDS", "Asking", "Changed", "Closed", "FrameHandler", "FrameRules", "Framed", "Opened", "unchanged"]


class Framed(Protocol):
    """A state with a stack of frames."""

    @property
    def stack(self) -> tuple[Any, ...]:
        """The open questions; the last one is asked."""
        ...

    @property
    def ended(self) -> str:
        """Why the game is over, ``""`` while it runs."""
        ...


C = TypeVar("C")
S = TypeVar("S", bound=Framed)
A = TypeVar("A")
E = TypeVar("E")
F = TypeVar("F")
F_co = TypeVar("F_co", covariant=True)


# --- events -----------------------------------------------------------------------------------------------------


class Opened(msgspec.Struct, Generic[F_co], frozen=True, gc=False, tag=True):
    """A question was put on top of the stack."""

    frame: F_co


class Changed(msgspec.Struct, Generic[F_co], frozen=True, gc=False, tag=True):
    """The question on top of the stack became another."""

    frame: F_co


class Closed(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The question on top of the stack is settled."""


def _opened(state: Any, event: Opened[Any]) -> Any:
    return replace(state, stack=(*state.stack, event.frame))


def _changed(state: Any, event: Changed[Any]) -> Any:
    return replace(state, stack=(*state.stack[:-1], event.frame))


def _closed(state: Any, event: Closed) -> Any:  # noqa: ARG001
    return replace(state, stack=state.stack[:-1])


FRAME_FOLDS: Mapping[type, Callable[[Any, Any], Any]] = {Opened: _opened, Changed: _changed, Closed: _closed}
"""How the events of frames change a state: every system that has frames folds them so."""


def unchanged(state: S, event: object) -> S:  # noqa: ARG001
    """Folds an event that tells what happened; the change comes with the events after it."""
    return state


# --- handlers ---------------------------------------------------------------------------------------------------


class Asking(msgspec.Struct, frozen=True, gc=False):
    """Who is asked what: a decision without its answers."""

    rule: str
    title: str
    """What is asked, in the rulebook's words."""
    asked: tuple[Seat, ...]
    guards: bool = False
    """Asked whatever the seat holds (:attr:`Decision.guards`)."""
    secret: bool = False
    """Whether it is answered unseen by the others."""
    wordings: Mapping[Seat, Wording] | None = None
    """What each is asked, where several are not asked for the same thing (:attr:`Decision.wordings`)."""

    def prompt(self, seat: Seat | None) -> Prompt:
        """What a seat is shown of it: how it is put to that seat, or to all."""
        common = Wording(self.rule, self.title)
        rule, title = common if self.wordings is None or seat is None else self.wordings.get(seat, common)
        return Prompt(rule, title, self.asked, seat in self.asked)


class FrameHandler(Generic[C, S, A, E, F]):
    """All about one kind of frame; ``context`` is what never changes in a game."""

    frame: type[F]
    """The frame that this handler is for."""
    answers: tuple[type, ...] = ()
    """The actions that may answer it; none where the game always goes on by itself."""
    folds: Mapping[type, Callable[[Any, Any], Any]] = {}
    """The events that come of this question alone, and how each changes the state."""

    def __init__(self, context: C) -> None:
        self.context = context

    def question(self, state: S, frame: F) -> Asking:  # noqa: ARG002
        """Who is asked what."""
        raise RulesBug(f"nobody is asked at {frame!r}")

    def options(self, state: S, frame: F, seat: Seat) -> Node[A]:  # noqa: ARG002
        """The answers of a seat that is asked."""
        raise RulesBug(f"nothing answers {frame!r}")

    def is_answer(self, frame: F, action: A) -> bool:  # noqa: ARG002
        """Whether the action is of a kind that answers the frame as it stands."""
        return isinstance(action, self.answers)

    def refusal(self, state: S, frame: F, seat: Seat, action: A) -> Refusal | None:  # noqa: ARG002
        """Why an action that :meth:`is_answer` may not be done, or ``None``."""
        return None

    def apply(self, play: Resolution[S, E], frame: F, seat: Seat, action: A) -> None:  # noqa: ARG002
        """What comes of a legal answer at once."""
        raise RulesBug(f"{action!r} does not answer {frame!r}")

    def advance(self, play: Resolution[S, E], frame: F) -> bool:  # noqa: ARG002
        """Go on from the frame by itself; False if somebody has to decide first."""
        return False

    def conceal(self, frame: F, seat: Seat | None) -> F:  # noqa: ARG002
        """The frame as a seat (or a watcher) may know it: the very same one if nothing in it is hidden from him."""
        return frame

    def may_hide(self, frame: F, holder: Seat) -> bool:  # noqa: ARG002
        """Whether the frame may hold a secret of that seat, for all that others know."""
        return False


# --- rules ------------------------------------------------------------------------------------------------------


@cache
def _with_frames(base: Any, frame: Any) -> Any:
    """A state like ``base`` whose stack holds these frames, as whoever reads one from text has to know.

    Rules with the same frames have the same state.
    """
    stack = next(field for field in msgspec.structs.fields(base) if field.name == "stack")
    default = () if stack.required else (stack.default,)
    return msgspec.defstruct(
        base.__name__,
        [("stack", tuple[frame, ...], *default)],
        bases=(base,),
        module=base.__module__,
        namespace={"__doc__": base.__doc__},
    )


def _any_of(kinds: Iterable[Any]) -> Any:
    return Union[tuple(kinds)]  # noqa: UP007 - as many as there are


class _Play(Resolution[S, E]):
    """Events of frame rules: who folds each is looked up here, for nothing is done so often."""

    __slots__ = ("_folds",)

    def __init__(self, rules: FrameRules[Any, S, Any, E], state: S, dice: Dice) -> None:
        super().__init__(state, rules.fold, dice)
        self._folds = rules.folds

    def emit(self, event: E) -> None:
        """Let ``event`` happen."""
        self.events.append(event)
        self.state = self._folds[type(event)](self.state, event)


class FrameRules(Generic[C, S, A, E]):
    """The part of a ruleset that is the same wherever questions are frames.

    The handlers are the one list that a game is made of: the types by which states, actions and events are read from
    text follow from it.
    """

    handlers: tuple[type[FrameHandler[C, S, A, E, Any]], ...] = ()
    """One a frame; of two for the same frame the later one counts, so that a variant may add its own."""
    facts: Mapping[type, Callable[[Any, Any], Any]] = {}
    """The events that belong to no one question, and how each changes the state."""
    base_state: type[S]
    """What changes in a game; its stack may hold any frame."""

    state_type: type[S]
    """The state with the frames of the handlers on its stack."""
    action_type: Any
    event_type: Any
    folds: Mapping[type, Callable[[S, Any], S]]
    """How every kind of event changes the state."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.handlers:
            return
        frame = _any_of(handler.frame for handler in cls.handlers)
        folds = {**cls.facts}
        for handler in cls.handlers:
            folds.update(handler.folds)
        cls.folds = {**FRAME_FOLDS, **folds}
        cls.state_type = _with_frames(cls.base_state, frame)
        cls.action_type = _any_of(answer for handler in cls.handlers for answer in handler.answers)
        cls.event_type = _any_of((Opened[frame], Changed[frame], Closed, *folds))  # type: ignore[valid-type]

    def __init__(self, context: C) -> None:
        self.context = context
        self._handlers = {handler.frame: handler(context) for handler in self.handlers}

    # --- what a system says of its sequence of play ---

    def opening(self, play: Resolution[S, E]) -> None:
        """What happens before the first phase; nothing, unless the rules have it otherwise."""

    def next_phase(self, play: Resolution[S, E]) -> None:
        """What follows when no question is open: the next phase, or the end of the game."""
        raise NotImplementedError

    def settle(self, play: Resolution[S, E]) -> None:
        """What holds at any moment and is seen to between any two steps; nothing, unless the rules have it."""

    def beside_the_point(self, state: S, action: A) -> Refusal:
        """The refusal of an action that does not answer what is asked."""
        asking = self.asking(state)
        if asking is None:
            return Refusal("", "the game is over")
        reason = f"{type(action).__name__} does not answer what is asked: {asking.title}"
        return Refusal(asking.rule, reason, "an answer to the question that is open now")

    # --- the contract ---

    def begin(self, state: S, dice: Dice) -> Resolution[S, E]:
        """What happens before the first question."""
        play = _Play(self, state, dice)
        self.opening(play)
        self.advance(play)
        return play

    def advance(self, play: Resolution[S, E]) -> None:
        """Do what needs no decision, in the order of the sequence of play, up to the next question."""
        while self.step(play):
            pass

    def step(self, play: Resolution[S, E]) -> bool:
        """Do the next thing that needs no decision; whether something may follow before the next question."""
        self.settle(play)
        state = play.state
        if state.ended:
            return False
        stack = state.stack
        if not stack:
            self.next_phase(play)
            return True
        frame = stack[-1]
        return self._handlers[type(frame)].advance(play, frame)

    def all_handlers(self) -> tuple[FrameHandler[C, S, A, E, Any], ...]:
        """The handlers of this game, in the order in which they are listed."""
        return tuple(self._handlers.values())

    def top(self, state: S) -> tuple[FrameHandler[C, S, A, E, Any] | None, Any]:
        """The handler of the question on top of the stack, and the frame; nothing when the game is over."""
        stack = state.stack
        return (self._handlers[type(stack[-1])], stack[-1]) if stack else (None, None)

    def asking(self, state: S) -> Asking | None:
        """Who is asked what, or ``None`` when the game is over."""
        stack = state.stack
        return self._handlers[type(stack[-1])].question(state, stack[-1]) if stack else None

    def decision(self, state: S) -> Decision[A] | None:
        """The question on top of the stack."""
        stack = state.stack
        if not stack:
            return None
        frame = stack[-1]
        asking = self._handlers[type(frame)].question(state, frame)
        return Decision(
            asking.rule,
            asking.title,
            asking.asked,
            partial(self._options, state, frame),
            len(stack),
            asking.guards,
            asking.secret,
            asking.wordings,
        )

    def _options(self, state: S, frame: Any, seat: Seat) -> Options[A]:
        tree = self._handlers[type(frame)].options(state, frame, seat)
        return Options(tree, partial(self.refusal, state, seat))

    def refusal(self, state: S, seat: Seat, action: A) -> Refusal | None:
        """Why the action does not answer the open question legally."""
        stack = state.stack
        if stack:
            frame = stack[-1]
            handler = self._handlers[type(frame)]
            if handler.is_answer(frame, action):
                return handler.refusal(state, frame, seat, action)
        return self.beside_the_point(state, action)

    def resolve(self, state: S, seat: Seat, action: A, dice: Dice) -> Resolution[S, E]:
        """What comes of a legal action, up to the next question."""
        play = self.start(state, seat, action, dice)
        self.advance(play)
        return play

    def start(self, state: S, seat: Seat, action: A, dice: Dice) -> Resolution[S, E]:
        """A legal action itself, before anything follows from it."""
        play = _Play(self, state, dice)
        frame = state.stack[-1]
        self._handlers[type(frame)].apply(play, frame, seat, action)
        return play

    @final
    def fold(self, state: S, event: E) -> S:
        """The state after an event; how a kind of event changes it belongs in ``folds``, where play looks too."""
        return self.folds[type(event)](state, event)

    # --- what of the frames may be known ---

    def conceal_stack(self, state: S, seat: Seat | None) -> tuple[Any, ...]:
        """The frames as ``seat`` may know them; the very same ones if he may know all of it."""
        stack = tuple([self._handlers[type(frame)].conceal(frame, seat) for frame in state.stack])
        return state.stack if stack == state.stack else stack

    def redact_frame(self, event: Opened[F] | Changed[F], seat: Seat | None) -> Opened[F] | Changed[F]:
        """An event of a frame as ``seat`` may know it."""
        known = self._handlers[type(event.frame)].conceal(event.frame, seat)
        return event if known is event.frame else type(event)(known)

    def stack_variants(self, state: S, seat: Seat | None) -> Iterator[tuple[Any, ...]]:
        """Other stacks that ``seat`` cannot tell from this one."""
        concealed = self.conceal_stack(state, seat)
        if concealed is not state.stack:
            yield concealed

    def stack_may_hide(self, state: S, holder: Seat) -> bool:
        """Whether a frame may hold a secret of that seat."""
        return any(self._handlers[type(frame)].may_hide(frame, holder) for frame in state.stack)
