"""13.2.0 Whether everybody designated can have an attack: the search along the front against a look at every way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from random import Random

import pytest

from sandtable.geo.hex import Hex
from sandtable.systems.goss.assault.eligibility import Candidate, Plans
from sandtable.systems.goss.pieces.card import FormationId
from sandtable.systems.goss.pieces.unit import UnitId

FORMATIONS = [FormationId(one) for one in "ABC"]
Barred = tuple[Hex, frozenset[UnitId]]


class Drawn(Plans):
    """Plans without a map: two units of a hex at most go into every other target."""

    def __init__(self, candidates: Sequence[Candidate], allowances: Mapping[FormationId, int]) -> None:
        self.candidates = {one.id: one for one in candidates}
        self.allowances = allowances

    def allowance(self, formation: FormationId) -> int:
        return self.allowances[formation]

    def fits(self, target: Hex, units: Iterable[UnitId]) -> bool:
        return target.q % 2 == 0 or len(list(units)) <= 2

    def are_legal(self, ways: Sequence[Hex], barred: Barred | None, *, is_rich: bool) -> bool:
        """Whether each may go where it goes."""
        groups: dict[Hex, list[Candidate]] = {}
        for one, target in zip(self.candidates.values(), ways, strict=True):
            if barred is not None and target == barred[0] and one.id in barred[1]:
                return False
            groups.setdefault(target, []).append(one)
        spent = dict.fromkeys(FORMATIONS, 0)
        for target, group in groups.items():
            if len({None if one.is_prepared else one.hex for one in group}) > 1:
                return False
            for hex in {one.hex for one in group}:
                mates = [one for one in group if one.hex == hex]
                if not any(target in one.alone for one in mates) or not self.fits(target, [one.id for one in mates]):
                    return False
            for formation in {one.formation for one in group}:
                spent[formation] += 2 if group[0].is_prepared else 1
        return is_rich or all(cost <= self.allowances[formation] for formation, cost in spent.items())


def _drawn(rng: Random) -> Drawn:
    targets = [Hex(q, 0) for q in range(rng.randrange(1, 6))]
    prepares = {Hex(q, 1): rng.random() < 0.5 for q in range(rng.randrange(1, 5))}
    found = []
    for number in range(rng.randrange(2, 8)):
        hex = rng.choice(sorted(prepares))
        ways = tuple(sorted(rng.sample(targets, rng.randrange(1, len(targets) + 1))))
        alone = ways if rng.random() < 0.5 else tuple(one for one in ways if rng.random() < 0.4)
        unit = UnitId(f"unit {number}")
        found.append(Candidate(unit, hex, prepares[hex], alone, rng.choice(FORMATIONS), ways))
    return Drawn(found, {one: rng.randrange(1, 6) for one in FORMATIONS})


def _begun(rng: Random, plans: Drawn) -> tuple[dict[UnitId, Hex], Barred | None]:
    """An assault as it is begun: some who may attack a hex do, and the others do not."""
    target = rng.choice([way for one in plans.candidates.values() for way in one.targets])
    able = plans.on(target)
    begins = [one for one in able if rng.random() < 0.5]
    if rng.random() < 0.5 or not any(target in one.alone for one in begins):
        return {}, None
    return {one.id: target for one in begins}, (target, frozenset(one.id for one in able if one not in begins))


@pytest.mark.rules("13.2.0", "12.1.0", "16.3.3", system="goss")
def test_13_2_0_the_search_finds_an_attack_for_everybody_where_there_is_one() -> None:
    rng = Random("front")
    answers = []
    for _ in range(3000):
        plans = _drawn(rng)
        fixed, barred = _begun(rng, plans)
        is_rich = rng.random() < 0.3
        everywhere = [[fixed[one.id]] if one.id in fixed else one.targets for one in plans.candidates.values()]
        expected = any(plans.are_legal(ways, barred, is_rich=is_rich) for ways in product(*everywhere))
        assert plans.can_all_attack(fixed=fixed, barred=barred, is_rich=is_rich) is expected, plans.candidates
        answers.append(expected)
    assert 500 < sum(answers) < 2500


@pytest.mark.rules("13.2.0", system="goss")
def test_13_2_0_a_way_that_leaves_somebody_without_a_leader_says_nothing_of_one_that_does_not() -> None:
    here = Hex(0, 1)
    drawn = [
        ((0, 1, 2), (0, 1, 2), "A"),
        ((0, 3), (0, 3), "A"),
        ((1, 3), (3,), "B"),
        ((0,), (0,), "C"),
        ((0,), (), "A"),
    ]
    found = [
        Candidate(
            UnitId(f"unit {number}"),
            here,
            is_prepared=True,
            alone=tuple(Hex(q, 0) for q in alone),
            formation=FormationId(formation),
            targets=tuple(Hex(q, 0) for q in targets),
        )
        for number, (targets, alone, formation) in enumerate(drawn)
    ]
    plans = Drawn(found, {FormationId("A"): 2, FormationId("B"): 2, FormationId("C"): 4})
    assert plans.can_all_attack(), "all into the first hex, but the third unit into the last"
