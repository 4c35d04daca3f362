"""Refuses requests of foreign web pages, and limits what browsers may do with ours.

A guest's phone visits other sites too. Such a site must not send messages to the hub, read its feed or show its pages
in a frame. `Origin` names the page that sends a request: it must be one of ours. `Host` names the hub as the browser
knows it: a site that lets its own name point at the hub (DNS rebinding) would be "ours" by `Origin` alone. So a name
must be one that nobody on the internet can own, or one that the installer gave.
"""

import ipaddress
import re
from collections.abc import Collection

from aiohttp import web
from aiohttp.typedefs import Middleware

from citytable.views.lost import Handler
from citytable.views.post import quoted
from citytable.views.refusals import refused

PRIVATE_ENDINGS = (".local", ".lan", ".home", ".internal", ".localdomain", ".home.arpa")
"""Names that networks give out themselves (RFC 6762, RFC 8375, ICANN's `.internal`); none can be bought."""
_HOST = re.compile(r"(?:\[(?P<v6>[0-9a-fA-F:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::[0-9]{1,5})?")
_OF_ASSETS = {"X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin"}
_HEADERS = {"Referrer-Policy": "no-referrer", **_OF_ASSETS}  # an address may contain private details
_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self' ws://{host} wss://{host}; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
"""Styles may stand in the page, for positions are computed; scripts may not. Old browsers want the feed's address."""


def is_ours(host: str, names: Collection[str] = ()) -> bool:
    """Report whether a `Host` (a name or an address, perhaps with a port) can be this hub and no site on the internet.

    `names` are those that a proxy or a router gives it.
    """
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    if found["v6"] is not None:
        return _is_address(found["v6"])
    name = found["name"].lower().rstrip(".")
    return "." not in name or _is_address(name) or name.endswith(PRIVATE_ENDINGS) or name in names


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def only_ours(names: Collection[str] = ()) -> Middleware:
    """Return a middleware that refuses requests under foreign names, and those that foreign pages send."""
    known = frozenset(name.lower() for name in names)

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if not is_ours(host, known):
            raise refused(421, "foreign_host", seen=quoted(host))
        if origin is not None and not is_same(origin, host, known):
            raise refused(403, "foreign_origin", seen=quoted(origin))
        return await handler(request)

    return check


def is_same(origin: str, host: str, names: Collection[str]) -> bool:
    """Report whether the page of this origin is ours.

    A proxy may give the hub another `Host` than the browser sees: then the browser's name is one of `names`.
    """
    _, _, at = origin.partition("://")
    return at == host or at.partition(":")[0].lower() in names


async def protect(request: web.Request, response: web.StreamResponse) -> None:
    """Add headers that limit browsers to what our pages need; do not name the server.

    A phone fetches seventeen scripts and styles, so these carry only the headers that matter for them.
    """
    response.headers.pop("Server", None)
    if request.path.startswith("/assets/") and response.status < 400:  # not a page: the headers of the page apply
        response.headers.update(_OF_ASSETS)
        return
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    host = request.headers.get("Host", "")
    found = _HOST.fullmatch(host)
    policy = _POLICY if found else _POLICY.replace(" ws://{host} wss://{host}", "")
    if found and request.path.startswith("/table"):  # a virtual table is another program on the same computer
        policy = policy.replace("wss://{host}", "wss://{host} ws://{name}:*")
    name = "" if found is None else found["name"] or f"[{found['v6']}]"
    response.headers.setdefault("Content-Security-Policy", policy.format(host=host, name=name))
