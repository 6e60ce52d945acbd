"""A scenario with hidden Guns, hidden units and vehicles to set up, for tests of the set-up and its secrecy."""

from typing import Any

from sandtable import catalog
from sandtable.systems.aslsk.rules import AslskRules


def hidden_draft(**changes: Any) -> dict[str, Any]:
    """British Guns and hidden squads on board u against infantry that enters; one PSW 232 sets up."""
    draft: dict[str, Any] = {
        "id": "hidden",
        "system": "aslsk3",
        "title": "Hidden",
        "status": "published",
        "turns": 2,
        "map": {"placements": [{"board": "u", "columns": "A-P"}]},
        "moves_first": "german",
        "wins_otherwise": "british",
        "victory": [{"side": "german", "goals": [{"kind": "casualties", "at_least": 9}]}],
        "conditions": {"year": 1944, "month": 9, "hidden": ["staffords"]},
        "sides": [
            {
                "id": "british",
                "title": "British",
                "forces": [
                    {
                        "id": "staffords",
                        "prefix": "B",
                        "elr": 4,
                        "set_up": [{"hexrows": "D-O"}],
                        "units": [
                            {"card": "british/4-5-8", "count": 2, "at": ["M7", "I5"], "hidden": True},
                            {"card": "british/2-2-8 crew", "count": 2, "ids": ["C1", "C2"], "at": ["K5", "H4"]},
                            {"card": "british/9-1", "at": ["K5"]},
                        ],
                        "weapons": [
                            {
                                "card": "british/OQF 6-Pounder",
                                "count": 2,
                                "ids": ["Q1", "Q2"],
                                "owners": ["C1", "C2"],
                                "facing": ["NE/SE", "NE/SE"],
                                "hidden": True,
                            },
                            {"card": "british/LMG", "owners": ["B-1"]},
                        ],
                    }
                ],
            },
            {
                "id": "german",
                "title": "Germans",
                "forces": [
                    {
                        "id": "harder",
                        "prefix": "G",
                        "elr": 3,
                        "enters": {"turn": 1, "zone": [{"edge": "east"}]},
                        "units": [{"card": "german/4-6-7", "count": 3}],
                    },
                    {
                        "id": "scouts",
                        "prefix": "S",
                        "elr": 3,
                        "set_up": [{"hexrows": "A-B"}],
                        "units": [],
                        "vehicles": [{"card": "german/PSW 232", "at": ["B6"], "facing": ["NE/SE"], "exposed": True}],
                    },
                ],
            },
        ],
    }
    return {**draft, **changes}


def hidden_rules(**changes: Any) -> AslskRules:
    """The rules of that scenario."""
    found = catalog.system("aslsk3").ruleset(hidden_draft(**changes), catalog.library("aslsk3"), "hidden")
    assert isinstance(found, AslskRules)
    return found
