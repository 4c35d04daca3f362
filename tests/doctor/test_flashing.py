"""The first flash: the very commands, recorded by a false `mpremote`; a board's drive in a folder."""

import json
import os
import subprocess
import sys
import time
from base64 import b64decode
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from citytable.cli import app
from citytable.doctor import flashing
from citytable.doctor.bundle import Bundle
from citytable.doctor.flashing import BOOT_DRIVE_SIGN, NotFlashed, Secrets, put_micropython, stage
from citytable.doctor.pinning import NoCertificate, Pinned, pinned
from citytable.doctor.signing import SigningKey
from citytable.link.credentials import Credentials
from tablestation.care.store import Files
from tablestation.care.trust import Trust
from tabletwin.flash import Flash

pytestmark = pytest.mark.long(6)

RECORDER = """#!{python}
import json, pathlib, shutil, sys
words = sys.argv[1:]
record = pathlib.Path({record!r})
with record.open("a") as file:
    file.write(json.dumps(words) + "\\n")
if words[2:5] == ["fs", "cp", "-r"]:
    for source in map(pathlib.Path, words[5:-1]):
        target = record.parent / "board" / source.name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source, target)
if "/dev/ttyGone" in words:
    sys.exit("mpremote: failed to access /dev/ttyGone (it may be in use by another program)")
"""

ON_THE_BOARD = [
    "base",
    "boot.py",
    "keys.json",
    "main.py",
    "secrets.json",
    "serial",
    "slots.json",
    "slots.mpy",
    "store.mpy",
    "tls.json",
]
"""What a flash puts there, sorted."""


class Desk:
    """A folder with a false mpremote on the PATH; `board` is what lies on the board's flash."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.board = folder / "board"
        self._record = folder / "record"
        program = folder / "bin" / "mpremote"
        program.parent.mkdir()
        program.write_text(RECORDER.format(python=sys.executable, record=str(self._record)))
        program.chmod(0o755)

    @property
    def calls(self) -> list[list[str]]:
        return [json.loads(line) for line in self._record.read_text().splitlines()] if self._record.exists() else []


@pytest.fixture
def desk(tmp_path, monkeypatch) -> Desk:
    desk = Desk(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    return desk


def run(*words: object):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_a_board_gets_its_program_its_starters_and_its_secrets_and_is_reset(desk, monkeypatch):
    logins = Credentials(desk.folder / "data" / "citytable" / "broker", "cafe")
    logins.prepare()
    monkeypatch.setenv("CITYTABLE_WIFI_KEY", "not-a-real-one")
    done = run(
        *("station", "flash", "--port", "/dev/ttyACM0", "--broker", "10.0.0.1:1883"),
        *("--ssid", "table", "--country", "FR"),
    )
    assert done.exit_code == 0, done.output
    copy, reset = desk.calls
    assert copy[:5] == ["connect", "/dev/ttyACM0", "fs", "cp", "-r"]
    assert copy[-1] == ":"
    assert {Path(word).name for word in copy[5:-1]} == set(ON_THE_BOARD)
    assert json.loads((desk.board / "keys.json").read_text()) == [SigningKey(logins.directory).public_hex]
    assert reset == ["connect", "/dev/ttyACM0", "reset"]
    assert json.loads((desk.board / "secrets.json").read_text()) == {
        "host": "10.0.0.1",
        "port": 1883,
        "ssid": "table",
        "key": "not-a-real-one",
        "country": "FR",
        "user": "new",
        "password": logins.login("new"),
    }
    assert (desk.board / "base/tablestation/station.mpy").read_bytes()[:1] == b"M"
    assert (desk.board / "base/tablewire/messages.mpy").exists()
    assert not list(desk.board.rglob("pi_gpio*"))
    assert "not-a-real-one" not in done.output
    assert logins.login("new") not in done.output


def test_a_board_on_a_cable_needs_no_secrets(desk):
    assert run("station", "flash", "--port", "/dev/ttyACM0").exit_code == 0
    assert json.loads((desk.board / "secrets.json").read_text()) == {}


def test_an_adopted_board_can_keep_its_name_and_gets_a_key_that_has_changed(desk):
    folder = desk.folder / "data/citytable/broker"
    assert run("station", "flash", "--port", "/dev/ttyACM0", "--keep").exit_code == 0
    assert not (desk.board / "secrets.json").exists()
    assert (desk.board / "slots.json").exists()
    assert (desk.board / "keys.json").exists(), "a changed key reaches a board that keeps its name"
    before = json.loads((desk.board / "keys.json").read_text())
    (folder / "bundle.key").unlink()
    assert run("station", "flash", "--port", "/dev/ttyACM0", "--keep").exit_code == 0
    assert json.loads((desk.board / "keys.json").read_text()) == [SigningKey(folder).public_hex] != before


def test_a_flashed_board_takes_no_bundle_that_was_signed_before_its_flash(desk):
    """A new board has run no bundle; an old one, signed and with a known mistake, was taken."""
    folder = desk.folder / "data/citytable/broker"
    bundle = Bundle(b"citytable-bundle 1 1 0.2.0 0\n", 1, "0.2.0", 0)
    before_s = int(time.time()) - 1
    assert run("station", "flash", "--port", "/dev/ttyACM0").exit_code == 0
    flash = Flash()
    files = Files(flash, flash.open)
    for name in ("keys.json", "serial"):
        files.write(name, (desk.board / name).read_bytes())
    said = []
    for serial in (before_s, before_s + 3600):
        seal = SigningKey(folder).seal(bundle, serial)
        said.append(Trust(files).objection({"bundle": bundle.name, "serial": seal.serial, "signature": seal.signature}))
    assert f"{before_s} comes before" in said[0]
    assert said[1] == ""


@pytest.fixture
def certificate(tmp_path, root) -> Path:
    """A certificate for 10.0.0.1, as the script for table owners makes it."""
    command = ["sh", root / "hub/deploy/certificate.sh", tmp_path / "tls", "10.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    return tmp_path / "tls/citytable.crt"


def _flash(certificate, *more, host="10.0.0.1"):
    return run(
        *("station", "flash", "--port", "/dev/ttyACM0", "--broker", f"{host}:8883", "--ssid", "table"),
        *("--certificate", certificate, *more),
    )


def test_a_board_gets_the_certificate_of_its_broker_and_the_time(desk, certificate):
    began = datetime.now(UTC)
    assert _flash(certificate).exit_code == 0
    told = json.loads((desk.board / "tls.json").read_text())
    assert b64decode(told["certificate"]) == certificate.with_suffix(".der").read_bytes()
    year, month, day, weekday, *rest = told["time"]
    assert abs(datetime(year, month, day, *rest[:3], tzinfo=UTC) - began) < timedelta(minutes=1)
    assert weekday == date(year, month, day).weekday()
    assert rest[3] == 0


def test_a_certificate_in_bytes_does_as_well(desk, certificate):
    assert _flash(certificate.with_suffix(".der")).exit_code == 0
    assert json.loads((desk.board / "tls.json").read_text())["certificate"]


def test_a_board_that_keeps_its_name_keeps_its_certificate_unless_another_is_given(desk, certificate):
    assert run("station", "flash", "--port", "/dev/ttyACM0", "--keep").exit_code == 0
    assert not (desk.board / "tls.json").exists()
    renewed = run("station", "flash", "--port", "/dev/ttyACM0", "--keep", "--certificate", certificate)
    assert renewed.exit_code == 0
    assert json.loads((desk.board / "tls.json").read_text())["certificate"]
    assert not (desk.board / "secrets.json").exists()


def test_without_a_certificate_an_older_one_goes(desk, certificate):
    assert _flash(certificate).exit_code == 0
    assert run("station", "flash", "--port", "/dev/ttyACM0").exit_code == 0
    assert json.loads((desk.board / "tls.json").read_text()) == {}


def test_a_certificate_for_another_address_is_refused_before_the_board_is_touched(desk, certificate):
    done = _flash(certificate, host="10.0.0.2")
    assert done.exit_code == 1
    assert "citytable.crt is not for 10.0.0.2, but for 10.0.0.1" in done.output
    assert desk.calls == []


def test_a_file_that_is_no_certificate_is_refused(desk, certificate):
    done = _flash(certificate.with_suffix(".key"))
    assert done.exit_code == 1
    assert "citytable.key cannot be read as a certificate" in done.output


def test_a_certificate_that_has_ended_or_not_begun_is_refused(certificate):
    for years in (-1, 11):
        with pytest.raises(NoCertificate, match=r"and not now: check this computer's clock"):
            pinned(certificate, "10.0.0.1", datetime.now(UTC) + timedelta(days=365 * years))


def test_a_dry_run_says_every_command_and_runs_none(desk):
    done = run("station", "flash", "--port", "/dev/ttyACM0", "--dry-run")
    assert done.exit_code == 0
    assert "mpremote connect /dev/ttyACM0 fs cp -r" in done.output
    assert "mpremote connect /dev/ttyACM0 reset" in done.output
    assert desk.calls == []


def test_without_a_board_it_says_what_it_would_need(desk):
    done = run("station", "flash")
    assert done.exit_code == 2
    assert "give a board" in done.output
    assert "--port /dev/ttyACM0" in done.output


def test_what_mpremote_complains_about_is_told(desk):
    done = run("station", "flash", "--port", "/dev/ttyGone")
    assert done.exit_code == 1
    assert "failed to access /dev/ttyGone" in done.output
    assert "that no other program uses the port" in done.output


def test_without_mpremote_it_says_what_to_install(desk, monkeypatch):
    monkeypatch.setattr(flashing.shutil, "which", lambda name, **_: None if name == "mpremote" else sys.executable)
    with pytest.raises(NotFlashed, match=r"mpremote is missing: install citytable with its extra .maker"):
        flashing.run_commands((("mpremote", "connect", "x", "reset"),))


def test_micropython_goes_to_the_drive_a_board_shows(tmp_path):
    drive, uf2 = tmp_path / "RPI-RP2", tmp_path / "micropython.uf2"
    drive.mkdir()
    uf2.write_bytes(b"UF2\n" + bytes(508))
    with pytest.raises(NotFlashed, match=r"not a board's boot drive .*: hold BOOTSEL"):
        put_micropython(uf2, drive)
    (drive / BOOT_DRIVE_SIGN).write_text("UF2 Bootloader")
    put_micropython(uf2, drive)
    assert (drive / uf2.name).read_bytes() == uf2.read_bytes()
    uf2.write_bytes(b"\x7fELF")
    with pytest.raises(NotFlashed, match="is not a UF2 file"):
        put_micropython(uf2, drive)
    with pytest.raises(NotFlashed, match="could not be copied"):
        put_micropython(tmp_path / "missing.uf2", drive)


def test_the_files_that_choose_a_slot_stand_alone(tmp_path):
    """Beside boot.py they must not need anything of a slot: not even by name."""
    stage(tmp_path, Secrets(), (), Pinned(), 0)
    for name in ("slots", "store"):
        source = (flashing.package_folder("tablestation") / "care" / f"{name}.py").read_text("utf-8")
        assert "tablestation" not in source.partition('"""')[2].partition('"""')[2]
        assert (tmp_path / f"{name}.mpy").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ON_THE_BOARD
