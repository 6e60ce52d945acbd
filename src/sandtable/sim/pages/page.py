"""The bare page of a report: one HTML file that needs nothing else, in light or dark, on a desk or a phone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from sandtable.sim.pages.plots import COLOURS, GREY, named

__all__ = ["dot", "page", "panel", "table"]

_STYLE = f"""
:root {{ color-scheme: light dark; --ink: #1e2329; --soft: #59626d; --paper: #f7f5f0; --card: #ffffff; --line: #e3dfd6;
  --one: {COLOURS[0]}; --two: {COLOURS[1]}; --grey: {GREY}; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #e6e4df; --soft: #a6adb6; --paper: #14171b; --card: #1e2328;
  --line: #343a42; }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }}
main {{ max-width: 1120px; margin: 0 auto; padding: 32px 20px 64px; }}
h1 {{ font-size: 27px; line-height: 1.2; margin: 0 0 6px; }} h2 {{ font-size: 16px; margin: 0 0 4px; }}
p {{ margin: 0 0 10px; }} .soft {{ color: var(--soft); }}
.note {{ color: var(--soft); font-size: 13.5px; margin: 0 0 10px; }}
.answer {{ font-size: 19px; margin: 16px 0 22px; }} .answer b {{ font-size: 22px; }}
.grid {{ display: grid; grid-template-columns: repeat(12, 1fr); gap: 16px; }}
.card {{ background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px;
  min-width: 0; }}
.w12 {{ grid-column: span 12; }} .w8 {{ grid-column: span 8; }} .w6 {{ grid-column: span 6; }}
.w4 {{ grid-column: span 4; }}
@media (max-width: 820px) {{ main {{ padding: 20px 12px 40px; }} .w8, .w6, .w4 {{ grid-column: span 12; }}
  .card {{ padding: 14px 12px; overflow-x: auto; }} svg.wide {{ min-width: 560px; }}
  h1 {{ font-size: 23px; }} .answer {{ font-size: 17px; }} }}
svg {{ width: 100%; height: auto; display: block; }}
svg text {{ font-family: system-ui, sans-serif !important; }}
svg.board {{ border-radius: 6px; background: #e8e2d2; max-height: 900px; }}
.bar {{ display: flex; height: 32px; border-radius: 6px; overflow: hidden; font-size: 13.5px; font-weight: 600;
  color: #fff; margin-bottom: 12px; }}
.bar span {{ padding: 6px 0 0 10px; white-space: nowrap; overflow: hidden; min-width: 3px; }}
.side {{ white-space: nowrap; }}
.dot {{ display: inline-block; width: 11px; height: 11px; border-radius: 50%; margin-right: 6px; }}
table {{ border-collapse: collapse; width: 100%; font-size: 14px; }}
th, td {{ text-align: left; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }}
th {{ color: var(--soft); font-weight: 500; white-space: nowrap; }}
td.n, th.n {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
th:last-child, td:last-child {{ padding-right: 0; }} tr:last-child td {{ border-bottom: 0; }}
code {{ background: color-mix(in srgb, var(--line) 60%, transparent); border-radius: 4px; padding: 1px 5px;
  font-size: 13px; overflow-wrap: anywhere; }}
td code {{ white-space: nowrap; }} .scroll {{ overflow-x: auto; }} ul {{ margin: 0 0 10px; padding-left: 20px; }}
footer {{ color: var(--soft); font-size: 13.5px; margin-top: 22px; }}
"""


def page(title: str, body: str) -> str:
    """A whole page."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>{body}</main></body></html>\n"
    )


def panel(title: str, content: str, note: str = "", width: int = 6) -> str:
    """A card with a heading; nothing if it would be empty."""
    if not content:
        return ""
    told = f'<p class="note">{escape(note)}</p>' if note else ""
    return f'<section class="card w{width}"><h2>{escape(title)}</h2>{told}{content}</section>'


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[int] = ()) -> str:
    """A table; cells are HTML, ``numbers`` are the columns that hold figures."""

    def row(cells: Sequence[str], tag: str) -> str:
        marked = (f"<{tag}{' class=n' if place in numbers else ''}>{cell}</{tag}>" for place, cell in enumerate(cells))
        return f"<tr>{''.join(marked)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return (
        f'<div class="scroll"><table>{row([escape(head) for head in heads], "th")}{body}</table></div>' if body else ""
    )


def dot(place: int, side: str) -> str:
    """A side's name with a dot of its colour."""
    colour = COLOURS[place % len(COLOURS)]
    return f'<span class="side"><span class="dot" style="background:{colour}"></span>{escape(named(side))}</span>'
