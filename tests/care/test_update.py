"""A bundle over the link: pulled chunk by chunk, checked, put on trial; refused with a reason; never half of it."""

import base64
import hashlib
import random

import pytest

from tablestation.care.bundle import FORMAT
from tablestation.care.slots import BASE, GOOD_AFTER_S, TRIES, Slots
from tablestation.care.store import Files
from tablestation.care.update import BUNDLE_MAX, Updates
from tabletwin.flash import BLOCK, Flash, PowerCut
from tabletwin.scheduler import Scheduler, sleep_us
from tablewire.messages import CHUNK_BYTES, decode, encode
from tablewire.topics import COMMAND

pytestmark = pytest.mark.long(9)

SECOND_US = 1_000_000


class Board:
    """A board that can be started again and again, and the station that is updated on it.

    `told` is what it said of updates in this start, and `proven` has the serial numbers of what was good in any.
    """

    boot = 7

    def __init__(self, flash: Flash) -> None:
        self.flash = flash
        self.outbox = self
        self.proven: list[int] = []
        self.start()

    def start(self) -> None:
        self.restarts = 0
        self.online = True
        self.told: list[dict] = []
        self.commands: dict = {}
        self.scheduler = Scheduler()
        files = Files(self.flash, self.flash.open)
        self.slots = Slots(files)
        self.place = self.slots.choose()
        Updates(self, files, self.slots, self.restart, self).attach(self)
        self.live(1)

    def restart(self) -> None:
        self.restarts += 1

    def objection(self, message: dict) -> str:
        return ""

    def prove(self, serial: int) -> None:
        self.proven.append(serial)

    def sleep_ms(self, ms: int):
        return sleep_us(ms * 1000)

    def spawn(self, name: str, limit_ms: int, work) -> None:
        self.scheduler.spawn(work(self))

    def beat(self) -> None:
        pass

    def on_command(self, kind: str, do) -> None:
        self.commands[kind] = do

    def say(self, channel: str, message: dict, urgent: bool) -> bool:
        self.told.append(decode(channel, encode({**message, "boot": self.boot})))
        return True

    def live(self, seconds: float) -> None:
        self.scheduler.advance(self.scheduler.now_us + int(seconds * SECOND_US))

    def hear(self, **message) -> dict | None:
        """One command; what the board says to it."""
        before = len(self.told)
        command = decode(COMMAND, encode(message))
        self.commands[command["type"]](command)
        return self.told[-1] if len(self.told) > before else None

    @property
    def last(self) -> tuple[str, int]:
        return self.told[-1]["state"], self.told[-1]["have"]


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def offer(board: Board, bundle: bytes, **changes) -> dict | None:
    chunks = -(-len(bundle) // CHUNK_BYTES)
    fields = {"bundle": sha(bundle), "version": 1, "bytes": len(bundle), "chunks": chunks}
    return board.hear(type="offer", **{**fields, **changes})


def chunk(board: Board, bundle: bytes, k: int, name: str | None = None) -> dict | None:
    piece = bundle[k * CHUNK_BYTES : (k + 1) * CHUNK_BYTES]
    return board.hear(type="chunk", bundle=name or sha(bundle), k=k, data=base64.b64encode(piece).decode())


def send(board: Board, bundle: bytes, until: int | None = None, **changes) -> None:
    """As the hub does: give what is wanted until it is ready or refused."""
    answer = offer(board, bundle, **changes)
    while answer["state"] in {"wanted", "receiving"} and answer["have"] != until:
        if answer["have"] * CHUNK_BYTES >= len(bundle):
            break
        answer = chunk(board, bundle, answer["have"])
    board.live(2)


@pytest.fixture(scope="module")
def big(bundle_of) -> bytes:
    """A bundle of several chunks."""
    contents = random.Random(4)
    return bundle_of({"tablestation/station.mpy": contents.randbytes(5000), "tablewire/topics.mpy": b"topics"})


@pytest.fixture
def board(flash) -> Board:
    return Board(flash)


def test_a_bundle_is_pulled_unpacked_and_started(board, big):
    assert board.place == BASE
    send(board, big)
    assert [told["have"] for told in board.told if told["state"] == "receiving"] == [1, 2, 3]
    assert board.last == ("ready", 3)
    assert board.restarts == 1
    board.start()
    assert board.place == "a"
    assert board.told[-1] == {**board.told[-1], "bundle": sha(big), "state": "running"}


def test_it_is_good_after_a_minute_linked_and_not_before(board, big):
    send(board, big)
    board.start()
    board.live(GOOD_AFTER_S - 2)
    assert board.last[0] == "running"
    board.live(2)
    assert board.last[0] == "good"
    for _ in range(TRIES + 1):
        board.start()
    assert (board.place, board.last[0]) == ("a", "good")


def test_a_minute_with_the_link_lost_in_between_does_not_count(board, big):
    send(board, big)
    board.start()
    board.live(GOOD_AFTER_S - 5)
    board.online = False
    board.live(2)
    board.online = True
    board.live(10)
    assert board.last[0] == "running"


def test_three_starts_without_a_link_and_the_one_before_runs_again_and_says_so(board, big):
    send(board, big)
    for _ in range(TRIES):
        board.start()
        assert board.place == "a"
        board.online = False
        board.live(20 * 60)
    board.start()
    assert board.place == BASE
    assert board.last[0] == "rolled_back"
    assert board.told[-1]["bundle"] == sha(big)
    assert "3 starts did not stay linked for 60 s" in board.told[-1]["why"]


def test_a_lost_link_is_no_loss(board, big):
    send(board, big, until=2)
    answer = offer(board, big)
    assert (answer["state"], answer["have"]) == ("wanted", 2)


def test_a_restart_in_between_is_no_loss_either(board, big):
    send(board, big, until=2)
    board.start()
    assert offer(board, big)["have"] == 2
    send(board, big)
    assert board.last == ("ready", 3)


def test_everything_arrived_but_nobody_heard_it(board, big, flash):
    offer(board, big)
    for k in range(3):
        chunk(board, big, k)
    board.live(1.001)  # it unpacks
    board.start()
    assert offer(board, big)["have"] == 3
    board.live(2)
    assert (board.last, board.restarts) == (("ready", 3), 1)


def test_a_chunk_twice_or_out_of_turn_is_answered_with_the_one_that_is_wanted(board, big):
    offer(board, big)
    assert chunk(board, big, 1)["have"] == 0
    assert chunk(board, big, 0)["have"] == 1
    assert chunk(board, big, 0)["have"] == 1
    send(board, big)
    assert board.last[0] == "ready"


def test_a_torn_end_is_asked_for_again(board, big, flash):
    send(board, big, until=2)
    flash.files["incoming"] = flash.files["incoming"][:-100]
    assert offer(board, big)["have"] == 1
    send(board, big)
    assert board.last == ("ready", 3)


def test_another_bundle_takes_the_place_of_one_half_come(board, big, bundle_of):
    other = bundle_of({"tablestation/station.mpy": b"other" * 999})
    send(board, big, until=2)
    assert offer(board, other)["have"] == 0
    assert chunk(board, big, 2) is None
    send(board, other)
    board.start()
    assert board.told[-1]["bundle"] == sha(other)


def test_what_runs_already_is_not_sent_again(board, big):
    send(board, big)
    board.start()
    assert offer(board, big)["state"] == "running"
    board.live(GOOD_AFTER_S + 1)
    assert offer(board, big)["state"] == "good"


def test_an_offer_in_the_minute_of_trial_does_not_make_the_board_forget_how_new_its_program_is(board, big):
    """Whoever repeated an offer then could put an older program on the board later."""
    send(board, big, serial=1_700_000_000)
    board.start()
    offer(board, big, serial=1_700_000_000)
    board.live(GOOD_AFTER_S + 1)
    assert board.last[0] == "good"
    assert board.proven == [1_700_000_000]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"version": 2}, "wire version 2, this table speaks 1"),
        ({"bytes": BUNDLE_MAX + 1, "chunks": BUNDLE_MAX // CHUNK_BYTES + 1}, "too big: 262145 bytes, at most 262144"),
    ],
)
def test_a_bundle_that_cannot_be_is_refused_with_the_reason(board, big, changes, why):
    answer = offer(board, big, **changes)
    assert answer["state"] == "refused"
    assert why in answer["why"]


def test_a_full_flash_refuses_before_anything_is_sent(board, big, flash):
    flash.capacity_blocks = 9
    answer = offer(board, big)
    assert answer["state"] == "refused"
    assert f"flash is full: {9 * BLOCK} bytes are free" in answer["why"]


def test_the_room_of_the_slot_before_the_last_counts_as_free(board, bundle_of, flash):
    flash.capacity_blocks = 50
    for k in range(8):
        bundle = bundle_of({"tablestation/station.mpy": bytes([k]) * 30_000})
        send(board, bundle)
        assert board.last[0] == "ready"
        board.start()
        board.live(GOOD_AFTER_S + 1)
    assert board.last[0] == "good"


def test_the_room_of_what_half_came_counts_as_free(board, bundle_of, flash):
    flash.capacity_blocks = 45
    half, whole = (bundle_of({"tablestation/station.mpy": bytes([k]) * 60_000}) for k in (1, 2))
    send(board, half, until=29)
    send(board, whole)
    assert board.last[0] == "ready"


def test_while_one_is_on_trial_no_other_is_taken(board, big, bundle_of):
    send(board, big)
    board.start()
    answer = offer(board, bundle_of({"tablestation/station.mpy": b"other"}))
    assert answer["state"] == "refused"
    assert "on trial" in answer["why"]


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda b: b[:-1] + bytes([b[-1] ^ 1]), "its sha256 differs"),
        (lambda b: b.replace(FORMAT.encode() + b"1", FORMAT.encode() + b"2"), "speaks wire version 2"),
        (lambda b: b"PK\n" + b[3:], "does not begin like a bundle"),
    ],
)
def test_what_arrived_is_checked_before_it_counts(board, big, spoil, why):
    spoilt = spoil(big)
    name = sha(big) if "sha256" in why else sha(spoilt)
    board.hear(type="offer", bundle=name, version=1, bytes=len(spoilt), chunks=3)
    for k in range(3):
        chunk(board, spoilt, k, name)
    board.live(2)
    assert board.told[-1]["state"] == "refused"
    assert why in board.told[-1]["why"]
    assert board.restarts == 0
    board.start()
    assert board.place == BASE
    send(board, big)
    assert board.last[0] == "ready"


def test_a_chunk_that_is_no_base64_or_too_short_is_refused(board, big):
    offer(board, big)
    answer = board.hear(type="chunk", bundle=sha(big), k=0, data="A")
    assert answer["state"] == "refused"
    answer = board.hear(type="chunk", bundle=sha(big), k=0, data="AAAA")
    assert "3 bytes arrived instead of 2048" in answer["why"]
    assert chunk(board, big, 0)["have"] == 1


def test_a_chunk_that_nobody_offered_is_ignored(board, big):
    assert chunk(board, big, 0) is None


def test_a_board_without_a_bundle_has_nothing_to_say(board):
    board.live(100)
    assert board.told == []


def test_the_power_may_go_at_any_byte_of_an_update(big):
    """After a cut anywhere the board starts, and the same update arrives in the end."""
    whole = Board(Flash())
    before = whole.flash.steps
    send(whole, big)
    steps = whole.flash.steps - before
    for cut in [*range(0, steps, 331), *range(max(0, steps - 150), steps)]:
        flash = Flash()
        board = Board(flash)
        flash.steps_left = cut
        with pytest.raises(PowerCut):
            send(board, big)
        flash.steps_left = None
        board.start()
        if board.place == BASE:
            send(board, big)
            board.start()
        assert board.place == "a", f"cut at {cut}"
        assert board.told[-1]["bundle"] == sha(big)
