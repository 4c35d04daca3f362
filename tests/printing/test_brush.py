"""Texts fit the place they get, whatever an owner calls a card."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.printing.brush import BOLD, REGULAR, fit, register_fonts, text_width

words = st.lists(st.text(st.characters(codec="utf-8", exclude_characters=" "), min_size=1, max_size=25), max_size=12)


@pytest.fixture(scope="module", autouse=True)
def fonts():
    register_fonts()


@given(words.map(" ".join), st.floats(2, 80), st.floats(1, 40), st.floats(1, 8), st.sampled_from([REGULAR, BOLD]))
def test_lines_stay_in_their_box_and_keep_every_word(text, width, height, largest, font):
    size, lines = fit(text, width, height, largest, font)
    assert 0 < size <= largest
    assert " ".join(lines) == text
    assert all(text_width(line, font, size) <= width for line in lines)
    assert len(lines) * size <= height


def test_a_text_that_has_room_is_as_large_as_it_may_be():
    assert fit("Clinic", 50, 10, 5.0, BOLD) == (5.0, ["Clinic"])


def test_a_text_breaks_before_it_shrinks_where_there_is_height():
    assert fit("Corner Shop", 20, 20, 5.0, BOLD) == (5.0, ["Corner", "Shop"])
