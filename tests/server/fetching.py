"""Everything that somebody can fetch of a game, to be compared byte for byte."""

from __future__ import annotations

import json
import re

from tests.server.players import Visitor


def timeless(text: str) -> str:
    """A text without what a clock says."""
    return re.sub(r'"(left_ms|updated)":[0-9.]+', r'"\1":0', text)


def everything(visitor: Visitor, table: str, seat: str, moments: int = 1000) -> dict[str, str]:
    """All that somebody can fetch of a running game, by address; what time it is left out.

    ``moments`` is how many of the last ones are looked at; all that lie behind the end are tried too.
    """
    told = {}
    info = visitor.get(f"/api/tables/{table}?seat={seat}")
    last = info.json()["last"]
    for address in (
        f"/api/tables/{table}?seat={seat}",
        f"/api/tables/{table}/map",
        f"/api/tables/{table}/entries?seat={seat}",
        f"/api/tables/{table}/log?seat={seat}",
        f"/api/tables/{table}/review",
        "/api/lobby",
        *(f"/api/tables/{table}/replay/{seq}?seat={seat}" for seq in range(max(0, last - moments), last + 3)),
        *(f"/api/tables/{table}/thoughts/{seq}?seat={seat}" for seq in range(max(0, last - moments), last + 3)),
    ):
        response = visitor.get(address)
        text = timeless(f"{response.status_code} {response.text}")
        told[address.replace(table, "TABLE")] = text.replace(table, "TABLE")
    lobby = json.loads(told["/api/lobby"].partition(" ")[2])
    told["/api/lobby"] = json.dumps([row for row in lobby["tables"] if row["id"] == "TABLE"])
    return told
