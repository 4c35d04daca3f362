"""Messages: what may stand in each, checked on both ends.

A message is a dict that becomes one JSON object. `SCHEMA` says for every type which channel it travels on and what each
field must be; `check` refuses anything else with a sentence. docs/reference/wire.md is written from this table.

Clock readings are `[wraps, ticks_us]`: ticks_us counts microseconds below 2**30 (MicroPython's small integers end there),
`wraps` how often it began anew. `boot` is random per start, below 2**30. All sequence numbers begin at 1 with each boot.
"""

import json

from tablewire.topics import ACK, EVENT, LIGHT, PING, PONG, SAMPLES, STATE, TICK, TOCK, VERSION

TICKS_PERIOD = 1 << 30
MESSAGE_BYTES_MAX = 8192
PATTERNS = ("solid", "half", "dots", "pulse", "off")

# kinds of fields: a name, or [kind] for a list of them, or {name: kind} for an object
INT, FLOAT, TEXT, BOOL, CLOCK = "int", "float", "text", "bool", "clock"

_SPOT = {"spot": TEXT, "cells": INT, "reader": BOOL, "ring": INT, "crane": BOOL}
_QUIET = {"spot": TEXT, "cell": INT, "n": INT, "mean": FLOAT, "spread": FLOAT, "min": INT, "max": INT, "lost": INT}
_RING = {"spot": TEXT, "rgb": [INT], "pattern": TEXT}
_LYING = {"spot": TEXT, "uid": TEXT}

SCHEMA = {
    # type: (channel, fields)
    "birth": (STATE, {"boot": INT, "kind": TEXT, "firmware": TEXT, "at": CLOCK, "spots": [_SPOT]}),
    "death": (STATE, {"boot": INT}),
    "hub": (STATE, {"boot": INT, "online": BOOL}),
    # urgent: numbered by event_seq without holes, sent in order, kept until acknowledged
    "inventory": (EVENT, {"boot": INT, "event_seq": INT, "at": CLOCK, "tags": [_LYING]}),
    "tag": (EVENT, {"boot": INT, "event_seq": INT, "at": CLOCK, "spot": TEXT, "uid": TEXT, "here": BOOL}),
    "button": (EVENT, {"boot": INT, "event_seq": INT, "at": CLOCK, "seat": INT}),
    "alert": (EVENT, {"boot": INT, "event_seq": INT, "at": CLOCK, "spot": TEXT, "cell": INT, "drop": INT}),
    "height": (
        EVENT,
        {"boot": INT, "event_seq": INT, "at": CLOCK, "spot": TEXT, "range_mm": FLOAT, "spread_mm": FLOAT, "n": INT},
    ),
    "fault": (
        EVENT,
        {"boot": INT, "event_seq": INT, "at": CLOCK, "spot": TEXT, "sensor": TEXT, "what": TEXT, "on": BOOL},
    ),
    # samples: numbered by sample_seq, never replayed; `lost` counts conversions lost since the last message of this cell
    "samples": (
        SAMPLES,
        {
            "boot": INT,
            "sample_seq": INT,
            "spot": TEXT,
            "cell": INT,
            "at": CLOCK,  # of the first sample
            "dt_us": [INT],  # from each sample to the next: one fewer than counts
            "counts": [INT],
            "lost": INT,
        },
    ),
    "quiet": (SAMPLES, {"boot": INT, "sample_seq": INT, "at": CLOCK, "cells": [_QUIET]}),  # one a second, `at` its end
    "pong": (PONG, {"boot": INT, "id": INT, "received": CLOCK, "sent": CLOCK}),
    # to a station
    "ack": (ACK, {"boot": INT, "event_seq": INT}),  # everything up to event_seq is committed
    "light": (LIGHT, {"rings": [_RING]}),  # the rings named change, the others stay
    "ping": (PING, {"id": INT}),
    # lock-step: the twin names how many messages each station has published since its start, the hub answers when the
    # effects of all of them are committed, and names how many it has published to each station
    "tick": (TICK, {"n": INT, "t_us": INT, "sent": {"*": INT}}),
    "tock": (TOCK, {"n": INT, "sent": {"*": INT}}),
}


class BadMessage(ValueError):
    """A message that is not on the wire's terms: the sender's fault, told as what was seen and what was expected."""


def _is(kind, value) -> bool:
    if kind == INT:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == FLOAT:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == TEXT:
        return isinstance(value, str)
    if kind == BOOL:
        return isinstance(value, bool)
    return (  # CLOCK
        isinstance(value, list) and len(value) == 2 and _is(INT, value[0]) and _is(INT, value[1]) and 0 <= value[1] < TICKS_PERIOD
    )


def _check_value(where, kind, value) -> None:
    if isinstance(kind, list):
        if not isinstance(value, list):
            raise BadMessage("{}: expected a list, saw {!r}".format(where, value))
        for item in value:
            _check_value(where + "[]", kind[0], item)
    elif isinstance(kind, dict):
        _check_object(where, kind, value)
    elif not _is(kind, value):
        raise BadMessage("{}: expected {}, saw {!r}".format(where, kind, value))


def _check_object(where, fields, value) -> None:
    if not isinstance(value, dict):
        raise BadMessage("{}: expected an object, saw {!r}".format(where, value))
    if "*" in fields:
        for name in value:
            _check_value(where + "." + name, fields["*"], value[name])
        return
    for name in fields:
        if name not in value:
            raise BadMessage("{}.{}: missing".format(where, name))
        _check_value(where + "." + name, fields[name], value[name])


def check(channel: str, message: dict) -> None:
    """Refuse a message that does not belong on this channel or is not complete; unknown extra fields are tolerated."""
    version = message.get("v")
    if version != VERSION:
        raise BadMessage(
            "wire version {!r}, this program speaks {}: update the older of station and hub".format(version, VERSION)
        )
    kind = message.get("type")
    if kind not in SCHEMA or SCHEMA[kind][0] != channel:
        raise BadMessage("type {!r} does not travel on channel {!r}".format(kind, channel))
    _check_object(kind, SCHEMA[kind][1], message)
    if kind == "samples" and len(message["dt_us"]) != len(message["counts"]) - 1:
        raise BadMessage(
            "samples: {} counts need {} dt_us, saw {}".format(
                len(message["counts"]), len(message["counts"]) - 1, len(message["dt_us"])
            )
        )


def encode(message: dict) -> bytes:
    """The bytes of a message; `v` is added."""
    message["v"] = VERSION
    return json.dumps(message).encode()


def decode(channel: str, payload: bytes) -> dict:
    """The message in a payload, checked; raises BadMessage."""
    if len(payload) > MESSAGE_BYTES_MAX:
        raise BadMessage("{} bytes, at most {} are accepted".format(len(payload), MESSAGE_BYTES_MAX))
    try:
        message = json.loads(payload)
    except ValueError:
        raise BadMessage("no JSON: {!r}".format(payload[:60]))
    if not isinstance(message, dict):
        raise BadMessage("expected a JSON object, saw {!r}".format(payload[:60]))
    check(channel, message)
    return message
