"""What goes over a table's socket, and what stood on the page at the moment when an answer went out."""

from __future__ import annotations

import json
import time
from typing import Any

from playwright.sync_api import WebSocket

from sandtable.session.presenting.changes import follow_ask
from tests.browser.player import PATIENCE, Player

__all__ = ["Answer", "Wire"]

# Whatever an answer is sent by, the page is read in the same breath: nothing can change between the two.
_WITNESS = """
(() => {
  const all = (what) => [...document.querySelectorAll(`[data-panel=orders] ${what}`)];
  const text = (what) => all(what)[0]?.innerText ?? '';
  const send = WebSocket.prototype.send;
  window.answers = [];
  WebSocket.prototype.send = function (told) {
    const message = typeof told === 'string' ? JSON.parse(told) : {};
    if (message.type === 'Act') window.answers.push({
      message,
      seat: document.querySelector('[data-page=game]').dataset.seat,
      trail: all('.crumb').map((one) => one.innerText),
      leaf: text('.leaf'),
      goal: text('.goal strong'),
      values: Object.fromEntries(all('[data-slot]').map((row) => [row.dataset.slot, row.dataset.value])),
      ticks: Object.fromEntries(all('[role=checkbox]').map((one) => [one.dataset.option, one.ariaChecked === 'true'])),
    });
    return send.call(this, told);
  };
})()
"""

Answer = dict[str, Any]
"""An answer that was sent (``message``), and what the page showed then."""


class Wire:
    """What goes over the table's socket."""

    def __init__(self, player: Player) -> None:
        self.sent: list[dict[str, Any]] = []
        self.got: list[dict[str, Any]] = []
        self._page = player.page
        self._page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))
        socket.on("framereceived", lambda text: self.got.append(json.loads(text)))

    def act(self) -> dict[str, Any]:
        """The last answer that was given."""
        return next(one for one in reversed(self.sent) if one["type"] == "Act")

    def entry(self) -> dict[str, Any]:
        """The line that came of it: the first one after the answer before the last."""
        v = self.act()["v"]
        found = (one["entry"] for one in self.got if one["type"] == "Update" and one["v"] > v)
        entry: dict[str, Any] = next(found)
        return entry

    # --- what was shown when it was sent --------------------------------------------------------------------

    def watch(self) -> None:
        """From now on every answer is kept with what the page shows as it goes out."""
        self._page.add_init_script(_WITNESS)
        self._page.reload()

    def answers(self) -> list[Answer]:
        """All that were sent since."""
        found: list[Answer] = self._page.evaluate("() => window.answers")
        return found

    def came_of(self, message: dict[str, Any]) -> dict[str, Any]:
        """The line of the log that came of an answer, as soon as the server has told it; it may not be refused."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            told = next((one for one in self.got if one.get("re") == message["id"]), None)
            if told is not None:
                assert told["type"] == "Done", (message, told)
                lines = (one["entry"] for one in self.got if one["type"] == "Update" and one["v"] == told["v"])
                if (line := next(lines, None)) is not None:
                    entry: dict[str, Any] = line
                    return entry
            self._page.wait_for_timeout(20)
        raise AssertionError(f"nothing came of {message}")

    def node(self, answer: Answer, depth: int) -> dict[str, Any]:
        """The choice that so many keys of an answer led to, as the server told it to whoever gave it."""
        keys, v = answer["message"]["keys"][:depth], answer["message"]["v"]
        told, seat, ask = [], "", None
        for one in self.got:
            # One page may answer for both sides: a snapshot says for which one it is asked from now on.
            if one["type"] == "Snapshot":
                seat, ask = one["scene"]["seat"], one["ask"]
            elif one["type"] == "Update":
                ask = follow_ask(ask, one)
            elif one["type"] == "Walked" and seat == answer["seat"] and one["v"] >= v:
                told.append(one["node"])
            if ask and seat == answer["seat"] and ask["question"] == v:
                told.append(ask["root"])
        found: dict[str, Any] = next(node for node in told if node["keys"] == keys)
        return found

    def priced(self, message: dict[str, Any]) -> list[str]:
        """An answer in words, as it was told before it was given."""
        same = [message["v"], message["keys"], message.get("to", "")]
        prices = (one for one in self.got if one["type"] == "Priced")
        return [one["preview"]["text"] for one in prices if [one["v"], one["keys"], one["to"]] == same]
