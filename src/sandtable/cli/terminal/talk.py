"""Asking a person for a line, with the words that are understood at any prompt."""

from __future__ import annotations

import sys
from collections.abc import Callable

from rich.console import Console
from rich.markup import escape

__all__ = ["Again", "Back", "Quit", "Talk"]


class Quit(Exception):
    """The person leaves the game."""


class Back(Exception):
    """The person wants to choose again, one step up."""


class Again(Exception):
    """The game has changed: the question is to be put anew."""


class Talk:
    """A console and a keyboard, or a file that takes its place."""

    def __init__(self, console: Console, command: Callable[[str], bool]) -> None:
        self.console = console
        self._command = command
        self._echo = not sys.stdin.isatty()

    def line(self, prompt: str) -> str:
        """The next line that is no command of the game; the end of the input is a wish to quit."""
        while True:
            self.console.print(f"[bold]{escape(prompt)}[/]", end=" ")
            text = sys.stdin.readline()
            if not text:
                self.console.print()
                raise Quit
            text = text.strip()
            if self._echo:
                self.console.print(escape(text))
            if not self._command(text):
                return text

    def choice(self, prompt: str) -> str:
        """A line; ``back`` goes one step up."""
        text = self.line(prompt)
        if text.lower() in ("b", "back"):
            raise Back
        return text

    def agrees(self, prompt: str) -> bool:
        """Whether the answer is yes; an empty line is."""
        return self.line(f"{prompt} [Y/n]").lower() in ("", "y", "yes", "ok", "go")

    def complain(self, message: str) -> None:
        """Say why an answer will not do."""
        self.console.print(f"[yellow]{escape(message)}[/]")
