"""8.4: which unit lies under a top unit, and in what shape, changes nothing that the other side is shown or offered."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from msgspec.json import encode

from sandtable.core.decision import Seat
from sandtable.core.dice import SeededDice
from sandtable.core.game import Game
from sandtable.systems.goss.common.state import State
from tests.goss.lorn import header, lorn

RULES = lorn()
_OPTIONS = 12


def told(state: State, seat: Seat) -> list[object]:
    """The view of a seat, and, if it is asked, its question, answers, and what is said of them."""
    decision = RULES.decision(state)
    found: list[object] = [RULES.view(state, seat)]
    if decision is not None and seat in decision.asked:
        options = decision.options(seat)
        drawn = [options.sample(Random(seed)) for seed in range(3)]
        found += [decision.wording(seat), list(islice(options, _OPTIONS)), drawn]
        found += [RULES.refusal(state, seat, action) for action in drawn]
    return found


@pytest.mark.rules("8.4.0", "8.4.2", "8.4.4", system="goss")
def test_nothing_that_is_shown_or_offered_tells_what_lies_under_a_top_unit() -> None:
    game, rng = Game.start(RULES, header(), SeededDice(2)), Random(2)
    asked, exchanged = set[str](), 0
    for _ in range(160):
        decision, state = game.decision, game.state
        assert decision is not None
        is_new = decision.rule not in asked
        asked.add(decision.rule)
        for seat in RULES.seats:
            known = RULES.conceal(state, seat)
            text = encode(known).decode()
            assert not [one for one in state.units if one not in known.units and f'"{one}"' in text], decision.title
            for variant in RULES.hidden_variants(state, seat) if is_new else ():
                exchanged += any(unit.hex != state.units[one].hex for one, unit in variant.units.items())
                assert told(variant, seat) == told(state, seat), decision.title
        mover = rng.choice(decision.asked)
        game.play(mover, decision.options(mover).sample(rng))
    assert exchanged > 8


@pytest.mark.rules("8.4.0", "8.4.2", system="goss")
def test_variants_change_steps_modes_and_markers_of_hidden_units_alone() -> None:
    state = RULES.setup()
    variants = list(RULES.hidden_variants(state, Seat("axis")))
    changed = {
        name
        for variant in variants
        for one, unit in variant.units.items()
        for name in ("hex", "steps", "mode", "fatigue", "supply", "in_reserve")
        if getattr(unit, name) != getattr(state.units[one], name)
    }
    assert changed == {"steps", "mode", "fatigue", "supply"}
    known = RULES.conceal(state, Seat("axis")).units
    assert all(variant.units[one] == unit for variant in variants for one, unit in known.items())
