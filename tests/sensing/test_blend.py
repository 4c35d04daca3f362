"""Several cells, each with its own clock, become one load."""

from citytable.sensing.blend import Blend


def test_a_load_waits_until_every_cell_has_told_as_much():
    blend = Blend(2)
    for t_us in (10, 20, 30):
        blend.push(0, t_us, 5.0)
    blend.read(0, 30)
    blend.push(1, 12, 7.0)
    blend.read(1, 12)
    assert list(blend.loads()) == [(12, 12.0)]
    blend.push(1, 22, 8.0)
    blend.read(1, 22)
    assert list(blend.loads()) == [(22, 13.0)]


def test_nobody_waits_longer_than_a_quarter_of_a_second():
    blend = Blend(2)
    for cell in (0, 1):
        blend.push(cell, 10 + cell, 5.0)
        blend.read(cell, 10 + cell)
    assert list(blend.loads()) == []  # cell 0 has not told what was at 11
    for n in range(1, 5):
        blend.push(0, n * 100_000, 6.0)
    blend.read(0, 400_000)
    assert list(blend.loads()) == [(11, 10.0)]
    blend.read(0, 500_000)
    assert list(blend.loads()) == [(100_000, 11.0)]


def test_history_that_summaries_have_told_is_passed_over():
    blend = Blend(1)
    blend.rest(0, 1_000_000, 5.0)
    for t_us in (100_000, 890_000, 1_010_000):
        blend.push(0, t_us, 6.0)
    blend.read(0, 1_010_000)
    assert list(blend.loads()) == [(1_010_000, 6.0)]


def test_a_movement_in_the_last_tenth_of_a_summary_is_not_passed_over():
    blend = Blend(1)
    blend.rest(0, 1_000_000, 5.0)
    blend.push(0, 950_000, 6.0)
    blend.read(0, 950_000)
    assert list(blend.loads()) == [(950_000, 6.0)]


def test_a_resting_cell_keeps_its_mean_while_another_moves():
    blend = Blend(2)
    blend.rest(0, 1_000_000, 5.0)
    blend.rest(1, 1_000_000, 7.0)
    blend.push(1, 1_010_000, 8.0)
    blend.push(1, 1_020_000, 9.0)
    blend.push(1, 1_030_000, 9.0)
    blend.read(1, 1_030_000)
    assert list(blend.loads()) == []
    blend.read(0, 1_030_000)
    assert list(blend.loads()) == [(1_010_000, 13.0), (1_020_000, 14.0)]
    assert blend.total() == 14.0


def test_without_one_cell_there_is_no_load():
    blend = Blend(2)
    blend.push(0, 10, 5.0)
    blend.read(0, 10)
    blend.read(1, 10)
    assert list(blend.loads()) == []
    assert blend.total() is None
