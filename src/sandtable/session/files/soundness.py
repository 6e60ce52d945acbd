"""Whether what the store keeps is sound: every table's log is read once after the start, and the damaged are named.

It is done a table at a time, between other jobs, and reads the checksums of the lines only: no game is played.
"""

from __future__ import annotations

import asyncio
import logging

from sandtable.core.errors import BadInput
from sandtable.core.log import check_sums
from sandtable.session.store import Damaged, Keeper, Store

__all__ = ["inspect"]

_log = logging.getLogger(__name__)


async def inspect(keeper: Keeper) -> list[str]:
    """The ids of the tables that are damaged; each is also named in the log of the server, with what is wrong."""
    try:
        tables = await keeper.run(lambda store: store.every_table())
    except Damaged as error:
        _log.error("the list of tables is damaged: %s", error)
        return []
    damaged = []
    for table_id in tables:
        try:
            await keeper.run(lambda store, one=table_id: _check(store, one))  # type: ignore[misc]
        except (BadInput, Damaged) as error:
            _log.error("table %s is damaged and cannot be opened: %s", table_id, error)
            damaged.append(table_id)
        await asyncio.sleep(0)
    return damaged


def _check(store: Store, table_id: str) -> None:
    record = store.table(table_id)
    if record is not None and record.kind != "situation":
        check_sums("\n".join((record.header, *store.lines(table_id), "")), table_id)
