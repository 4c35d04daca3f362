"""The contact sheet tells a screen that has changed from one that has not."""

import json

import pytest

SAME = "0f" * 93


@pytest.fixture
def tool(load_tool):
    """The tool."""
    return load_tool("contact_sheet")


def test_a_picture_that_is_new_or_looks_different_is_named(tool):
    moved = "f0" * 12 + SAME[24:]
    said = tool.compared({"one": SAME, "two": moved, "three": SAME}, {"one": SAME, "two": SAME})
    assert said == {"two": "96 bits differ", "three": "new"}


def test_what_smooth_letters_change_is_no_difference(tool):
    assert tool.compared({"one": "1f" + SAME[2:]}, {"one": SAME}) == {}
    assert tool.differing_bits(SAME, SAME[2:]) > tool.MOST_BITS


def test_every_picture_of_the_sheet_was_accepted(tool):
    names = {
        f"{state.name}-{size}-{language}"
        for state in tool.states()
        for size in tool.SIZES
        for language in tool.LANGUAGES
    }
    assert len(names) == 294
    assert set(json.loads(tool.ACCEPTED.read_text())) == names


def test_the_doors_of_every_state_are_those_of_the_server(tool):
    for state in tool.states():
        assert tool.doors(state).now_us() == state.view.t_us
