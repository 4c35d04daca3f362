"""How requests are read and answered: bodies, JSON, and refusals of the game as refusals of the server."""

import asyncio
import contextlib
from collections.abc import Iterator

import msgspec
from aiohttp import web

from citytable.journal.store import JournalUnavailable
from citytable.rules.errors import IllegalAction, IllegalPosition, LocalisedError
from citytable.views.post import BODY_BYTES_MAX
from citytable.views.refusals import Refused, refused

BODY_SECONDS_MAX = 5

LONG_BYTES = 1000  # shorter answers are hardly smaller compressed


def as_json(value: object, status: int = 200) -> web.Response:
    """Return a value as an answer that must not be cached, compressed if it is long."""
    headers, body = {"Cache-Control": "no-store"}, msgspec.json.encode(value)
    response = web.Response(body=body, status=status, content_type="application/json", headers=headers)
    if len(body) > LONG_BYTES:
        response.enable_compression()
    return response


async def body_of(request: web.Request) -> bytes:
    """Return the posted body; raises `Refused` if it is not declared as JSON, too slow or too big."""
    # asking for JSON by name keeps foreign web pages out: across sites a browser sends it only with our leave
    if request.content_type != "application/json":
        raise refused(415, "not_json_type", seen=repr(request.content_type[:40]))
    try:
        async with asyncio.timeout(BODY_SECONDS_MAX):
            return await request.read()
    except TimeoutError:
        raise refused(408, "too_slow", seconds=BODY_SECONDS_MAX) from None
    except web.HTTPRequestEntityTooLarge:
        raise refused(413, "too_big", most=BODY_BYTES_MAX) from None


@contextlib.contextmanager
def errors_refused() -> Iterator[None]:
    """Raise `Refused` for the errors whose sentence is for the sender."""
    try:
        yield
    except IllegalAction as error:
        raise Refused(409, error.text, error.rule) from None
    except IllegalPosition as error:
        raise (Refused(409, error.text) if error.text else refused(400, "no_sense", seen=error)) from None
    except LocalisedError as error:
        raise refused(400, "no_sense", seen=error.text or error) from None
    except ValueError as error:
        raise refused(400, "no_sense", seen=error) from None
    except JournalUnavailable as error:
        raise refused(503, "not_written", seen=error.text) from None
