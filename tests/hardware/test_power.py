"""The budget of every station stays under its limits, and the cables bear it."""

import yaml


def test_a_station_stays_under_every_limit(power, stations, pins):
    way = stations.power(pins)
    assert way.total_ma < power.FUSE_HOLD_MA * power.FUSE_DERATING < power.SUPPLY_MA
    assert way.inrush_ma < power.FUSE_HOLD_MA
    assert way.rail_3v3_ma < power.RAIL_3V3_MA
    assert way.diode_ma < power.DIODE_MA
    assert (pins["strip"] or {"limit_ma": 0})["limit_ma"] < power.CONTACT_MA
    assert way.leds_mv > power.LEDS_LEAST_MV
    assert way.vsys_mv > power.VSYS_LEAST_MV


def test_the_plug_of_a_live_supply_fills_the_capacitor_at_once_and_trips_no_fuse(power, stations, pins, root):
    """The page had 500 mA for every way of plugging in: only the mains come up so slowly."""
    way = stations.power(pins)
    page = (root / f"hardware/stations/{pins['kind']}.md").read_text("utf-8")
    assert (way.spark_ma > 0) == bool(pins["strip"]) == (f"{way.spark_ma / 1000:.0f} A, too briefly" in page)
    every_ohm = way.drop_mv / way.total_ma
    assert 3 * every_ohm * power.CAPACITOR_UF / 1000 < power.SPARK_MS
    stored_mj = power.CAPACITOR_UF * 5**2 / 2 / 1000
    tripping_mj_in_a_second = (power.FUSE_TRIP_MA / 1000) ** 2 * power.FUSE_OHM * 1000
    assert stored_mj < tripping_mj_in_a_second / 100
    if pins["strip"]:
        tried = (root / "hardware/NEVER-TRIED.md").read_text("utf-8")
        assert f"less than {way.spark_ma / 1000:.0f} A, for less than {power.SPARK_MS} ms" in tried
        assert "Plug the supply into the socket first\nand then into the mains" in page


def test_the_supply_and_the_fuse_are_those_of_the_parts_list(power, parts):
    assert "supply-5v-4a" in parts
    assert power.SUPPLY_MA == 4000
    assert f"fuse-resettable-{power.FUSE_HOLD_MA / 1000:g}a" in parts
    assert f"{power.FUSE_TRIP_MA / 1000:g} A" in parts[f"fuse-resettable-{power.FUSE_HOLD_MA / 1000:g}a"].note


def test_the_fuse_trips_at_less_than_the_supply_gives(power):
    """A polymer fuse trips for sure at twice its hold current only; one of 2.5 A would glow at 4 A and never trip."""
    assert power.FUSE_TRIP_MA >= 2 * power.FUSE_HOLD_MA
    assert power.FUSE_TRIP_MA < power.SUPPLY_MA


def test_a_dip_of_the_supply_to_three_volts_does_not_restart_a_board(power, stations, pins):
    assert power.brown_out_mv(stations.power(pins)) < 3000


def test_the_links_draw_little_beside_a_station(power, stations, pins):
    for link in power.links([6, 1, 10]):
        assert 0 < link.sending_ma < 0.1 * stations.largest_ma(pins), link.name


def test_the_cable_of_the_supply_is_the_budgets(power, root):
    (cord,) = yaml.safe_load((root / "hardware/harness/supply-to-carrier.yml").read_text())["cables"].values()
    assert (cord["gauge"], cord["length"]) == (f"{power.WIRE_MM2:g} mm2", power.WIRE_M)


def test_every_wire_in_a_jst_xh_housing_fits_its_contact(power, root):
    """One that is thicker cannot be crimped: the budget's 3 A in a contact are of the thickest that goes in."""
    for path in (root / "hardware/harness").iterdir():
        cable = yaml.safe_load(path.read_text())
        if any("JST XH" in end["type"] for end in cable["connectors"].values()):
            (cord,) = cable["cables"].values()
            least, most = power.CONTACT_MM2
            assert least <= float(cord["gauge"].removesuffix(" mm2")) <= most, path.name


def test_a_usb_port_could_not_feed_a_station(stations, pins):
    assert stations.largest_ma(pins) > 500


def test_usb_carries_every_moving_cell_and_a_shared_bus_does_not(power, full_table):
    ways = power.links([sum(len(spot.cells) for spot in one.spots) for one in full_table.stations])
    assert [(one.name.split(",")[0], one.is_enough) for one in ways] == [
        ("USB", True),
        ("RS-485", False),
        ("CAN", False),
    ]


def test_a_message_of_samples_is_no_longer_than_the_budget_says(power):
    """A batch of eight, of which 93 / 8 go out each second."""
    assert power.cell_bits_per_s() / 8 * power.BATCH / power.SAMPLES_PER_S < 512
