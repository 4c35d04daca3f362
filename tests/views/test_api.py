"""The description of the web addresses, held against the server: every address, who may use it, what it answers."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from citytable.cli_producer import Form, described
from citytable.journal.entry import ActionConfirmed, Entry
from citytable.views import api_pages, asyncapi, openapi
from citytable.views.answers import other_way
from citytable.views.keys import Keys
from citytable.views.operations import OPERATIONS, STATUSES, Operation
from citytable.views.signal import Curve, Signal
from citytable.views.viewer import HOST, Viewer

pytestmark = pytest.mark.long(5)

KEYS = Keys(b"secret", "salon", "game-1")
ROOT = Path(__file__).resolve().parents[2]
OPENAPI = json.loads(described(Form.OPENAPI))
FEED = json.loads(described(Form.ASYNCAPI))
PARTS = {
    "seat": "1", "file": "a.js", "seq": "5", "element": "score", "trigger": "hide", "display": "bar",
    "shows": "city", "station": "park", "trial": "red",
}  # fmt: skip
BODIES = {
    "/api/enter": {"as": "seat/1", "key": "nonsense"},
    "/api/say": {"type": "undo_request", "to": 3, "by": "seat 1"},
    "/api/records/names": {"name": "Ada", "keep": True},
    "/api/box": {"name": ""},
    "/api/tags": {"uid": "04a1b2c3d4e5f6", "thing": "bag"},
    "/api/care": {"do": "stop"},
}
NOT_HERE = {
    ("post", "/api/enter"): 403,
    ("get", "/api/dice"): 404,
    ("get", "/api/hands"): 404,
    ("post", "/api/box"): 400,
    ("post", "/api/tags"): 400,
    ("post", "/api/care"): 400,
}
"""What the server of the tests has not got, and so refuses even to those who may."""
named = pytest.mark.parametrize("operation", OPERATIONS, ids=openapi.operation_id)


def closed(part: Any) -> Any:
    """A schema that knows every field: nothing more may be there, and nothing less but what is left out by default."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    part = {name: closed(one) for name, one in part.items()}
    return {"additionalProperties": False, **part} if "properties" in part and "type" in part else part


def judge(schema: dict[str, Any], document: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": closed(document["components"])})


def references(part: object) -> Iterator[str]:
    if isinstance(part, dict) and "$ref" in part:
        yield part["$ref"]
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from references(one)


async def asked(site: Any, session: Any, operation: Operation, **how: Any) -> tuple[int, dict[str, str], bytes]:
    path = operation.path.format(**PARTS)
    if operation.method == "post" and not how:
        how = {"json": BODIES.get(path, {})}
    async with session.request(operation.method, site.url(path), **how) as response:
        return response.status, dict(response.headers), await response.read()


def expected(operation: Operation) -> int:
    status = 400 if operation.path == "/feed" else operation.status
    return NOT_HERE.get((operation.method, operation.path), status)


def test_other_programs_can_read_the_description() -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(OPENAPI).iter_errors()] == []
    ids = [openapi.operation_id(operation) for operation in OPERATIONS]
    assert len(set(ids)) == len(ids)


async def test_every_address_of_the_server_is_described_and_every_described_one_exists(site: Any) -> None:
    routes = site.server._runner.app.router.routes()
    served = {(route.method.lower(), route.resource.canonical.replace("/assets", "/assets/{file}")) for route in routes}
    assert {(method, path) for method, path in served if method != "head"} == {
        (method, path) for path, methods in OPENAPI["paths"].items() for method in methods
    }


@named
async def test_the_answer_is_as_described(site: Any, operation: Operation) -> None:
    site.heard.standing = (Entry(5, 17, "player", ActionConfirmed("p2 end_turn")),)
    site.heard.may_say = ("p2 end_turn",)
    site.heard.ways[5] = (other_way("amend", "p1 end_turn"),)
    site.heard.signals[5] = Signal(5, 0, 9, (Curve("city/1/0", (0, 1), (0.5, 2.0)),), ())
    status, headers, body = await asked(site, site.session, operation)
    assert status == expected(operation)
    described = OPENAPI["paths"][operation.path][operation.method]["responses"]
    answer = described[str(status)]
    if "$ref" in answer:
        answer = OPENAPI["components"]["responses"][str(status)]
    ((media, content),) = answer["content"].items()
    assert media in {"*/*", headers["Content-Type"].partition(";")[0]}
    if media == "application/json":
        judge(content["schema"], OPENAPI).validate(json.loads(body))


@named
async def test_exactly_those_may_use_it_who_are_described(site: Any, operation: Operation) -> None:
    as_stranger, as_seat = {
        "all": (expected(operation),) * 2,
        "viewer": (expected(operation),) * 2,
        "people": (401, expected(operation)),
        "host": (401, 403),
        "producer": (401, 403),
    }[operation.who]
    site.heard.ways[5] = ()
    async with site.browser() as stranger, site.browser(Viewer(seat=1)) as seat:
        assert (await asked(site, stranger, operation))[0] == as_stranger
        assert (await asked(site, seat, operation))[0] == as_seat
        if operation.who == "viewer":
            path = site.url(f"{operation.path}?as=host")
            for session, refusal in ((stranger, 401), (seat, 403)):
                async with session.get(path) as response:
                    assert response.status == refusal
        if operation.who == "producer":
            async with site.browser(HOST) as host, host.get(site.url("/api/overlay")) as response:
                key = (await response.json())["key"]
            how = {"headers": {"Authorization": f"Bearer {key}"}}
            assert (await asked(site, stranger, operation, **how))[0] == operation.status


@pytest.mark.parametrize("who", [(), (Viewer(seat=1),)], ids=["a stranger", "a player"])
async def test_nothing_that_the_hub_answers_holds_the_key_of_somebody_else(site: Any, who: tuple[Viewer, ...]) -> None:
    others = [viewer for viewer in (HOST, *map(Viewer, (1, 2, 3))) if viewer not in who]
    secret = {KEYS.producer_key(), KEYS.secret.hex(), *(of(viewer) for of in (KEYS.key, KEYS.pin) for viewer in others)}
    async with site.browser(*who) as somebody:
        answers = [repr((await asked(site, somebody, one))[1:]) for one in OPERATIONS]
        async with somebody.ws_connect(site.url("/feed?as=public")) as feed:
            answers.append((await feed.receive()).data)
    assert [word for word in secret if any(word in answer for answer in answers)] == []
    async with site.browser(HOST) as host, host.get(site.url("/api/phones")) as answer:
        assert KEYS.key(Viewer(1)) in await answer.text(), "these are the keys that count"


async def test_a_producers_key_opens_what_is_a_producers_and_nothing_else(site: Any) -> None:
    how = {"headers": {"Authorization": f"Bearer {KEYS.producer_key()}"}}
    async with site.browser() as stranger:
        opened = {one.path for one in OPERATIONS if (await asked(site, stranger, one, **how))[0] == 202}
        closed = {one.path for one in OPERATIONS if (await asked(site, stranger, one, **how))[0] == 401}
    assert opened == {one.path for one in OPERATIONS if one.who == "producer" and one.method == "post"}
    assert closed == {one.path for one in OPERATIONS if one.who in {"people", "host"}}
    assert site.heard.words == []


WRONG = (
    ("get", "/feed?as=nobody", {}, 400), ("get", "/feed?since=x", {}, 400), ("get", "/api/view?as=seat/9", {}, 400),
    ("get", "/api/box?thing=nothing", {}, 400), ("get", "/api/entries/7/trace", {}, 404),
    ("get", "/api/entries/99/trace", {}, 503), ("get", "/api/stations/nobody/load", {}, 404),
    ("post", "/api/stations/nobody/identify", {"json": {}}, 404), ("post", "/api/say", {"data": b"{}"}, 415),
    ("post", "/api/say", {"json": {"type": "x"}}, 400), ("post", "/api/say", {"json": "x" * 5000}, 413),
    ("post", "/api/say", {"json": {"type": "ruling", "action": "a", "why": "the disk is full", "by": "host"}}, 503),
    ("post", "/api/say", {"json": {"type": "statement", "action": "p2 rezone platform=1", "by": "seat 2"}}, 409),
    ("post", "/api/say", {"json": {"type": "undo_request", "to": 3, "by": "host"}}, 403),
    ("post", "/api/enter", {"json": {"as": "nobody", "key": "1"}}, 400), ("post", "/api/leave", {"data": b""}, 415),
    ("post", "/api/overlay/score/blink", {"json": {}}, 404), ("post", "/api/overlay/score/hide", {}, 415),
    ("post", "/api/displays/bar/opera", {"json": {}}, 404), ("get", "/nothing", {}, 404), ("get", "/api/say", {}, 405),
    ("get", "/api/view", {"headers": {"Host": "evil.example"}}, 421),
    ("get", "/api/view", {"headers": {"Origin": "http://evil.example"}}, 403),
)  # fmt: skip


@pytest.mark.parametrize(("method", "path", "how", "status"), WRONG)
async def test_a_refusal_has_a_described_status_and_a_sentence(site: Any, method, path, how, status) -> None:
    async with site.session.request(method, site.url(path), **how) as response:
        assert response.status == status
        refusal = await response.json()
    judge({"$ref": "#/components/schemas/Refusal"}, OPENAPI).validate(refusal)
    assert set(refusal["text"]) == {"en", "fr"}
    operation = next((one for one in OPERATIONS if one.method == method and fits(one.path, path)), None)
    assert status in {403, 404, 405, 421} if operation is None or "headers" in how else status in operation.statuses


def fits(template: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path.partition("?")[0]) is not None


def test_every_status_has_a_meaning() -> None:
    assert {status for operation in OPERATIONS for status in operation.statuses} == set(STATUSES)


async def test_the_feed_sends_what_is_described(site: Any, recorded: Any) -> None:
    payloads = {kind: message["payload"] for kind, message in FEED["components"]["messages"].items()}
    seen = set()
    async with site.session.ws_connect(site.url("/feed")) as feed:
        await feed.receive()
        site.server.show(recorded("final"))
        async with site.session.ws_connect(site.url("/feed")) as again:
            messages = [await again.receive()]
        while len(seen) < 2:
            messages.append(await feed.receive())
            seen.add(json.loads(messages[-1].data)["type"])
    for message in messages:
        assert message.type == WSMsgType.TEXT
        event = json.loads(message.data)
        judge(payloads[event["type"]], FEED).validate(event)
    assert seen == {"change", "happened"}


@pytest.mark.parametrize("document", [FEED, json.loads(asyncapi.wire())], ids=["feed", "wire"])
def test_every_reference_of_the_asyncapi_documents_leads_somewhere(document: dict[str, Any]) -> None:
    assert document["asyncapi"] == "3.0.0"
    for reference in set(references(document)):
        part = document
        for word in reference.removeprefix("#/").split("/"):
            part = part[word]


def test_the_page_and_the_reference_name_every_address_and_every_type() -> None:
    text = (ROOT / "docs/reference/api.md").read_text("utf-8")
    for form in (Form.ADDRESSES, Form.TYPES):
        assert described(form) in text, "run python tools/write_printed.py docs/reference/api.md"
    page = api_pages.page()
    for operation in OPERATIONS:
        assert f"<code>{operation.method.upper()} {operation.path}" in page
    for name in OPENAPI["components"]["schemas"]:
        assert f"<b>{name}</b>" in page
