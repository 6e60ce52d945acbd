"""Where requests come from, and under which name they reach us."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from sandtable.core.errors import BadInput, Fault

__all__ = ["Hosts", "Proxies", "is_origin", "is_own_origin", "share_of"]

_V6_HOUSEHOLD = 64


def share_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or the network that an IPv6 household has to itself."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, _V6_HOUSEHOLD), strict=False))


class Proxies:
    """The machines that stand before us and whose word on where a request comes from is taken."""

    def __init__(self, named: Iterable[str] = ()) -> None:
        self.named = tuple(named)
        try:
            self._networks = [ipaddress.ip_network(one, strict=False) for one in self.named]
        except ValueError as error:
            raise BadInput([Fault("--proxy", str(error), "an address or a network, as 10.0.0.0/8")]) from None

    def __contains__(self, address: str) -> bool:
        try:
            found = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._networks)


class Hosts:
    """The names under which the server is reached.

    A page of somebody else can have its own name lead to us (DNS rebinding), so a name that is not ours is not
    answered. Addresses are: no page can have them as its name.
    """

    def __init__(self, listening: str = "", named: Iterable[str] = (), origins: Iterable[str] = ()) -> None:
        own = socket.gethostname().casefold()
        pages = (_host(urlsplit(origin).netloc) for origin in origins)
        self._names = {"localhost", own, f"{own}.local", listening.casefold(), *map(str.casefold, named), *pages}
        self._names.discard("")

    def __contains__(self, header: str) -> bool:
        """Whether a Host header names us."""
        host = _host(header)
        return host in self._names or host.endswith(".localhost") or _is_address(host)


def _host(netloc: str) -> str:
    """The host of ``host:port``; ``""`` if it is none."""
    try:
        split = urlsplit(f"//{netloc}")
        split.port  # noqa: B018 - raises if it is no number
    except ValueError:
        return ""
    return (split.hostname or "").casefold() if split.netloc == netloc and "@" not in netloc else ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_origin(text: str) -> bool:
    """Whether a header can be an Origin at all: ``null``, or scheme, host and perhaps a port."""
    if text == "null":
        return True
    try:
        parts = urlsplit(text)
        _ = parts.port  # read for its fault
    except ValueError:
        return False
    return text.isascii() and text == f"{parts.scheme}://{parts.netloc}" and bool(parts.scheme and parts.hostname)


def is_own_origin(origin: str | None, host: str | None, allowed: Iterable[str]) -> bool:
    """Whether a request comes from our own page; one without an Origin does not come from a page at all."""
    if origin is None:
        return True
    return is_origin(origin) and (origin in allowed or (bool(host) and urlsplit(origin).netloc == host))
