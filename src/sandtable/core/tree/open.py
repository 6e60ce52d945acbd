"""Open questions: what is drawn and not picked, for nobody can list the answers.

A :class:`Sweep` asks for a way, a :class:`Put` for a place for something. Both judge every drawing, say of a wrong
one which rule it breaks and how far it holds, suggest some that are right and make others at random. Their branches
are the suggestions, so whoever goes from branch to branch can answer; whoever has a drawing of his own comes with its
text as the key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sandtable.core.errors import Refused
from sandtable.core.tree.drawing import Judged, Outline, Stroke, Strokes, drawing_text, read_drawing_text
from sandtable.core.tree.nodes import Branch, Leaf, Node, Path

if TYPE_CHECKING:
    from random import Random

__all__ = ["MOST_SUGGESTIONS", "PUT", "Drawing", "Put", "Suggestion", "Sweep"]

A = TypeVar("A")
MOST_SUGGESTIONS = 64
PUT = "put"
"""The verb of a :class:`Put`."""


class Suggestion(NamedTuple):
    """A drawing that is legal, and what a person reads."""

    label: str
    strokes: Strokes


class Drawing(Path[A]):
    """A question that is answered by drawing: a :class:`Sweep` or a :class:`Put`, which systems subclass."""

    is_open = True
    verbs: tuple[str, ...] = ()
    """What strokes may be of."""
    base: tuple[int, int] | None = None
    """Width and depth of what is moved or put, in thousandths."""
    turns = True
    """Whether it looks some way."""

    def judge(self, strokes: Strokes) -> Judged:
        """What the rules say of a drawing: of any, however wild. The rules' own refusal must say the same."""
        raise NotImplementedError

    def worded(self, strokes: Strokes) -> A:
        """The action that says a drawing, legal or not; of several that may follow it, the plainest."""
        raise NotImplementedError

    def answer(self, strokes: Strokes) -> Node[A]:
        """What follows a legal drawing: the action, unless there is more to choose."""
        return Leaf(self.worded(strokes))

    def suggestions(self) -> Iterator[Suggestion]:
        """Legal drawings, the plainest first: at least one, each once, and :data:`MOST_SUGGESTIONS` at the most."""
        raise NotImplementedError

    def sketch(self, rng: Random) -> Strokes:
        """A legal drawing at random; one of the suggestions unless the system knows better."""
        ways = list(self.suggestions())
        return ways[int(rng.random() * len(ways))].strokes

    def region(self) -> Sequence[Outline]:
        """Where it may lead, as outlines: for showing only, nothing is decided by it."""
        return ()

    def strokes_of(self, action: A) -> Strokes | None:
        """The drawing of an action that answers this question; None if it is of another."""
        raise NotImplementedError

    def branches(self) -> Iterator[Branch[A]]:
        """The suggestions."""
        return (self._branch(one.strokes, one.label) for one in self.suggestions())

    def destinations(self) -> Iterator[Branch[A]]:
        """The suggestions, each with the action at once."""
        return self.branches()

    def branch(self, key: str) -> Branch[A] | None:
        """The branch of a drawing's text; :class:`Refused` if the rules do not allow it."""
        strokes = read_drawing_text(key)
        if strokes is None:
            return None
        refusal = self.judge(strokes).refusal
        if refusal is not None:
            raise Refused(refusal)
        return self._branch(strokes, drawing_text(strokes))

    def _branch(self, strokes: Strokes, label: str) -> Branch[A]:
        return Branch(drawing_text(strokes), "drawing", label, self.answer(strokes))

    def count(self) -> None:
        """Nobody knows."""

    def sample(self, rng: Random) -> A:
        """A drawing at random, and whatever follows it."""
        return self.answer(self.sketch(rng)).sample(rng)


class Sweep(Drawing[A]):
    """Draw the way of a unit over a table without hexes, stroke by stroke from where it stands."""

    shape = "sweep"
    start: tuple[int, int]
    heading: int
    rails: Mapping[str, Outline] = {}
    """Lines that may be followed, by their names."""


class Put(Drawing[A]):
    """Set something down somewhere, facing some way if it turns: a drawing of one stroke."""

    shape = "put"
    verbs = (PUT,)
    followers: tuple[tuple[int, int], ...] = ()
    """Where others come to stand with it, each with the same base: to its right and behind it, for showing."""

    def at(self, x: int, y: int, heading: int | None = None) -> Strokes:
        """The drawing that puts it there."""
        return (Stroke(PUT, (x, y), heading),)
