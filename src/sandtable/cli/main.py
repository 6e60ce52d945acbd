"""``sandtable``: puts the commands together and turns errors into exit codes.

0 is done, 1 is refused or failed, 2 is bad input. Every fault of a bad input stands on a line of its own.
"""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from sandtable.cli.bench import bench
from sandtable.cli.glossary import glossary
from sandtable.cli.import_board import import_board
from sandtable.cli.lab.arena import arena
from sandtable.cli.lab.fuzz import fuzz
from sandtable.cli.lab.perft import perft
from sandtable.cli.lab.review import review
from sandtable.cli.lab.sim import sim
from sandtable.cli.los import los
from sandtable.cli.odds import odds
from sandtable.cli.output import BAD_INPUT, FAILED, say
from sandtable.cli.pack import pack_app
from sandtable.cli.play import play
from sandtable.cli.replay import replay
from sandtable.cli.resolve import resolve
from sandtable.cli.rules import rules
from sandtable.cli.scenarios import scenarios
from sandtable.cli.serve import serve
from sandtable.cli.systems import systems
from sandtable.cli.tables import tables
from sandtable.cli.verify import verify
from sandtable.cli.version import version

__all__ = ["app"]


class Commands(TyperGroup):
    """Runs a command and answers for its errors."""

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


# Plain help: drawing it with Rich would take longer than all the rest of it.
app = typer.Typer(
    name="sandtable",
    cls=Commands,
    help="Tabletop wargames by their published rules.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (
    systems,
    scenarios,
    play,
    serve,
    resolve,
    odds,
    los,
    rules,
    tables,
    glossary,
    replay,
    verify,
    fuzz,
    perft,
    arena,
    sim,
    review,
    import_board,
    bench,
    version,
):
    app.command()(command)
app.add_typer(pack_app, name="pack")
