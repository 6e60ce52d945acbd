"""Bots by name."""

import pytest

from sandtable.bots import BOTS, make_bot
from sandtable.bots.style import CHARACTERS, LEVELS, Character
from sandtable.core.errors import BadInput


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("random", "random"),
        ("greedy", "greedy"),
        ("captain", "captain:2:steady"),
        ("captain:3", "captain:3:steady"),
        ("captain:1:bold", "captain:1:bold"),
        ("simple", "greedy"),
    ],
)
def test_a_name_says_who_plays(name: str, told: str) -> None:
    assert make_bot(name).name == told
    assert BOTS[name]().name == told


@pytest.mark.parametrize(
    "name", ["", "captian", "captain:4", "captain:2:shy", "captain:2:bold:x", "greedy:2", "random:1", "captain:bold"]
)
def test_an_unknown_name_is_refused_with_what_would_do(name: str) -> None:
    assert name not in BOTS
    with pytest.raises(BadInput, match="no bot") as bad:
        make_bot(name, where="--bots")
    (fault,) = bad.value.faults
    assert fault.where == "--bots"
    assert any(kind in fault.right for kind in ("random", "greedy", "captain"))
    with pytest.raises(KeyError):
        BOTS[name]


def test_every_level_goes_with_every_character() -> None:
    listed = list(BOTS)
    assert len(listed) == len(BOTS) == len(set(listed))
    assert {f"captain:{level}:{character}" for level in LEVELS for character in Character} <= set(listed)
    assert all(name in BOTS for name in listed)


def test_higher_levels_look_more_and_characters_weigh_otherwise() -> None:
    for low, high in ((1, 2), (2, 3)):
        assert all(less <= more for less, more in zip(LEVELS[low][:-1], LEVELS[high][:-1], strict=True))
        assert LEVELS[low].slips >= LEVELS[high].slips
        assert LEVELS[low].looks * 2 < LEVELS[high].looks
    cautious, steady, bold = (CHARACTERS[character] for character in Character)
    assert cautious.care > steady.care > bold.care
    assert cautious.drive < steady.drive < bold.drive
