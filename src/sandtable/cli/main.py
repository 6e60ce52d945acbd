"""``sandtable``: puts the commands together and turns errors into exit codes.

0 is done, 1 is refused or failed, 2 is bad input. Every fault of a bad input stands on a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from sandtable.cli.output import BAD_INPUT, FAILED, say

__all__ = ["COMMANDS", "app"]

COMMANDS = {
    module.rpartition(".")[2].replace("_", "-"): module
    for module in (
        "systems",
        "scenarios",
        "play",
        "serve",
        "resolve",
        "odds",
        "los",
        "rules",
        "tables",
        "glossary",
        "replay",
        "verify",
        "lab.fuzz",
        "lab.perft",
        "lab.arena",
        "lab.sim",
        "lab.review",
        "import_board",
        "bench",
        "version",
        "pack",
    )
}
"""The module of each command, in which a function, or an app with commands of its own, has the module's name."""


def _app(**more: Any) -> typer.Typer:
    """An app with plain help: drawing it with Rich would take longer than all the rest of it."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, **more)


class _Known(Mapping[str, Any]):
    """The commands by name. Each is imported and built when it is asked for: building all took a third of a start."""

    def __init__(self) -> None:
        self._built: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            module = COMMANDS[name]
            found = getattr(import_module(f"sandtable.cli.{module}"), module.rpartition(".")[2])
            if not isinstance(found, typer.Typer):
                alone = _app()
                alone.command()(found)
                found = alone
            self._built[name] = get_command(found)
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class Commands(TyperGroup):
    """Runs a command and answers for its errors."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        # Nobody adds to them.
        self.commands = _Known()  # type: ignore[assignment]

    def invoke(self, ctx: Any) -> Any:
        """Run; a refusal exits with 1, bad input with 2."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            # Not at the top: a plain --help should not wait for the kernel.
            from sandtable.core.errors import BadInput, Refused, RulesBug

            if isinstance(error, BadInput):
                for fault in error.faults:
                    say(str(fault))
                raise typer.Exit(BAD_INPUT) from None
            if isinstance(error, Refused):
                say(f"refused: {error}")
                raise typer.Exit(FAILED) from None
            if isinstance(error, RulesBug):
                say(f"a fault in Sandtable itself: {error}")
                raise typer.Exit(FAILED) from error
            raise


app = _app(name="sandtable", cls=Commands, no_args_is_help=True)


@app.callback()
def sandtable() -> None:
    """Tabletop wargames by their published rules."""
