"""The tag reader: our driver and Adafruit's on one model, tags that come and go, and wires that lie."""

from errno import EIO, ENODEV, ENOENT

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletwin.chips.pn532 import ACK, EXCHANGE, FIRMWARE, LIST, NACK, RF, SAM, SYNTAX_ERROR, TURNED, Tag, frame

UID7, UID4 = "04a1b2c3d4e5f6", "de4dbeef"


@pytest.fixture
def master(bench, masters, masters_pin):
    """(Adafruit's driver, the chip)."""
    _, chip = bench.reader()
    return masters("adafruit_pn532.spi").PN532_SPI(bench.masters_spi, masters_pin(bench.spi.attach(chip))), chip


def test_an_empty_reader_says_so(bench):
    reader, _ = bench.reader()
    assert bench.run(reader.read()) is None


@pytest.mark.parametrize("uid", [UID7, UID4, "00010203040506070809"])
def test_a_tag_is_read_as_lower_case_hex(bench, ntag, uid):
    reader, _ = bench.reader(ntag(uid))
    assert bench.run(reader.read()) == uid


@pytest.mark.parametrize("uid", [UID7, UID4])
def test_the_driver_of_others_reads_the_same_tag(master, ntag, uid):
    driver, chip = master
    assert driver.firmware_version == (0x32, 1, 6, 7)
    driver.SAM_configuration()
    assert driver.read_passive_target(timeout=0.5) is None
    chip.tags = [ntag(uid)]
    assert driver.read_passive_target(timeout=0.5).hex() == uid


def test_the_driver_of_others_reads_the_same_pages(bench, master, ntag):
    driver, chip = master
    chip.tags = [ntag(UID7)]
    driver.SAM_configuration()
    driver.read_passive_target()
    theirs = b"".join(bytes(driver.ntag2xx_read_block(page)) for page in range(4, 12))
    assert driver.ntag2xx_read_block(45) is None
    chip.power_on()  # they leave their field on, and two disturb each other
    reader, _ = bench.reader(ntag(UID7))
    assert bench.run(reader.pages(4, 8)) == theirs


def test_a_telephone_or_a_bank_card_is_a_tag_like_others(bench, master):
    card = Tag(bytes.fromhex(UID4), ats=bytes(range(40)))
    reader, _ = bench.reader(card)
    assert bench.run(reader.read()) == UID4
    with pytest.raises(OSError, match="did not give page 4"):
        bench.run(reader.pages(4, 4))
    driver, chip = master
    chip.tags = [card]
    driver.SAM_configuration()
    assert driver.read_passive_target().hex() == UID4


def test_the_driver_of_others_sends_it_to_sleep_and_wakes_it(master, ntag):
    driver, chip = master
    chip.tags = [ntag(UID7)]
    assert driver.power_down()
    assert driver.read_passive_target().hex() == UID7


@pytest.mark.parametrize(("first", "n"), [(0, 1), (4, 4), (4, 6), (0, 45), (40, 5)])
def test_pages_are_those_that_were_asked_for(bench, ntag, first, n):
    reader, _ = bench.reader(ntag(UID7))
    assert bench.run(reader.pages(first, n)) == bytes([page for page in range(first, first + n) for _ in range(4)])


def test_pages_that_are_not_there_are_refused_with_what_was_said(bench, ntag):
    reader, chip = bench.reader(ntag(UID7))
    with pytest.raises(OSError, match="04a1b2c3d4e5f6 did not give page 45: state 0x13") as refused:
        bench.run(reader.pages(45, 1))
    assert refused.value.errno == EIO
    assert not chip.field
    assert bench.run(reader.read()) == UID7
    for first, n in ((-1, 1), (0, 0), (250, 7)):
        with pytest.raises(OSError, match="at most pages 0 to 255"):
            bench.run(reader.pages(first, n))


def test_pages_of_no_tag_are_refused(bench):
    reader, chip = bench.reader()
    with pytest.raises(OSError, match="no tag lies on the reader") as refused:
        bench.run(reader.pages(4, 4))
    assert refused.value.errno == ENOENT
    assert not chip.field


def test_a_tag_that_leaves_while_its_pages_are_read_ends_the_reading(bench, ntag):
    reader, chip = bench.reader(ntag(UID7))
    bench.run(reader.read())
    chip.tags = [ntag(UID7, until_us=bench.clock.now_us() + 55_000)]
    with pytest.raises(OSError, match=r"04a1b2c3d4e5f6 did not give page \d+: state 0x01"):
        bench.run(reader.pages(0, 45))
    assert not chip.field
    assert bench.run(reader.read()) is None


def test_a_tag_that_comes_while_it_is_looked_for_is_found(bench, ntag):
    reader, chip = bench.reader()
    bench.run(reader.read())
    chip.tags = [ntag(UID7, since_us=bench.clock.now_us() + 11_000)]
    assert bench.run(reader.read()) == UID7


def test_of_two_tags_it_is_always_the_same_one(bench, ntag):
    reader, chip = bench.reader(ntag(UID7), ntag(UID4))
    seen = {bench.run(reader.read()) for _ in range(5)}
    chip.tags.reverse()
    seen |= {bench.run(reader.read()) for _ in range(5)}
    assert len(seen) == 1


def test_a_list_of_two_tags_has_both_where_a_master_asks_for_them(bench, ntag):
    _, chip = bench.reader(ntag(UID7), ntag(UID4))
    told = exchange(bench, chip, SAM, 1, 0, 0) and exchange(bench, chip, LIST, 2, 0, wait_ms=30)
    assert told[7] == 2
    assert bytes.fromhex(UID7) in told
    assert bytes.fromhex(UID4) in told


def exchange(bench, chip, *command, wait_ms=5):
    """What the chip answers to a command, spoken to by hand; None when it says it is not ready."""
    line = bench.spi.attach(chip)

    def transfer(*sent):
        line(0)
        seen = bytearray(TURNED[byte] for byte in sent)
        bench.spi.write_readinto(seen, seen)
        line(1)
        return bytes(TURNED[byte] for byte in seen[1:])

    line(0)
    bench.sleep(2)
    line(1)
    transfer(1, *(command[0] if isinstance(command[0], bytes) else frame(bytes([0xD4, *command]))))
    bench.sleep(1)
    seen = [transfer(2, 0), transfer(3, *[0] * 6)]
    bench.sleep(wait_ms)
    seen += [transfer(2, 0), transfer(3, *[0] * 40)]
    assert seen[:2] == [b"\x01", ACK] or seen[0] == b"\x00"
    return seen[3] if seen[2] == b"\x01" else None


def test_what_the_chip_does_not_know_it_refuses(bench):
    _, chip = bench.reader()
    assert exchange(bench, chip, 0x99).startswith(SYNTAX_ERROR)
    assert exchange(bench, chip, RF, 0x77, 0).startswith(SYNTAX_ERROR)
    assert exchange(bench, chip, LIST, 1, 0, wait_ms=50).startswith(SYNTAX_ERROR)  # before SAMConfiguration
    assert exchange(bench, chip, FIRMWARE).startswith(frame(b"\xd5\x03\x32\x01\x06\x07"))


def test_what_is_no_frame_is_not_acknowledged(bench):
    _, chip = bench.reader()
    good = frame(bytes([0xD4, FIRMWARE]))
    for bad in (good[:5], good[:3] + b"\x03" + good[4:], good[:-2] + b"\x00\x00", b"\x12" * 9):
        assert exchange(bench, chip, bad) is None
    assert chip.refused == 4
    assert chip.commands == []


def test_a_nack_brings_the_answer_again_and_an_ack_ends_what_goes_on(bench, ntag):
    _, chip = bench.reader(ntag(UID7))
    exchange(bench, chip, SAM, 1, 0, 0)
    told = exchange(bench, chip, LIST, 1, 0, wait_ms=30)
    line = bench.spi.attach(chip)
    for sent, seen in ((NACK, told), (ACK, bytes(40))):
        line(0)
        bench.spi.write(bytes(TURNED[byte] for byte in b"\x01" + sent))
        line(1)
        line(0)
        buffer = bytearray([TURNED[3]] + [0] * 40)
        bench.spi.write_readinto(buffer, buffer)
        line(1)
        assert bytes(TURNED[byte] for byte in buffer[1:]) == seen


def test_a_field_is_on_only_in_its_readers_turn(bench, ntag):
    readers = [bench.reader(ntag(f"04{k:012x}")) for k in range(7)]
    seen = bench.run(*[reader.read() for reader, _ in readers], readers[3][0].pages(4, 4))
    assert seen[:7] == [f"04{k:012x}" for k in range(7)]
    assert len(seen[7]) == 16
    assert bench.air.clashes == 0
    assert bench.air.fields == 0
    assert bench.spi.clashes == 0


def test_two_fields_at_once_would_find_nothing(bench, ntag):
    reader, _ = bench.reader(ntag(UID7))
    bench.air.switch(True)
    assert bench.run(reader.read()) is None
    assert bench.air.clashes == 1


def test_seven_readers_have_their_turn_in_a_quarter_of_a_second(bench, ntag):
    readers = [bench.reader(ntag(f"04{k:012x}"))[0] for k in range(7)]
    for reader in readers:
        bench.run(reader.read())
    began_us = bench.clock.now_us()
    for reader in readers:
        bench.run(reader.read())
    assert bench.clock.now_us() - began_us < 250_000
    assert bench.longest_us < 5_000


def test_a_silent_reader_is_told_soon_and_the_next_has_its_turn(bench, ntag):
    dead, chip = bench.reader()
    chip.silent = True
    alive, _ = bench.reader(ntag(UID7))
    silence, uid = bench.run(dead.read(), alive.read())
    assert isinstance(silence, OSError)
    assert "does not acknowledge (it says 0xff): check its cable and power" in str(silence)
    assert uid == UID7
    assert bench.clock.now_us() < 200_000
    chip.silent, chip.tags = False, [ntag(UID4)]
    assert bench.run(dead.read()) == UID4


def test_a_reader_that_lost_its_power_is_set_up_anew(bench, ntag):
    reader, chip = bench.reader(ntag(UID7))
    bench.run(reader.read())
    chip.power_on()
    chip.tags = []
    with pytest.raises(OSError, match="does not acknowledge"):
        bench.run(reader.read())
    assert bench.run(reader.read()) is None  # and does not look for ever, as a chip does that was not set up
    assert chip.retries == 1


def test_another_chip_is_named(bench, monkeypatch):
    reader, chip = bench.reader()
    chip.spoil = lambda out: frame(b"\xd5\x03\x33\x01\x00\x07") if out[5:7] == b"\xd5\x03" else out
    with pytest.raises(OSError, match="not a PN532: it reports IC 0x33") as other:
        bench.run(reader.read())
    assert other.value.errno == ENODEV


@pytest.mark.parametrize(
    ("spoilt", "complaint"),
    [
        (lambda out: out[:-2] + bytes([out[-2] ^ 4, 0]), "wrong checksum"),
        (lambda out: out[:4] + bytes([out[4] ^ 1]) + out[5:], "length"),
        (lambda out: bytes(len(out)), "no ACK but 000000000000|no frame begins"),
        (lambda out: out[:6] + bytes([out[6] ^ 1]) + out[7:], "checksum"),
        (lambda _: frame(b"\xd5\x15"), "0xd515 in answer to 0x"),
        (lambda _: frame(b"\xd4\x4b\x00"), "0xd44b in answer to 0x"),
        (lambda _: SYNTAX_ERROR, "0x7f81 in answer to 0x"),
    ],
)
def test_a_frame_that_was_spoilt_once_is_asked_for_again(bench, ntag, spoilt, complaint):
    reader, chip = bench.reader(ntag(UID7))
    bench.run(reader.read())
    left = [1]

    def spoil(out):
        if len(out) > 6 and left[0]:
            left[0] -= 1
            return spoilt(out)
        return out

    chip.spoil = spoil
    assert bench.run(reader.read()) == UID7
    left[0] = 1_000
    with pytest.raises(OSError, match=f"sends invalid data: .*({complaint})"):
        bench.run(reader.read())
    left[0] = 0
    assert bench.run(reader.read()) == UID7
    assert not chip.field


def test_a_command_that_is_not_acknowledged_is_not_believed(bench, ntag):
    reader, chip = bench.reader(ntag(UID7))
    bench.run(reader.read())
    chip.spoil = lambda out: NACK if out == ACK else out
    with pytest.raises(OSError, match="sends invalid data: no ACK but 0000ffff0000"):
        bench.run(reader.read())


@pytest.mark.parametrize("target", ["0100440005aabbccddee", "01004400070102", "01", "0100440000"])
def test_a_target_that_cannot_be_is_no_tag(bench, ntag, target):
    reader, chip = bench.reader(ntag(UID7))
    bench.run(reader.read())
    chip.spoil = lambda out: frame(bytes.fromhex("d54b01" + target)) if out[5:7] == b"\xd5\x4b" else out
    with pytest.raises(OSError, match=r"reported a UID of \d+ bytes"):
        bench.run(reader.read())


def test_the_chip_has_a_millisecond_to_notice_that_it_is_selected(bench, ntag):
    reader, chip = bench.reader(ntag(UID7))
    waits = {}

    def select(plain=chip.select):
        plain()
        select.at_us = bench.clock.now_us()

    def exchange(byte, plain=chip.exchange):
        if select.at_us is not None:
            waits.setdefault(TURNED[byte], []).append(bench.clock.now_us() - select.at_us)
            select.at_us = None
        return plain(byte)

    chip.select, chip.exchange = select, exchange
    assert bench.run(reader.read()) == UID7
    assert len(waits[1]) == len(waits[3]) / 2 == 6
    assert min(waits[1] + waits[3]) >= 1_000


@pytest.mark.parametrize("awake", [True, False])
@pytest.mark.parametrize("steps", range(1, 24))
def test_whoever_is_stopped_gives_the_turn_back_and_the_next_puts_his_field_out(bench, ntag, steps, awake):
    stopped, chip = bench.reader(ntag(UID7))
    other, _ = bench.reader(ntag(UID4))
    if awake:
        bench.run(stopped.read())
    bench.run(other.read())
    work = stopped.pages(0, 45)
    for _ in range(steps):
        bench.sleep(work.send(None))
    work.close()
    assert bench.run(other.read()) == UID4
    assert not chip.field
    assert bench.air.clashes == bench.spi.clashes == 0
    assert bench.run(stopped.read()) == UID7


@given(uid=st.binary(min_size=4, max_size=4) | st.binary(min_size=7, max_size=7), pages=st.integers(1, 60))
def test_any_uid_and_any_pages_arrive_as_they_are(make_bench, uid, pages):
    bench = make_bench()
    data = bytes(k * 37 & 0xFF for k in range(4 * pages))
    reader, _ = bench.reader(Tag(uid, data))
    assert bench.run(reader.read()) == uid.hex()
    assert bench.run(reader.pages(0, pages)) == data


@given(noise=st.lists(st.binary(max_size=50) | st.none(), max_size=30), cut=st.integers(0, 60))
def test_whatever_the_wires_say_ends_in_a_uid_nothing_or_an_oserror(make_bench, noise, cut):
    bench = make_bench()
    reader, chip = bench.reader(Tag(bytes.fromhex(UID7), bytes(180)))

    def spoil(out):
        spoilt = noise.pop() if noise else None
        return out[:cut] if spoilt is None and noise else out if spoilt is None else spoilt

    chip.spoil = spoil
    for k in range(40):
        began_us = bench.clock.now_us()
        try:
            seen = bench.run(reader.read() if k % 2 else reader.pages(4, 4))
        except OSError as error:
            seen = error
        if isinstance(seen, OSError):
            assert seen.errno in (EIO, ENODEV, ENOENT)
        else:
            assert seen is None or len(seen) in (8, 14, 16, 20)
        assert bench.clock.now_us() - began_us < 1_000_000
    assert bench.run(reader.read()) == UID7
    assert bench.air.fields == 0


@given(frames=st.lists(st.binary(max_size=40), max_size=12))
def test_whatever_is_written_to_the_chip_it_lives(make_bench, frames):
    bench = make_bench()
    reader, chip = bench.reader(Tag(bytes.fromhex(UID7)))
    bench.run(reader.read())
    line = bench.spi.attach(chip)
    for sent in frames:
        line(0)
        bench.spi.write(bytes(TURNED[byte] for byte in sent))
        line(1)
        bench.sleep(3)
    for _ in range(3):
        try:
            assert bench.run(reader.read()) == UID7
            break
        except OSError:
            continue
    else:
        raise AssertionError("it did not come back")
    assert EXCHANGE not in chip.commands
