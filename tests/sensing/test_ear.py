"""The ear: knocks go in, what was heard of late comes out as numbers."""

from citytable.sensing.ear import BEFORE_US, HEARS_US, KEPT, LEAD_US, LEAST_MG, NAMES, NEVER_MS, Ear

NOW_US = 50_000_000


def heard(knocks, now_us=NOW_US, since_us=NOW_US - 500_000):
    """The features by name; `knocks` are microseconds ago and their peaks."""
    ear = Ear()
    for ago_us, mg in knocks:
        ear.heard(now_us - ago_us, mg)
    return dict(zip(NAMES, ear.features(now_us, since_us), strict=True))


def test_it_hears_for_as_long_as_somebody_listens():
    ear = Ear()
    assert not ear.hears(NOW_US)
    ear.listened(NOW_US)
    assert ear.hears(NOW_US - 1)
    assert ear.hears(NOW_US + HEARS_US)
    assert not ear.hears(NOW_US + HEARS_US + 1)
    ear.heard(NOW_US + HEARS_US, 100)
    assert not ear.hears(NOW_US + HEARS_US + 1)


def test_silence_is_nothing_at_all():
    silent = heard([])
    assert (silent.pop("knock_max_ms"), silent.pop("knock_first_ms")) == (NEVER_MS, NEVER_MS)
    assert set(silent.values()) == {0.0}


def test_the_largest_of_each_span_is_told():
    spans = heard([(900_000, 300), (390_000, 40), (150_000, 90), (60_000, 20), (10_000, 30)])
    assert [spans[f"knock{ms}"] for ms in (50, 100, 200, 400, 1000)] == [30, 30, 90, 90, 300]
    assert (spans["knocks200"], spans["knocks1000"]) == (3, 5)


def test_what_came_since_the_motion_began_is_told_apart_from_what_came_before():
    since_us = NOW_US - 2_000_000
    one = heard([(2_500_000, 70), (2_400_000, 25), (2_100_000, 50), (1_200_000, 120), (400_000, 30)], since_us=since_us)
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


def test_a_knock_that_is_ahead_of_the_loads_waits_for_them():
    ear = Ear()
    ear.heard(NOW_US, 90)
    ear.heard(NOW_US + 30_000, 200)
    assert ear.features(NOW_US + 29_999, NOW_US)[0] == 90
    assert ear.features(NOW_US + 30_000, NOW_US)[0] == 200


def test_it_keeps_no_more_than_it_needs():
    ear = Ear()
    for number in range(3 * KEPT):
        ear.heard(NOW_US, 20 + number)
    assert ear.features(NOW_US, NOW_US)[NAMES.index("knocks")] == KEPT
