"""The rangers: our driver and Adafruit's on one model, and what a bus and a chip can do to them."""

from errno import EIO, ENODEV, ETIMEDOUT

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablestation.drivers.lock import Lock
from tablestation.drivers.vl53 import PERIOD_MS, VL53L1X, VL53L4CD
from tabletwin.chips.vl53 import HARDWARE_FAIL, PHASE_FAIL, Vl53l1x, Vl53l4cd

LOOK_MS = 3
OURS = {  # registers that we set otherwise than the masters, and mean to
    0x2D,  # the masters ask the VL53L4CD for the fast mode plus, which our bus has no use for
    *range(0x5E, 0x60),
    *range(0x61, 0x63),  # the budget
    *range(0x64, 0x66),  # sigma
    *range(0x6C, 0x70),  # the period
    0x80,  # the view
    *range(0x86, 0x88),  # start and stop
}


@pytest.fixture
def ranger(bench, kind):
    """(our driver, started; the model at 200 mm)."""
    driver, model = kind
    chip = bench.i2c.attach(model(bench.clock, 200))
    bench.sleep(2)
    ours = driver(bench.i2c)
    ours.start()
    return ours, chip


def master_of(masters, bench, chip):
    name = type(chip).__name__.upper()
    return getattr(masters(f"adafruit_{name.lower()}"), name)(bench.masters_i2c)


@pytest.mark.parametrize("target_mm", [41, 187, 300, 1_290])
def test_our_driver_reads_what_lies_before_the_chip(bench, ranger, target_mm):
    ours, chip = ranger
    chip.target_mm = target_mm
    assert bench.look(ours, 3) == [(target_mm, 0)] * 3


@pytest.mark.parametrize("target_mm", [41, 187, 300, 1_290])
def test_the_driver_of_others_reads_the_same(bench, kind, masters, target_mm):
    chip = bench.i2c.attach(kind[1](bench.clock, target_mm))
    bench.sleep(2)
    master = master_of(masters, bench, chip)
    master.start_ranging()
    while not master.data_ready:
        bench.sleep(1)
    assert master.distance == target_mm / 10


def test_our_set_up_leaves_the_registers_that_the_others_leave(bench, kind, masters):
    driver, model = kind
    theirs = bench.i2c.attach(model(bench.clock, 200))
    bench.sleep(2)
    master = master_of(masters, bench, theirs)
    if model is Vl53l1x:
        master.distance_mode = 1
        theirs.registers[0x30] = 0x11  # they have the interrupt active high, we and the VL53L4CD's low
    bench.i2c.chips.clear()
    ours = bench.i2c.attach(model(bench.clock, 200))
    bench.sleep(2)
    reader = driver(bench.i2c)
    reader.start()
    bench.look(reader)
    differ = [k for k in range(0x08, 0x88) if ours.registers[k] != theirs.registers[k] and k not in OURS]
    assert [f"0x{k:02x}" for k in differ] == []


def test_the_view_is_narrow_in_the_eyes_of_others(bench, masters):
    chip = bench.i2c.attach(Vl53l1x(bench.clock, 200))
    bench.sleep(2)
    master = master_of(masters, bench, chip)
    ours = VL53L1X(bench.i2c)
    ours.start()
    bench.look(ours)
    assert (master.roi_xy, master.roi_center, master.distance_mode) == ((8, 8), 199, 1)


def test_readings_come_in_our_period_and_within_our_budget(bench, ranger):
    ours, chip = ranger
    bench.look(ours, 1)
    began_us = bench.clock.now_us()
    bench.look(ours, 20)
    assert abs((bench.clock.now_us() - began_us) / 20_000 - PERIOD_MS) < 1
    assert abs(chip.duration_us() - 50_000) < 500


def test_the_first_reading_comes_soon_and_no_look_holds_the_cells_up(bench, ranger):
    ours, _ = ranger
    assert bench.look(ours, 20, ms=200 + 20 * PERIOD_MS)
    assert bench.longest_us < 5_000


@pytest.mark.parametrize("budget_ms", [20, 50, 100, 200])
def test_the_budgets_of_others_take_their_time(bench, kind, masters, budget_ms):
    chip = bench.i2c.attach(kind[1](bench.clock, 200))
    bench.sleep(2)
    master = master_of(masters, bench, chip)
    master.timing_budget = budget_ms
    master.start_ranging()
    while not master.data_ready:
        bench.sleep(1)
    master.clear_interrupt()
    began_us = bench.clock.now_us()
    while not master.data_ready:
        bench.sleep(1)
    assert abs(bench.clock.now_us() - began_us - 1000 * budget_ms) < 3_000 + 20 * budget_ms


def test_between_two_measurements_lies_what_was_asked(bench, masters):
    chip = bench.i2c.attach(Vl53l4cd(bench.clock, 200))
    bench.sleep(2)
    master = master_of(masters, bench, chip)
    master.inter_measurement = 150
    assert abs(chip.period_us() - 150_000) < 2_000
    assert master.inter_measurement in (148, 149, 150)


def test_a_reading_stays_until_its_interrupt_is_cleared(bench, ranger):
    ours, chip = ranger
    bench.look(ours, 1)
    bench.sleep(500)
    chip.target_mm = 90
    bench.sleep(500)
    assert bench.look(ours, 2) == [(90, 0)] * 2
    measured = chip.measured
    bench.sleep(1_000)
    bench.i2c.readfrom(chip.address, 1)
    bench.sleep(1_000)
    bench.i2c.readfrom(chip.address, 1)
    assert chip.measured == measured + 1


@pytest.mark.parametrize(
    ("name", "value", "status"), [("target_mm", None, 2), ("signal_kcps", 500, 2), ("sigma_mm", 20, 1)]
)
def test_what_the_chip_is_not_sure_of_is_told_as_such(bench, ranger, name, value, status):
    ours, chip = ranger
    bench.look(ours, 1)
    setattr(chip, name, value)
    readings = bench.look(ours, 3)
    assert [reading[1] for reading in readings[1:]] == [status] * 2


def test_the_others_read_signal_sigma_and_ambient_light_where_the_chip_puts_them(bench, masters):
    chip = bench.i2c.attach(Vl53l4cd(bench.clock, 200))
    chip.sigma_mm, chip.signal_kcps, chip.ambient_kcps = 2.5, 8_000, 1_600
    bench.sleep(2)
    master = master_of(masters, bench, chip)
    master.start_ranging()
    bench.sleep(100)
    assert master.sigma == 0.25
    assert (chip.word(0x8E) * 8, chip.word(0x90) * 8) == (8_000, 1_600)


def test_a_chip_that_boots_slowly_is_waited_for(bench, kind):
    driver, model = kind
    chip = bench.i2c.attach(model(bench.clock, 200))
    chip.boot_us = 50_000
    bench.sleep(2)
    ours = driver(bench.i2c)
    ours.start()
    assert bench.look(ours) == [(200, 0)]
    assert abs(chip.period_us() - 1000 * PERIOD_MS) < 100


def test_every_status_is_the_one_the_others_make_of_it(bench, masters):
    chip = bench.i2c.attach(Vl53l4cd(bench.clock, 200))
    bench.sleep(2)
    ours, master = VL53L4CD(bench.i2c), master_of(masters, bench, chip)
    seen, expected = [], []
    for raw in range(32):
        chip.results = [(200, 9), (123, raw)]  # the first is the calibration's
        ours.start()
        seen += bench.look(ours, 1)
        expected.append((123, master.range_status))
    others = {13: 255}  # which ST calls an error of its processing and the masters "other"
    assert [(mm, others.get(status, status)) for mm, status in seen] == expected


def test_a_wild_reading_that_calls_itself_valid_is_handed_on_as_such(bench, ranger):
    ours, chip = ranger
    bench.look(ours, 1)
    chip.results = [(24, 9), (180, HARDWARE_FAIL), (180, PHASE_FAIL)]
    assert bench.look(ours, 4) == [(24, 0), (180, 5), (180, 4), (200, 0)]


def test_a_missing_chip_is_silent_at_once_and_works_when_it_comes(bench, kind):
    driver, model = kind
    ours = driver(bench.i2c)
    with pytest.raises(OSError, match="nobody answers at 0x29") as silent:
        ours.start()
    assert silent.value.errno == EIO
    assert ours.take() is None
    bench.i2c.attach(model(bench.clock, 200))
    bench.sleep(2)
    ours.start()
    assert bench.look(ours) == [(200, 0)]


def test_a_bus_that_does_not_move_is_told_apart_and_goes_on_when_it_does(bench, ranger):
    ours, _ = ranger
    bench.look(ours)
    bench.i2c.stuck = True
    with pytest.raises(OSError, match="does not move") as stuck:
        ours.take()
    assert stuck.value.errno == ETIMEDOUT
    bench.i2c.stuck = False
    assert len(bench.look(ours, 3)) == 3


def test_a_transfer_that_is_not_acknowledged_costs_one_look(bench, ranger):
    ours, _ = ranger
    bench.look(ours)
    bench.i2c.deaf = 1
    with pytest.raises(OSError, match="nobody answers"):
        bench.look(ours)
    assert bench.look(ours, 2) == [(200, 0)] * 2


def test_another_chip_at_its_address_is_named(bench):
    bench.i2c.attach(Vl53l4cd(bench.clock))
    bench.sleep(2)
    ours = VL53L1X(bench.i2c)
    ours.start()
    with pytest.raises(OSError, match="VL53L1X at 0x29: model 0xeacc expected, saw 0xebaa") as other:
        bench.look(ours)
    assert other.value.errno == ENODEV


def test_two_chips_at_one_address_are_noticed(bench):
    bench.i2c.attach(Vl53l4cd(bench.clock))
    bench.i2c.attach(Vl53l1x(bench.clock))
    bench.sleep(2)
    ours = VL53L4CD(bench.i2c)
    ours.start()
    with pytest.raises(OSError, match="saw 0xea88: another chip, or two at one address"):
        bench.look(ours)


def three(bench, kind):
    driver, model = kind
    turn = Lock()
    chips = [bench.i2c.attach(model(bench.clock, mm)) for mm in (100, 200, 300)]
    rangers = [driver(bench.i2c, 0x30 + k, chips[k].power, turn) for k in range(3)]
    return rangers, chips


def test_three_rangers_on_one_bus_get_addresses_of_their_own(bench, kind):
    rangers, chips = three(bench, kind)
    for ranger in rangers:
        ranger.start()
    got = [[], [], []]
    for _ in range(60):
        for k, ranger in enumerate(rangers):
            got[k] += bench.look(ranger, 1, LOOK_MS)
    assert [chip.address for chip in chips] == [0x30, 0x31, 0x32]
    assert [readings[-1] for readings in got] == [(100, 0), (200, 0), (300, 0)]


def test_a_ranger_that_lost_its_power_comes_back_to_its_address(bench, kind):
    rangers, chips = three(bench, kind)
    for ranger in rangers:
        ranger.start()
        bench.look(ranger)
    chips[1].power(0)
    chips[1].power(1)
    bench.sleep(10)
    with pytest.raises(OSError, match="nobody answers at 0x31"):
        rangers[1].take()
    rangers[1].start()
    assert bench.look(rangers[1]) == [(200, 0)]
    assert bench.look(rangers[0])[-1] == (100, 0)


def test_a_missing_ranger_does_not_keep_the_others_from_their_addresses(bench, kind):
    rangers, chips = three(bench, kind)
    bench.i2c.chips.remove(chips[0])
    for ranger in rangers:
        ranger.start()
    with pytest.raises(OSError, match="nobody answers at 0x29"):
        bench.look(rangers[0])
    assert bench.look(rangers[1]) == [(200, 0)]
    assert bench.look(rangers[2]) == [(300, 0)]


def test_a_ranger_elsewhere_needs_its_shutdown_line(bench):
    with pytest.raises(ValueError, match="0x30 needs a shutdown line"):
        VL53L1X(bench.i2c, 0x30)


def test_the_driver_of_others_moves_the_chip_to_an_address(bench, kind, masters):
    chip = bench.i2c.attach(kind[1](bench.clock, 200))
    bench.sleep(2)
    master = master_of(masters, bench, chip)
    master.set_address(0x44)
    assert bench.i2c.scan() == [0x44]
    assert master.model_info[0] == chip.ident[0]


def test_a_chip_whose_laser_is_dead_gives_nothing_and_no_error(bench, ranger):
    ours, chip = ranger
    chip.stubborn = True
    assert bench.look(ours) == []


@given(noise=st.lists(st.binary(min_size=17, max_size=17), min_size=1, max_size=40), faults=st.lists(st.integers(0, 3)))
def test_whatever_arrives_from_the_bus_is_a_reading_or_an_oserror(make_bench, noise, faults):
    bench = make_bench()
    chip = bench.i2c.attach(Vl53l1x(bench.clock, 200))
    bench.sleep(2)
    ours = VL53L1X(bench.i2c)
    ours.start()
    for k, spoilt in enumerate(noise):
        bench.i2c.spoil = lambda data, spoilt=spoilt: spoilt[: len(data)]
        bench.i2c.deaf = faults[k] if k < len(faults) else 0
        bench.sleep(20)
        try:
            reading = ours.take()
        except OSError:
            continue
        assert reading is None or (0 <= reading[0] <= 0xFFFF and 0 <= reading[1] <= 255)
    bench.i2c.spoil, bench.i2c.deaf = None, 0
    ours.start()
    assert bench.look(ours) == [(200, 0)]
    assert chip.address == 0x29
