"""Files on a flash whose power is cut anywhere: the old content or the new, on a model and on this machine's disk."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablestation.care.store import Files
from tabletwin.flash import BLOCK, Flash, PowerCut


def on(flash: Flash) -> Files:
    return Files(flash, flash.open)


def test_what_is_written_is_read_and_what_is_not_there_is_none(files):
    assert files.read("a.json") is None
    files.write("a.json", b"one")
    files.write("a.json", b"two")
    assert files.read("a.json") == b"two"
    assert files.size("a.json") == 3
    files.remove("a.json")
    files.remove("a.json")
    assert files.size("a.json") is None


@given(old=st.binary(max_size=30), new=st.binary(max_size=30))
def test_a_write_cut_at_any_byte_leaves_the_old_or_the_new(old, new):
    whole = Flash()
    on(whole).write("secrets.json", old)
    before = whole.steps
    on(whole).write("secrets.json", new)
    for cut in range(whole.steps - before):
        flash = Flash()
        on(flash).write("secrets.json", old)
        flash.steps_left = cut
        with pytest.raises(PowerCut):
            on(flash).write("secrets.json", new)
        flash.steps_left = None
        assert on(flash).read("secrets.json") == old
        on(flash).write("secrets.json", new)
        assert on(flash).read("secrets.json") == new


def test_a_full_flash_refuses_and_keeps_the_old_and_no_rubbish():
    flash = Flash(capacity_blocks=3)
    on(flash).write("small", b"x" * BLOCK)
    with pytest.raises(OSError, match="no space"):
        on(flash).write("small", b"y" * (3 * BLOCK))
    assert on(flash).read("small") == b"x" * BLOCK
    assert on(flash).free_bytes() == 2 * BLOCK


def test_a_folder_is_forgotten_with_all_that_is_in_it(files, flash):
    for name in ("a/x/y/one.mpy", "a/two.mpy", "b/three.mpy"):
        with files.create(name) as file:
            file.write(b"1")
    files.remove_folder("a")
    files.remove_folder("a")
    assert list(flash.files) == ["b/three.mpy"]
    assert flash.folders == {"b"}


@given(st.lists(st.binary(min_size=1, max_size=20), max_size=5))
def test_pieces_written_behind_each_other_make_the_whole(pieces):
    files, at = on(Flash()), 0
    for piece in pieces:
        files.write_at("incoming", at, piece)
        at += len(piece)
    assert (files.read("incoming") or b"") == b"".join(pieces)


def test_a_piece_can_be_written_over_the_torn_end_of_another(files):
    files.write_at("incoming", 0, b"whole,torn")
    files.write_at("incoming", 6, b"again and longer")
    assert files.read("incoming") == b"whole,again and longer"


def test_the_same_on_the_disk_of_this_machine(tmp_path):
    files = Files(os, open, f"{tmp_path}/")
    with files.create("a/x/one.mpy") as file:
        file.write(b"1")
    files.write("a/manifest", b"2")
    files.write("a/manifest", b"3")
    files.write_at("a/incoming", 0, b"45")
    files.write_at("a/incoming", 1, b"67")
    assert (files.read("a/x/one.mpy"), files.read("a/manifest"), files.read("a/incoming")) == (b"1", b"3", b"467")
    assert files.free_bytes() > 0
    files.remove_folder("a")
    assert list(tmp_path.iterdir()) == []
