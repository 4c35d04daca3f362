"""The beam of a crane: our driver and Adafruit's on one model of the pair, and what a station makes of it."""

from errno import EIO
from functools import partial

import pytest

from tablestation.contact import DARK, DARK_LOOKS, Contact
from tablestation.reach import READINGS
from tabletwin.chips.beam import BreakBeam

B0, B4, B5 = 8, 12, 13


@pytest.fixture
def seat(bench):
    """(the driver's beams at B4 and B5, the pairs, the button at B0, the chip), set up."""
    expander, chip = bench.expander()
    pairs = [BreakBeam(partial(chip.put, pin)) for pin in (B4, B5)]
    beams, button = [expander.beam(pin) for pin in (B4, B5)], expander.button(B0)
    expander.start()
    return beams, pairs, button, chip


def test_what_stands_in_a_beam_breaks_it_and_no_other(seat):
    beams, pairs, _, _ = seat
    assert [beam.broken() for beam in beams] == [False, False]
    pairs[1].cover(True)
    assert [beam.broken() for beam in beams] == [False, True]
    pairs[1].cover(False)
    assert [beam.broken() for beam in beams] == [False, False]


def test_a_torn_wire_looks_clear_and_an_emitter_without_power_broken(seat):
    (beam, _), (pair, _), _, _ = seat
    pair.light(False)
    assert beam.broken()
    pair.plug(False)
    assert not beam.broken()
    pair.cover(True)
    assert not beam.broken(), "whatever it sees, nobody hears of it"


@pytest.mark.usefixtures("seat")
def test_without_its_pull_up_the_wire_would_float(bench, masters):
    master = masters("adafruit_mcp230xx.mcp23017").MCP23017(bench.masters_i2c)
    master.gppu = 0
    assert not master.get_pin(B4).value
    master.gppu = 1 << B4
    assert master.get_pin(B4).value


def test_the_driver_of_others_sees_the_beam_as_we_do(seat, bench, masters):
    (beam, _), (pair, _), _, _ = seat
    digital = masters("digitalio")
    pin = masters("adafruit_mcp230xx.mcp23017").MCP23017(bench.masters_i2c, reset=False).get_pin(B4)
    pin.switch_to_input(pull=digital.Pull.UP)
    for act, broken in ((lambda: pair.cover(True), True), (lambda: pair.cover(False), False)):
        act()
        assert (beam.broken(), pin.value) == (broken, not broken)


def test_looks_at_a_beam_lose_no_press_of_the_button(seat):
    beams, pairs, button, chip = seat
    chip.put(B0, None)
    button.take()
    chip.put(B0, 0)
    chip.put(B0, None)
    assert not any(beam.broken() for beam in beams)
    assert button.take()
    pairs[0].cover(True)  # an edge that must not freeze what the button is caught by
    chip.put(B0, 0)
    chip.put(B0, None)
    for _ in range(2):
        button.take()
    assert not button.take()
    chip.put(B0, 0)
    assert button.take()


def test_an_expander_that_lost_its_power_is_set_up_by_the_next_look(seat):
    (beam, _), (pair, _), _, chip = seat
    chip.reset()
    assert not beam.broken()
    pair.cover(True)
    assert beam.broken()


def test_a_beam_on_a_pin_that_is_an_output_only_is_refused(bench):
    expander, _ = bench.expander()
    with pytest.raises(ValueError, match="pin 15 of an MCP23017 is an output only"):
        expander.beam(15)


class Told:
    """A beam that shows what it is told to, and the faults that come of it."""

    def __init__(self):
        self.shows = False
        self.faults = []
        self.contact = Contact("seat/1/pad/0", self, self)

    def broken(self):
        if self.shows is None:
            raise OSError(EIO)
        return self.shows

    def report(self, spot, sensor, what, on):
        self.faults.append((spot, sensor, what, on))

    def look(self, shows, n=READINGS, parked=False):
        self.shows = shows
        for _ in range(n):
            self.contact.look(parked)
        return self.contact.made(READINGS)


@pytest.fixture
def told():
    """A beam that is clear, as every reading of a parked crane has shown."""
    told = Told()
    told.look(False, 40, parked=True)
    return told


def test_contact_is_a_beam_broken_at_every_reading_of_a_height(told):
    assert told.look(True) is True
    assert told.look(False, 1) is False
    assert told.look(True, READINGS - 1) is False
    assert told.look(True, 1) is True
    assert told.faults == []


def test_a_beam_that_could_not_be_read_says_nothing(told):
    assert told.look(None, 1) is None
    assert told.look(True, READINGS - 1) is None
    assert told.look(True, 1) is True


def test_a_beam_that_is_dark_while_the_paddle_hangs_is_told_and_not_believed_until_it_is_clear(told):
    told.look(True, DARK_LOOKS - 1, parked=True)
    assert told.faults == []
    told.look(True, 1, parked=True)
    assert told.faults == [("seat/1/pad/0", "beam", DARK, True)]
    assert told.look(True) is None
    told.look(False, 1)
    assert told.faults[1:] == [("seat/1/pad/0", "beam", DARK, False)]
    assert told.look(True) is True


def test_a_hand_that_lifts_the_paddle_for_a_moment_is_no_fault(told):
    for _ in range(4):
        told.look(True, DARK_LOOKS - 1, parked=True)
        told.look(False, 1, parked=True)
    assert told.faults == []


def test_health_counts_both_since_the_last_report(told):
    told.look(True, 3)
    reported = {}
    told.contact.health(reported)
    assert reported == {"beam_clear": 40, "beam_broken": 3}
    told.contact.health(reported)
    assert reported == {"beam_clear": 0, "beam_broken": 0}
