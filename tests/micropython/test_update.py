"""An update on the real VM: a bundle of compiled modules is taken, unpacked, chosen and imported; and rolled back."""

import base64
import json
from pathlib import Path

import pytest

from citytable.doctor import bundle as builder
from citytable.doctor.flashing import Secrets, stage
from citytable.doctor.pinning import Pinned
from citytable.doctor.signing import kept_or_new_key

pytestmark = pytest.mark.long(13)

FIRMWARE = Path(__file__).parents[2] / "firmware"
ON_DESK = Path(__file__).parent / "on_desk"

# /usb is what `citytable station flash` puts beside boot.py; /base the program that came with it
MAIN = """
import asyncio, binascii, json, os, sys
from desk import Desk
from slots import Slots
from store import Files

files = Files(os, open, "/")


def start():
    "As boot.py and main.py do: choose, then import from there."
    for name in list(sys.modules):
        if name.startswith("tablestation") or name.startswith("tablewire"):
            del sys.modules[name]
    slots = Slots(files)
    place = slots.choose()
    sys.path.insert(0, "/" + place)
    import tablestation.station
    source = tablestation.station.__file__
    print(json.dumps({"place": place, "from": source, "bundle": slots.bundle(), "why": slots.why}))
    return slots


async def update(slots):
    from tablestation.care.trust import Trust
    from tablestation.care.update import Updates
    from tablewire.messages import CHUNK_BYTES

    desk = Desk()
    Updates(desk, files, slots, desk.restart, Trust(files)).attach(desk)
    with open("/bundle.b64") as file:
        content = binascii.a2b_base64(file.read().encode())
    chunks = (len(content) + CHUNK_BYTES - 1) // CHUNK_BYTES
    offer = {"type": "offer", "bundle": NAME, "version": 1, "bytes": len(content), "chunks": chunks}
    offer["serial"], offer["signature"] = SEAL
    desk.commands["offer"](offer)
    while desk.told["have"] < chunks:
        k = desk.told["have"]
        piece = content[k * CHUNK_BYTES : (k + 1) * CHUNK_BYTES]
        data = binascii.b2a_base64(piece).decode().strip()
        desk.commands["chunk"]({"type": "chunk", "bundle": NAME, "k": k, "data": data})
    while not desk.restarted:
        await asyncio.sleep_ms(100)
        if desk.told["state"] == "refused":
            raise Exception(desk.told["why"])
    desk.task.cancel()


def judge():
    from tablestation.care.trust import Trust

    serial, signature = SEAL
    print(json.dumps({"why": Trust(files).objection({"bundle": NAME, "serial": serial, "signature": signature})}))


async def prove(slots):
    from tablestation.care.trust import Trust
    from tablestation.care.update import Updates

    desk = Desk()
    Updates(desk, files, slots, desk.restart, Trust(files)).attach(desk)
    await asyncio.sleep_ms(62_000)
    desk.task.cancel()
    print(json.dumps(desk.told))
"""


@pytest.fixture(scope="module")
def bundle():
    """Without boards, drivers and links: this VM hashes in Python, and needs a second for every 50 KB."""
    needed = {
        name: path
        for name, path in builder.program_files().items()
        if name.split("/")[1] not in {"boards", "drivers", "links"}
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builder, "program_files", lambda: needed)
        return builder.build_bundle()


@pytest.fixture
def board(vm, bundle, tmp_path):
    """`board(script)`: what a VM printed that has a board's files, and the bundle lying by."""

    key = kept_or_new_key(tmp_path)
    seal = key.seal(bundle)

    def run(script, trusted=key.public_hex):
        return vm.run(
            MAIN.replace("NAME", repr(bundle.name)).replace("SEAL", repr((seal.serial, seal.signature))) + script,
            folders={
                "/usb": str(FIRMWARE / "tablestation/care"),
                "/desk": str(ON_DESK),
                "/base/tablestation": str(FIRMWARE / "tablestation"),
                "/base/tablewire": str(FIRMWARE / "tablewire"),
            },
            files={"/bundle.b64": base64.b64encode(bundle.content).decode(), "/keys.json": json.dumps([trusted])},
            path=["/usb", "/desk"],
        ).told

    return run


def test_a_bundle_is_taken_started_from_its_slot_and_proved(board, bundle):
    first, second, proved, third = board("await update(start())\nawait prove(start())\nstart()\n")
    assert (first["place"], first["from"]) == ("base", "/base/tablestation/station.py")
    assert (second["place"], second["from"]) == ("a", "/a/tablestation/station.mpy")
    assert second["bundle"] == third["bundle"] == bundle.name
    assert (proved["state"], proved["bundle"]) == ("good", bundle.name)
    assert third["place"] == "a"


def test_a_bundle_that_proves_nothing_is_gone_after_three_starts(board):
    *_, third, fourth = board("await update(start())\nstart()\nstart()\nstart()\nstart()\n")
    assert (third["place"], fourth["place"]) == ("a", "base")
    assert "3 starts did not stay linked" in fourth["why"]


def test_a_bundle_signed_by_another_key_is_refused(board):
    another = "8ebb23163d8fa9ba8d8d35b83c9f8ecc2403e5b5c0c5811e634c1f0fd20a8b18"
    assert board("start()\njudge()\n")[-1]["why"] == ""
    assert "does not trust" in board("start()\njudge()\n", trusted=another)[-1]["why"]


def test_a_slot_that_was_damaged_is_not_started(board):
    harm = "with open('/a/tablewire/topics.mpy', 'ab') as file:\n    file.write(b'x')\n"
    _, second = board(f"await update(start())\n{harm}start()\n")
    assert second["place"] == "base"
    assert "tablewire/topics.mpy is damaged" in second["why"]


def test_a_board_as_it_was_flashed_starts_its_base(vm, tmp_path):
    """The very files of `citytable station flash`, compiled, with nothing else on the path."""
    stage(tmp_path, Secrets(), (), Pinned(), 0)
    start = """
import json, os, sys
from slots import Slots
from store import Files

files = Files(os, open, "/board/")
place = Slots(files).choose()
sys.path.insert(0, "/board/" + place)
import tablestation.care.update
import tablestation.station
print(json.dumps({"place": place, "slots": sys.modules["slots"].__file__, "from": tablestation.station.__file__}))
"""
    (told,) = vm.run(start, folders={"/board": str(tmp_path)}, path=["/board"]).told
    assert told == {
        "place": "base",
        "slots": "/board/slots.mpy",
        "from": "/board/base/tablestation/station.mpy",
    }
