"""What a station makes of a bundle, and of what is none."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablestation.care.bundle import BadBundle, read_manifest, unpack
from tablestation.care.store import Files
from tabletwin.flash import Flash

PROGRAM = {
    "tablestation/station.mpy": b"station" * 200,
    "tablestation/care/a.mpy": b"",
    "tablewire/topics.mpy": b"topics",
}


def unpacked(content: bytes, name: str | None = None) -> Flash:
    flash = Flash()
    files = Files(flash, flash.open)
    files.write("incoming", content)
    for _ in unpack(files, "incoming", name or hashlib.sha256(content).hexdigest(), "a"):
        pass
    return flash


def test_every_file_comes_out_where_it_belongs(bundle_of):
    flash = unpacked(bundle_of(PROGRAM))
    assert {path: bytes(data) for path, data in flash.files.items() if path != "incoming"} == {
        f"a/{path}": data for path, data in PROGRAM.items()
    }


def test_its_manifest_says_what_it_is(bundle_of):
    flash = Flash()
    Files(flash, flash.open).write("incoming", bundle_of(PROGRAM, wire=1, firmware="0.2.0"))
    manifest = read_manifest(flash.open("incoming", "rb"))
    assert (manifest.wire, manifest.firmware, manifest.size()) == (1, "0.2.0", sum(map(len, PROGRAM.values())))


def test_another_content_than_its_name_says_is_refused(bundle_of):
    with pytest.raises(BadBundle, match="its sha256 differs"):
        unpacked(bundle_of(PROGRAM), "00" * 32)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("secrets.json", "its manifest has the line"),
        ("boot.py", "its manifest has the line"),
        ("slots.mpy", "its manifest has the line"),
        ("tablestation/../secrets.mpy", "its manifest has the line"),
        ("/tablestation/x.mpy", "its manifest has the line"),
        ("tablestation/x.py", "its manifest has the line"),
        ("tablestation/ x.mpy", "its manifest has the line"),
    ],
)
def test_a_bundle_writes_nothing_but_the_program(bundle_of, path, why):
    with pytest.raises(BadBundle, match=why):
        unpacked(bundle_of({path: b"x"}))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda b: b[:-1], "in the middle of"),
        (lambda b: b + b"x", "more than its manifest lists"),
        (lambda b: b[:-1] + b"X", "does not match the manifest"),
        (lambda b: b"PK" + b, "does not begin like a bundle"),
        (lambda b: b[:60], "ends in the middle of a line"),
        (lambda b: b"citytable-bundle 1 1 0.1 999\n", "999 files, at most 150"),
        (lambda b: b"", "ends in the middle of a line"),
    ],
)
def test_a_bundle_that_is_not_whole_is_refused_with_what_is_wrong(bundle_of, change, why):
    with pytest.raises(BadBundle, match=why):
        unpacked(change(bundle_of(PROGRAM)))


@given(st.binary(max_size=300), st.booleans())
def test_garbage_is_refused_and_writes_nothing_outside_the_slot(garbage, whole_head):
    flash = Flash()
    files = Files(flash, flash.open)
    content = (b"citytable-bundle 1 1 0.1 1\n" if whole_head else b"") + garbage
    files.write("incoming", content)
    with pytest.raises(BadBundle):
        for _ in unpack(files, "incoming", hashlib.sha256(content).hexdigest(), "a"):
            pass
    assert all(path == "incoming" or path.startswith("a/") for path in flash.files)
