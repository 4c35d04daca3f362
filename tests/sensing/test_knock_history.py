"""The history of knocks: knocks go in, what was heard of late comes out as numbers."""

from citytable.sensing.knock_history import BEFORE_US, HEARS_US, KEPT, LEAD_US, LEAST_MG, NAMES, NEVER_MS, KnockHistory

NOW_US = 50_000_000


def told(knock_history, since_us=NOW_US - 500_000, half_us=NOW_US - 400_000):
    """The features by name."""
    return dict(zip(NAMES, knock_history.features(NOW_US, since_us, half_us), strict=True))


def heard(knocks, **times):
    """The features of knocks, each so many microseconds ago with its peak."""
    knock_history = KnockHistory()
    for ago_us, mg in knocks:
        knock_history.heard(NOW_US - ago_us, mg)
    return told(knock_history, **times)


def test_it_hears_for_as_long_as_somebody_listens():
    knock_history = KnockHistory()
    assert not knock_history.hears(NOW_US)
    knock_history.listened(NOW_US)
    assert knock_history.hears(NOW_US - 1)
    assert knock_history.hears(NOW_US + HEARS_US)
    assert not knock_history.hears(NOW_US + HEARS_US + 1)
    knock_history.heard(NOW_US + HEARS_US, 100)
    assert not knock_history.hears(NOW_US + HEARS_US + 1)


def test_silence_is_nothing_at_all():
    silent = heard([])
    assert {silent.pop(name) for name in ("knock_max_ms", "knock_first_ms", "knock_usual")} == {NEVER_MS}
    assert silent.pop("half_ms") == 400
    assert set(silent.values()) == {0.0}


def test_the_largest_of_each_span_is_told():
    spans = heard([(900_000, 300), (390_000, 40), (150_000, 90), (60_000, 20), (10_000, 30)])
    assert [spans[f"knock{ms}"] for ms in (50, 100, 200, 400, 1000)] == [30, 30, 90, 90, 300]
    assert (spans["knocks200"], spans["knocks1000"]) == (3, 5)


def test_what_came_since_the_motion_began_is_told_apart_from_what_came_before():
    since_us = NOW_US - 2_000_000
    one = heard([(5_100_000, 70), (2_400_000, 25), (2_100_000, 50), (1_200_000, 120), (400_000, 30)], since_us=since_us)
    assert (one["knocks"], one["knock_sum"], one["knock_max"]) == (3, 200, 120)
    assert (one["knock_max_ms"], one["knock_first_ms"]) == (1200, 2100)
    assert (one["knock_before"], one["knocks_before"]) == (70, 2)


def test_a_motion_begins_a_little_before_it_is_noticed():
    since_us = NOW_US - 1_000_000
    assert heard([(1_000_000 + LEAD_US, 50)], since_us=since_us)["knocks"] == 1
    earlier = heard([(1_000_001 + LEAD_US, 50)], since_us=since_us)
    assert (earlier["knocks"], earlier["knocks_before"]) == (0, 1)
    assert heard([(1_000_001 + LEAD_US + BEFORE_US, 50)], since_us=since_us)["knocks_before"] == 0


def test_what_is_softer_than_the_sensors_own_noise_is_none():
    assert heard([(10_000, LEAST_MG - 1)])["knocks1000"] == 0
    assert heard([(10_000, LEAST_MG)])["knocks1000"] == 1


def test_a_knock_when_half_has_left_or_soon_after_is_what_a_fall_sounds_like():
    one = heard([(900_000, 70), (470_000, 300), (290_000, 90), (90_000, 400)], half_us=NOW_US - 400_000)
    assert (one["knock_half"], one["knock_half_ms"], one["half_ms"]) == (300, -70, 400)
    assert one["knock_early"] == 70
    late = heard([(1_100_000, 70), (290_000, 90)], half_us=NOW_US - 400_000)
    assert (late["knock_half"], late["knock_half_ms"], late["knock_early"]) == (90, 110, 0)


def test_a_table_that_is_always_noisy_is_known_to_be():
    quiet, noisy = KnockHistory(), KnockHistory()
    for ago_s in range(60, 1, -1):
        noisy.heard(NOW_US - ago_s * 1_000_000, 40)
    for one in (quiet, noisy):
        one.heard(NOW_US - 100_000, 90)
        one.heard(NOW_US - 50_000, 90)
    assert told(quiet)["knock_rate"] == 0
    assert 15 < told(noisy)["knock_rate"] < 20


def test_how_loud_a_piece_is_that_is_set_down_is_learned_while_it_hears():
    knock_history = KnockHistory()
    knock_history.set_down(NOW_US, NOW_US - 1_000_000)
    assert told(knock_history)["knock_usual"] == NEVER_MS
    knock_history.listened(NOW_US)
    for mg in (30, 500, 60):
        knock_history.heard(NOW_US - 20_000_000, mg)
        knock_history.set_down(NOW_US - 19_900_000, NOW_US - 20_100_000)
    assert told(knock_history)["knock_usual"] == 500
    knock_history.set_down(NOW_US, NOW_US - 1_000_000)
    knock_history.set_down(NOW_US, NOW_US - 1_000_000)
    assert told(knock_history)["knock_usual"] == 30


def test_a_knock_that_is_ahead_of_the_loads_waits_for_them():
    knock_history = KnockHistory()
    knock_history.heard(NOW_US, 90)
    knock_history.heard(NOW_US + 30_000, 200)
    assert knock_history.features(NOW_US + 29_999, NOW_US, NOW_US)[0] == 90
    assert knock_history.features(NOW_US + 30_000, NOW_US, NOW_US)[0] == 200


def test_it_keeps_no_more_than_it_needs():
    knock_history = KnockHistory()
    for number in range(3 * KEPT):
        knock_history.heard(NOW_US, 20 + number)
    assert told(knock_history)["knocks"] == KEPT
