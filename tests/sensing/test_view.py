"""What an overhead sensor sees: of late, and while nothing was in its way."""

from citytable.sensing.view import View


def test_what_is_seen_now_lies_between_the_lowest_and_the_highest_of_late():
    view = View(3)
    for t_us, height_mm in ((0, 500.0), (100_000, 90.0), (200_000, 300.0), (300_000, 100.0)):
        view.add(t_us, height_mm)
    assert view.now(300_000) == (90, 300)
    assert view.now(850_000) == (100, 100)
    assert view.now(950_000) is None


def seeing(*heights_mm):
    view = View(3)
    for number, height_mm in enumerate(heights_mm):
        view.add(100_000 * number, height_mm)
    return view


def test_before_an_act_the_lowest_counts_for_what_is_in_the_way_is_nearer():
    assert seeing(250, 250, 250, 91, 90, 92, 240, 230).act(60) == 91


def test_one_frame_without_a_reading_of_the_tower_shows_no_lower_one():
    assert seeing(91, 90, 2, 92, 91).act(60) == 90


def test_what_an_act_cannot_have_made_so_high_is_a_hand():
    view = seeing(80, 80, 80)
    assert not view.believes(80)  # nobody knows yet what a clear view is
    assert view.act(60) == 80
    assert view.believes(140)
    assert not view.believes(141)
    for number in range(3):
        view.add(100_000 * number, 190)
    assert view.act(60) is None
    assert view.clear_mm == 80
    assert view.believes(200)  # two acts can have


def test_where_nobody_looked_what_was_seen_before_stays_known():
    view = seeing(80, 80, 80)
    view.act(60)
    assert view.act(60) is None
    assert view.clear_mm == 80
    view.forget()
    assert view.clear_mm is None
    assert not view.believes(80)
