"""Words: who speaks, and what players are called."""

import pytest

from citytable.table.word import HOST_SEAT, seat_of, tidied


@pytest.mark.parametrize(
    ("speaker", "seat"), [("host", HOST_SEAT), ("seat 1", 1), ("seat 4", 4), ("table", None), ("silence", None)]
)
def test_every_speaker_has_a_seat_or_is_no_person(speaker, seat):
    assert seat_of(speaker) == seat


def test_names_are_kept_as_they_are_shown():
    assert tidied((" Tom  B.", "", "Anna")) == ("Tom B.", "", "Anna")
