"""Messages: what may stand in each, checked on both ends.

A message is a dict that becomes one JSON object. `SCHEMA` says for every type which channel it travels on and what each
field must be; `check` refuses anything else with a sentence. docs/reference/wire.md is written from this table.

Clock readings are `[wraps, ticks_us]`: ticks_us counts microseconds below 2**30 (MicroPython's small integers end
there), `wraps` how often it restarted. `boot` is random per start, below 2**30. All sequence numbers begin at 1 with
each boot.
"""

import json

try:  # noqa: SIM105 (MicroPython has neither contextlib nor typing, and ignores annotations)
    from typing import Any
except ImportError:
    pass

from tablewire.topics import (
    ACK,
    COMMAND,
    EVENT,
    HEALTH,
    LIGHT,
    LOG,
    PAGES,
    PING,
    PONG,
    SAMPLES,
    STATE,
    TICK,
    TOCK,
    UPDATE,
    VERSION,
)

TICKS_PERIOD = 1 << 30
MESSAGE_BYTES_MAX = 8192
PATTERNS = (
    "solid",
    "half",
    "pair",
    "thirds",
    "notch",
    "point",
    "dots",
    "pulse",
    "march",
    "gap",
    "chase",
    "swing",
    "off",
)
LEVELS = ("info", "warning", "error")
UPDATE_STATES = ("wanted", "receiving", "ready", "refused", "running", "good", "rolled_back")
CHUNK_BYTES = 2048  # of a bundle in each chunk but the last
PAGES_MAX = 16  # of a tag's memory in one answer, four bytes each
SIGNATURE_DIGITS = 128
HASH_DIGITS = 64  # a bundle is named by its sha256, in lower-case hex

# kinds of fields: a name, or [kind] for a list of them, or {name: kind} for an object; name?: may be missing
INT, FLOAT, TEXT, BOOL, CLOCK, DATA = "int", "float", "text", "bool", "clock", "data"
INT_MAX = (1 << 53) - 1  # what every JSON reader keeps exactly
_FLOAT_MAX = 1e15
TEXT_MAX = 200
DATA_MAX = 4096  # characters of base64
KNOCK_MG = 16  # a window of the accelerometer is told from this peak on

_SPOT = {"spot": TEXT, "cells": INT, "reader": BOOL, "ring": INT, "crane": BOOL, "beam?": BOOL}
_QUIET = {"spot": TEXT, "cell": INT, "n": INT, "mean": FLOAT, "spread": FLOAT, "min": INT, "max": INT, "lost": INT}
_RING = {"spot": TEXT, "rgb": [INT], "pattern": TEXT}
_LYING = {"spot": TEXT, "uid": TEXT}
_CELL = {
    "spot": TEXT,
    "cell": INT,
    "rate_hz": FLOAT,
    "saturated": INT,
    "distinct": INT,
    "noise": FLOAT,
    "lost": INT,
}
_READER = {"spot": TEXT, "answered": INT, "silent": INT}
_RANGER = {"spot": TEXT, "n": INT, "spread_mm": FLOAT, "bad": INT, "beam_clear?": INT, "beam_broken?": INT}
_ACCELEROMETER = {"rate_hz": FLOAT, "lost": INT, "peak_mg": INT}

# for each type the channel it travels on, and its fields
SCHEMA = {
    "birth": (
        STATE,
        {
            "boot": INT,
            "kind": TEXT,
            "firmware": TEXT,
            "at": CLOCK,
            "spots": [_SPOT],
            "hardware?": TEXT,  # pico_w, pico_2_w, pi, twin
            "uid?": TEXT,  # of the chip, in lower-case hex
            "bundle?": TEXT,  # the sha256 of the bundle that runs; empty: what was put on by USB
            "reset?": TEXT,  # power, watchdog, soft, unknown
            "accelerometer?": BOOL,  # whether its accelerometer answers
        },
    ),
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
        {
            "boot": INT,
            "event_seq": INT,
            "at": CLOCK,
            "spot": TEXT,
            "range_mm": FLOAT,
            "spread_mm": FLOAT,
            "n": INT,
            "contact?": BOOL,  # whether the crane's beam was broken all the while
        },
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
    "knocks": (  # windows of the accelerometer, the loud ones only; with none it says that it has listened until `at`
        SAMPLES,
        {
            "boot": INT,
            "sample_seq": INT,
            "at": CLOCK,  # of the end of the first window
            "dt_us": [INT],  # from each window to the next told: one fewer than peak_mg
            "peak_mg": [INT],
        },
    ),
    "pong": (PONG, {"boot": INT, "id": INT, "received": CLOCK, "sent": CLOCK}),
    # care: counts and measures are since the last health message
    "health": (
        HEALTH,
        {
            "boot": INT,
            "at": CLOCK,
            "id?": INT,  # of the `inspect` it answers
            "free_bytes?": INT,
            "gap_us": INT,  # the sampler's longest pause
            "dropped": INT,  # messages of samples that the link had no room for
            "refused": INT,  # messages that were not on the wire's terms
            "cells": [_CELL],
            "readers": [_READER],
            "rangers": [_RANGER],
            "accelerometer?": _ACCELEROMETER,
        },
    ),
    "log": (LOG, {"boot": INT, "at": CLOCK, "level": TEXT, "text": TEXT}),
    "update": (UPDATE, {"boot": INT, "bundle": TEXT, "state": TEXT, "have": INT, "why?": TEXT}),
    "pages": (PAGES, {"boot": INT, "id": INT, "spot": TEXT, "uid": TEXT, "first": INT, "data": TEXT}),
    # to a station
    "ack": (ACK, {"boot": INT, "event_seq": INT}),  # everything up to event_seq is committed
    "light": (LIGHT, {"rings": [_RING]}),  # the rings named change, the others stay
    "ping": (PING, {"id": INT}),
    "identify": (COMMAND, {"seconds": INT}),  # show people which one you are
    "inspect": (COMMAND, {"id": INT}),  # answered by `health`
    "read_pages": (COMMAND, {"id": INT, "spot": TEXT, "first": INT, "n": INT}),  # answered by `pages`
    "scales": (COMMAND, {"scales": [{"spot": TEXT, "counts_per_g": [FLOAT]}]}),  # the calibration, for alerts in grams
    "restart": (COMMAND, {"boot": INT}),  # means this start only
    "offer": (
        COMMAND,
        {
            "bundle": TEXT,
            "version": INT,  # of the wire
            "bytes": INT,
            "chunks": INT,
            "serial?": INT,  # grows with every signature
            "signature?": TEXT,  # Ed25519 in hex, of both
        },
    ),
    "chunk": (COMMAND, {"bundle": TEXT, "k": INT, "data": DATA}),
    "adopt": (
        COMMAND,
        {
            "table": TEXT,
            "station": TEXT,
            "plan": TEXT,  # which pin plan
            "spots": [TEXT],  # in the order of the pin plan
            "seat?": INT,  # whose button it has
            "user": TEXT,
            "password": TEXT,
        },
    ),
    # lock-step: the twin names how many messages each station has published since its start, the hub answers when the
    # effects of all of them are committed, and names how many it has published to each station
    "tick": (TICK, {"n": INT, "t_us": INT, "sent": {"*": INT}}),
    "tock": (TOCK, {"n": INT, "sent": {"*": INT}}),
}


class BadMessage(ValueError):
    """A message that breaks the rules of the wire. The sender is at fault; the text says what was seen and what was
    expected."""


def _is(kind: str, value: object) -> bool:
    if kind == INT:
        return isinstance(value, int) and not isinstance(value, bool) and -INT_MAX <= value <= INT_MAX
    if kind == FLOAT:  # NaN and infinities are no numbers of ours
        return isinstance(value, (int, float)) and not isinstance(value, bool) and -_FLOAT_MAX < value < _FLOAT_MAX
    if kind == TEXT:
        return isinstance(value, str) and len(value) <= TEXT_MAX
    if kind == BOOL:
        return isinstance(value, bool)
    if kind == DATA:  # that it is base64 is found by whoever decodes it
        return isinstance(value, str) and len(value) <= DATA_MAX
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
        plain = kind[0] == INT  # of which samples are full; each call costs
        for item in value:
            if not plain or type(item) is not int or not -INT_MAX <= item <= INT_MAX:
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


def _check_knocks(message: Any) -> None:
    peaks, gaps = message["peak_mg"], len(message["dt_us"])
    if gaps != max(0, len(peaks) - 1):
        raise BadMessage("knocks: n peak_mg need n-1 dt_us, saw {} and {}".format(len(peaks), gaps))
    if peaks and min(peaks) < 0:
        raise BadMessage("knocks.peak_mg[]: expected 0 or more, saw {}".format(min(peaks)))


def _check_light(message: Any) -> None:
    for ring in message["rings"]:
        rgb = ring["rgb"]
        if len(rgb) != 3 or min(rgb) < 0 or max(rgb) > 255:
            raise BadMessage("light.rings[].rgb: expected three numbers of 0-255, saw {}".format(_short(rgb)))
        if ring["pattern"] not in PATTERNS:
            raise BadMessage(
                "light.rings[].pattern: expected one of {}, saw {}".format(", ".join(PATTERNS), _short(ring["pattern"]))
            )


def _one_of(where: str, value: str, words: tuple[str, ...]) -> None:
    if value not in words:
        raise BadMessage("{}: expected one of {}, saw {}".format(where, ", ".join(words), _short(value)))


def _check_log(message: Any) -> None:
    _one_of("log.level", message["level"], LEVELS)


def _check_update(message: Any) -> None:
    _one_of("update.state", message["state"], UPDATE_STATES)


def _check_read_pages(message: Any) -> None:
    if not 0 < message["n"] <= PAGES_MAX:
        raise BadMessage("read_pages.n: expected 1-{}, saw {}".format(PAGES_MAX, message["n"]))


def _check_hash(where: str, value: str) -> None:
    if len(value) != HASH_DIGITS or not all(digit in "0123456789abcdef" for digit in value):
        raise BadMessage("{}: expected a sha256 in hex, saw {}".format(where, _short(value)))


def _check_signature(signature: str, serial: int) -> None:
    if serial < 0:
        raise BadMessage("offer.serial: expected 0 or more, saw {}".format(serial))
    if signature and (
        len(signature) != SIGNATURE_DIGITS or not all(digit in "0123456789abcdef" for digit in signature)
    ):
        raise BadMessage("offer.signature: expected {} hex digits, saw {}".format(SIGNATURE_DIGITS, _short(signature)))


def _check_offer(message: Any) -> None:
    _check_hash("offer.bundle", message["bundle"])
    _check_signature(message.get("signature", ""), message.get("serial", 0))
    wanted = (message["bytes"] + CHUNK_BYTES - 1) // CHUNK_BYTES
    if message["bytes"] < 1 or message["chunks"] != wanted:
        raise BadMessage(
            "offer: {} bytes make {} chunks of {}, saw {}".format(
                message["bytes"], wanted, CHUNK_BYTES, message["chunks"]
            )
        )


def _check_chunk(message: Any) -> None:
    _check_hash("chunk.bundle", message["bundle"])
    if message["k"] < 0:
        raise BadMessage("chunk.k: expected 0 or more, saw {}".format(message["k"]))


_FURTHER = {
    "samples": _check_samples,
    "knocks": _check_knocks,
    "light": _check_light,
    "log": _check_log,
    "update": _check_update,
    "read_pages": _check_read_pages,
    "offer": _check_offer,
    "chunk": _check_chunk,
}


def check(channel: str, message: Any) -> None:
    """Raise BadMessage for an incomplete message or a wrong channel; unknown fields are allowed."""
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
    """Return the bytes of a message, to which this adds `v`."""
    message["v"] = VERSION
    return json.dumps(message).encode()


def decode(channel: str, payload: bytes) -> dict[str, Any]:
    """Return the message in a payload; raise BadMessage."""
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
