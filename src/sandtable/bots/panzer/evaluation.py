"""What a position is worth in points: ground, losses, vehicles brought off, and the fire of the turn to come (4.6.2).

A lead is not the same as a win: on top of the points comes the chance to stay ahead, which grows surer towards the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import tanh

from sandtable.bots.panzer.book import Book
from sandtable.bots.panzer.influence import Influence
from sandtable.bots.panzer.picture import Picture
from sandtable.bots.style import Style
from sandtable.core.decision import Seat
from sandtable.systems.panzer.hex.state import State, Unit
from sandtable.systems.panzer.unit import Status

__all__ = ["exchange", "spread", "standing", "worth"]

_DESTROYED = (Status.KNOCKED_OUT, Status.BREWED_UP)
"""Made once: members of an enum take longer to look up than to compare."""


def standing(book: Book, state: State, seat: Seat) -> float:
    """The lead in points that nobody can take away: losses, vehicles brought off, handicap."""
    lead = 0.0
    points, percent = book.gunnery.points, book.percent
    enemy = book.other(seat)
    for unit in state.units.values():
        if unit.status in _DESTROYED:
            lead += points[unit.card] * (-percent[enemy] if unit.side == seat else percent[seat])
    for index, side, _, worth_each in book.exits:
        lead += state.exits.get(str(index), 0) * worth_each * (1 if side == seat else -1)
    return lead + book.handicap[seat] - book.handicap[enemy]


def exchange(picture: Picture, firers: Iterable[Unit], targets: list[Unit]) -> float:
    """Points that one side's guns take from the other in a turn, each at its best target, overkill apart."""
    book = picture.book
    gunnery, ranges = book.gunnery, book.gunnery.ranges
    alive = [picture.value(unit) for unit in targets]
    marks = [
        (index, unit, unit.hex, gunnery.spotted_from(unit.hex, unit.new_spot or unit.spot))
        for index, unit in enumerate(targets)
        if unit.hex is not None
    ]
    shots: list[tuple[float, list[tuple[int, float]]]] = []
    for gun in firers:
        a = gun.hex
        if a is None:
            continue
        ways = []
        for index, target, b, limit in marks:
            if ranges[a, b] <= limit:
                share = gunnery.strike(gun, a, target, b, target.facing).share
                if share > 0:
                    ways.append((index, share))
        if ways:
            shots.append((max(share * alive[index] for index, share in ways), ways))
    total = 0.0
    shots.sort(key=lambda shot: -shot[0])
    for _, ways in shots:
        index, share = max(ways, key=lambda way: way[1] * alive[way[0]])
        total += share * alive[index]
        alive[index] *= 1 - share
    return total


def worth(picture: Picture, style: Style) -> float:
    """Points by which the picture's seat is ahead, with what is still to come and the chance to win by it."""
    book = picture.book
    influence = Influence(picture)
    reviews = influence.reviews
    lead = standing(book, picture.state, picture.seat)
    lead += (style.drive if reviews else 1.0) * influence.total()
    if reviews:
        lead += _still_to_come(picture, style)
    return lead + picture.weights.win * book.stake * tanh(lead / spread(book, reviews))


def spread(book: Book, reviews: int) -> float:
    """The lead in points that is about as good as a win, with so many turns to go."""
    return (0.1 + 0.05 * reviews) * book.stake + book.draw_within


def _still_to_come(picture: Picture, style: Style) -> float:
    """Vehicles that may get off the map, damage, and the exchange of fire in the next turn."""
    book, seat = picture.book, picture.seat
    lead = 0.0
    for side, units, sign in ((seat, picture.mine, 1.0), (picture.enemy, picture.theirs, -1.0)):
        way = book.exit_of(side)
        if way is not None:
            coming = [unit for unit in picture.reserves if unit.side == side]
            lead += sign * way[1] * sum(picture.exit_chance(unit, unit.hex) for unit in [*units, *coming])
        lead -= sign * picture.weights.hurt * sum(book.price(unit.card, side) for unit in units if unit.damaged)
    given = exchange(picture, picture.my_guns, picture.theirs)
    taken = exchange(picture, picture.their_guns, picture.mine)
    return lead + picture.weights.exchange * (given - style.care * taken)
