"""What may travel, and what is refused with a sentence."""

import base64
import copy
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewire.messages import CHUNK_BYTES, MESSAGE_BYTES_MAX, SCHEMA, BadMessage, check, decode, encode
from tablewire.topics import FROM_STATION, TO_STATION

GOLDEN = Path(__file__).parent / "golden-v1"
CHANNELS = sorted({channel for channel, _ in SCHEMA.values()})
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def golden(kind: str) -> tuple[str, dict]:
    text = json.loads((GOLDEN / f"{kind}.json").read_text())
    return text["channel"], text["message"]


def test_every_type_has_a_golden_message_and_every_golden_message_a_type():
    assert {path.stem.partition("-")[0] for path in GOLDEN.glob("*.json")} == set(SCHEMA)


@pytest.mark.parametrize("kind", sorted(path.stem for path in GOLDEN.glob("*.json")))
def test_a_golden_message_of_version_1_is_still_understood(kind):
    channel, message = golden(kind)
    assert decode(channel, json.dumps(message).encode()) == message
    assert decode(channel, encode(dict(message))) == message


@pytest.mark.parametrize("kind", sorted(SCHEMA))
def test_a_message_that_lacks_a_field_is_refused_by_the_name_of_the_field(kind):
    channel, message = golden(kind)
    for field in SCHEMA[kind][1]:
        if field.endswith("?"):
            continue
        short = {name: value for name, value in message.items() if name != field}
        with pytest.raises(BadMessage, match=rf"{kind}\.{field}: missing"):
            check(channel, short)


@pytest.mark.parametrize("kind", sorted(SCHEMA))
def test_a_field_of_the_wrong_kind_is_refused_and_quoted(kind):
    channel, message = golden(kind)
    for field in SCHEMA[kind][1]:
        wrong = {**message, field.rstrip("?"): {"odd": None}}
        if field == "sent":
            wrong["sent"] = {"seat-1": "three"}
        if field == "sent" and kind == "pong":
            wrong["sent"] = "noon"
        with pytest.raises(BadMessage, match=kind):
            check(channel, wrong)


def test_an_optional_field_may_be_missing_but_not_wrong():
    channel, message = golden("inventory")
    del message["events_lost"]
    check(channel, message)
    with pytest.raises(BadMessage, match=r"inventory\.events_lost: expected int, saw 'two'"):
        check(channel, {**message, "events_lost": "two"})


def test_fields_nobody_knows_are_tolerated_so_that_a_newer_station_can_talk_to_an_older_hub():
    channel, message = golden("button")
    check(channel, {**message, "pressure": 3})


def test_another_wire_version_is_refused_with_what_to_do():
    channel, message = golden("button")
    for version in (2, 0, "1", True, None):
        with pytest.raises(BadMessage, match="update the older of station and hub"):
            check(channel, {**message, "v": version})


def test_a_type_on_the_wrong_channel_is_refused():
    _, message = golden("button")
    with pytest.raises(BadMessage, match="type 'button' does not travel on channel 'samples'"):
        check("samples", message)
    for odd in (None, 7, [], {}, "nonsense"):
        with pytest.raises(BadMessage, match="does not travel"):
            check("event", {**message, "type": odd})


def test_an_oversized_message_is_refused_unread():
    with pytest.raises(BadMessage, match=f"at most {MESSAGE_BYTES_MAX}"):
        decode("event", b"[" * (MESSAGE_BYTES_MAX + 1))


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff\xfe", b"[1,2]", b"7", b"null", b"[" * 8000, b'{"v":1e999}'])
def test_what_is_no_json_object_is_refused_and_quoted(payload):
    with pytest.raises(BadMessage):
        decode("event", payload)


def test_numbers_that_are_none_are_refused():
    channel, message = golden("height")
    for odd in ("NaN", "Infinity", "1e300", "true"):
        text = json.dumps(message).replace("246.3", odd)
        with pytest.raises(BadMessage, match=r"height\.range_mm: expected float"):
            decode(channel, text.encode())


def test_a_number_too_big_to_be_kept_exactly_is_refused():
    channel, message = golden("ack")
    with pytest.raises(BadMessage, match=r"ack\.event_seq: expected int"):
        check(channel, {**message, "event_seq": 1 << 60})


def test_samples_need_one_gap_fewer_than_counts():
    channel, message = golden("samples")
    with pytest.raises(BadMessage, match="saw 3 and 1"):
        check(channel, {**message, "dt_us": [12431]})
    with pytest.raises(BadMessage, match="saw 0 and 0"):
        check(channel, {**message, "counts": [], "dt_us": []})


def test_knocks_need_one_gap_fewer_than_peaks_and_there_may_be_none():
    channel, message = golden("knocks")
    with pytest.raises(BadMessage, match="saw 3 and 1"):
        check(channel, {**message, "dt_us": [10020]})
    with pytest.raises(BadMessage, match="saw 0 and 2"):
        check(channel, {**message, "peak_mg": []})
    with pytest.raises(BadMessage, match=r"knocks\.peak_mg\[\]: expected 0 or more, saw -3"):
        check(channel, {**message, "peak_mg": [16, -3, 48]})


def test_a_clock_reading_stays_below_its_period():
    channel, message = golden("tag")
    for odd in ([0, 1 << 30], [0, -1], [0], [0, 1, 2], 5, [True, 1], [0, 1.5]):
        with pytest.raises(BadMessage, match=r"tag\.at: expected clock"):
            check(channel, {**message, "at": odd})


def test_a_light_has_three_colour_steps_and_a_known_pattern():
    channel, message = golden("light")
    for odd in ({"rgb": [1, 2]}, {"rgb": [0, 0, 256]}, {"rgb": [-1, 0, 0]}, {"pattern": "disco"}):
        broken = copy.deepcopy(message)
        broken["rings"][0].update(odd)
        with pytest.raises(BadMessage, match=r"light\.rings\[\]"):
            check(channel, broken)


def broken(kind, **fields):
    channel, message = golden(kind)
    return channel, {**message, **fields}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (broken("log", level="shout"), r"log\.level: expected one of info, warning, error, saw 'shout'"),
        (broken("update", state="done"), r"update\.state: expected one of wanted, .*, saw 'done'"),
        (broken("read_pages", n=0), r"read_pages\.n: expected 1-16, saw 0"),
        (broken("read_pages", n=17), r"read_pages\.n: expected 1-16, saw 17"),
        (broken("offer", bundle="3F" * 32), r"offer\.bundle: expected a sha256 in hex"),
        (broken("offer", bundle="3f" * 31), r"offer\.bundle: expected a sha256 in hex"),
        (broken("offer", chunks=2), r"offer: 5000 bytes make 3 chunks of 2048, saw 2"),
        (broken("offer", bytes=0, chunks=0), r"offer: 0 bytes"),
        (broken("chunk", bundle="latest"), r"chunk\.bundle: expected a sha256 in hex"),
        (broken("chunk", k=-1), r"chunk\.k: expected 0 or more"),
        (broken("chunk", data="A" * 4097), r"chunk\.data: expected data"),
    ],
)
def test_care_has_its_own_terms(said, why):
    with pytest.raises(BadMessage, match=why):
        check(*said)


def test_a_whole_chunk_fits_into_a_message():
    channel, message = golden("chunk")
    message["data"] = base64.b64encode(bytes(CHUNK_BYTES)).decode()
    payload = encode(message)
    assert decode(channel, payload) == message
    assert len(payload) < MESSAGE_BYTES_MAX // 2


@given(st.sampled_from(CHANNELS), st.binary(max_size=200))
def test_garbled_bytes_never_raise_anything_but_a_bad_message(channel, payload):
    with pytest.raises(BadMessage):
        decode(channel, payload)


@given(st.sampled_from(sorted(SCHEMA)), st.data())
def test_a_garbled_field_is_refused_or_still_on_the_wires_terms(kind, data):
    channel, message = golden(kind)
    field = data.draw(st.sampled_from(sorted(message)))
    message[field] = data.draw(json_values)
    try:
        check(channel, message)
    except BadMessage:
        return
    assert decode(channel, encode(message)) == message


@given(st.sampled_from(sorted(SCHEMA)), st.integers(0, 400))
def test_a_truncated_message_is_refused(kind, cut):
    channel, message = golden(kind)
    payload = encode(message)
    with pytest.raises(BadMessage):
        decode(channel, payload[: min(cut, len(payload) - 1)])


def test_every_channel_has_a_direction():
    assert set(CHANNELS) == {*FROM_STATION, *TO_STATION, "tick", "tock"}
