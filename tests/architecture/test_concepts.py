"""The glossary of types is that of the code, and every type says what it is."""

from __future__ import annotations

from sandtable.cli.concepts import LAYERS, concepts, glossary
from tests.architecture.checkout import ROOT


def test_the_glossary_is_fresh() -> None:
    page = (ROOT / "docs" / "concepts.md").read_text(encoding="utf-8")
    assert page == glossary(ROOT), "run `python -m sandtable.cli.concepts`"


def test_every_public_type_says_what_it_is() -> None:
    found = [one for layer in LAYERS for one in concepts(ROOT, layer, frozenset())]
    assert len(found) > 300
    assert [one for one in found if not one.meaning] == []
