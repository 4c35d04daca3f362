"""Light: patterns as pixels, redrawn on change, never more current than the board can give."""

from hypothesis import given
from hypothesis import strategies as st

from tablestation.light import DARK_UA, IDENTIFY_MAX_S, IDENTIFY_RGB, MOVING, STEP_UA, cap, pixels
from tablewire.messages import PATTERNS

RED = (200, 0, 0)


def lit(frame):
    return [k for k in range(len(frame) // 3) if any(frame[3 * k : 3 * k + 3])]


def test_each_pattern_lights_its_own_pixels():
    assert lit(pixels("solid", RED, 12, 0)) == list(range(12))
    assert lit(pixels("half", RED, 12, 0)) == list(range(6))
    assert lit(pixels("pair", RED, 12, 0)) == [0, 1, 6, 7]
    assert lit(pixels("thirds", RED, 12, 0)) == [0, 1, 4, 5, 8, 9]
    assert lit(pixels("notch", RED, 12, 0)) == list(range(10))
    assert lit(pixels("point", RED, 12, 0)) == [0]
    assert lit(pixels("dots", RED, 12, 0)) == [0, 3, 6, 9]
    assert lit(pixels("off", RED, 12, 0)) == []


def test_a_pulse_beats_between_two_levels():
    assert pixels("pulse", RED, 1, 0) == bytes(RED)
    assert 0 < pixels("pulse", RED, 1, 1)[0] < RED[0]


def test_a_march_goes_round_in_three_beats_with_every_third_led():
    assert [lit(pixels("march", RED, 6, beat)) for beat in range(4)] == [[0, 3], [1, 4], [2, 5], [0, 3]]


def test_a_gap_goes_round_and_all_but_a_third_shines():
    assert [lit(pixels("gap", RED, 6, beat)) for beat in range(3)] == [[2, 3, 4, 5], [0, 1, 4, 5], [0, 1, 2, 3]]


def test_a_chase_goes_round_with_a_third():
    assert [lit(pixels("chase", RED, 6, beat)) for beat in range(4)] == [[0, 1], [2, 3], [4, 5], [0, 1]]


def test_a_swing_lights_opposite_quarters_in_turn():
    assert lit(pixels("swing", RED, 12, 0)) == [0, 1, 2, 6, 7, 8]
    assert lit(pixels("swing", RED, 12, 1)) == [3, 4, 5, 9, 10, 11]


@given(st.sampled_from(PATTERNS), st.integers(1, 60), st.integers(0, 5))
def test_no_pattern_is_dark_for_longer_than_two_beats_and_only_off_for_ever(pattern, leds, beat):
    seen = [lit(pixels(pattern, RED, leds, (beat + k) % 6)) for k in range(3)]
    assert any(seen) == (pattern != "off")


@given(st.integers(8, 60))
def test_what_moves_can_be_told_apart_from_what_stands_and_from_each_other(leds):
    films = {pattern: tuple(bytes(pixels(pattern, RED, leds, beat)) for beat in range(6)) for pattern in PATTERNS}
    assert len(set(films.values())) == len(PATTERNS)
    assert {pattern for pattern, film in films.items() if len(set(film)) > 1} == set(MOVING)


def test_a_ring_is_drawn_when_it_changes_and_only_then(bench):
    bench.spot("city/1/0", ring=12).spot("city/1/1", ring=12).start().run(2_000)
    wanted = {"spot": "city/1/0", "rgb": [0, 90, 40], "pattern": "solid"}
    bench.hear("light", type="light", rings=[wanted])
    bench.hear("light", type="light", rings=[wanted])
    bench.run(3_000)
    assert bench.rings["city/1/0"].frames == [bytes(36), bytes((0, 90, 40) * 12)]
    assert bench.rings["city/1/1"].frames == [bytes(36)], "dark at the start, whatever it showed before"
    assert bench.board.shown == 2, "one go for all rings that changed"


def test_rings_that_are_not_named_stay_as_they_are(bench):
    bench.spot("city/1/0", ring=3).spot("city/1/1", ring=3).start()
    bench.hear("light", type="light", rings=[{"spot": "city/1/0", "rgb": [9, 9, 9], "pattern": "solid"}])
    bench.hear("light", type="light", rings=[{"spot": "city/1/1", "rgb": [5, 5, 5], "pattern": "solid"}])
    bench.hear("light", type="light", rings=[{"spot": "city/3/0", "rgb": [5, 5, 5], "pattern": "solid"}])
    assert bench.rings["city/1/0"].frames[-1] == bytes([9] * 9)
    assert bench.rings["city/1/1"].frames[-1] == bytes([5] * 9)


def test_a_pulsing_ring_is_redrawn_by_itself(bench):
    bench.spot("city/1/0", ring=3).start()
    bench.hear("light", type="light", rings=[{"spot": "city/1/0", "rgb": [90, 0, 0], "pattern": "pulse"}])
    bench.run(3_000)
    assert len(bench.rings["city/1/0"].frames) == 7


@given(st.lists(st.binary(min_size=36, max_size=36), min_size=1, max_size=7), st.integers(100, 2000))
def test_all_rings_together_never_draw_more_than_the_board_gives(frames, limit_ma):
    rings = [bytearray(frame) for frame in frames]
    shown = cap(rings, limit_ma)
    current_ua = sum(DARK_UA * len(ring) // 3 + STEP_UA * sum(ring) for ring in shown)
    assert current_ua <= limit_ma * 1000
    assert all(a <= b for ring, wanted in zip(shown, rings, strict=True) for a, b in zip(ring, wanted, strict=True))


def test_a_frame_below_the_limit_is_shown_as_wanted():
    rings = [bytearray([10] * 36)]
    assert cap(rings, 400) is rings


def test_white_on_six_rings_is_darkened_for_all_alike(make_bench):
    bench = make_bench(ring_ma=400)
    for k in range(6):
        bench.spot(f"city/1/{k}", ring=12)
    bench.start()
    white = [{"spot": f"city/1/{k}", "rgb": [255, 255, 255], "pattern": "solid"} for k in range(6)]
    bench.hear("light", type="light", rings=white)
    levels = {bench.rings[f"city/1/{k}"].frames[-1][0] for k in range(6)}
    assert len(levels) == 1
    assert 0 < levels.pop() < 40


def test_identify_blinks_with_everything_and_goes_back_to_what_was_wanted(bench):
    bench.spot("city/1/0", ring=3).spot("city/1/1", ring=3).start()
    bench.hear("light", type="light", rings=[{"spot": "city/1/0", "rgb": [9, 0, 0], "pattern": "solid"}])
    bench.hear("command", type="identify", seconds=3)
    for ring in bench.rings.values():
        ring.frames.clear()
    bench.run(2_600)
    for ring in bench.rings.values():
        assert {bytes(9), bytes(IDENTIFY_RGB) * 3} == set(ring.frames)
    bench.hear("light", type="light", rings=[{"spot": "city/1/1", "rgb": [0, 7, 0], "pattern": "solid"}])
    bench.run(2_000)
    assert bench.rings["city/1/0"].frames[-1] == bytes([9, 0, 0] * 3)
    assert bench.rings["city/1/1"].frames[-1] == bytes([0, 7, 0] * 3)
    shown = bench.board.shown
    bench.run(5_000)
    assert bench.board.shown == shown, "and then it rests"


def test_a_station_without_rings_identifies_itself_by_its_own_lamp(bench):
    bench.start().run(1_000)
    bench.board.lamps.clear()
    bench.hear("command", type="identify", seconds=2)
    bench.run(5_000)
    assert set(bench.board.lamps) == {True, False}
    assert not bench.board.lamps[-1]


def test_identify_ends_also_when_it_is_asked_for_a_week(bench):
    bench.spot("city/1/0", ring=3).start()
    bench.hear("command", type="identify", seconds=600_000)
    bench.run(IDENTIFY_MAX_S * 1000 + 2_000)
    assert bench.rings["city/1/0"].frames[-1] == bytes(9)
