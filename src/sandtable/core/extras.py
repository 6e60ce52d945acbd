"""What is not installed. `sandtable` alone plays games; packages that more takes come with its extras."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sandtable.core.errors import BadInput, Fault

__all__ = ["comes_with", "needs_extra", "not_installed"]


@contextmanager
def needs_extra(extra: str, where: str, what: str) -> Iterator[None]:
    """Around imports of packages that come with an extra: :class:`BadInput` says what to install if one is missing.

    ``what`` names in a few words what needs them.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise BadInput([not_installed(error, extra, where, what)]) from None


@contextmanager
def comes_with(extra: str, module: str, what: str) -> Iterator[None]:
    """Around imports of a module that programs import: the error stays Python's own, and says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(str(not_installed(error, extra, module, what)), name=error.name) from None


def not_installed(error: ModuleNotFoundError, extra: str, where: str, what: str) -> Fault:
    """The fault that a missing package is; a missing module of our own is raised on."""
    package = (error.name or "").partition(".")[0]
    if package in ("", "sandtable"):
        raise error
    return Fault(where, f"{what} needs {package}, which is not installed; pip install 'sandtable[{extra}]' brings it")
