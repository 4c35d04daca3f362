"""Messages: what may stand in each, checked on both ends.

A message is a dict that becomes one JSON object. `SCHEMA` says for every type which channel it travels on and what each
field must be; `check` refuses anything else with a sentence. docs/reference/wire.md is written from this table.

Clock readings are `[wraps, ticks_us]`: ticks_us counts microseconds below 2**30 (MicroPython's small integers end
there), `wraps` how often it began anew. `boot` is random per start, below 2**30. All sequence numbers begin at 1 with
each boot.
"""

import json

try:  # noqa: SIM105 (MicroPython has neither contextlib nor typing, and ignores annotations)
    from typing import Any
except ImportError:
    pass

from tablewire.topics import ACK, EVENT, LIGHT, PING, PONG, SAMPLES, STATE, TICK, TOCK, VERSION

TICKS_PERIOD = 1 << 30
MESSAGE_BYTES_MAX = 8192
PATTERNS = ("solid", "half", "dots", "pulse", "off")

# kinds of fields: a name, or [kind] for a list of them, or {name: kind} for an object; name?: may be missing
INT, FLOAT, TEXT, BOOL, CLOCK = "int", "float", "text", "bool", "clock"
_INT_MAX = 1 << 53  # what every JSON reader keeps exactly
_FLOAT_MAX = 1e15
_TEXT_MAX = 200

_SPOT = {"spot": TEXT, "cells": INT, "reader": BOOL, "ring": INT, "crane": BOOL}
_QUIET = {"spot": TEXT, "cell": INT, "n": INT, "mean": FLOAT, "spread": FLOAT, "min": INT, "max": INT, "lost": INT}
_RING = {"spot": TEXT, "rgb": [INT], "pattern": TEXT}
_LYING = {"spot": TEXT, "uid": TEXT}

# for each type the channel it travels on, and its fields
SCHEMA = {
    "birth": (STATE, {"boot": INT, "kind": TEXT, "firmware": TEXT, "at": CLOCK, "spots": [_SPOT]}),
    "death": (STATE, {"boot": INT}),
    "hub": (STATE, {"boot": INT, "online": BOOL}),
    # urgent: numbered by event_seq without holes, sent in order, kept until acknowledged
    "inventory": (  # every tag that lies there, after a birth, for a new hub, and after `events_lost` found no room
        EVENT,
        {"boot": INT, "event_seq": INT, "at": CLOCK, "tags": [_LYING], "events_lost?": INT},
    ),
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
    # samples: numbered by sample_seq, never replayed; `lost` counts conversions lost since the cell's last message
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


def _is(kind: str, value: object) -> bool:
    if kind == INT:
        return isinstance(value, int) and not isinstance(value, bool) and -_INT_MAX < value < _INT_MAX
    if kind == FLOAT:  # NaN and infinities are no numbers of ours
        return isinstance(value, (int, float)) and not isinstance(value, bool) and -_FLOAT_MAX < value < _FLOAT_MAX
    if kind == TEXT:
        return isinstance(value, str) and len(value) <= _TEXT_MAX
    if kind == BOOL:
        return isinstance(value, bool)
    return isinstance(value, list) and len(value) == 2 and _is_clock(value[0], value[1])


def _is_clock(wraps: object, ticks: object) -> bool:
    return _is(INT, wraps) and isinstance(ticks, int) and not isinstance(ticks, bool) and 0 <= ticks < TICKS_PERIOD


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "..."


def _check_value(where: str, kind: Any, value: Any) -> None:
    if isinstance(kind, list):
        if not isinstance(value, list):
            raise BadMessage("{}: expected a list, saw {}".format(where, _short(value)))
        where += "[]"
        for item in value:
            _check_value(where, kind[0], item)
    elif isinstance(kind, dict):
        _check_object(where, kind, value)
    elif not _is(kind, value):
        raise BadMessage("{}: expected {}, saw {}".format(where, kind, _short(value)))


def _check_object(where: str, fields: Any, value: Any) -> None:
    if not isinstance(value, dict):
        raise BadMessage("{}: expected an object, saw {}".format(where, _short(value)))
    if "*" in fields:
        for name in value:
            _check_value(where + "." + name, fields["*"], value[name])
        return
    for name in fields:
        kind = fields[name]
        optional = name[-1] == "?"
        if optional:
            name = name[:-1]  # noqa: PLW2901 (a copy would be one more name for the same field)
        if name in value:
            _check_value(where + "." + name, kind, value[name])
        elif not optional:
            raise BadMessage("{}.{}: missing".format(where, name))


def _check_samples(message: Any) -> None:
    counts, gaps = len(message["counts"]), len(message["dt_us"])
    if counts == 0 or gaps != counts - 1:
        raise BadMessage("samples: n counts (at least one) need n-1 dt_us, saw {} and {}".format(counts, gaps))


def _check_light(message: Any) -> None:
    for ring in message["rings"]:
        rgb = ring["rgb"]
        if len(rgb) != 3 or min(rgb) < 0 or max(rgb) > 255:
            raise BadMessage("light.rings[].rgb: expected three numbers of 0-255, saw {}".format(_short(rgb)))
        if ring["pattern"] not in PATTERNS:
            raise BadMessage(
                "light.rings[].pattern: expected one of {}, saw {}".format(", ".join(PATTERNS), _short(ring["pattern"]))
            )


_FURTHER = {"samples": _check_samples, "light": _check_light}


def check(channel: str, message: Any) -> None:
    """Refuse a message that does not belong on this channel or is not complete; unknown extra fields are tolerated."""
    version = message.get("v")
    if not _is(INT, version) or version != VERSION:
        raise BadMessage(
            "wire version {}, this program speaks {}: update the older of station and hub".format(
                _short(version), VERSION
            )
        )
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in SCHEMA or SCHEMA[kind][0] != channel:
        raise BadMessage("type {} does not travel on channel {!r}".format(_short(kind), channel))
    _check_object(kind, SCHEMA[kind][1], message)
    if kind in _FURTHER:
        _FURTHER[kind](message)


def encode(message: dict[str, Any]) -> bytes:
    """The bytes of a message; `v` is added."""
    message["v"] = VERSION
    return json.dumps(message).encode()


def decode(channel: str, payload: bytes) -> dict[str, Any]:
    """The message in a payload, checked; raises BadMessage."""
    if len(payload) > MESSAGE_BYTES_MAX:
        raise BadMessage("{} bytes, at most {} are accepted".format(len(payload), MESSAGE_BYTES_MAX))
    try:
        message = json.loads(payload)
    except (ValueError, RuntimeError):  # RuntimeError: brackets nested deeper than the reader's stack
        raise BadMessage("no JSON: {!r}".format(payload[:60])) from None
    if not isinstance(message, dict):
        raise BadMessage("expected a JSON object, saw {!r}".format(payload[:60]))
    check(channel, message)
    return message
