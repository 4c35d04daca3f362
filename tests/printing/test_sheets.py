"""Things of any size lie on sheets without overlapping, and their backs behind them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.printing.sheets import BOTTOM, PAPERS, SIDE, TOP, TooLarge, mirrored, sheets
from citytable.table.printed import Face, Mark, Printed

FACE = Face("", "#000000", Mark(""))
CLOSE = 1e-3

lengths = st.floats(5, 300, allow_nan=False) | st.sampled_from([63.0, 88.0, 38.4, 27.0, 192.0, 273.0])
things = st.lists(st.tuples(lengths, lengths, st.integers(1, 30)), max_size=8).map(
    lambda sizes: [Printed(str(k), (w, h), FACE, FACE, copies=n) for k, (w, h, n) in enumerate(sizes)]
)
papers = st.sampled_from(sorted(PAPERS.items())).map(lambda item: item[1])


def _fits(thing: Printed, paper) -> bool:
    room = sorted((paper.width - 2 * SIDE, paper.height - TOP - BOTTOM))
    return all(side <= space + 1e-6 for side, space in zip(sorted(thing.size_mm), room, strict=True))


@given(things, papers)
def test_every_copy_lies_on_a_sheet_once_inside_the_margins_and_on_no_other(of_any_size, paper):
    if not all(_fits(thing, paper) for thing in of_any_size):
        with pytest.raises(TooLarge, match="choose larger paper"):
            sheets(of_any_size, paper)
        return
    pages = sheets(of_any_size, paper)
    assert all(pages)
    lying = Counter(place.printed.thing for page in pages for place in page)
    assert lying == {thing.thing: thing.copies for thing in of_any_size}
    for page in pages:
        for k, one in enumerate(page):
            assert sorted((one.width, one.height)) == sorted(one.printed.size_mm)
            assert one.x >= SIDE - CLOSE
            assert one.x + one.width <= paper.width - SIDE + CLOSE
            assert one.y >= TOP - CLOSE
            assert one.y + one.height <= paper.height - BOTTOM + CLOSE
            for other in page[:k]:
                across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
                along = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
                assert min(across, along) < CLOSE


@given(things, papers)
def test_a_sheet_held_against_the_light_shows_each_back_behind_its_front(of_any_size, paper):
    for page in sheets([thing for thing in of_any_size if _fits(thing, paper)], paper):
        for place in page:
            back = mirrored(place, paper)
            assert back.x + back.width / 2 == pytest.approx(paper.width - (place.x + place.width / 2))
            assert (back.y, back.width, back.height) == (place.y, place.width, place.height)
            assert mirrored(back, paper).x == pytest.approx(place.x)


def test_cards_are_turned_where_more_of_them_fit():
    cards = [Printed("card", (63.0, 88.0), FACE, FACE, copies=9)]
    assert [len(page) for page in sheets(cards, PAPERS["a4"])] == [9]
    assert [len(page) for page in sheets(cards, PAPERS["letter"])] == [8, 1]


def test_a_thing_that_is_too_large_is_named_with_the_room_there_is():
    board = Printed("board", (300.0, 400.0), FACE, FACE)
    with pytest.raises(TooLarge, match="board is 300 x 400 mm, and the paper has room for 192 x 273 mm"):
        sheets([board], PAPERS["a4"])
