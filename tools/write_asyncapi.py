"""Writes docs/reference/asyncapi.json, the wire for machines, from tablewire's own table of messages.

python tools/write_asyncapi.py            write the file
python tools/write_asyncapi.py --check    say whether it is up to date (exit code 1 if not)
"""

import json
import sys
from pathlib import Path
from typing import Any

from tablewire import messages, topics

FILE = Path(__file__).resolve().parents[1] / "docs/reference/asyncapi.json"

CHANNELS = {
    topics.STATE: ("Who is there: births and last wills, retained.", True),
    topics.EVENT: ("Urgent and numbered; kept by the station until the hub acknowledges.", False),
    topics.SAMPLES: ("Load cells, sample by sample or summed up. Never repeated.", False),
    topics.PONG: ("The answer to the clock question.", False),
    topics.HEALTH: ("How a station's sensors do.", False),
    topics.LOG: ("Lines for people.", False),
    topics.UPDATE: ("How far a new bundle has come.", False),
    topics.PAGES: ("What was read from a tag's memory.", False),
    topics.ACK: ("Which events are committed.", False),
    topics.LIGHT: ("What rings show.", False),
    topics.PING: ("The question for a station's clock.", False),
    topics.COMMAND: ("What a host or maker asks of a station.", False),
    topics.TICK: ("Lock-step: virtual time, from the virtual table.", False),
    topics.TOCK: ("Lock-step: the hub's answer.", False),
}
SURE = {topics.STATE, topics.EVENT, topics.UPDATE, topics.TICK, topics.TOCK}

SUMMARIES = {
    "ack": "Everything up to event_seq of this boot is committed.",
    "adopt": "You belong to this table, under this name, with these spots and credentials.",
    "alert": "A spot lost weight at once: a guess that something fell.",
    "birth": "A station began, or came back.",
    "button": "A seat's button was pressed.",
    "chunk": "A piece of the bundle that was offered.",
    "death": "This start of the station is over.",
    "fault": "A sensor cannot be believed, or can again.",
    "health": "How the sensors did since the last such message.",
    "height": "The crane's sensor has read.",
    "hub": "The hub is there, or not.",
    "identify": "Show people which station you are.",
    "inspect": "Tell your health now.",
    "inventory": "Every tag that lies at the station's spots.",
    "knocks": "What the accelerometer heard, window by loud window.",
    "light": "Change these rings.",
    "log": "Something people should know.",
    "offer": "There is a bundle: do you want it?",
    "pages": "Pages of a tag's memory.",
    "ping": "What does your clock say?",
    "pong": "What the clock says.",
    "quiet": "One second of all cells at rest.",
    "read_pages": "Read pages of the tag that lies there.",
    "scales": "The calibration of your cells: your alerts are in grams of it.",
    "restart": "Begin anew, if this is your boot.",
    "samples": "One cell, conversion by conversion.",
    "tag": "A tag came, or left.",
    "tick": "It is this virtual time, and stations have published so much.",
    "tock": "All of it is committed, and the hub has published so much.",
    "update": "How far a bundle has come.",
}

_SHA256 = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
REFINED: dict[tuple[str, str], dict[str, Any]] = {  # what tablewire checks beyond the kind of a field
    ("light", "rgb"): {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": 255},
        "minItems": 3,
        "maxItems": 3,
    },
    ("light", "pattern"): {"enum": list(messages.PATTERNS)},
    ("samples", "counts"): {"type": "array", "items": {"$ref": "#/components/schemas/int"}, "minItems": 1},
    ("knocks", "peak_mg"): {
        "type": "array",
        "items": {"type": "integer", "minimum": 0, "maximum": messages.INT_MAX},
    },
    ("log", "level"): {"enum": list(messages.LEVELS)},
    ("update", "state"): {"enum": list(messages.UPDATE_STATES)},
    ("read_pages", "n"): {"type": "integer", "minimum": 1, "maximum": messages.PAGES_MAX},
    ("offer", "bundle"): _SHA256,
    ("offer", "bytes"): {"type": "integer", "minimum": 1, "maximum": messages.INT_MAX},
    ("offer", "chunks"): {"type": "integer", "minimum": 1, "maximum": messages.INT_MAX},
    ("chunk", "bundle"): _SHA256,
    ("chunk", "k"): {"type": "integer", "minimum": 0, "maximum": messages.INT_MAX},
}


def kinds() -> dict[str, Any]:
    """The kinds of fields as JSON Schema (draft 07, which AsyncAPI builds on)."""
    whole = {"type": "integer", "minimum": -messages.INT_MAX, "maximum": messages.INT_MAX}
    return {
        messages.INT: whole,
        messages.FLOAT: {"type": "number", "exclusiveMinimum": -1e15, "exclusiveMaximum": 1e15},
        messages.TEXT: {"type": "string", "maxLength": messages.TEXT_MAX},
        messages.BOOL: {"type": "boolean"},
        messages.DATA: {"type": "string", "contentEncoding": "base64", "maxLength": messages.DATA_MAX},
        messages.CLOCK: {
            "description": "how often the ticks wrapped, and the ticks: microseconds below 2**30",
            "type": "array",
            "items": [whole, {"type": "integer", "minimum": 0, "maximum": messages.TICKS_PERIOD - 1}],
            "minItems": 2,
            "maxItems": 2,
        },
    }


def schema_of(kind: Any, of: str, name: str = "") -> dict[str, Any]:
    """A field's kind as JSON Schema."""
    if (of, name) in REFINED:
        return REFINED[of, name]
    if isinstance(kind, list):
        return {"type": "array", "items": schema_of(kind[0], of)}
    if not isinstance(kind, dict):
        return {"$ref": f"#/components/schemas/{kind}"}
    if "*" in kind:
        return {"type": "object", "additionalProperties": schema_of(kind["*"], of)}
    return {
        "type": "object",
        "properties": {field.rstrip("?"): schema_of(inner, of, field.rstrip("?")) for field, inner in kind.items()},
        "required": [field for field in kind if not field.endswith("?")],
    }


def message_of(kind: str) -> dict[str, Any]:
    """One type of message."""
    payload = schema_of(messages.SCHEMA[kind][1], kind)
    payload["properties"] = {"v": {"const": topics.VERSION}, "type": {"const": kind}, **payload["properties"]}
    payload["required"] = ["v", "type", *payload["required"]]
    return {"name": kind, "summary": SUMMARIES[kind], "contentType": "application/json", "payload": payload}


def channel_of(channel: str) -> dict[str, Any]:
    """One channel: where it lies and what travels on it."""
    station = {topics.TICK: topics.HUB, topics.TOCK: topics.TWIN}.get(channel, "{station}")
    names = ["table"] if station != "{station}" else ["table", "station"]
    types = [kind for kind, (travels_on, _) in messages.SCHEMA.items() if travels_on == channel]
    return {
        "address": topics.topic("{table}", station, channel),
        "description": CHANNELS[channel][0],
        "parameters": {name: {"$ref": f"#/components/parameters/{name}"} for name in names},
        "messages": {kind: {"$ref": f"#/components/messages/{kind}"} for kind in types},
    }


def operation_of(channel: str) -> dict[str, Any]:
    """What the hub does with a channel."""
    action = "send" if channel in (*topics.TO_STATION, topics.TOCK) else "receive"
    bindings = {"mqtt": {"qos": int(channel in SURE), "retain": CHANNELS[channel][1], "bindingVersion": "0.2.0"}}
    return {"action": action, "channel": {"$ref": f"#/channels/{channel}"}, "bindings": bindings}


def document() -> dict[str, Any]:
    """The whole wire, from the hub's side."""
    name = {"description": "1-32 letters, digits or dashes"}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "citytable's wire",
            "version": str(topics.VERSION),
            "description": "What stations and hub say to each other; docs/reference/wire.md tells what they promise.",
        },
        "defaultContentType": "application/json",
        "channels": {channel: channel_of(channel) for channel in CHANNELS},
        "operations": {f"hub-{channel}": operation_of(channel) for channel in CHANNELS},
        "components": {
            "parameters": {"table": name, "station": name},
            "messages": {kind: message_of(kind) for kind in messages.SCHEMA},
            "schemas": kinds(),
        },
    }


def text() -> str:
    """The file's content."""
    return json.dumps(document(), indent=1) + "\n"


def main(words: list[str]) -> int:
    """Write or check; the exit code."""
    if words == ["--check"]:
        if FILE.read_text("utf-8") == text():
            return 0
        sys.stderr.write(f"{FILE}: not what tablewire says: run python tools/write_asyncapi.py\n")
        return 1
    FILE.write_text(text(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
