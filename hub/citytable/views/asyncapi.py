"""Describes the feed as an AsyncAPI 3.0 document, generated from the types that it sends; links the wire's document."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from citytable.views.feed import SCHEMA, FeedEvent
from citytable.views.openapi import QUERY, REF
from citytable.views.state import Happened
from citytable.views.viewer import Seen

_ABOUT = {
    "snapshot": "The whole table; every connection begins with one.",
    "change": "The parts of the table that changed, each of them complete.",
    "happened": "One new line of the ticker.",
}


@cache
def document() -> dict[str, Any]:
    """Return the whole document."""
    _, schemas = msgspec.json.schema_components([FeedEvent, Seen, Happened], ref_template=REF)
    parts = {"type": "object", "properties": schemas["Seen"]["properties"], "additionalProperties": False}
    data = {"snapshot": _ref("Seen"), "change": parts, "happened": _ref("Happened")}
    query = {"type": "object", "properties": {name: QUERY[name][1] for name in ("as", "since")}}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "citytable's feed",
            "version": str(SCHEMA),
            "description": "What the hub sends to screens and programs. It ignores whatever they send.",
        },
        "defaultContentType": "application/json",
        "channels": {
            "feed": {
                "address": "/feed",
                "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in data},
                "bindings": {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {"hub-feed": {"action": "send", "channel": {"$ref": "#/channels/feed"}}},
        "components": {"messages": {kind: _message(kind, data[kind]) for kind in data}, "schemas": schemas},
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": REF.format(name=name)}


def _message(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    envelope = {"properties": {"type": {"const": kind}, "schema": {"const": SCHEMA}, "data": data}}
    return {"name": kind, "summary": _ABOUT[kind], "payload": {"allOf": [_ref("FeedEvent"), envelope]}}


def wire() -> bytes:
    """Return the document of the stations' wire: from the repository or, in a wheel, from the package."""
    for path in (Path(__file__).parents[3] / "docs/reference/asyncapi.json", Path(__file__).with_name("wire.json")):
        if path.is_file():
            return path.read_bytes()
    raise FileNotFoundError("docs/reference/asyncapi.json")
