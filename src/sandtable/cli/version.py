"""``sandtable version``."""

from __future__ import annotations

from sandtable.cli.output import Json

__all__ = ["version"]


def version(json: Json = False) -> None:
    """Print the versions of Sandtable and its systems."""
    import platform

    from sandtable import __version__, catalog
    from sandtable.cli.output import emit

    systems = {key: catalog.system(key).card.version for key in catalog.system_ids()}
    if json:
        emit({"sandtable": __version__, "python": platform.python_version(), "systems": systems})
        return
    known = ", ".join(f"{key} {number}" for key, number in systems.items())
    print(f"sandtable {__version__} (Python {platform.python_version()}; {known})")
