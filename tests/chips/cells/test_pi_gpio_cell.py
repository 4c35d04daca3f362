"""A Pi's cells in child processes: real ones, on a fake RPi.GPIO with our chip."""

import os
import signal
import subprocess
import sys
import time
from array import array
from pathlib import Path
from select import select

import pytest

from tablestation.boards.pi_gpio import now_us
from tablestation.boards.pi_gpio_cell import DEADLINE_US, ChildCell, NotInstalled

DEADLINE_S = 30
LOOK_S = 0.1
MASK = (1 << 30) - 1


@pytest.fixture
def pi(tmp_path, monkeypatch):
    """The environment of a Pi; a file named as a data pin tears that pin's wire off."""
    fake = Path(__file__).with_name("fake_pi")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(fake), *sys.path]))
    monkeypatch.setenv("FAKE_PI", str(tmp_path))
    return tmp_path


@pytest.fixture
def cells():
    begun = []
    yield begun
    for cell in begun:
        cell.close()


def read(cell, enough):
    """What the cell gives, until `enough(counts so far)`."""
    counts, ticks = array("i", [0] * 16), array("i", [0] * 16)
    got = []
    end = time.monotonic() + DEADLINE_S
    while not enough(got):
        assert time.monotonic() < end, f"only {len(got)} conversions, {cell.restarts} restarts"
        n = cell.drain(counts, ticks)
        got += [(ticks[k], counts[k]) for k in range(n)]
        if not n:  # until the child speaks, or it is time to look after it again
            select([cell._lines] if cell._running else [], [], [], LOOK_S)
    return got


def test_conversions_come_with_the_machines_own_time(pi, cells):
    cells.append(ChildCell.on_pins(5, 6, now_us))
    before_us = now_us()
    got = read(cells[0], lambda got: len(got) > 40)
    assert all(abs(count - 105 * 2147) < 400 for _, count in got)
    ages_us = [(ticks - before_us) & MASK for ticks, _ in got]
    assert ages_us == sorted(ages_us)
    assert ages_us[-1] <= now_us() - before_us
    assert cells[0].restarts == cells[0].lost == 0


def test_a_dead_cell_is_noticed_begun_anew_and_stops_no_other(pi, cells):
    cells += [ChildCell.on_pins(5, 6, now_us), ChildCell.on_pins(7, 8, now_us)]
    for cell in cells:
        read(cell, lambda got: len(got) > 4)
    (pi / "5").touch()
    well = []
    counts, ticks = array("i", [0] * 64), array("i", [0] * 64)

    def dead_for_long(got):
        well.append(cells[1].drain(counts, ticks))
        return cells[0].restarts == 2

    read(cells[0], dead_for_long)
    assert sum(well) > 50
    assert cells[1].restarts == 0
    (pi / "5").unlink()
    again = read(cells[0], lambda got: len(got) > 10)
    assert abs(again[-1][1] - 105 * 2147) < 400


def test_a_child_that_is_killed_is_begun_anew(pi, cells):
    cells.append(ChildCell.on_pins(5, 6, now_us))
    read(cells[0], lambda got: len(got) > 2)
    cells[0]._child.send_signal(signal.SIGKILL)
    read(cells[0], lambda got: cells[0].restarts == 1 and len(got) > 20)


def test_a_child_that_hangs_is_ended_within_half_a_second_of_its_last_word(cells):
    clock = [0]
    talks = "import signal; print(0, 0, 7, 8, flush=True); signal.pause()"
    cells.append(ChildCell([sys.executable, "-c", talks], lambda: clock[0]))
    assert [count for _, count in read(cells[0], lambda got: len(got) == 2)] == [7, 8]
    child = cells[0]._child
    clock[0] += DEADLINE_US - 1
    assert cells[0].drain([0], [0]) == 0
    assert child.poll() is None
    clock[0] += 1
    assert cells[0].drain([0], [0]) == 0
    assert child.wait(DEADLINE_S) == -signal.SIGKILL


def test_a_child_that_cannot_be_begun_is_a_silent_cell(cells):
    clock = [0]
    cells.append(ChildCell(["/nowhere/python"], lambda: clock[0]))
    for _ in range(5):
        clock[0] += DEADLINE_US
        assert cells[0].drain([0], [0]) == 0
    assert cells[0].restarts == -1
    cells[0]._command = [sys.executable, "-c", "import signal; print(0, 0, 7, flush=True); signal.pause()"]
    clock[0] += DEADLINE_US
    assert [count for _, count in read(cells[0], lambda got: len(got) == 1)] == [7]


def test_what_is_no_line_of_ours_is_counted(cells):
    talks = "import signal; print('hello'); print(5, 0, 1, flush=True); signal.pause()"
    cells.append(ChildCell([sys.executable, "-c", talks], lambda: 0))
    assert read(cells[0], lambda got: len(got) == 1) == [(5, 1)]
    assert cells[0].lost == 1


def test_nobody_fetches_so_the_oldest_are_lost_and_counted(cells):
    talks = """
import os, signal
os.write(1, b"".join(b"%d 0 %d\\n" % (k, k) for k in range(100)))
signal.pause()
"""
    cells.append(ChildCell([sys.executable, "-c", talks], lambda: 0))
    got = read(cells[0], lambda got: len(got) == 64)
    assert [count for _, count in got] == list(range(36, 100))
    assert cells[0].lost == 36


def test_without_its_package_it_says_what_to_install(cells, capfd, monkeypatch):
    nothing = "import sys; sys.modules['hx711'] = None; from tablestation.boards.pi_gpio_child import main; main(1, 2)"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    cells.append(ChildCell([sys.executable, "-c", nothing], now_us))
    with pytest.raises(NotInstalled, match="package hx711"):
        read(cells[0], lambda got: False)
    assert "install citytable[pi]" in capfd.readouterr().err


def test_a_child_ends_with_its_parent(pi):
    (pi / "5").touch()  # and it hangs
    said = pi / "said"
    os.mkfifo(said)
    child = [sys.executable, "-m", "tablestation.boards.pi_gpio_child", "5", "6"]
    how = f"stdin=s.PIPE, stdout=open({str(said)!r}, 'w')"
    begin = f"import subprocess as s; print(s.Popen({child!r}, {how}).pid, flush=True); input()"
    parent = subprocess.Popen([sys.executable, "-c", begin], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with said.open("rb") as lines:
        pid = int(parent.stdout.readline())
        assert lines.readline(), "it never began"
        ended = os.pidfd_open(pid)
        parent.kill()
        parent.wait()
        parent.stdin.close()
        parent.stdout.close()
        assert select([ended], [], [], DEADLINE_S)[0], "it outlived its parent"
    os.close(ended)
