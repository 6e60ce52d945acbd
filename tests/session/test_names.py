"""Names that people may have, and which are one and the same to a reader."""

from __future__ import annotations

import pytest

from sandtable.session.store.names import clean_name, clean_text, is_reserved, name_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob", "bOB"),
        ("Anna", "\u0410nn\u0430"),  # Cyrillic A and a
        ("Rommel", "\uff32\uff4f\uff4d\uff4d\uff45\uff4c"),  # full width
        ("Office", "O\ufb03ce"),  # a ligature
        ("Ida", "\u0399da"),  # Greek Iota
        ("strasse", "STRA\u00dfE"),
    ],
)
def test_names_that_look_the_same_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_other_names_are_others() -> None:
    assert len({name_key(name) for name in ("Bob", "Rob", "Bob2", "B\u00f6b", "\u6c5f\u53e3")}) == 5


@pytest.mark.parametrize("unseen", ["\u200b", "\u202e", "\u2066", "\u3164", "\ufe0f", "\u034f", "\u00ad", "\0", "\n"])
def test_nothing_unseen_stays_in_a_name(unseen: str) -> None:
    assert unseen not in clean_name(f"Ta{unseen}ble", 24)
    assert clean_name(unseen * 3, 24) == ""


def test_accents_do_not_grow_over_other_lines() -> None:
    assert len(clean_text("a" + "\u0301" * 50, 100)) <= 3


@pytest.mark.parametrize(
    "name",
    ["Table", "T\u0430ble", "table.", "Guest 1234", "Captain 2, bold", "greedy", "BOT", "Panzer", "W a t c h e r"],
)
def test_names_that_are_nobodys(name: str) -> None:
    assert is_reserved(name, ["Panzer"])


@pytest.mark.parametrize("name", ["Captain Jack", "Tabletop", "Anna", "Robot Joe"])
def test_names_that_are_free(name: str) -> None:
    assert not is_reserved(name, ["Panzer"])
