"""One lamp for all rings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.views.lamp import Lamp, commanded
from citytable.views.lights import DARK, Ring

CHANNEL = st.integers(0, 255)
RINGS = st.dictionaries(
    st.sampled_from(["city/0/0", "city/1/-1", "seat/1/pad/0"]),
    st.builds(Ring, rgb=st.tuples(CHANNEL, CHANNEL, CHANNEL), pattern=st.sampled_from(["solid", "half", "pulse"])),
)


@given(rings=RINGS, brightness=st.integers(1, 255))
def test_dimming_keeps_what_a_ring_says_and_only_takes_light_away(rings, brightness):
    dimmed = Lamp(brightness=brightness).dimmed(rings)
    assert dimmed.keys() == rings.keys()
    for spot, ring in rings.items():
        assert dimmed[spot].pattern == ring.pattern
        for before, after in zip(ring.rgb, dimmed[spot].rgb, strict=True):
            assert after <= before
            assert (after > 0) == (before > 0)


@given(rings=RINGS)
def test_at_full_brightness_nothing_changes_and_switched_off_all_is_dark(rings):
    assert Lamp().dimmed(rings) == rings
    assert set(Lamp(on=False).dimmed(rings).values()) <= {DARK}


def test_a_lamp_that_is_switched_on_again_is_as_bright_as_it_was():
    off = commanded(Lamp(brightness=40), b'{"state":"OFF"}')
    assert off == Lamp(on=False, brightness=40)
    assert commanded(off, b'{"state":"ON"}') == Lamp(brightness=40)
    assert commanded(off, b'{"state":"ON","brightness":200}') == Lamp(brightness=200)


def test_no_brightness_at_all_is_off():
    assert commanded(Lamp(brightness=40), b'{"state":"ON","brightness":0}') == Lamp(on=False, brightness=40)


@pytest.mark.parametrize(
    "payload",
    [b"", b"ON", b"{}", b'{"state":"on"}', b'{"state":"ON","brightness":256}', b'{"state":"ON","brightness":-1}'],
)
def test_a_command_that_makes_no_sense_is_refused_and_quoted(payload):
    with pytest.raises(ValueError, match=r"brightness|is not a command"):
        commanded(Lamp(), payload)


@given(payload=st.binary(max_size=200))
def test_nothing_that_is_sent_breaks_the_lamp(payload):
    try:
        lamp = commanded(Lamp(), payload)
    except ValueError:
        return
    assert 1 <= lamp.brightness <= 255
