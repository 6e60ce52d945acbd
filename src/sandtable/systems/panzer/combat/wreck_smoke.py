"""4.4.3.2.2 Brew-Up Smoke: it hinders fire from the step after the one in which the vehicle brewed up."""

from __future__ import annotations

from typing import Any

from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.events import SmokeTookEffect

__all__ = ["smoke_takes_effect"]


def smoke_takes_effect(play: Resolution[Any, Any]) -> None:
    """A step ends: new smoke counts from now on."""
    if any(wreck.fresh for wreck in play.state.wrecks):
        play.emit(SmokeTookEffect())
