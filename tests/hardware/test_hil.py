"""Hardware in the loop, without the hardware: the whole tool against the real MicroPython behind a pseudo-terminal."""

import asyncio
import itertools
import json
import queue
import re
import subprocess
import sys

import pytest

from tablestation.boards.hx711_player import ROOM, Player, serve
from tablestation.clock import PERIOD

pytestmark = pytest.mark.long(16)

VMS = ("1.27", "1.29")
WALL_S = 120  # for a tool that hangs, not a measurement


def run_hil(root, *words):
    done = subprocess.run(
        [sys.executable, root / "tools/hil.py", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=WALL_S,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module", params=VMS)
def vm_port(request, board_of_vm):
    """A port behind which the real VM is."""
    return board_of_vm(request.param)


def test_the_tool_plays_scenarios_on_a_board(root, vm_port):
    code, told, complained = run_hil(root, "--port", vm_port, "--only", "rest", "--only", "tags")
    assert (code, complained) == (0, "")
    first, *lines = told.splitlines()
    assert re.search(r": JS with Emscripten, MicroPython 1\.\d\d\..*; (\d+) of \1 files were new$", first)
    assert [line.split() for line in lines] == [["rest", "ok"], ["tags", "ok"]]


def test_the_second_time_nothing_is_copied_and_a_wrong_station_is_found_out(root, vm_port, hil):
    board, files = hil.Remote(vm_port), hil.on_board()
    board.install(files)
    assert board.install(files) == 0
    assert board.install(files | {"scenarios/rest.mpy": b"torn"}) == 1
    assert board.install(files) == 1
    lines = list(board.run("import asyncio\nfrom proving.play import play\nasyncio.run(play('rest'))"))
    assert hil.judge("rest", lines) == []
    assert hil.judge("rest", [*lines[:-1], lines[5], lines[-1]]) != []
    assert "did not come to its end" in hil.judge("rest", lines[:-1])[0]
    with pytest.raises(hil.Failed, match="no module named 'nothing'"):
        list(board.run("import nothing"))
    board.close()


def test_without_a_board_it_says_what_it_needs(root):
    code, told, complained = run_hil(root)
    assert (code, told) == (2, "")
    assert all(word in complained for word in ("Pico", "GP0 to GP0", "make hil PORT=/dev/ttyACM0 PLAYER="))


def test_a_port_that_is_not_there_is_no_board(root):
    code, _, complained = run_hil(root, "--port", "/dev/ttyNowhere")
    assert code == 2
    assert complained.startswith("hil: /dev/ttyNowhere: ")
    assert "Traceback" not in complained


def test_something_else_at_the_port_is_no_board(root, serial_port):
    port = serial_port([sys.executable, "-c", "import sys\nfor line in sys.stdin: print('AT?', flush=True)"])
    code, _, complained = run_hil(root, "--port", port)
    assert code == 2
    assert complained.startswith(f"hil: {port}: could not enter raw repl")


def test_the_makefile_hands_ports_and_words_on(root):
    done = subprocess.run(
        ["make", "-n", "hil", "PORT=/dev/ttyACM0", "PLAYER=/dev/ttyACM1", "ARGS=--only rest"],
        cwd=root, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "tools/hil.py --port '/dev/ttyACM0' --player '/dev/ttyACM1' --only rest" in done.stdout


class ReadAtOnce:
    """A state machine whose words are read the moment they come."""

    def __init__(self):
        self.words = []
        self._reports = 0

    def active(self, on):
        pass

    def put(self, word, shift):
        self.words.append(word)
        self._reports += 1

    def rx_fifo(self):
        return self._reports

    def get(self):
        self._reports -= 1


async def test_a_trace_comes_to_the_player_as_it_is_however_long(hil):
    """The sender of the tool and the player's own words, in two tasks; the player's clock stands in for 80 a second.

    The clock wraps as the board's does: how often the player looks at it depends on how long the sender takes.
    """
    machine, ticks = ReadAtOnce(), itertools.count(0, 4000)

    async def sleep_ms(ms):
        await asyncio.sleep(0)

    player = Player(machine, lambda: next(ticks) % PERIOD, sleep_ms)
    to_player, to_tool = queue.Queue(), queue.Queue()

    async def readline():
        return await asyncio.to_thread(to_player.get)

    counts = hil.made_up_trace() * 3
    assert len(counts) > 3 * ROOM
    sending = asyncio.create_task(
        asyncio.to_thread(hil.send_trace, to_player.put, lambda: to_tool.get(timeout=WALL_S), counts, 12_500)
    )
    await serve(player, readline, to_tool.put)
    assert await sending == f"played {len(counts)} unread 0"
    assert machine.words == [count & 0xFFFFFF for count in counts]


def test_a_player_that_objects_ends_it(hil):
    with pytest.raises(hil.Failed, match="refused 'period 12500'"):
        hil.send_trace(lambda line: None, lambda: "? what", [1], 12_500)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda heard: heard, None),
        (lambda heard: heard._replace(lost=2), "the reader lost 2"),
        (lambda heard: heard._replace(counts=heard.counts[:-1]), "9 of 10 conversions were read; the rest misses"),
        (
            lambda heard: heard._replace(counts=[*heard.counts[:4], 7, *heard.counts[5:]]),
            "number 4 is 7 instead of 104",
        ),
        (lambda heard: heard._replace(ticks=[2 * tick for tick in heard.ticks]), "they seem 25000 us apart"),
    ],
)
def test_a_played_cell_is_judged_by_every_conversion(hil, change, complaint):
    counts = list(range(100, 110))
    lines = [
        json.dumps({"ready": True}),
        json.dumps({"counts": counts[:6], "ticks": [12_500 * k for k in range(6)]}),
        json.dumps({"counts": counts[6:], "ticks": [12_500 * k for k in range(6, 10)]}),
        json.dumps({"lost": 0}),
    ]
    complaints = hil.judge_cell(counts, 12_500, change(hil.heard_of(lines)))
    assert (complaints == []) if complaint is None else any(complaint in said for said in complaints)


def test_a_recorded_trace_is_played_too(hil, tmp_path):
    numpy = pytest.importorskip("numpy")
    meta = numpy.frombuffer(b'{"cal": {"counts_per_g": [2147.0], "zero_counts": [0.0]}}', numpy.uint8)
    counts = numpy.array([[1], [-9_000_000], [9_000_000]])
    numpy.savez(tmp_path / "trace.npz", t_us=numpy.array([0, 12_500, 25_000]), counts=counts, meta=meta)
    assert hil.counts_of(tmp_path / "trace.npz") == [1, -0x800000, 0x7FFFFF]
