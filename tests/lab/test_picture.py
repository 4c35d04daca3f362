"""Pictures: written as asked, the same twice, and refused in a sentence."""

import msgspec
import numpy as np
import pytest

from citytable.sensing.event import Event
from citytable_lab.picture import BadPicture, draw_trace
from citytable_lab.score import Reported
from citytable_lab.trace_file import Knocks

pytestmark = pytest.mark.long(5)


@pytest.fixture
def trace(weighed, label):
    events = (
        label("piece_added", 0.5, 1.0, "piece", mass_before_g=50, mass_after_g=60),
        label("collapse", 2.0, 2.5, mass_before_g=60, mass_after_g=20),
    )
    ranges = np.array([300, -1, 280, 290], np.int16)
    times = np.arange(4, dtype=np.int64) * 1_000_000
    return weighed([50] * 80 + [60] * 80 + [20] * 160, events=events, tof_t_us=times, tof_mm=ranges)


TOLD = (
    Reported(2_050_000, Event(kind="collapse", t_us=2_050_000, stage="alert")),
    Reported(2_400_000, Event(kind="collapse", t_us=2_400_000, mass_g=-40.0)),
)


def test_a_picture_names_what_was_true_and_what_was_told(trace, tmp_path):
    draw_trace(trace, TOLD, tmp_path / "a.svg")
    drawn = (tmp_path / "a.svg").read_text()
    for words in ("by-hand", "piece added", "collapse", "-40 g", "load without tile, g", "range, mm", "withdrawn"):
        assert words in drawn


def test_what_was_heard_has_a_strip_of_its_own_where_somebody_listened(trace, tmp_path):
    silence, knock = (Knocks(np.array(t_us, np.int64), np.array(mg, np.int16)) for t_us, mg in (([], []), ([9], [80])))
    drawn = []
    for knocks in (None, silence, knock):
        draw_trace(msgspec.structs.replace(trace, knocks=knocks), TOLD, tmp_path / "a.svg")
        drawn.append((tmp_path / "a.svg").read_text())
    assert ["knocks, mg" in one for one in drawn] == [False, True, True]
    assert drawn[1] != drawn[2]


def test_the_same_trace_gives_the_same_picture(trace, tmp_path):
    for name in ("a.svg", "b.svg"):
        draw_trace(trace, TOLD, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_a_picture_may_be_a_png_of_a_trace_without_labels_and_ranges(weighed, tmp_path):
    draw_trace(weighed([0] * 40), (), tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("name", "words"), [("a.jpeg", "'.jpeg'"), ("gone/a.svg", "No such file")])
def test_what_cannot_be_drawn_is_said(trace, tmp_path, name, words):
    with pytest.raises(BadPicture, match=words):
        draw_trace(trace, (), tmp_path / name)
