"""Topics: built and taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablewire.topics import is_name, split, topic

names = st.text("abcXYZ019-", min_size=1, max_size=32)


@given(names, names, st.sampled_from(["event", "light", "state"]))
def test_a_topic_that_was_built_can_be_split(table, station, channel):
    assert split(topic(table, station, channel)) == (table, station, channel)


@pytest.mark.parametrize("name", ["", "a.b", "seat/1", "ünder", "x" * 33, "two words", "+", "#"])
def test_a_name_with_other_letters_is_none(name):
    assert not is_name(name)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("citytable/1/cafe/seat-1", "is not citytable/1"),
        ("weather/1/cafe/seat-1/event", "is not citytable/1"),
        ("citytable/2/cafe/seat-1/event", "update the station or the hub"),
        ("citytable/1/ca.fe/seat-1/event", "1-32 letters"),
        ("citytable/1/cafe//event", "1-32 letters"),
    ],
)
def test_a_wrong_topic_is_refused_with_what_is_wrong(text, why):
    with pytest.raises(ValueError, match=why):
        split(text)
