"""The first station without a board: the page's commands, word by word, in terminals of their own."""

import json
import os
import re
import shlex
import subprocess
import sys
import termios
import threading
import time
import urllib.request
from collections import Counter
from itertools import count
from pathlib import Path

import paho.mqtt.client as paho
import pytest

from citytable.table.plan import load_plan

pytestmark = [pytest.mark.broker, pytest.mark.long(37)]
PAGE = "docs/howto/first-station.md"
GUIDE = "hardware/stations/{}.md"
NAMES = {"seat": "seat-1", "sector": "sector-1", "supply": "supply", "park": "park"}
WALL_S = 300  # for what never comes, not a measurement
PORT = "1884"  # the page's
UID = "e661640843123456"
COLUMNS = 80
TO_A_STATION = re.compile(r"/citytable (station|doctor|calibrate) ")


class Terminal:
    """A terminal of 80 columns whose command runs while others do: what it shows so far, and its keyboard."""

    def __init__(self, command, folder, environment):
        self._screen, shown_on = os.openpty()
        termios.tcsetwinsize(shown_on, (24, COLUMNS))
        self._must_fit = TO_A_STATION.search(command) is not None
        self._process = subprocess.Popen(
            shlex.split(command),
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=shown_on,
            stderr=shown_on,
            text=True,
        )
        os.close(shown_on)
        self._shown = self._printed = ""
        self._over = False
        self._more = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        while piece := _read(self._screen):
            with self._more:
                self._shown += piece
                self._printed += piece
                self._more.notify_all()
        with self._more:
            self._over = True
            self._more.notify_all()

    def until(self, words):
        """Wait until it has printed these words, wherever their line was folded; they count once."""
        deadline = time.monotonic() + WALL_S
        wanted = re.compile(r"\s+".join(map(re.escape, words.split())))
        with self._more:
            while not (found := wanted.search(self._printed)):
                in_time = not self._over and self._more.wait(deadline - time.monotonic())
                assert in_time or wanted.search(self._printed), f"{words!r} never came, but\n{self._printed}"
            before, self._printed = self._printed[: found.start()], self._printed[found.end() :]
        return before

    @property
    def rest(self):
        """What it has printed since."""
        return self._printed

    def type(self, line):
        with self._more:  # a terminal shows what is typed
            self._shown += f"{line}\n"
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def end(self):
        """Ctrl-D, or else its end; the exit code."""
        self._process.stdin.close()
        code = self._process.wait(WALL_S)
        self._reader.join(WALL_S)
        assert not self._reader.is_alive(), "a program that it started lives on and keeps the terminal"
        if self._screen is not None:
            os.close(self._screen)
            self._screen = None
        if self._must_fit:
            assert [line for line in self._shown.splitlines() if len(line) > COLUMNS] == []
        return code

    def kill(self):
        """The window is closed."""
        self._process.kill()
        self.end()

    def interrupt(self):
        """Ctrl-C."""
        self._process.send_signal(2)
        return self.end()


def _read(screen):
    """What comes next; "" when nobody can write any more."""
    try:
        return os.read(screen, 4096).decode("utf-8", "replace").replace("\r", "")
    except OSError:  # EIO
        return ""


@pytest.fixture
def said_by(blocks, free_port):
    """`said_by(page)(name)`: the commands of a page's blocks of that name, one after the other, for this machine."""

    def by_name(page):
        found = {}
        for block in blocks(page):
            if block.name:
                found.setdefault(block.name, []).extend(block.text.splitlines())
        bin_folder = Path(sys.executable).parent

        def command(name):
            line = found[name].pop(0).replace(PORT, str(free_port)).replace(".venv/bin", str(bin_folder))
            return line + " --port 0 --no-open" if " run " in line else line

        return command

    return by_name


@pytest.fixture
def said(said_by):
    """`said(name)`: the commands of the first station's page."""
    return said_by(PAGE)


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def start(command):
        environment = os.environ | {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "TERM": "dumb"}
        environment.pop("COLUMNS", None)
        opened.append(Terminal(command, tmp_path, environment))
        return opened[-1]

    yield start
    for one in opened:
        one.kill()


def test_every_block_of_bash_is_bash(blocks):
    for block in blocks(PAGE):
        assert block.language == "bash"
        checked = subprocess.run(["bash", "-n"], input=block.text, capture_output=True, text=True, check=False)
        assert checked.stderr == ""


def test_both_ways_take_the_same_steps(blocks):
    """Whoever has followed the page without a board knows every command that comes with one, but flashing."""

    def steps(wanted):
        lines = [line for block in blocks(PAGE) if bool(block.name) == wanted for line in block.text.splitlines()]
        return [line for line in lines if "citytable" in line and " flash " not in line and "--listen" not in line]

    with_a_board, without = steps(False), steps(True)
    assert [line for line in without if line not in with_a_board] == []
    assert [line for line in with_a_board if line not in without] == [
        line for line in with_a_board if " station update " in line or " station log " in line
    ]


def _calibrate(calibrating, board):
    """As the page says: empty, the weight, empty again."""
    calibrating.until("press Enter")
    calibrating.type("")
    calibrating.until("put 500 g")
    board.type("weight 500")
    calibrating.type("")
    calibrating.until("again, then press Enter")
    board.type("weight 0")
    calibrating.type("")
    calibrating.until("[y/N]")
    calibrating.type("y")
    assert calibrating.end() == 0


def _stations_page(opening):
    """The names on the page of stations, as soon as there is one."""
    address = re.search(r"http://[\d.:]+", opening)[0]
    deadline = time.monotonic() + WALL_S
    names = set()
    while not names:
        assert time.monotonic() < deadline
        with urllib.request.urlopen(f"{address}/api/stations") as answer:
            names = {station["station"] for station in json.load(answer)["stations"]}
    return names


def _is_well(terminal, doctor):
    """Whether the doctor finds nothing wrong with the board. That a starved machine answers late is true."""
    for _ in range(5):
        looking = terminal(doctor)
        if looking.end() == 0:
            return True
        checks = [line.strip() for line in looking.rest.splitlines()[1:] if line.startswith("  ")]
        assert checks
        assert all(line.startswith("the link is slow or busy") for line in checks), looking.rest
    return False


def test_the_page_can_be_followed_word_by_word_without_a_board(said, terminal, tmp_path):
    hub = terminal(said("hub"))
    hub.until("the table waits for its stations")
    board = terminal(said("board"))
    board.until("the board starts")

    listed = terminal(said("maker"))
    assert f"new/{UID}" in listed.until("needs a") + "needs a"
    assert listed.end() == 0
    assert terminal(said("maker")).end() == 0
    board.until("lamp on")
    board.until("lamp off")
    adopted = terminal(said("maker"))
    adopted.until("park has joined the table: pico_2_w, 1 spot")
    assert adopted.end() == 0
    board.until("the board starts")

    assert hub.interrupt() == 0
    hub = terminal(said("hub"))
    opening = hub.until("the table waits for its stations")
    assert "table 'cafe'" in opening
    assert _stations_page(opening) == {"park"}

    _calibrate(terminal(said("calibrate")), board)
    (cell,) = load_plan(tmp_path / "cafe.json").spot_plans()["city/0/0"].cells
    assert (round(cell.counts_per_g), round(cell.zero_counts, -2)) == (2147, 21_600)

    doctor = said("maker")
    assert _is_well(terminal, doctor)
    board.type("unplug")
    ill = terminal(doctor + " --seconds 2")
    ill.until("check the plug")
    assert ill.end() == 1
    assert board.end() == 0
    assert hub.interrupt() == 0


def _without_figures(doctors_lines):
    return [re.sub(r"\d+(\.\d+)?", "#", line) for line in doctors_lines.strip().splitlines()]


def _printed_lines(documents, kind):
    """What the guide of a kind shows of the doctor."""
    place = re.compile(rf"doctor_of_models.py {kind} -->\s+```text\n(.*?)```", re.DOTALL)
    return place.search(documents[Path(GUIDE.format(kind))])[1]


@pytest.fixture
def guide(said_by, terminal):
    """`guide(kind)`: walk the guide of a kind from the list to "ready", beside the stations adopted before; its last
    doctor's lines."""
    numbers = count(1)
    hubs = []

    def walk(kind):
        uid, said = f"{UID[:-1]}{next(numbers)}", said_by(GUIDE.format(kind))
        opens = said("hub")
        if not hubs:  # who builds the next station goes on at the hub that runs
            hubs.append(terminal(opens))
            hubs[-1].until("the table waits for its stations")
        board = terminal(f"{said('board')} --uid {uid}")
        board.until("the board starts")
        listed = terminal(said("maker"))
        listed.until(f"new/{uid}")
        assert listed.end() == 0
        adopted = terminal(said("maker").replace(UID, uid))
        adopted.until(f"{NAMES[kind]} has joined the table: pico_2_w")
        assert adopted.end() == 0
        board.until("the board starts")
        assert hubs.pop().interrupt() == 0
        hubs.append(terminal(said("hub")))
        assert NAMES[kind] in _stations_page(hubs[-1].until("the table waits for its stations"))
        lines = _lines_of_a_well_board(terminal, said("maker") + " --seconds 2")
        _look_by_hand(terminal, said, board, kind)
        assert board.end() == 0
        return lines

    return walk


def _look_by_hand(terminal, said, board, kind):
    """As the guide says: lights, a sticker on the first reader, and the button where there is one."""
    assert terminal(said("maker")).end() == 0
    board.until("lamp on")
    board.until("lamp off")
    looking = terminal(said("maker"))
    looking.until("Ctrl-C ends this")
    board.type("1 tag 04a1b2c3d4e5f6")
    looking.until("04a1b2c3d4e5f6 came")
    board.type("1 tag")
    looking.until("04a1b2c3d4e5f6 left")
    if kind == "seat":
        board.type("button down")
        looking.until("the button was pressed")
    looking.interrupt()


def _lines_of_a_well_board(terminal, doctor):
    """The doctor's lines. On a starved machine a look of two seconds may be too short for the board to ask all."""
    for _ in range(10):
        looking = terminal(doctor)
        looking.until("do not touch it")
        before = looking.until("bytes ok")
        if looking.end() == 0:
            return f"{before}bytes ok{looking.rest}"
    pytest.fail(f"the board is never well: {before}")


@pytest.mark.parametrize("kinds", [("seat",), pytest.param(tuple(NAMES), marks=pytest.mark.soak)], ids=len)
def test_the_guides_lead_boards_of_models_to_the_lines_that_they_print(guide, documents, kinds):
    for kind in kinds:
        seen = _without_figures(re.sub(r" +ok", " ok", guide(kind)))
        assert seen == _without_figures(re.sub(r" +ok", " ok", _printed_lines(documents, kind)))


class Ear:
    """Hears what a station says; `heard(channel, n)` waits until it has said n more messages on a channel."""

    def __init__(self, port, station):
        self._said = Counter()
        self._more = threading.Condition()
        self._client = client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        client.on_connect = lambda *_: client.subscribe(f"citytable/1/cafe/{station}/#", 1)
        client.on_message = self._hear
        client.connect("127.0.0.1", port)
        client.loop_start()

    def _hear(self, _client, _userdata, message):
        with self._more:
            self._said[message.topic.rpartition("/")[2]] += 1
            self._more.notify_all()

    def heard(self, channel, n):
        with self._more:
            wanted = self._said[channel] + n
            assert self._more.wait_for(lambda: self._said[channel] >= wanted, WALL_S)

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()


@pytest.fixture
def ear(free_port):
    ears = []

    def listen(station):
        ears.append(Ear(free_port, station))
        return ears[-1]

    yield listen
    for one in ears:
        one.close()


@pytest.mark.soak
def test_a_seat_of_models_is_calibrated_as_its_guide_says(said_by, terminal, ear, documents, tmp_path):
    """Every scale with two weights, every crane with three blocks; three minutes in real time."""
    said = said_by(GUIDE.format("seat"))
    hub = terminal(said("hub"))
    hub.until("the table waits for its stations")
    board = terminal(said("board"))
    board.until("the board starts")
    listed = terminal(said("maker"))
    listed.until(f"new/{UID}")
    assert listed.end() == 0
    adopted = terminal(said("maker"))
    adopted.until("seat-1 has joined the table")
    assert adopted.end() == 0
    assert hub.interrupt() == 0
    hub = terminal(said("hub"))
    assert _stations_page(hub.until("the table waits for its stations")) == {"seat-1"}
    calibrating, seat = terminal(said("calibrate")), ear("seat-1")
    for place in (1, 2, 3, 7):
        for asked, grams in (
            ("everything except the weight-holder off", 0),
            ("put 500 g", 500),
            ("put 200 g", 200),
            ("off", 0),
        ):
            calibrating.until(asked)
            calibrating.until("then press Enter")
            board.type(f"{place} weight {grams}")
            seat.heard("samples", 3)
            calibrating.type("")
        calibrating.until("good: 200 g weighed 200.")
    for place in (1, 2, 3):
        for on, range_mm in (
            ("the bare platform", 300),
            ("20 mm block", 280),
            ("50 mm block", 250),
            ("100 mm block", 200),
        ):
            calibrating.until(on)
            for _ in range(3):
                board.type(f"{place} crane {range_mm}")
                seat.heard("event", 1)
                board.type(f"{place} crane 45")
                seat.heard("samples", 3)  # summaries, one a second
        calibrating.until("good: at worst, the block of")
    calibrating.until("seat-1 is calibrated")
    assert calibrating.end() == 0
    pad = load_plan(tmp_path / "cafe.json").spot_plans()["seat/1/pad/0"]
    assert (round(pad.cells[0].counts_per_g), pad.crane_zero_mm, pad.crane_beam) == (2147, 300.0, True)
    assert board.end() == 0
    assert hub.interrupt() == 0


def test_the_virtual_seat_obeys_hands_at_each_of_its_places():
    from tabletwin.desk import Desk  # noqa: PLC0415

    desk = Desk(bytes.fromhex(UID), "seat")
    lines = ("2 weight 500", "2 crane 120", "4 tag 04a1b2c3d4e5f6", "7 unplug", "button down", "button up")
    assert [desk.hand(line) for line in lines] == [""] * len(lines)
    assert (desk.places[1].grams, desk.places[1].ranger.target_mm) == (500, 120)
    assert "the places are 1 to 7" in desk.hand("8 weight 500")
    assert "one of weight GRAMS" in desk.hand("4 weight 500"), "a card slot weighs nothing"


def test_a_board_on_a_cable_is_adopted_through_the_hub(said, terminal):
    """The page's first way, whose cable is a pseudo-terminal here."""
    board = terminal(said("board").split(" --broker")[0])
    board.until("its cable is ")
    path = board.until(": citytable run")
    hub = terminal(f"{said('hub')} --serial {path}")
    hub.until("the table waits for its stations")
    listing, identifying, adopting = said("maker"), said("maker"), said("maker")
    assert "station list" in listing
    while f"new/{UID}" not in terminal(listing).until("its plan file"):
        pass  # the bridge looks for ports once a second
    assert terminal(identifying).end() == 0
    board.until("lamp on")
    assert terminal(adopting.replace("--table cafe", "--table table")).end() == 0
    board.until("the board starts")
    assert board.end() == 0
    assert hub.interrupt() == 0


def test_what_the_page_tells_hands_to_do_the_board_understands(documents):
    from tabletwin.desk import Desk  # noqa: PLC0415

    desk = Desk(bytes.fromhex(UID))
    section = documents[Path(PAGE)].split("## Without a board")[1]
    spans = [span for span in re.findall(r"`([^`\n]+)`", section) if re.match(r"(weight|tag|unplug|plug)\b", span)]
    assert {span.split()[0] for span in spans} == {"weight", "tag", "unplug", "plug"}
    assert [desk.hand(span) for span in spans] == [""] * len(spans)
    assert "one of weight GRAMS" in desk.hand("dance")
