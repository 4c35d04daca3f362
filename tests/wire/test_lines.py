"""Messages over a serial line: whole ones arrive, whatever else is on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewire.lines import LINE_BYTES_MAX, BadHello, LineReader, LineWriter, hello, read_hello

NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789-", min_size=1, max_size=32)
PAYLOADS = st.binary(max_size=300).map(lambda raw: raw.replace(b"\n", b" "))
MESSAGES = st.lists(st.tuples(NAMES, PAYLOADS, st.booleans()), max_size=10)


def taken(lines):
    found = []
    while (message := lines.take()) is not None:
        found.append(message)
    return found


def read(stream, pieces=()):
    lines, found = LineReader(), []
    for size in pieces:
        lines.feed(stream[:size])
        stream = stream[size:]
        found += taken(lines)
    lines.feed(stream)
    return lines, found + taken(lines)


@given(messages=MESSAGES, pieces=st.lists(st.integers(1, 60), max_size=40))
def test_messages_come_out_as_they_went_in_however_they_are_cut(messages, pieces):
    pen = LineWriter()
    lines, found = read(b"".join(pen.line(*message) for message in messages), pieces)
    assert (found, lines.bad, lines.missed) == (messages, 0, 0)


@given(garbage=st.binary(max_size=400), message=st.tuples(NAMES, PAYLOADS, st.booleans()))
def test_garbage_is_skipped_and_what_follows_it_is_read(garbage, message):
    pen = LineWriter()
    first = pen.line(*message)
    lines, found = read(first + garbage + b"\n" + pen.line(*message))
    assert (found, lines.missed) == ([message, message], 0)
    assert lines.bad == sum(1 for piece in garbage.split(b"\n") if piece.strip())


@given(messages=MESSAGES.filter(bool), data=st.data())
def test_a_garbled_line_is_counted_and_spoils_no_other(messages, data):
    pen = LineWriter()
    written = [pen.line(*message) for message in messages]
    hit = data.draw(st.integers(0, len(messages) - 1))
    at = data.draw(st.integers(0, len(written[hit]) - 2))
    bit = 1 << data.draw(st.integers(0, 7))
    garbled = bytearray(written[hit])
    garbled[at] ^= bit
    written[hit] = bytes(garbled)
    lines, found = read(b"".join(written))
    assert found == messages[:hit] + messages[hit + 1 :]
    assert lines.bad >= 1
    assert lines.missed == (1 if 0 < hit < len(messages) - 1 else 0)


@given(n=st.integers(2, 600), data=st.data())
def test_a_line_that_never_came_is_noticed_by_the_next(n, data):
    pen = LineWriter()
    written = [pen.line("event", b"{}") for _ in range(n)]
    lost = data.draw(st.integers(1, min(n - 1, 200)))
    first = data.draw(st.integers(1, n - lost))
    lines, found = read(b"".join(written[:first] + written[first + lost :]))
    assert len(found) == n - lost
    assert lines.missed == (lost if first + lost < n else 0)


def test_a_line_without_an_end_is_given_up_and_counted_once():
    pen = LineWriter()
    lines = LineReader()
    for _ in range(20):
        lines.feed(b"x" * 1000)
        assert lines.take() is None
    lines.feed(b"end\n" + pen.line("event", b"{}"))
    assert taken(lines) == [("event", b"{}", False)]
    assert lines.bad == 1


def test_a_line_may_be_as_long_as_a_message_and_not_longer():
    longest = b"x" * (LINE_BYTES_MAX - len(LineWriter().line("samples", b"")) + 1)
    assert read(LineWriter().line("samples", longest))[1] == [("samples", longest, False)]
    assert read(LineWriter().line("samples", longest + b"x"))[1] == []


def test_a_payload_of_two_lines_is_not_written():
    with pytest.raises(ValueError, match="more than one line"):
        LineWriter().line("event", b"a\nb")


def test_a_person_can_read_it():
    assert LineWriter().line("state", b'{"v": 1}', True) == b'a9457dae 00 state! {"v": 1}\n'


@given(table=NAMES, station=NAMES, will=st.text(max_size=60))
def test_a_hello_is_read_as_it_was_said(table, station, will):
    assert read_hello(hello(table, station, will.encode())) == (table, station, will.encode())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (b"", "not a JSON object: b''"),
        (b"[1]", "not a JSON object"),
        (b"[" * 5000, "not a JSON object"),
        (b'{"table": "a/b", "station": "park", "will": ""}', "names 'a/b'"),
        (b'{"table": "demo", "station": 7, "will": ""}', "names 7"),
        (b'{"table": "demo", "station": "park"}', "None for a will"),
    ],
)
def test_a_hello_that_makes_no_sense_is_quoted(said, told):
    with pytest.raises(BadHello, match=told):
        read_hello(said)
