"""The page `/api`, which describes every address for people, and the same for programs. It needs no script."""

import html
from functools import cache
from itertools import groupby

import msgspec
from aiohttp import web

from citytable.views import asyncapi, openapi
from citytable.views.api_words import AddressRow, TypeRow, address_rows, type_rows
from citytable.views.operations import ALWAYS, STATUSES

_STYLE = """body { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem; background: #0b1b22; color: #f3eee2;
font: 1rem/1.45 system-ui, sans-serif } a { color: #f3eee2 } h2 { margin-top: 2.2rem } code { font-size: .95em }
article { padding: .7rem 0; border-top: 1px solid #24434f } article p { margin: .2rem 0 }
.more, dd { color: #b8c4c4 } dt { margin-top: .8rem } dd { margin: .1rem 0 0; overflow-wrap: anywhere }
h3 { margin: 0; font-size: 1rem } h3, .more { overflow-wrap: anywhere }"""


def add_to(router: web.UrlDispatcher) -> None:
    """Add the addresses; everybody may read them."""
    router.add_get("/api", _get_page)
    router.add_get("/api/openapi.json", _get_openapi)
    router.add_get("/api/asyncapi.json", _get_asyncapi)
    router.add_get("/api/wire.json", _get_wire)


async def _get_page(_request: web.Request) -> web.Response:
    return web.Response(text=page(), content_type="text/html", headers={"Cache-Control": "no-cache"})


async def _get_openapi(_request: web.Request) -> web.Response:
    return _document(msgspec.json.encode(openapi.document()))


async def _get_asyncapi(_request: web.Request) -> web.Response:
    return _document(msgspec.json.encode(asyncapi.document()))


async def _get_wire(_request: web.Request) -> web.Response:
    return _document(asyncapi.wire())


def _document(body: bytes) -> web.Response:
    return web.Response(body=body, content_type="application/json", headers={"Cache-Control": "no-cache"})


@cache
def page() -> str:
    """Return the page."""
    groups = "".join(
        f"<h2>{name}</h2>{''.join(map(_address, rows))}"
        for name, rows in groupby(address_rows(), lambda row: row.group)
    )
    refusals = "".join(f"<dt>{status}<dd>{_text(words)}" for status, words in STATUSES.items())
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>API · citytable</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style><main>'
        "<h1>The hub’s addresses</h1><p>For programs: <a href=/api/openapi.json>OpenAPI 3.1</a> of these addresses, "
        "<a href=/api/asyncapi.json>AsyncAPI 3.0</a> of the feed and "
        "<a href=/api/wire.json>of the stations’ wire</a>.</p>"
        f"{groups}<h2>Refusals</h2><p>{_text(ALWAYS)}.</p><dl>{refusals}</dl>"
        f"<h2>Types</h2><dl>{''.join(map(_type, type_rows()))}</dl></main></html>"
    )


def _address(row: AddressRow) -> str:
    takes = f" · takes <code>{html.escape(row.takes)}</code>" if row.takes else ""
    refuses = f" · refuses with {row.refuses}" if row.refuses else ""
    more = f"{_text(row.who)}{takes} · gives <code>{html.escape(row.gives)}</code>{refuses}"
    return (
        f"<article><h3><code>{html.escape(row.address)}</code></h3><p>{_text(row.about)}</p><p class=more>{more}</p>"
        "</article>"
    )


def _type(row: TypeRow) -> str:
    fields = ", ".join(f"<code>{html.escape(field)}</code>" for field in row.fields)
    return f"<dt><b>{row.name}</b> {_text(row.about)}<dd>{fields}"


def _text(words: str) -> str:
    """Return a sentence as HTML; text between backticks is code."""
    parts = html.escape(words).split("`")
    return "".join(f"<code>{part}</code>" if k % 2 else part for k, part in enumerate(parts))
