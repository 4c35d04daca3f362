"""What one station may say before what is too much is shed."""

from citytable.link.budgets import OTHERS_BURST, OTHERS_HZ, SAMPLES_BURST, SAMPLES_HZ, SHOWN_US, Budgets

PLAN = ("park", "sector-1", "sector-2")


def of(station, channel):
    return f"citytable/1/demo/{station}/{channel}"


def admitted(budgets, topic, hz, seconds, start_us=0):
    return sum(budgets.admits(topic, start_us + int(n / hz * 1e6)) for n in range(int(hz * seconds)))


def test_a_station_that_moves_all_its_cells_and_comes_back_with_a_full_outbox_is_within_its_budget():
    budgets = Budgets(PLAN)
    assert admitted(budgets, of("sector-1", "samples"), hz=100, seconds=60) == 6000
    assert all(budgets.admits(of("sector-1", "event"), 0) for _ in range(500))
    assert budgets.flooding(60_000_000) == {}


def test_a_flood_is_cut_to_the_budget_named_and_forgotten_a_minute_after_its_end():
    budgets = Budgets(PLAN)
    taken = admitted(budgets, of("sector-2", "samples"), hz=5000, seconds=10)
    assert abs(taken - (SAMPLES_BURST + 10 * SAMPLES_HZ)) < 5
    assert budgets.flooding(10_000_000) == {"sector-2": 50_000 - taken}
    assert budgets.flooding(11_000_000 + SHOWN_US) == {}


def test_a_flood_of_samples_takes_nothing_from_events_nor_from_other_stations():
    budgets = Budgets(PLAN)
    admitted(budgets, of("sector-2", "samples"), hz=5000, seconds=5)
    assert budgets.admits(of("sector-2", "event"), 5_000_000)
    assert budgets.admits(of("sector-1", "samples"), 5_000_000)
    assert budgets.admits(of("sector-1", "event"), 5_000_000)


def test_events_are_shed_last_and_have_room_again_soon():
    budgets = Budgets(PLAN)
    burst = int(OTHERS_BURST)
    assert all(budgets.admits(of("park", "event"), 0) for _ in range(burst))
    assert not budgets.admits(of("park", "event"), 0)
    assert budgets.admits(of("park", "event"), int(2e6 / OTHERS_HZ))


def test_invented_names_share_one_budget_and_stations_of_the_plan_keep_theirs():
    budgets = Budgets(PLAN)
    taken = sum(budgets.admits(of(f"junk-{n}", "samples"), 0) for n in range(5000))
    assert taken == SAMPLES_BURST
    assert len(budgets.flooding(0)) < 5000, "names take no memory"
    assert budgets.admits(of("sector-1", "samples"), 0)


def test_a_topic_that_is_none_of_ours_is_a_strangers():
    assert Budgets(PLAN).admits("citytable", 0)
