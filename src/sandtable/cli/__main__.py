"""The command ``sandtable`` begins here, so that it can say what to install where the extra ``cli`` is not."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line."""
    try:
        from sandtable.cli.main import app
    except ModuleNotFoundError as error:
        from sandtable.core.extras import not_installed

        print(not_installed(error, "cli", "sandtable", "the command line"), file=sys.stderr)
        sys.exit(2)
    app()


if __name__ == "__main__":
    main()
