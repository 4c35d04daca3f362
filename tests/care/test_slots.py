"""Which program starts: trials are counted, damage is found, and no cut of power leaves a board without a program."""

import contextlib
import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablestation.care import bundle as bundles
from tablestation.care.slots import BASE, PLACES, TRIES, Slots
from tablestation.care.store import Files
from tabletwin.flash import Flash, PowerCut

pytestmark = pytest.mark.long(5)


def on(flash: Flash) -> Files:
    return Files(flash, flash.open)


def install(flash: Flash, content: bytes, name: str) -> None:
    """As a station does it, once a bundle has arrived as `incoming`; `name` is its sha256."""
    files = on(flash)
    slots = Slots(files)
    slot = slots.spare()
    slots.clear(slot)
    for step in bundles.unpack(files, "incoming", name, slot):
        manifest = step
    slots.seal(slot, name, manifest)
    slots.begin_trial(slot)


@pytest.fixture
def station(bundle_of):
    """`station(b"1", b"2")`: a flash on which bundles with these contents were installed and proved, one by one."""

    def made(*contents: bytes, prove: bool = True) -> Flash:
        flash = Flash()
        for content in contents:
            bundle = bundle_of({"tablestation/station.mpy": content, "tablewire/topics.mpy": b"t" + content})
            on(flash).write("incoming", bundle)
            install(flash, bundle, sha(bundle))
            if prove:
                Slots(on(flash)).prove()
        return flash

    return made


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def runs(flash: Flash, slot: str) -> bytes:
    """The program in a slot."""
    return on(flash).read(f"{slot}/tablestation/station.mpy") if slot != BASE else b"base"


def test_a_new_board_starts_what_was_put_on_by_usb(files):
    assert Slots(files).choose() == BASE
    assert Slots(files).bundle() == ""


def test_bundles_take_turns_in_the_two_slots(station):
    flash = station(b"1", b"2", b"3")
    slots = Slots(on(flash))
    assert (slots.choose(), slots.spare(), runs(flash, slots.now)) == ("a", "b", b"3")
    assert (slots.before, runs(flash, slots.before)) == ("b", b"2")


def test_three_starts_that_prove_nothing_and_the_one_before_runs_again(station):
    flash = station(b"1", b"2")
    slots = Slots(on(flash))
    slots.begin_trial("a")  # the other one, on trial
    failed = slots.bundle()
    for _ in range(TRIES):
        assert Slots(on(flash)).choose() == "a"
    back = Slots(on(flash))
    assert back.choose() == "b"
    assert (back.good, back.failed) == (True, failed)
    assert "3 starts" in back.why
    assert Slots(on(flash)).choose() == "b"


def test_what_has_proved_itself_is_started_for_ever(station):
    flash = station(b"1")
    for _ in range(10):
        assert Slots(on(flash)).choose() == "a"


def test_a_proof_in_the_third_start_is_in_time(station):
    flash = station(b"1", prove=False)
    for _ in range(TRIES):
        Slots(on(flash)).choose()
    Slots(on(flash)).prove()
    assert Slots(on(flash)).choose() == "a"


def test_while_a_bundle_is_on_trial_there_is_no_spare_slot(station):
    flash = station(b"1", prove=False)
    assert Slots(on(flash)).spare() is None


@pytest.mark.parametrize("harm", ["changed", "shorter", "gone", "no manifest"])
def test_a_damaged_slot_is_not_started(station, harm):
    flash = station(b"1", b"2")
    name = "b/tablewire/topics.mpy"
    if harm == "changed":
        flash.files[name][0] ^= 1
    elif harm == "shorter":
        del flash.files[name][-1]
    elif harm == "gone":
        del flash.files[name]
    else:
        del flash.files["b/manifest"]
    slots = Slots(on(flash))
    assert slots.choose() == "a"
    assert ("manifest" if harm == "no manifest" else "tablewire/topics.mpy is damaged") in slots.why
    assert Slots(on(flash)).choose() == "a"


def test_with_both_slots_damaged_there_is_what_was_put_on_by_usb(station):
    flash = station(b"1", b"2")
    for slot in PLACES:
        flash.files[f"{slot}/tablewire/topics.mpy"][0] ^= 1
    assert Slots(on(flash)).choose() == BASE


@given(
    state=st.binary(max_size=60) | st.recursive(st.none() | st.integers() | st.text(), st.lists), manifest=st.binary()
)
def test_whatever_stands_in_the_files_something_is_started(state, manifest):
    flash = Flash()
    on(flash).write("slots.json", state if isinstance(state, bytes) else json.dumps(state).encode())
    with on(flash).create("a/manifest") as file:
        file.write(manifest)
    assert Slots(on(flash)).choose() in (*PLACES, BASE)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "now": st.sampled_from(["a", "b", "base", "c", 1]),
            "before": st.sampled_from(["a", "b", "base", None]),
            "good": st.booleans(),
            "tries": st.integers(),
            "failed": st.text(),
            "why": st.text(),
        },
    )
)
def test_whatever_state_was_kept_something_whole_is_started(state):
    flash = Flash()
    on(flash).write("slots.json", json.dumps(state).encode())
    assert Slots(on(flash)).choose() == BASE


def test_a_flash_that_cannot_count_a_start_starts_what_was_put_on_by_usb(station):
    flash = station(b"1", prove=False)
    flash.capacity_blocks = 0
    slots = Slots(on(flash))
    assert slots.choose() == BASE
    assert "no space" in slots.why


def test_a_cut_at_any_byte_of_an_update_leaves_a_board_that_starts_a_whole_program(station, bundle_of):
    """Old or new, and after it the same update can be made again."""
    new = bundle_of({"tablestation/station.mpy": b"2", "tablewire/topics.mpy": b"t2"})
    whole = station(b"0", b"1")
    on(whole).write("incoming", new)
    before = whole.steps
    install(whole, new, sha(new))
    steps = whole.steps - before
    assert steps > 100
    seen = set()
    for cut in range(steps + 1):
        flash = station(b"0", b"1")
        on(flash).write("incoming", new)
        flash.steps_left = cut
        with contextlib.suppress(PowerCut):
            install(flash, new, sha(new))
        flash.steps_left = None
        slots = Slots(on(flash))
        program = runs(flash, slots.choose())
        assert program in (b"1", b"2"), f"cut at {cut}"
        seen.add(program)
        if program == b"1":
            install(flash, new, sha(new))
            assert runs(flash, Slots(on(flash)).choose()) == b"2"
    assert seen == {b"1", b"2"}


def test_a_cut_at_any_byte_of_a_counted_start_or_a_way_back_leaves_a_whole_program(station):
    for tries in range(TRIES + 1):
        for cut in range(400):
            flash = station(b"1", b"2")
            Slots(on(flash)).begin_trial("a")
            for _ in range(tries):
                Slots(on(flash)).choose()
            flash.steps_left = cut
            try:
                Slots(on(flash)).choose()
                done = True
            except PowerCut:
                done = False
            flash.steps_left = None
            assert runs(flash, Slots(on(flash)).choose()) in (b"1", b"2")
            if done:
                break
        assert done
