"""Files that commands write: looked at before the work begins, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from sandtable.cli.output import say

__all__ = ["check_file", "check_page", "write_file", "write_page"]


def check_page(path: Path) -> None:
    """Raise :class:`BadInput` if the page could not be drawn or written in the end."""
    from sandtable.sim.pages.plots import check_plots

    check_plots()
    check_file(path, "--html")


def check_file(path: Path, option: str) -> None:
    """Raise :class:`BadInput` if the file could not be written in the end."""
    from sandtable.core.errors import BadInput, Fault

    if path.is_dir():
        raise BadInput([Fault(f"{option} {path}", "is a folder", "a file")])
    if not path.absolute().parent.is_dir():
        raise BadInput([Fault(f"{option} {path}", "its folder does not exist", "a file in a folder that does")])


def write_page(path: Path, text: str) -> None:
    """Write a page, and say where it is."""
    write_file(path, "--html", text)
    say(f"report: {path}")


def write_file(path: Path, option: str, text: str) -> None:
    """Write a file; what was there before stays until the new one is whole."""
    from sandtable.core.errors import BadInput, Fault

    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise BadInput([Fault(f"{option} {path}", f"cannot be written: {error.strerror}", "a file")]) from None
