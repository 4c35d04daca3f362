"""Bundles that somebody made by hand, against the board's own program on the real VM: each is refused with its reason,
no file but those of the transfer is touched, and the board starts what it started before."""

import base64
import hashlib
import json
from pathlib import Path

import pytest

from citytable.doctor.bundle import Bundle
from citytable.doctor.signing import kept_or_new_key
from tablewire.messages import CHUNK_BYTES, encode

FIRMWARE = Path(__file__).parents[2] / "firmware"
ON_DESK = Path(__file__).parent / "on_desk"
PROGRAM = {"tablestation/station.mpy": b"station" * 800, "tablewire/topics.mpy": b"topics"}
NEWEST = 1_800_000_000  # the serial number of what has run on the board

# every message goes through the decoder, as it does behind a link
MAIN = """
import asyncio, binascii, hashlib, json, os
from desk import Desk
from slots import Slots
from store import Files
from tablestation.care.trust import Trust
from tablestation.care.update import Updates
from tablewire.messages import BadMessage, decode
from tablewire.topics import COMMAND

files = Files(os, open, "/")
OURS = ("base", "usb", "a", "b")


def seen(folder, found):
    for name, kind, *_ in os.ilistdir(folder):
        path = folder + "/" + name
        if kind & 0x4000:
            seen(path, found)
        else:
            with open(path, "rb") as file:
                found[path] = binascii.hexlify(hashlib.sha256(file.read()).digest()).decode()
    return found


def everything():
    found = {}
    for name, kind, *_ in os.ilistdir("/"):
        if name in OURS:
            seen("/" + name, found)
        elif not kind & 0x4000:
            with open("/" + name, "rb") as file:
                found["/" + name] = binascii.hexlify(hashlib.sha256(file.read()).digest()).decode()
    return found


async def offered(messages):
    "The reason of the refusal; None if the board took it and restarted."
    slots = Slots(files)
    slots.choose()
    desk = Desk()
    Updates(desk, files, slots, desk.restart, Trust(files)).attach(desk)
    try:
        for text in messages:
            message = decode(COMMAND, text.encode())
            desk.commands[message["type"]](message)
            if desk.told["state"] == "refused":
                return desk.told["why"]
        for _ in range(100):
            if desk.restarted:
                return None
            await asyncio.sleep_ms(100)
            if desk.told["state"] == "refused":
                return desk.told["why"]
        return "nothing, for ten seconds"
    except BadMessage as error:
        return str(error)
    finally:
        desk.task.cancel()


async def main():
    with open("/cases.json") as file:
        cases = json.load(file)
    os.remove("/cases.json")
    before = everything()
    for case in cases:
        files.remove("incoming")
        files.remove("incoming.json")
        why = await offered(case["messages"])
        after = everything()
        changed = [path for path in set(list(before) + list(after)) if before.get(path) != after.get(path)]
        slots = Slots(files)
        place = slots.choose()
        print(json.dumps({"case": case["case"], "why": why, "changed": changed, "place": place, "trouble": slots.why}))


await main()
"""


def _bundle(program, count=None, wire=1):
    """A bundle of these files, whatever their paths are."""
    lines = [f"{hashlib.sha256(data).hexdigest()} {len(data)} {path}\n" for path, data in program.items()]
    head = f"citytable-bundle 1 {wire} 0.1.0 {count or len(program)}\n"
    return "".join([head, *lines]).encode() + b"".join(program.values())


def _messages(key, content, sent=None, serial=NEWEST + 1, **changes):
    """An offer that a key has signed, and its chunks; `sent` is what comes instead of what was signed."""
    bundle = Bundle(content, 1, "0.1.0", 1)
    seal = key.seal(bundle, serial)
    offer = {"type": "offer", "bundle": bundle.name, "version": 1, "bytes": len(content), "chunks": bundle.chunks}
    offer |= {"serial": seal.serial, "signature": seal.signature} | changes
    pieces = (sent or content)[: bundle.chunks * CHUNK_BYTES]
    chunks = [pieces[at : at + CHUNK_BYTES] for at in range(0, len(pieces), CHUNK_BYTES)]
    return [
        offer,
        *(
            {"type": "chunk", "bundle": bundle.name, "k": k, "data": base64.b64encode(piece).decode()}
            for k, piece in enumerate(chunks)
        ),
    ]


def _with_serial(messages, serial):
    """The same with another serial number than the signed one; without any if it is None."""
    offer = {name: value for name, value in messages[0].items() if name != "serial"}
    return [offer if serial is None else offer | {"serial": serial}, *messages[1:]]


GOOD = _bundle(PROGRAM)
STRANGE = "it is signed by a key that this board does not trust"
OUTSIDE = "its manifest has the line"
ITS_OWN = ("/a/", "/incoming")
"""What a transfer may write: the slot from which nothing starts yet, and what has come, for an offer to resume."""

BAD = {  # what is offered: how it is made from the owner's key and a stranger's, and the reason that the board gives
    "unsigned": (lambda key, _: _messages(key, GOOD, signature=""), "it is not signed"),
    "without a serial number": (
        lambda key, _: _with_serial(_messages(key, GOOD), None),
        "it is older than this board's",
    ),
    "signed by a stranger": (lambda _, stranger: _messages(stranger, GOOD), STRANGE),
    "with the signature of another": (
        lambda key, _: _messages(key, GOOD, signature=_messages(key, GOOD + b"x")[0]["signature"]),
        STRANGE,
    ),
    "a signature that is cut": (lambda key, _: _messages(key, GOOD, signature="ab" * 60), "expected 128 hex digits"),
    "a signature that is no hex": (lambda key, _: _messages(key, GOOD, signature="xy" * 64), "expected 128 hex digits"),
    "older": (
        lambda key, _: _messages(key, GOOD, serial=NEWEST - 1),
        f"it is older than this board's program: {NEWEST - 1} comes before {NEWEST}: is a clock wrong?",
    ),
    "older, dressed as new": (
        lambda key, _: _with_serial(_messages(key, GOOD, serial=NEWEST - 1), NEWEST + 9),
        STRANGE,
    ),
    "a serial number beyond 64 bits": (
        lambda key, _: _with_serial(_messages(key, GOOD), 2**70),
        "offer.serial: expected int",
    ),
    "huge": (lambda key, _: _messages(key, GOOD + bytes(262_144))[:1], "it is too big: 267962 bytes"),
    "of no bytes": (lambda key, _: _messages(key, GOOD, bytes=0, chunks=0), "offer: 0 bytes make 0 chunks"),
    "more bytes than chunks": (lambda key, _: _messages(key, GOOD, chunks=1), "chunks of"),
    "cut, and offered as cut": (lambda key, _: _messages(key, GOOD[:-4]), "it ends in the middle of a/tablewire"),
    "cut on its way": (lambda key, _: _messages(key, GOOD, GOOD[:-4]), "bytes arrived instead of"),
    "changed on its way": (lambda key, _: _messages(key, GOOD, b"C" + GOOD[1:]), "its sha256 differs"),
    "longer than its manifest": (lambda key, _: _messages(key, GOOD + b"x"), "more than its manifest lists"),
    "other contents than its manifest": (
        lambda key, _: _messages(key, GOOD[:-1] + b"X"),
        "a/tablewire/topics.mpy does not match the manifest",
    ),
    "no bundle": (lambda key, _: _messages(key, b"PK\n" + bytes(2000)), "it does not begin like a bundle"),
    "of 999 files": (lambda key, _: _messages(key, _bundle(PROGRAM, 999)), "999 files, at most 150"),
    "over the keys": (lambda key, _: _messages(key, _bundle({"keys.json": b"[]"})), OUTSIDE),
    "over the start": (lambda key, _: _messages(key, _bundle({"tablestation/../../boot.mpy": b"x"})), OUTSIDE),
    "from the root": (lambda key, _: _messages(key, _bundle({"/usb/slots.mpy": b"x"})), OUTSIDE),
    "source, not compiled": (lambda key, _: _messages(key, _bundle({"tablestation/x.py": b"x"})), OUTSIDE),
    "of another wire": (lambda key, _: _messages(key, _bundle(PROGRAM, wire=2)), "it speaks wire version 2"),
}


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    """The owner's key and a stranger's."""
    return [kept_or_new_key(tmp_path_factory.mktemp(name)) for name in ("owner", "stranger")]


@pytest.fixture
def board(vm, keys):
    """`board(cases)`: what a board of this VM told about each, by its name."""

    def run(cases):
        return vm.run(
            MAIN,
            folders={
                "/usb": str(FIRMWARE / "tablestation/care"),
                "/desk": str(ON_DESK),
                "/base/tablestation": str(FIRMWARE / "tablestation"),
                "/base/tablewire": str(FIRMWARE / "tablewire"),
            },
            files={
                "/cases.json": json.dumps([{"case": case, "messages": sent} for case, sent in cases.items()]),
                "/keys.json": json.dumps([keys[0].public_hex]),
                "/serial": str(NEWEST),
            },
            path=["/usb", "/base", "/desk"],
        ).told

    return run


def test_each_is_refused_with_its_reason_and_changes_nothing(board, keys):
    told = board({case: [encode(one).decode() for one in make(*keys)] for case, (make, _) in BAD.items()})
    assert [one["case"] for one in told] == list(BAD)
    for one in told:
        assert BAD[one["case"]][1] in (one["why"] or "it was taken"), one
        assert [path for path in one["changed"] if not path.startswith(ITS_OWN)] == [], one
        assert (one["place"], one["trouble"]) == ("base", ""), one


def test_the_same_hands_make_one_that_is_taken(board, keys):
    """Or the others could be refused for a reason that is the test's own."""
    (told,) = board({"good": [encode(one).decode() for one in _messages(keys[0], GOOD)]})
    assert (told["why"], told["place"]) == (None, "a")
