"""Answer requests for missing pages, and requests that are not HTTP, with a sentence and no traceback in the log."""

import html
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from citytable.views.answers import Refusal
from citytable.views.refusals import Refused, refused

PATH_LETTERS_MAX = 80
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>citytable</title>
<style>body {{ max-width: 34rem; margin: 0 auto; padding: 2rem 1rem; background: #0b1b22; color: #f3eee2;
font: 1.1rem/1.5 system-ui, sans-serif }} a {{ display: inline-block; padding: .7rem 1rem .7rem 0; color: inherit }}
</style>
<main><h1>404</h1>{sentences}
<p><a href="/display">/display</a> <a href="/host">/host</a> <a href="/stations">/stations</a></main>
"""

Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class _Garbage(logging.Filter):
    """Let the hub's own errors pass, but not those of clients that do not send HTTP.

    Such a client is a browser that tries https, or a scan.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        return not isinstance(error, HttpProcessingError)


log = logging.getLogger("citytable.web")
log.addFilter(_Garbage())


@web.middleware
async def send_refusals(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Send refusals as JSON in every language; a browser with a mistyped address gets a page with links."""
    try:
        return await handler(request)
    except Refused as refusal:
        return _json(refusal)
    except (web.HTTPNotFound, web.HTTPForbidden):  # the latter: a folder
        nothing = refused(404, "no_page", seen=_short(request.path))
        return _page(nothing) if "text/html" in request.headers.get("Accept", "") else _json(nothing)
    except web.HTTPMethodNotAllowed as error:
        allowed = ", ".join(sorted(error.allowed_methods))
        response = _json(refused(405, "no_method", seen=_short(request.method), allowed=allowed))
        response.headers["Allow"] = allowed
        return response
    except ConnectionResetError:
        if request.transport is not None and not request.transport.is_closing():
            raise
        return web.Response()  # the browser has disconnected and will not read it


def _short(text: str) -> str:
    return text if len(text) <= PATH_LETTERS_MAX else text[: PATH_LETTERS_MAX - 1] + "…"


def _json(refusal: Refused) -> web.Response:
    body = msgspec.json.encode(Refusal(refusal.rule, refusal.text))
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=body, status=refusal.status, content_type="application/json", headers=headers)


def refusal_in_http(refusal: Refused) -> bytes:
    """Return a whole HTTP response, for a connection that is closed before anything is read from it."""
    response = _json(refusal)
    body = response.body if isinstance(response.body, bytes) else b""
    head = (
        f"HTTP/1.1 {refusal.status} {response.reason}",
        f"Content-Type: {response.content_type}",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join((*head, "", "")).encode() + body


def _page(refusal: Refused) -> web.Response:
    sentences = "".join(
        f'<p lang="{language}">{html.escape(text)}</p>' for language, text in sorted(refusal.text.items())
    )
    return web.Response(text=_PAGE.format(sentences=sentences), status=refusal.status, content_type="text/html")
