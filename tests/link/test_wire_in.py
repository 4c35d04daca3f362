"""What comes in over the wire is typed, or becomes a note that says what is wrong."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citytable.link import wire_in
from citytable.link.wire_in import BadMessage, Clock, Heard, Knocks, Samples, TagSeen, read
from tablewire import messages, topics


def test_a_tag_message_is_a_tag_seen(fake_station):
    heard = read(*fake_station("seat-1", boot=9).tag(3, clock_us=messages.TICKS_PERIOD + 5))
    tag = TagSeen(boot=9, event_seq=3, at=Clock(1, 5), spot="city/0/0", uid="04000000000003", here=True)
    assert heard == Heard("seat-1", tag)


def test_every_golden_message_a_station_may_send_is_read(root):
    for path in sorted((root / "tests/wire/golden-v1").glob("*.json")):
        golden = json.loads(path.read_text())
        if golden["channel"] not in {*topics.FROM_STATION, topics.TICK}:
            continue
        heard = read(topics.topic("demo", "seat-1", golden["channel"]), json.dumps(golden["message"]).encode())
        assert isinstance(heard, Heard), (path.name, heard)


def test_what_is_said_to_a_station_is_no_stations_message():
    acknowledgement = messages.encode({"type": "ack", "boot": 1, "event_seq": 1})
    note = read(topics.topic("demo", "seat-1", topics.ACK), acknowledgement)
    assert isinstance(note, BadMessage)
    assert "'ack'" in note.sentence


def test_the_time_of_each_sample_follows_from_the_first(fake_station):
    heard = read(*fake_station().samples(1, clock_us=1_000, n=3))
    assert isinstance(heard, Heard)
    assert isinstance(heard.message, Samples)
    assert heard.message.times_us(50_000) == (50_000, 62_500, 75_000)


def test_the_time_of_each_knock_follows_from_the_first(fake_station):
    heard = read(*fake_station().knocks(1, clock_us=1_000, peaks=(16, 300, 40)))
    assert isinstance(heard, Heard)
    assert isinstance(heard.message, Knocks)
    assert heard.message.times_us(50_000) == (50_000, 70_000, 90_000)


def test_who_hears_no_knock_says_so_without_a_time_of_one(fake_station):
    heard = read(*fake_station().knocks(1, clock_us=1_000, peaks=()))
    assert isinstance(heard, Heard)
    assert isinstance(heard.message, Knocks)
    assert heard.message.times_us(50_000) == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"v": 2}, "wire version 2, this program speaks 1"),
        ({"event_seq": 0}, "event_seq"),
        ({"boot": -1}, "boot"),
        ({"spot": "city/9/9x"}, "spot 'city/9/9x' is not a spot of a table"),
        ({"here": "yes"}, "tag.here: expected bool, saw 'yes'"),
        ({"type": "samples"}, "does not travel on channel 'event'"),
    ],
)
def test_a_message_off_the_wires_terms_is_a_note_that_quotes_it(fake_station, changed, change, sentence):
    topic, payload = fake_station().tag(1)
    note = read(topic, changed(payload, **change), arrived_us=88)
    assert isinstance(note, BadMessage)
    assert (note.station, note.topic, note.arrived_us) == ("park", topic, 88)
    assert sentence in note.sentence


def test_an_oversized_message_is_refused_by_its_size(fake_station):
    topic, payload = fake_station().tag(1)
    note = read(topic, payload + b" " * messages.MESSAGE_BYTES_MAX)
    assert isinstance(note, BadMessage)
    assert "at most 8192 are accepted" in note.sentence


def test_a_topic_of_another_version_names_the_version(fake_station):
    topic, payload = fake_station().tag(1)
    note = read(topic.replace("/1/", "/2/", 1), payload)
    assert isinstance(note, BadMessage)
    assert "speaks wire version '2'" in note.sentence


def test_an_event_that_cannot_be_read_still_tells_which_number_it_used_up(fake_station, changed):
    topic, payload = fake_station(boot=5).tag(12)
    note = read(topic, changed(payload, here="perhaps"))
    assert isinstance(note, BadMessage)
    assert note.lost is not None
    assert (note.lost.boot, note.lost.event_seq) == (5, 12)


def test_a_truncated_event_uses_up_no_number(fake_station):
    topic, payload = fake_station().tag(12)
    note = read(topic, payload[:-9])
    assert isinstance(note, BadMessage)
    assert note.lost is None


@given(st.binary(max_size=200), st.sampled_from([*topics.FROM_STATION, "tick", "nonsense"]))
def test_no_bytes_whatever_raise(payload, channel):
    assert isinstance(read(topics.topic("demo", "park", channel), payload), BadMessage | Heard)


@pytest.mark.parametrize(
    "payload",
    [b"[" * 8000, b'{"v": 1, "type": ["tag"]}', b'{"v": 1, "type": "tag", "event_seq": ' + b"9" * 8000 + b"}"],
)
def test_hostile_json_is_a_note(payload):
    assert isinstance(read("citytable/1/demo/park/event", payload), BadMessage)


@given(st.text(max_size=60))
def test_no_topic_whatever_raises(topic):
    assert isinstance(read(topic, b"{}"), BadMessage)


def test_what_a_station_says_of_its_own_health_keeps_it_alive_and_is_no_part_of_the_play(
    fake_station, wired_inbox, root
):
    hearing, station = wired_inbox(), fake_station("seat-1")
    hearing.hear(station.birth())
    hearing.released()
    for k, kind in enumerate(("health", "log", "update", "pages"), 1):
        message = json.loads((root / f"tests/wire/golden-v1/{kind}.json").read_text())["message"]
        hearing.hear(station.say(**{**message, "boot": station.boot}), arrived_us=k * 20_000_000)
        hearing.tend(k * 20_000_000 + 19_000_000)
        assert hearing.released() == []
    assert hearing.registry.health()[0].online


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([-2, -1, 0, 1, 1 << 30, (1 << 30) - 1, 1 << 31, -(1 << 31) - 1, 1 << 32, 1 << 53, 1 << 64]),
    st.sampled_from([1.0, 0.5, 1e15, -1e15, 1e308, float("inf"), float("nan")]),
    st.sampled_from(
        ["", "tag", "samples", "quiet", "city/0/0", "city/9/9x", "x" * 64, "x" * 65, "x" * 201, "ä", "\ud800"]
    ),
    st.lists(st.integers(-2, 3), max_size=3),
    st.just({}),
)
PLACES = st.lists(st.integers(0, 15), min_size=1, max_size=3)


def spoiled(message, place, odd):
    """The message with another value somewhere: the numbers lead there, level by level."""
    inside = message
    for n in place[:-1]:
        values = list(inside.values()) if isinstance(inside, dict) else inside
        deeper = [value for value in values if isinstance(value, dict | list) and value]
        if deeper:
            inside = deeper[n % len(deeper)]
    key = (list(inside) if isinstance(inside, dict) else range(len(inside)))[place[-1] % len(inside)]
    if odd == {}:
        del inside[key]
    else:
        inside[key] = odd
    return message


@pytest.mark.parametrize(
    "kind", ["inventory", "tag", "button", "alert", "height", "fault", "samples", "quiet", "knocks"]
)
def test_a_message_in_order_needs_no_closer_look_and_one_that_is_not_gets_it(root, monkeypatch, kind):
    golden = json.loads((root / f"tests/wire/golden-v1/{kind}.json").read_text())
    topic = topics.topic("demo", "seat-1", golden["channel"])

    @given(place=PLACES, odd=ODD, ascii_only=st.booleans(), more=st.dictionaries(st.text(max_size=4), ODD, max_size=1))
    @example(place=[0], odd=1, ascii_only=True, more={})
    def judged_alike(place, odd, ascii_only, more):
        message = spoiled(json.loads(json.dumps(golden["message"])), place, odd)
        payload = json.dumps({**more, **message}, ensure_ascii=ascii_only).encode(errors="surrogatepass")
        swift = read(topic, payload)
        with monkeypatch.context() as patched:
            patched.setattr(wire_in, "_PLAIN", {})
            assert repr(read(topic, payload)) == repr(swift)

    judged_alike()


@pytest.mark.parametrize(("kind", "field"), [("height", "range_mm"), ("height", "spread_mm"), ("quiet", "mean")])
def test_a_measure_beyond_measure_gets_the_closer_look(root, kind, field):
    golden = json.loads((root / f"tests/wire/golden-v1/{kind}.json").read_text())
    message = golden["message"]
    (message["cells"][0] if kind == "quiet" else message)[field] = 1e15
    note = read(topics.topic("demo", "seat-1", golden["channel"]), json.dumps(message).encode())
    assert isinstance(note, BadMessage)
    assert f"{field}: expected float, saw 1000000000000000.0" in note.sentence


def test_what_the_play_consists_of_is_read_without_the_closer_look(root, monkeypatch):
    monkeypatch.setattr(messages, "decode", None)
    for kind in ("inventory", "tag", "button", "alert", "height", "fault", "samples", "quiet"):
        golden = json.loads((root / f"tests/wire/golden-v1/{kind}.json").read_text())
        topic = topics.topic("demo", "seat-1", golden["channel"])
        assert isinstance(read(topic, json.dumps(golden["message"]).encode()), Heard)
