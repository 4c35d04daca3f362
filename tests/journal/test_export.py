"""A game as a file: sound or not, and where not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.journal.entry import Entry
from citytable.journal.export import NotAnExport, exported_bytes, parse_export, read_export, write_export
from citytable.journal.store import BadCommit, JournalUnavailable


@pytest.fixture(scope="session")
def entries(drafts):
    told = [drafts.started, *(drafts.action(f"action {n}") for n in range(6)), drafts.undo(3), drafts.ended]
    return tuple(Entry(seq, draft.at_us, draft.cause, draft.body) for seq, draft in enumerate(told, start=1))


def test_an_export_is_one_entry_a_line_that_people_can_read(entries):
    header, *lines, end = [json.loads(line) for line in exported_bytes("g", entries).splitlines()]
    assert header == {"citytable_journal": 1, "game_id": "g", "game": "counting"}
    assert lines[1]["body"] == {"type": "action", "action": "action 0", "by": "seat 1"}
    assert [line["seq"] for line in lines] == list(range(1, 10))
    assert end["entries"] == 9


def test_what_was_written_is_read_again(entries, tmp_path):
    write_export(tmp_path / "g.jsonl", "g", entries)
    read = read_export(tmp_path / "g.jsonl")
    assert (read.game_id, read.game, read.entries, read.damage) == ("g", "counting", entries, "")
    assert [file.name for file in tmp_path.iterdir()] == ["g.jsonl"]


@given(st.data())
def test_a_file_cut_anywhere_gives_what_is_sound_and_says_so(entries, data):
    text = exported_bytes("g", entries)
    first = text.index(b"\n") + 1
    cut = data.draw(st.integers(first, len(text) - 2))
    read = parse_export(text[:cut], "g.jsonl")
    whole_lines = text[:cut].count(b"\n") - 1
    assert read.entries[:whole_lines] == entries[:whole_lines]
    assert len(read.entries) in {whole_lines, min(whole_lines + 1, len(entries))}
    assert read.damage.startswith(f"g.jsonl: entries 1 to {len(read.entries)} are sound; ")


def test_a_file_cut_in_the_middle_of_an_entry_names_the_line(entries):
    text = exported_bytes("g", entries)
    cut = text.index(b"action 2") + 4
    read = parse_export(text[:cut], "g.jsonl")
    assert read.entries == entries[:3]
    assert "entries 1 to 3 are sound; line 5 is not sound" in read.damage


@given(st.data())
def test_a_changed_byte_anywhere_after_the_header_is_noticed(entries, data):
    text = bytearray(exported_bytes("g", entries))
    at = data.draw(st.integers(text.index(b"\n") + 1, len(text) - 2))
    text[at] ^= 1 << data.draw(st.integers(0, 6))
    read = parse_export(bytes(text), "g.jsonl")
    assert read.damage != ""
    assert read.entries == entries[: len(read.entries)]


def test_entries_taken_out_or_swapped_are_noticed(entries):
    lines = exported_bytes("g", entries).splitlines(keepends=True)
    assert "entry 3 is missing (the next one found is 4)" in parse_export(b"".join(lines[:3] + lines[4:]), "g").damage
    swapped = b"".join([*lines[:3], lines[4], lines[3], *lines[5:]])
    assert "entry 3 is missing" in parse_export(swapped, "g").damage
    fewer = b"".join(lines[:5] + lines[-1:])
    assert "entries 1 to 4 are sound; the end counts 9" in parse_export(fewer, "g").damage


def test_another_games_entries_do_not_pass_for_this_ones(entries):
    header = exported_bytes("other", entries).splitlines(keepends=True)[0]
    rest = exported_bytes("g", entries).splitlines(keepends=True)[1:]
    assert "entries 1 to 0 are sound" in parse_export(header + b"".join(rest), "g").damage


@pytest.mark.parametrize("text", [b"", b"hello\n", b"[1, 2]\n", b'{"entries": 3}\n', b"\xff\xfe\n"])
def test_a_file_that_is_no_export_is_quoted(text):
    with pytest.raises(NotAnExport, match=r"list\.txt is not an exported journal"):
        parse_export(text, "list.txt")


def test_an_export_of_a_newer_program_says_to_update(entries):
    text = exported_bytes("g", entries).replace(b'"citytable_journal":1', b'"citytable_journal":2')
    with pytest.raises(NotAnExport, match="format 2, this program reads 1: update citytable"):
        parse_export(text, "g")


def test_a_missing_file_and_a_missing_place_are_named(entries, tmp_path):
    with pytest.raises(NotAnExport, match=r"none\.jsonl: No such file"):
        read_export(tmp_path / "none.jsonl")
    with pytest.raises(JournalUnavailable, match="choose another place"):
        write_export(tmp_path / "nowhere" / "g.jsonl", "g", entries)


def test_a_game_without_its_beginning_is_not_exported(entries):
    with pytest.raises(BadCommit, match="begins with 'action': a journal begins with game_started"):
        exported_bytes("g", entries[1:])


def test_the_example_of_the_reference_is_sound(root):
    page = (root / "docs/reference/journal.md").read_text()
    example = page.split("```json\n")[1].split("```")[0]
    read = parse_export(example.encode(), "the example")
    assert (read.damage, len(read.entries)) == ("", 2)
