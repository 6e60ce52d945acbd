"""The toy game in the catalog, and a registry to play it in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from sandtable import catalog
from sandtable.core.content.pack import Pack
from sandtable.core.dice import Cuts, DiceSpec, Roll, SeededDice
from sandtable.session import registry as registry_module
from sandtable.session.game.live_game import LiveGame
from sandtable.session.game.notices import Notice
from sandtable.session.game.play import Choice
from sandtable.session.presenting.shelf import NewTable
from sandtable.session.registry import Registry
from sandtable.session.store import Person, open_store
from sandtable.session.thinking.brain import prepare_worker
from tests.corps import register_corps
from tests.toy_system import PACK, Toy


def register_toy() -> None:
    catalog.register(catalog.Registration("toy", Toy, lambda: Pack(PACK, "packs/toy")))


def prepare_toy_worker(packs: Any) -> None:
    """A worker that knows the toy."""
    register_toy()
    prepare_worker(packs)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy beside the shipped systems, for one test."""
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    register_toy()


@pytest.fixture
def corps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game of 120 slots beside the shipped systems, for one test."""
    monkeypatch.setattr(catalog, "_registered", dict(catalog._registered))
    register_corps()


def fix_dice(monkeypatch: pytest.MonkeyPatch, seed: int = 7) -> None:
    """The same dice in every game that is begun from now on."""

    class Fixed(SeededDice):
        def __init__(self) -> None:
            super().__init__(seed)

    monkeypatch.setattr(registry_module, "SystemDice", Fixed)


class LoadedDice:
    """Dice that always show the same face, as far as they have it."""

    def __init__(self, face: int) -> None:
        self.face = face

    def roll(self, dice: DiceSpec, why: str, cuts: Cuts = None) -> Roll:
        return Roll(dice, (min(self.face, dice.sides),) * dice.number, why)


class Ear:
    """A listener that keeps what it hears."""

    def __init__(self, person: str = "", viewpoint: str = "") -> None:
        self.person = person
        self.viewpoint = viewpoint
        self.heard: list[Notice] = []

    def hear(self, notice: Notice) -> None:
        self.heard.append(notice)


@asynccontextmanager
async def open_registry(database: str = ":memory:", **settings: Any) -> AsyncIterator[Registry]:
    registry = Registry(open_store(database), **settings)
    await registry.open()
    try:
        yield registry
    finally:
        await registry.close()


async def guests(registry: Registry, number: int = 2) -> list[Person]:
    return [(await registry.people.new_guest())[0] for _ in range(number)]


async def toy_table(registry: Registry, red: str = "me", blue: str = "hotseat", **wish: Any) -> tuple[LiveGame, Person]:
    """A game of the toy for one person."""
    (person,) = await guests(registry, 1)
    made = await registry.create(person, NewTable("crossroads", {"red": red, "blue": blue}, **wish))
    table, _ = await registry.table(made.id)
    return table, person


async def until(is_so: Callable[[], object]) -> None:
    """Wait for what happens by itself."""
    for _ in range(12_000):
        if is_so():
            return
        await asyncio.sleep(0.005)
    pytest.fail("it does not happen")


def orders(*values: str) -> Choice:
    """Orders for all pieces of a side."""
    return Choice((*values, "done"))
