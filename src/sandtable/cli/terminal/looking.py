"""What is at stake, and what is in a hex, in words for the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core.errors import BadInput, Fault
from sandtable.core.stakes import Aim, Holding
from sandtable.core.view import Counter, Score, View
from sandtable.geo.hex import DIRECTION_NAMES
from sandtable.session.presenting.shelf import HexDrawn, MapDrawing

__all__ = ["describe_counter", "describe_hex", "describe_stakes"]


def describe_stakes(view: View) -> Iterator[str]:
    """How the game is won, who holds what, and where each side's score comes from."""
    stakes = view.stakes
    if stakes.turns:
        now = f"Turn {stakes.turn} of {stakes.turns}" if stakes.turn else f"Before the first of {stakes.turns} turns"
        yield f"{now}. {stakes.end} ({stakes.rule})"
    for aim in stakes.aims:
        yield f"  {_aim(aim)}"
    if stakes.holdings:
        yield "Places that count:"
        for holding in stakes.holdings:
            yield f"  {_holding(holding)}"
    yield "Score:"
    for score in view.scores:
        yield from _score(score)


def _aim(aim: Aim) -> str:
    who = f"{aim.side.title()}: " if aim.side else ""
    counted = ", ".join(f"{one.title} {one.have} of {one.need}" for one in aim.tallies)
    more = "".join(f"; {part}" for part in (aim.when, counted, "met now" if aim.met else "") if part)
    return f"{who}{aim.text}{more} ({aim.rule})"


def _holding(holding: Holding) -> str:
    worth = ", ".join(f"{side.title()} {points}" for side, points in holding.points.items())
    parts = (f"held by {holding.holder.title() or 'nobody'}", f"worth {worth}" if worth else "", holding.note)
    return f"{holding.title} ({', '.join(holding.hexes)}): {'; '.join(part for part in parts if part)} ({holding.rule})"


def _score(score: Score) -> Iterator[str]:
    yield f"  {score.side.title()} {score.points}"
    for part in score.parts:
        rule = f" ({part.rule})" if part.rule else ""
        yield f"    {part.name} {part.text}{f': {part.note}' if part.note else ''}{rule}"


def describe_hex(view: View, drawing: MapDrawing, label: str) -> Iterator[str]:
    """A hex: its terrain and what that means, who holds it, and all that lies in it."""
    hex = next((one for one in drawing.hexes if one.label.lower() == label.lower()), None)
    if hex is None:
        raise BadInput([Fault("look", f"no hex {label!r}", "the label of a hex, such as " + drawing.hexes[0].label)])
    yield f"{hex.label}: {_terrain(drawing, hex)}"
    for name, text in _facts(drawing, hex):
        yield f"  {name.replace('_', ' ')} {text}".rstrip()
    here = [holding for holding in view.stakes.holdings if hex.label in holding.hexes]
    for holding in here:
        yield f"  {_holding(holding)}"
    for sign in view.hex_markers:
        if sign.hex == hex.label and not any(sign.marker.title.startswith(one.title) for one in here):
            yield f"  {sign.marker.text}: {sign.marker.title}"
    for counter in view.counters:
        if counter.hex == hex.label:
            yield from describe_counter(view, counter)


def describe_counter(view: View, counter: Counter) -> Iterator[str]:
    """A counter with its values, what it mans and who spots it."""
    values = ", ".join(f"{value.name} {value.text}" for value in counter.face.values)
    yield f"  {counter.id} {counter.face.title}, {counter.side.title()}: {values}"
    for marker in counter.markers:
        yield f"    {marker.text}: {marker.title}"
    if counter.held_by:
        yield f"    manned by {counter.held_by}"
    held = [f"{one.face.title} {one.id}" for one in view.counters if one.held_by == counter.id]
    if held:
        yield f"    mans {', '.join(held)}"
    if counter.spotted_by is not None:
        yield f"    spotted by {', '.join(counter.spotted_by)}" if counter.spotted_by else "    not spotted"


def _terrain(drawing: MapDrawing, hex: HexDrawn) -> str:
    legend = drawing.legend
    kinds = [*hex.terrain, *hex.routes] or [""]
    words = [legend[kind].title if kind in legend else kind.replace("_", " ") for kind in kinds]
    sides: dict[str, list[str]] = {}
    for side in drawing.sides:
        if (side.q, side.r) == (hex.q, hex.r):
            for kind in side.kinds:
                sides.setdefault(kind, []).append(DIRECTION_NAMES[side.dir])
    words += [f"{legend[kind].title if kind in legend else kind} {' '.join(ways)}" for kind, ways in sides.items()]
    return ", ".join([*words, f"level {hex.level}"])


def _facts(drawing: MapDrawing, hex: HexDrawn) -> Iterator[tuple[str, str]]:
    """What the rules make of the terrain that fills the hex; what is not so is left out."""
    kind = next((one for one in reversed(hex.terrain) if one in drawing.legend), "")
    row = drawing.legend.get(kind)
    for name, text in row.facts.items() if row is not None else ():
        if text != "no":
            yield name, "" if text == "yes" else text
