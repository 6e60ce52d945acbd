"""4.4.3.2.2, 6.1.4.3.10 Smoke, Barrages and Dust hinder fire from the step after the one in which they came about."""

from __future__ import annotations

from typing import Any

from sandtable.core.content.rule import rule
from sandtable.core.ruleset import Resolution
from sandtable.systems.panzer.events import BrewUpSmokeTookEffect, SmokeTookEffect

__all__ = ["brew_up_smoke_takes_effect", "smoke_takes_effect"]


def smoke_takes_effect(play: Resolution[Any, Any]) -> None:
    """A step ends: new smoke counts from now on."""
    state = play.state
    if any(wreck.fresh for wreck in state.wrecks) or any(feature.fresh for feature in state.features):
        play.emit(SmokeTookEffect())


@rule("6.1.4.3.10", editions=("panzer-na",))
def brew_up_smoke_takes_effect(play: Resolution[Any, Any]) -> None:
    """A player has fired: Brew-Up Smoke counts from now on, that of shells after the whole step (6.1.4.3.10)."""
    if any(wreck.fresh for wreck in play.state.wrecks):
        play.emit(BrewUpSmokeTookEffect())
