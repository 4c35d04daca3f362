"""Upcasting: an entry of any older version is checked as it was written and read as one of today."""

import zlib
from types import MappingProxyType

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.journal import entry as entry_module
from citytable.journal import upcasting
from citytable.journal.entry import ActionConfirmed, BadEntry, StoredRow, checked_entry, stored_row
from citytable.journal.store import Commit, Store
from citytable.journal.upcasting import UPCASTERS, VERSION, NewerVersion, brought_up


def row_of(ver, body, seq=1):
    """A row as a program of that version would have written it."""
    crc = zlib.crc32(f"g\n{seq}\n5\nsensor\n{ver}\n{body}".encode())
    return StoredRow(seq, 5, "sensor", ver, body, crc)


def test_every_older_version_has_one_upcaster_and_today_has_none():
    assert sorted(UPCASTERS) == list(range(1, VERSION))


@pytest.mark.parametrize("version", [VERSION + 1, 0, -1, 10**6])
def test_an_unknown_version_is_refused_with_a_sentence(version):
    with pytest.raises(NewerVersion, match=f"has version {version}, this program reads up to {VERSION}: update"):
        brought_up({"type": "action"}, version)
    with pytest.raises(BadEntry, match=f"entry 1 has version {version}, .* update citytable"):
        checked_entry("g", row_of(version, '{"type":"action","action":"p1 end_turn"}'), 1)


@pytest.fixture
def longer_past(monkeypatch):
    """A program three versions on: what 1 and 2 called `step` and 3 `move` is `action`; quotes and capitals went."""
    steps = {
        1: lambda body: body,
        2: lambda body: {("move" if key == "step" else key): value for key, value in body.items()},
        3: lambda body: {**{k: v for k, v in body.items() if k != "move"}, "action": body["move"].strip("<>")},
        4: lambda body: {**body, "type": body["type"].lower()},
    }
    monkeypatch.setattr(upcasting, "UPCASTERS", MappingProxyType(steps))
    monkeypatch.setattr(upcasting, "VERSION", 5)
    monkeypatch.setattr(entry_module, "VERSION", 5)


OLD = {
    1: '{"type":"ACTION","step":"<p1 end_turn>"}',
    2: '{"step":"<p1 end_turn>",  "type":"ACTION"}',
    3: '{"type":"ACTION","move":"<p1 end_turn>"}',
    4: '{"type":"ACTION","action":"p1 end_turn"}',
    5: '{"type":"action","action":"p1 end_turn"}',
}


@pytest.mark.usefixtures("longer_past")
@pytest.mark.parametrize("version", OLD)
def test_each_version_becomes_the_next_until_it_is_todays(version):
    row = row_of(version, OLD[version])
    read = checked_entry("g", row, 1)
    assert (read.body, read.ver) == (ActionConfirmed(action="p1 end_turn"), version)
    assert stored_row("g", read) == row, "spaces and order stay, too"


@pytest.mark.usefixtures("longer_past")
def test_a_sum_is_compared_before_anything_is_brought_up():
    row = msgspec.structs.replace(row_of(2, OLD[2]), ver=3)
    with pytest.raises(BadEntry, match="was damaged on disk"):
        checked_entry("g", row, 1)


@pytest.mark.parametrize("body", ["[]", "7", '"action"', "{", "", "null", '{"type":"no such"}', '{"action":"x"}'])
def test_what_is_no_body_of_an_old_version_cannot_be_read(body):
    with pytest.raises(BadEntry, match="entry 1 cannot be read"):
        checked_entry("g", row_of(1, body), 1)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(body=st.dictionaries(TEXTS, VALUES, max_size=4), version=st.integers(1, VERSION))
def test_what_is_brought_up_is_left_as_it_was(body, version):
    before = msgspec.json.encode(body)
    brought_up(body, version)
    assert msgspec.json.encode(body) == before


@given(text=TEXTS, by=TEXTS, at_us=st.integers(0, 2**50), version=st.integers(1, VERSION))
def test_an_entry_of_any_version_is_written_again_as_it_was_read(text, by, at_us, version):
    body = msgspec.json.encode(ActionConfirmed(action=text, by=by)).decode()
    crc = zlib.crc32(f"g\n3\n{at_us}\nplayer\n{version}\n{body}".encode())
    row = StoredRow(3, at_us, "player", version, body, crc)
    read = checked_entry("g", row, 3)
    assert read.body == ActionConfirmed(action=text, by=by)
    assert stored_row("g", read) == row


def test_a_game_may_hold_entries_of_several_versions(path, drafts):
    with Store.open(path) as store:
        old = [row_of(1, '{"type":"game_started","game":"counting"}'), row_of(1, OLD[5], seq=2)]
        store.take_in("g", [checked_entry("g", row, seq) for seq, row in enumerate(old, start=1)])
        store.append(Commit("g", (drafts.action("3"),)))
        found = store.entries("g")
    assert (found.damage, [entry.ver for entry in found.entries]) == ("", [1, 1, VERSION])
