"""A game in the terminal: puts questions to persons and bots, tells what happens, keeps the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.markup import escape

from sandtable.bots.looking import Helpers
from sandtable.bots.policy import Policy, Question
from sandtable.cli.terminal.advice import Advice
from sandtable.cli.terminal.choosing import choose
from sandtable.cli.terminal.drawing import draw_map, draw_roster, draw_score, side_styles
from sandtable.cli.terminal.looking import describe_counter, describe_hex, describe_stakes
from sandtable.cli.terminal.table_drawing import describe_place, draw_table
from sandtable.cli.terminal.talk import Again, Back, Quit, Talk
from sandtable.cli.terminal.words import Words
from sandtable.core.capabilities import ForbidsSight
from sandtable.core.codec import digest
from sandtable.core.content.pack import Library
from sandtable.core.decision import Decision, Seat
from sandtable.core.errors import BadInput, Refused
from sandtable.core.forced import forced_answer
from sandtable.core.game import Game
from sandtable.core.log import Entry, dump, dump_line
from sandtable.core.ruleset import Position, System
from sandtable.core.view import View
from sandtable.geo.map import map_of
from sandtable.geo.plane.space import table_of
from sandtable.session.presenting import atlas
from sandtable.session.presenting.foresight import foresee
from sandtable.session.presenting.presenting import open_seats
from sandtable.session.presenting.wire import WireChance, WireUnitOdds

__all__ = ["Session"]

HELP = """\
At any prompt:
  ?             this help
  ?TERM         what an abbreviation means, or a rule says: ?DRM, ?4.2.1
  map, units    draw the map again; list the counters
  unit ID       what is known of a counter
  stakes        how the game is won, who holds what, where the score comes from
  look HEX      the terrain of a hex, and all that stands in it
  sight A B     line of sight between two hexes
  log           what happened last
  hint [BOT]    what a bot would do in your place, and why
  why [N]       when the game is over: why a bot gave its answer number N; `why all` lists them
  undo          take back your last action, while no die was rolled and nothing hidden was shown
  save FILE     keep the game; `sandtable play --resume FILE` goes on with it
  quit          leave the game
In a list, type a number or a name; `back` goes one step up."""


class Session:
    """One sitting at one game."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        system: System,
        bots: Mapping[Seat, Policy],
        *,
        rng: Random,
        console: Console,
        library: Library,
        log: Path | None = None,
        helpers: Helpers | None = None,
    ) -> None:
        self.game = game
        self._library = library
        self.system = system
        self.bots = bots
        self.console = console
        self._rng = rng
        self._talk = Talk(console, self._command)
        self._advice = Advice(game, helpers)
        self._log = log
        self._words = Words(library)
        self._told: list[str] = []
        self._seat: Seat = next(seat for seat in game.ruleset.seats if seat not in bots)
        self._drawn = ""
        self._saved = 0
        if log is not None:
            self._save(log)

    def run(self) -> None:
        """Play until the game ends or the person leaves."""
        self.console.print(f"[bold]{escape(str(self.game.header.scenario.get('title', '')))}[/]  (? for help)")
        briefing = self.game.header.scenario.get("briefing") or self.game.header.scenario.get("summary")
        if briefing:
            self.console.print(escape(str(briefing).strip()))
        try:
            for line in self.game.lines[-1:]:
                if isinstance(line, Entry):
                    self._tell(line)
            while (decision := self.game.decision) is not None:
                self._next(decision)
            self._end()
        except Quit:
            if self._saved < len(self.game.lines):
                self.console.print("Left without saving.")

    def _next(self, decision: Decision[Any]) -> None:
        for seat in decision.asked:
            if seat in self.bots:
                self._play(seat, self._advice.answer(self.bots[seat], seat, self._rng))
                return
        self._ask_person(decision.asked[0], decision)

    def _ask_person(self, seat: Seat, decision: Decision[Any]) -> None:
        ruleset = self.game.ruleset
        question: Question[Any] = Question(ruleset, ruleset.conceal(self.game.state, seat), seat)
        only = forced_answer(ruleset, question.options)
        if only is not None:
            if not decision.guards:
                told = f"{seat}: {ruleset.describe(only)} (no other choice)"
                self.console.print(f"[dim]{escape(told)}[/]")
            self._play(seat, only)
            return
        self._change_seat(seat)
        if decision.depth == 1 or not self._drawn:
            self._draw()
        asked = decision.wording(seat)
        title = f"{escape(asked.title)} [dim]({asked.rule})[/]"
        self.console.print(f"[bold reverse] {escape(seat)} [/] {title}")
        try:
            action = choose(self._talk, question.options.root)
            if self._confirmed(question, action):
                self._play(seat, action)
        except (Back, Again):
            return

    def _change_seat(self, seat: Seat) -> None:
        """Let another person come to the keyboard; what the last one saw goes off the screen."""
        if seat == self._seat:
            return
        ruleset, before = self.game.ruleset, self._seat
        self._seat = seat
        self._drawn = ""
        # Where the last one may see the answer and all that the next one knows, nobody has to look away.
        if ruleset.card.hidden and seat not in open_seats(ruleset, self.game.state, before):
            self.console.clear()
            self._talk.line(f"{seat} to the keyboard: press Enter")
            for text in self._told[-12:]:
                self.console.print(f"[dim]{escape(text)}[/]")

    def _known(self) -> Any:
        return self.game.ruleset.conceal(self.game.state, self._seat)

    def _confirmed(self, question: Question[Any], action: Any) -> bool:
        """Show what the dice may bring, and ask; what is certain needs no asking."""
        told = foresee(question.ruleset, question.known, question.seat, action, estimate=False)
        if not told.exact or (len(told.chances) == 1 and not told.unit_odds and not told.what_ifs):
            return True
        self.console.print(f"  {escape(told.text)}")
        for breakdown in told.breakdowns:
            self.console.print(f"    [dim]{escape(breakdown.text)}[/]")
        self._show_odds(told.chances, told.unit_odds)
        for what_if in told.what_ifs:
            self.console.print(f"    if {escape(what_if.what)} ({what_if.rule}):")
            self._show_odds(what_if.chances, what_if.unit_odds)
            if not what_if.chances and not what_if.unit_odds:
                self.console.print("    these odds leave it out")
        return self._talk.agrees("go?")

    def _show_odds(self, chances: Sequence[WireChance], unit_odds: Sequence[WireUnitOdds]) -> None:
        """The odds of all together, and of each counter by itself."""
        self._show(chances)
        for struck in unit_odds:
            self.console.print(f"    {escape(struck.unit)}")
            self._show(struck.chances)

    def _show(self, chances: Sequence[WireChance]) -> None:
        for chance in chances:
            self.console.print(f"    {chance.probability:6.1%}  {escape(chance.what)}")

    def _play(self, seat: Seat, action: Any) -> None:
        try:
            entry = self.game.play(seat, action)
        except Refused as refused:
            self._talk.complain(f"refused: {refused}")
            return
        self._append(entry)
        self._tell(entry)

    def _tell(self, entry: Entry[Any, Any]) -> None:
        """Say what happened, as far as the seat at the keyboard may know it."""
        ruleset = self.game.ruleset
        for event in entry.events:
            told = ruleset.redact(event, self._seat)
            if told is None:
                continue
            text = ruleset.narrate(told)
            if text:
                self._told.append(text)
                self.console.print(f"[italic]{escape(text)}[/]")
            for breakdown in ruleset.breakdowns(told):
                if breakdown.terms or breakdown.result is not None:
                    self.console.print(f"    [dim]{escape(breakdown.explain())}[/]")

    def _draw(self, *, anew: bool = False) -> None:
        """The map and the roster, when they have changed since they were last drawn."""
        known = self._known()
        fingerprint = digest([self._seat, known])
        if fingerprint == self._drawn and not anew:
            return
        self._drawn = fingerprint
        view = self.game.ruleset.view(known, self._seat)
        game_map, table = map_of(self.game.ruleset), table_of(self.game.ruleset)
        if game_map is not None:
            draw_map(self.console, game_map, view, self.game.ruleset.seats)
        elif table is not None:
            draw_table(self.console, table, view, side_styles(self.game.ruleset.seats))
        draw_roster(self.console, view, self.game.ruleset.seats)
        draw_score(self.console, view)

    def _end(self) -> None:
        outcome = self.game.outcome
        if outcome is not None:
            winner = f"{outcome.winner} wins" if outcome.winner else "A draw"
            scores = ", ".join(f"{seat} {points}" for seat, points in outcome.scores.items())
            self.console.print(f"[bold]{escape(winner)}[/]: {escape(outcome.summary)} ({outcome.rule}). {scores}")
        while True:
            self._talk.line("The game is over; save FILE keeps it, quit leaves>")

    # --- words understood at any prompt ---

    def _command(self, text: str) -> bool:
        """Carry out a command of the game; False if the text is none."""
        words = text.split()
        handlers = {
            "?": self._help,
            "help": self._help,
            "quit": self._quit,
            "undo": self._undo,
            "save": self._save_as,
            "sight": self._sight,
            "unit": self._unit,
            "stakes": lambda _: self._print(describe_stakes(self._view())),
            "look": self._look,
            "log": self._show_log,
            "hint": lambda words: self._say(self._advice.hint, words),
            "why": lambda words: self._say(self._advice.why, words),
            "map": self._show_map,
            "units": self._show_units,
        }
        if text.startswith("?") and text[1:].strip():
            self._say(self._words.explain, [text[1:].strip()])
            return True
        handler = handlers.get(words[0].lower()) if words else None
        if handler is None:
            return False
        handler(words[1:])
        return True

    def _say(self, advice: Callable[[Sequence[str]], list[str]], words: Sequence[str]) -> None:
        try:
            for line in advice(words):
                self.console.print(f"  [cyan]{escape(line)}[/]")
        except BadInput as bad:
            self._complain(bad)

    def _complain(self, bad: BadInput) -> None:
        for fault in bad.faults:
            self._talk.complain(f"{fault.wrong} (expected {fault.right})" if fault.right else fault.wrong)

    def _help(self, _: Sequence[str]) -> None:
        self.console.print(escape(HELP))

    def _quit(self, _: Sequence[str]) -> None:
        raise Quit

    def _show_map(self, _: Sequence[str]) -> None:
        self._draw(anew=True)

    def _show_units(self, _: Sequence[str]) -> None:
        draw_roster(self.console, self._view(), self.game.ruleset.seats)

    def _show_log(self, _: Sequence[str]) -> None:
        for text in self._told[-20:]:
            self.console.print(escape(text))

    def _save_as(self, words: Sequence[str]) -> None:
        if len(words) != 1:
            self._talk.complain("save FILE")
        elif self._save(Path(words[0])):
            self.console.print(f"Saved. `sandtable play --resume {escape(words[0])}` goes on from here.")

    def _save(self, path: Path) -> bool:
        try:
            path.write_text("".join(dump(self.game.header, self.game.lines)), encoding="utf-8")
        except OSError as error:
            self._talk.complain(f"{path}: cannot be written: {error.strerror}")
            return False
        self._saved = len(self.game.lines)
        return True

    def _append(self, line: Any) -> None:
        """Write the new line at once where a log is kept, so that a power cut costs no more than it."""
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as file:
                file.write(dump_line(line))
            self._saved = len(self.game.lines)

    def _undo(self, _: Sequence[str]) -> None:
        """Back to before the person's last action; a bot gives way as long as nothing was rolled or revealed."""
        back = self._undoable()
        if isinstance(back, str):
            self._talk.complain(back)
            return
        others = [seat for seat in self.game.ruleset.seats if seat != self._seat]
        for _number in range(back):
            self._append(self.game.undo(self._seat, others))
        self.console.print("Taken back.")
        raise Again

    def _undoable(self) -> int | str:
        """How many actions to take back, or why that is not allowed."""
        standing = self._standing()
        for count, entry in enumerate(reversed(standing), start=1):
            if entry.rolls:
                return "dice were rolled since your last action"
            if any(self.game.ruleset.reveals(event) for event in entry.events):
                return "something hidden was revealed since your last action"
            if entry.seat == self._seat:
                before = standing[-count - 1].seq if count < len(standing) else 0
                if not self._was_forced(entry, self.game.states[before]):
                    return count
            elif entry.seat not in self.bots:
                return f"{entry.seat} has acted since"
        return "there is nothing to take back"

    def _was_forced(self, entry: Entry[Any, Any], before: Any) -> bool:
        """Whether an answer was the only one, and so was given without asking."""
        decision = self.game.ruleset.decision(before)
        return decision is not None and forced_answer(self.game.ruleset, decision.options(Seat(entry.seat))) is not None

    def _standing(self) -> list[Entry[Any, Any]]:
        """The actions that still stand, oldest first."""
        found: list[Entry[Any, Any]] = []
        seq = len(self.game.lines) - 1
        while seq > 0:
            line = self.game.lines[seq]
            if isinstance(line, Entry):
                found.append(line)
                seq -= 1
            else:
                seq = line.to
        return found[::-1]

    def _sight(self, words: Sequence[str]) -> None:
        if len(words) != 2:
            self._talk.complain("sight A B, with the labels of two hexes")
            return
        rules = self.game.ruleset
        refusal = rules.refuse_sight() if isinstance(rules, ForbidsSight) and self.game.outcome is None else None
        if refusal is not None:
            self._talk.complain(str(refusal))
            return
        try:
            answer = self.system.answer(Position(self.game.ruleset, self._known()), {"los": list(words)}, "sight")
        except BadInput as bad:
            self._complain(bad)
            return
        for key, value in answer.items():
            if value not in (None, "", [], {}):
                self.console.print(f"  {escape(str(key))}: {escape(str(value))}")

    def _view(self) -> View:
        return self.game.ruleset.view(self._known(), self._seat)

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.console.print(escape(line))

    def _look(self, words: Sequence[str]) -> None:
        game_map, table = map_of(self.game.ruleset), table_of(self.game.ruleset)
        if game_map is None and table is None:
            self._talk.complain("there is no map")
            return
        if len(words) != 1:
            self._talk.complain("look HEX, with the label of a hex" if table is None else "look 12.5,30, in inches")
            return
        try:
            if table is not None:
                self._print(describe_place(table, self._view(), table.place(words[0])))
            elif game_map is not None:
                drawing = atlas.draw_map(game_map, atlas.legend_of(self.system, self._library))
                self._print(describe_hex(self._view(), drawing, words[0]))
        except BadInput as bad:
            self._complain(bad)

    def _unit(self, words: Sequence[str]) -> None:
        view = self._view()
        wanted = " ".join(words).lower()
        found = [counter for counter in view.counters if counter.id.lower() == wanted]
        if not found:
            self._talk.complain(f"no counter {wanted!r}; one of {', '.join(c.id for c in view.counters)}")
        for counter in found:
            self._print(describe_counter(view, counter))
            boxes = {box.id: box.title for box in view.boxes}
            self.console.print(f"    in {escape(counter.hex or boxes.get(counter.box, counter.box))}")
