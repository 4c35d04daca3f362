"""What people read in a terminal: it folds between words, and commands can be copied."""

import os
import pty
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable import console

WORDS = st.lists(st.text("ab-/.", min_size=1, max_size=30), min_size=1, max_size=40)


@given(st.integers(0, 6), WORDS, st.integers(40, 120))
def test_a_folded_text_has_the_same_words_and_no_line_that_is_too_long(indent, words, width):
    text = " " * indent + " ".join(words)
    lines = console.folded(text, width).split("\n")
    assert " ".join(lines).split() == words
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith(" " * (indent + 2 * (k > 0))) for k, line in enumerate(lines))


def test_what_fits_and_what_is_aligned_stays_as_it_is():
    text = "clock                known to 0.4 ms      ok\n  check it\n"
    assert console.folded(text, 80) == text


@pytest.mark.parametrize(("terminal", "lines"), [(True, 2), (False, 1)])
def test_a_pipe_gets_each_line_whole(monkeypatch, capsys, terminal, lines):
    monkeypatch.setattr(console.out, "_force_terminal", terminal)
    monkeypatch.setattr(console.out, "_width", 80)
    console.say("word " * 25)
    assert len(capsys.readouterr().out.splitlines()) == lines


def test_a_command_to_copy_goes_on_with_its_next_option_and_is_the_same_command(capsys):
    command = "citytable station adopt e661640843123456 --name park --plan t.json --table cafe --broker localhost:1884"
    console.show_command(command)
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.replace("\\\n", "").split() == command.split()
    assert all(line.endswith(" \\") for line in shown.splitlines()[:-1])


@pytest.mark.parametrize(
    ("typed", "found", "shown"),
    [
        (".venv/bin/citytable", None, ".venv/bin/citytable"),
        ("HERE/.venv/bin/citytable", None, ".venv/bin/citytable"),
        ("/opt/table/bin/citytable", None, "/opt/table/bin/citytable"),
        ("/opt/table/bin/citytable", "/opt/table/bin/citytable", "citytable"),
        ("/usr/bin/pytest", None, "citytable"),
    ],
)
def test_a_command_to_copy_begins_as_this_one_was_typed(monkeypatch, capsys, typed, found, shown):
    """A maker types `.venv/bin/citytable`; their shell does not find `citytable` alone."""
    monkeypatch.setattr(sys, "argv", [typed.replace("HERE", str(Path.cwd()))])
    monkeypatch.setattr(shutil, "which", lambda _: found)
    console.show_command("citytable station list")
    assert capsys.readouterr().out == f"  {shown} station list\n"


def test_only_people_read_a_terminal_and_a_pipe_or_a_file_may_be_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # which asks for colours, not for keys
    into, outof = os.pipe()
    inside, outside = pty.openpty()
    with os.fdopen(into), os.fdopen(outof, "w") as pipe, (tmp_path / "log").open("w") as file:
        for kept in (pipe, file):
            monkeypatch.setattr(sys, "stdout", kept)
            assert not console.only_people_read()
    with os.fdopen(inside), os.fdopen(outside, "w") as terminal:
        monkeypatch.setattr(sys, "stdout", terminal)
        assert console.only_people_read()
