"""Words: who speaks."""

import pytest

from citytable.table.word import HOST_SEAT, seat_of


@pytest.mark.parametrize(
    ("speaker", "seat"), [("host", HOST_SEAT), ("seat 1", 1), ("seat 4", 4), ("table", None), ("silence", None)]
)
def test_every_speaker_has_a_seat_or_is_no_person(speaker, seat):
    assert seat_of(speaker) == seat
