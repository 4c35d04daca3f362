"""The commands themselves, as a host types them, beside boards on a real broker."""

import asyncio
import contextlib
import hashlib
import json
import os
import shlex
import socket
import sys
import termios
from pathlib import Path

import msgspec
import paho.mqtt.client as paho
import pytest

from citytable.doctor.line import Line
from citytable.games.megacity.spots import shared_spots
from citytable.link.broker import running_broker, station_listener
from citytable.link.credentials import Credentials
from citytable.table.plan import full_plan, load_plan
from tablestation import FIRMWARE
from tablestation.care.adoption import load_secrets
from tablewire import topics
from tablewire.messages import encode

pytestmark = [pytest.mark.broker, pytest.mark.long(37)]
CITYTABLE = Path(sys.executable).parent / "citytable"
NEXT = "99.0.0"  # the program of a bundle
UID = "e66138528355a82f"
COLUMNS = 80


@pytest.fixture
def home(tmp_path) -> Path:
    return tmp_path


class Said(str):
    """What a terminal shows: words are looked for wherever its lines were folded."""

    def __contains__(self, words: str) -> bool:
        return " ".join(words.split()) in " ".join(self.split())


@pytest.fixture
def citytable(home):
    """`await citytable("station", "list", ...)`: exit code and what a terminal of 80 columns showed."""

    async def run(*words: object, typed: str = "", path: str | None = None) -> tuple[int, Said]:
        environment = os.environ | {"XDG_DATA_HOME": str(home), "NO_COLOR": "1", "TERM": "dumb"}
        for name in ("STATE_DIRECTORY", "COLUMNS"):
            environment.pop(name, None)
        if path is not None:
            environment["PATH"] = path
        screen, shown_on = os.openpty()
        termios.tcsetwinsize(shown_on, (24, COLUMNS))
        child = await asyncio.create_subprocess_exec(
            CITYTABLE,
            *(str(word) for word in words),
            env=environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=shown_on,
            stderr=shown_on,
        )
        os.close(shown_on)
        reading = asyncio.create_task(asyncio.to_thread(_shown_on, screen))
        await asyncio.wait_for(child.communicate(typed.encode()), 60)
        said = Said(await reading)
        if "--json" not in words:
            _assert_it_fits(said)
        return child.returncode, said

    return run


def _shown_on(screen: int) -> str:
    """All that comes until nobody can write any more."""
    shown = b""
    with open(screen, "rb", buffering=0) as terminal, contextlib.suppress(OSError):  # EIO: the other end is closed
        while more := terminal.read(4096):
            shown += more
    return shown.decode().replace("\r\n", "\n")


def _assert_it_fits(said: str) -> None:
    """Of lines that are too long only a word that cannot be folded may be the reason, such as a path."""
    long = [line for line in said.splitlines() if len(line) > COLUMNS]
    assert [line for line in long if max(map(len, line.split())) < COLUMNS // 2] == [], said


@pytest.fixture
def at(broker) -> tuple[str, str]:
    return ("--broker", f"{broker.host}:{broker.port}")


@pytest.fixture
async def seat(broker, desk, come, adopted):
    """A station of the table that is there."""
    board = desk(**adopted)
    await come(broker, "cafe", "seat-1")
    return board


@pytest.fixture
def plan_file(home) -> Path:
    path = home / "plan.json"
    path.write_bytes(msgspec.json.encode(full_plan("cafe", 2, shared_spots(("public",)), ())))
    return path


@pytest.fixture
def bundle_file(home) -> Path:
    data = bytes(range(256)) * 20
    line = f"{hashlib.sha256(data).hexdigest()} {len(data)} tablestation/station.mpy\n"
    path = home / "citytable.bundle"
    path.write_bytes(f"citytable-bundle 1 1 {NEXT} 1\n{line}".encode() + data)
    return path


async def test_a_board_is_listed_shown_adopted_and_listed_under_its_name(citytable, broker, at, desk, come, home):
    board, plan_file = desk(UID), home / "new-table.json"
    await come(broker, "new", UID)
    code, said = await citytable("station", "list", *at)
    assert code == 0
    *_, row, hint, command, rest, last = [line for line in said.splitlines() if line.strip()]
    assert row.split() == [f"new/{UID}", "new", "pico_2_w", UID, FIRMWARE, "by", "USB"]
    assert hint == f"new/{UID} needs a name, for example park:"
    copied = f"{command}{rest}".replace("\\", "").split()
    assert copied[0].endswith("citytable"), "and begins as this command was typed"
    assert copied[1:6] == ["station", "adopt", UID, "--name", "park"]
    assert copied[6:] == ["--plan", "cafe.json", "--table", "cafe", *map(str, at)], "it reaches the same broker"
    assert "give its plan file with --plan" in last
    assert len(said.strip().splitlines()) <= 9
    code, said = await citytable("station", "identify", f"new/{UID}", "--seconds", 5, *at)
    assert (code, board.shown) == (0, [5]), said
    code, said = await citytable("station", "identify", UID, "--seconds", 7, *at)
    assert (code, board.shown) == (0, [5, 7]), said
    code, said = await citytable("station", "adopt", UID, "--name", "seat-1", "--plan", plan_file, *at)
    assert code == 1
    assert "there is no plan file" in said
    assert "--table NAME makes one" in said
    code, said = await citytable(
        "station", "adopt", UID, "--name", "kitchen", "--plan", plan_file, "--table", "cafe", *at
    )
    assert code == 1
    assert not plan_file.exists(), "what was not adopted leaves no plan behind"
    code, said = await citytable(
        "station", "adopt", f"new/{UID}", "--name", "seat-1", "--plan", plan_file, "--table", "cafe", *at
    )
    assert code == 0, said
    assert "seat-1 has joined the table: pico_2_w, 7 spots" in said
    copied = said.replace("\\\n", "").split("calibrate it:")[1]
    at_hand = ["--grams", "500", "--second", "200", "--blocks", "20,50,100"]
    assert copied.split()[1:] == ["calibrate", "seat-1", *at_hand, "--plan", str(plan_file), *at]
    assert "password" not in said, "a broker that let us in asks for none"
    (planned,) = load_plan(plan_file).stations
    assert (planned.station, planned.kind, planned.button_seat, len(planned.spots)) == ("seat-1", "seat", 1, 7)
    assert load_secrets(board.files)["station"] == "seat-1"
    code, said = await citytable("station", "list", "--plan", plan_file, *at)
    assert code == 0
    assert "seat-1" in said
    assert "new/" not in said


async def test_a_station_that_weighs_nothing_is_not_to_be_calibrated(citytable, broker, at, desk, home, come):
    desk(UID)
    plan_file = home / "new-table.json"
    await come(broker, "new", UID)
    code, said = await citytable(
        "station", "adopt", UID, "--name", "supply", "--plan", plan_file, "--table", "cafe", *at
    )
    assert code == 0, said
    assert "calibrate" not in said
    copied = said.replace("\\\n", "").split("then ask the doctor:")[1]
    assert copied.split()[1:] == ["doctor", "supply", "--plan", str(plan_file), *at]
    code, said = await citytable("calibrate", "supply", "--grams", 500, "--second", 200, "--plan", plan_file, *at)
    assert (code, said.strip()) == (0, "supply has nothing to calibrate")


async def test_an_update_from_a_file_runs_to_its_end(citytable, at, seat, plan_file, bundle_file):
    code, said = await citytable("station", "update", "seat-1", "--bundle", bundle_file, "--plan", plan_file, *at)
    assert code == 0, said
    assert "seat-1 has the new program and runs well with it" in said
    code, said = await citytable("station", "list", "--plan", plan_file, *at)
    assert NEXT not in said  # the model on the desk goes on with the program of this moment
    assert "by USB" not in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("calibrate", "supply", "--grams", 500, "--second", 200), (0, "supply n'a rien à étalonner")),
        (("calibrate", "seat-1", "--grams", 500), (1, "il manque le second poids")),
        (("calibrate-crane", "kitchen/1"), (1, "le plan n'a pas d'emplacement kitchen/1")),
        (("weigh", "supply"), (1, "supply ne pèse rien")),
        (("station", "tags", "seat-1", "--seconds", 0.1), (0, "posez des objets sur les emplacements de seat-1")),
    ],
)
async def test_a_newcomer_is_led_in_french(citytable, at, home, words, says):
    full = home / "full.json"
    full.write_bytes(msgspec.json.encode(full_plan("cafe", 2, shared_spots(), ())))
    code, said = await citytable(*words, "--language", "fr", "--plan", full, *at)
    assert (code, says[1] in said) == (says[0], True), said


async def test_an_update_is_told_in_french(citytable, at, seat, plan_file, bundle_file):
    words = ("station", "update", "seat-1", "--bundle", bundle_file, "--plan", plan_file, "--language", "fr")
    code, said = await citytable(*words, *at)
    assert code == 0, said
    assert "la station a le paquet entier et redémarre" in said
    assert "seat-1 exécute le nouveau programme, et il est bon" in said


async def test_what_a_station_says_is_shown(citytable, broker, at, seat, plan_file):
    listening = asyncio.ensure_future(citytable("station", "log", "seat-1", "--seconds", 3, "--plan", plan_file, *at))
    async with Line(broker, "cafe") as line:
        while not listening.done():
            await line.ask("seat-1", "read_pages", id=1, spot="seat/1/pad/0", first=4, n=4)
            await asyncio.wait([listening], timeout=0.2)
    code, said = await listening
    assert code == 0
    assert "warning  cannot read a tag at seat/1/pad/0: there is no reader" in said
    assert said.startswith("listening to seat-1, Ctrl-C ends this: its page shows what it said before")


async def test_a_maker_reads_the_uid_of_a_tag_and_what_it_is_on(citytable, broker, at, plan_file):
    plan_file.write_text(
        json.dumps(json.loads(plan_file.read_text()) | {"tags": {"04ffffffffffff": "platform/7/public"}})
    )
    listening = asyncio.ensure_future(citytable("station", "tags", "seat-1", "--seconds", 3, "--plan", plan_file, *at))
    seen = {"type": "tag", "boot": 7, "at": [0, 1], "spot": "seat/1/card/0"}
    player = paho.Client(paho.CallbackAPIVersion.VERSION2)
    player.connect(broker.host, broker.port)
    player.loop_start()
    while not listening.done():
        for seq, (uid, here) in enumerate((("04A1B2C3D4E5F6", True), ("04ffffffffffff", False)), 1):
            said = encode(seen | {"event_seq": seq, "uid": uid, "here": here})
            player.publish(topics.topic("cafe", "seat-1", topics.EVENT), said, 1)
        pressed = encode({"type": "button", "boot": 7, "at": [0, 2], "event_seq": 3, "seat": 1})
        player.publish(topics.topic("cafe", "seat-1", topics.EVENT), pressed, 1)
        await asyncio.wait([listening], timeout=0.2)
    player.disconnect()
    player.loop_stop()
    code, shown = await listening
    assert code == 0
    assert "seat/1/card/0 04a1b2c3d4e5f6 came not in the plan file" in shown
    assert "seat/1/card/0 04ffffffffffff left platform/7/public" in shown
    assert "the button was pressed" in shown


@pytest.mark.usefixtures("seat")
async def test_a_newcomer_beside_a_plan_is_offered_that_plan_and_a_name_that_is_free(
    citytable, broker, at, desk, come, home
):
    """Of a table that has a park already; the example said park, and another plan file."""
    path = home / "my table.json"
    whole = full_plan("cafe", 2, shared_spots(("public",)), ())
    two = tuple(one for one in whole.stations if one.station in {"park", "seat-1"})
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(whole, stations=two)))
    desk(UID)
    await come(broker, "new", UID)
    code, said = await citytable("station", "list", "--plan", path, *at)
    assert code == 0
    copied = shlex.split(said.split("for example sector-1:")[1].replace("\\\n", ""))
    assert copied[1:8] == ["station", "adopt", UID, "--name", "sector-1", "--plan", str(path)]
    assert "not there: park" in said
    assert "--table" not in copied


@pytest.fixture
async def guarded(home):
    """The hub's own broker, where everybody logs in: its logins, and the broker."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    logins = Credentials(home / "citytable" / "broker", "cafe")
    async with running_broker(stations=station_listener(f"127.0.0.1:{port}", logins)) as broker:
        yield logins, broker


async def test_beside_a_hub_with_logins_the_commands_log_in_and_give_logins(
    citytable, guarded, desk, come, plan_file, caplog
):
    """A board that restarts forty times as fast as a real one may knock before the broker knows it: it tries again."""
    logins, broker = guarded
    at = ("--plan", plan_file, "--broker", f"{broker.host}:{broker.port}")
    board = desk(UID, broker, user="new", password=logins.login("new"))
    await come(broker, "new", UID)
    code, said = await citytable("station", "adopt", UID, "--name", "park", *at)
    assert code == 0, said
    assert logins.users() == ("park",)
    assert load_secrets(board.files)["password"] not in said
    code, said = await citytable("station", "list", *at)
    assert code == 0, said
    assert UID in said
    assert "new/" not in said


async def test_a_wrong_password_is_told_of(citytable, guarded, plan_file, home, caplog):
    _, broker = guarded
    code, said = await citytable(
        *("station", "list", "--plan", plan_file, "--broker", f"{broker.host}:{broker.port}"),
        *("--broker-user", "hub", "--broker-dir", home / "elsewhere"),
    )
    assert code == 1
    assert "does not let the user 'hub' in" in said
    assert "did not let 127.0.0.1 in" in caplog.text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("station", "update", "seat-1"), "there is no station 'seat-1' at table 'cafe' now; there are: none"),
        (("station", "identify", "new/00ff"), "there is no new station '00ff'"),
        (("doctor", "seat-1"), "there is no station 'seat-1'"),
        (("doctor", "kitchen"), "the plan has no station 'kitchen'"),
        (("doctor", "new/00ff"), "new/00ff has no parts yet: give it a name with citytable station adopt"),
        (("calibrate", "kitchen/1", "--grams", 500), "the plan has no spot 'kitchen/1'"),
        (("calibrate", "city/1/0", "--grams", 5), "use 50 to 1000 g"),
        (("calibrate", "seat/1/card/0", "--grams", 500), "this spot has no cells"),
    ],
)
async def test_what_cannot_be_is_one_sentence_and_exit_code_1(citytable, at, plan_file, bundle_file, words, why):
    extra = ("--bundle", bundle_file) if "update" in words else ()
    code, said = await citytable(*words, *extra, "--plan", plan_file, *at)
    assert code == 1
    assert why in said
    assert "Traceback" not in said


async def test_without_a_broker_it_says_where_it_looked(citytable):
    code, said = await citytable("station", "list", "--broker", "127.0.0.1:1")
    assert code == 1
    assert "no MQTT broker answers at 127.0.0.1:1" in said


async def test_with_no_board_at_all_it_says_what_to_look_at(citytable, at):
    code, said = await citytable("station", "list", *at)
    assert code == 0
    assert said.splitlines()[0] == "no board answers; one needs half a minute after it was plugged in"


async def test_a_doctor_of_a_station_that_is_not_there_asks_for_the_plan(citytable, at):
    code, said = await citytable("doctor", "park", *at)
    assert code == 1
    assert "give the plan file of its table with --plan" in said


async def test_a_doctor_tells_a_program_what_it_tells_a_person(citytable, at, seat, plan_file):
    """A station without sensors where the plan has some: every line, as text and as JSON."""
    words = ("doctor", "seat-1", "--seconds", 1, "--plan", plan_file, *at)
    code, said = await citytable(*words)
    assert code == 1
    assert "correct the plan file" in said
    assert any(line.startswith("clock") and line.rstrip().endswith("ok") for line in said.splitlines())
    code, told = await citytable(*words, "--json")
    report = json.loads(told)
    assert (code, report["station"], report["ok"]) == (1, "seat-1", False)
    assert {finding["ok"] for finding in report["findings"]} == {True, False}


async def test_what_a_beginner_may_get_wrong_is_said_on_a_terminal_of_80_columns(
    citytable, broker, at, desk, come, home
):
    """One board on a desk, and each command once with what is not there; `citytable` holds the width."""
    desk(UID)
    await come(broker, "new", UID)
    plan_file, other = home / "cafe.json", home / "other.json"
    plan_file.write_bytes(msgspec.json.encode(full_plan("cafe", 2, shared_spots(("public",)), ())))
    other.write_bytes(b'{"table": "cafe", "seats": "two"}')
    seat = ("seat-1", "--grams", 500, "--plan", plan_file, *at)
    wrong = {
        ("station", "adopt", "ffffffffffffffff", "--name", "park", "--plan", plan_file, *at): "there is no new station",
        ("station", "adopt", UID, "--name", "kitchen", "--plan", plan_file, *at): "no table has a station 'kitchen'",
        ("station", "adopt", UID, "--name", "park", "--plan", other, *at): "Expected `int`, got `str` - at `$.seats`",
        ("station", "adopt", UID, "--plan", plan_file, *at): "Missing option '--name'",
        ("doctor", "seat-9", "--plan", plan_file, *at): "the plan has no station 'seat-9'",
        ("doctor", "seat-1", "--plan", home / "none.json", *at): "give the path of a plan file",
        ("calibrate", *seat): "the second weight is missing",
        ("calibrate", *seat, "--second", 450): "is too close to the first weight, 500 g",
        ("calibrate", *seat, "--second", 200, "--blocks", "10"): "one of the blocks must be at least 60 mm high",
        ("calibrate", "seat/1/pad/9", *seat[1:]): "the plan has no spot 'seat/1/pad/9'",
    }
    for words, why in wrong.items():
        code, said = await citytable(*words)
        assert code in (1, 2), words
        assert why in said
