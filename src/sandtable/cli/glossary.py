"""``sandtable glossary``: what the abbreviations of a system mean."""

from __future__ import annotations

from typing import Annotated

import typer

from sandtable.cli.output import Json, PackFolders

__all__ = ["glossary", "glossary_page"]


def glossary(
    system: Annotated[str | None, typer.Argument(help="A system, as `sandtable systems` lists them.")] = None,
    term: Annotated[str | None, typer.Argument(help="One abbreviation.")] = None,
    page: Annotated[bool, typer.Option("--page", help="All systems as a page of the documentation.")] = False,
    json: Json = False,
    pack: PackFolders = None,
) -> None:
    """Say what the abbreviations of a system mean, and which rule explains them."""
    from rich.markup import escape

    from sandtable import catalog
    from sandtable.cli.output import emit, grid, screen, the_packs
    from sandtable.core.content.glossary import find_term, read_glossary
    from sandtable.core.errors import BadInput, Fault

    if page:
        typer.echo(glossary_page(), nl=False)
        return
    if system is None:
        raise BadInput([Fault("system", "none is named", f"one of {', '.join(catalog.system_ids())}")])
    found = read_glossary(catalog.library(system, the_packs(pack)))
    if term is not None:
        chosen = find_term(found, term)
        if not chosen:
            raise catalog.unknown("term", term, [one.term for one in found])
        found = chosen
    if json:
        emit([{"term": one.term, "meaning": one.meaning, "rule": one.rule} for one in found])
        return
    table = grid("term", "meaning", "rule")
    for one in found:
        table.add_row(escape(one.term), escape(one.meaning), one.rule)
    screen().print(table)


def glossary_page() -> str:
    """The glossaries of all shipped systems as Markdown: ``docs/glossary.md``."""
    from sandtable import catalog
    from sandtable.core.content.glossary import read_glossary

    lines = [
        "# Glossary",
        "",
        "What the abbreviations on the page and in the terminal mean. In the browser point at a dotted word, or press",
        "it; in the terminal type `?TERM`, or ask `sandtable glossary SYSTEM TERM`. Written by `sandtable glossary",
        "--page` from `glossary.yaml` of each pack: change it there.",
    ]
    for system_id in catalog.system_ids():
        terms = read_glossary(catalog.library(system_id))
        if terms:
            title = catalog.system(system_id).card.title
            lines += ["", f"## {title}", "", "| Term | Meaning | Rule |", "| --- | --- | --- |"]
            lines += [f"| {one.term} | {one.meaning} | {one.rule} |" for one in terms]
    return "\n".join(lines) + "\n"
