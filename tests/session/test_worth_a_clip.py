"""Worth a clip: a confirmed collapse and a beaten record, once each; what people put right is not."""

import pytest

from citytable.session.worth_a_clip import WorthAClip
from citytable.table.mark import Mark
from citytable.table.scene import Scene
from citytable.views.collapse import Collapse
from citytable.views.state import Happened, View

SCENE = Scene(game="megacity", turn=1, seat=1, phase="main", players=())


def view(line, tallest=0, fell=None):
    """After so many acts; `tallest` is how high somebody built, `fell` the entry of a collapse."""
    collapse = None if fell is None else Collapse(no=fell, spot="city/1/0", cause="unknown", before=SCENE)
    lines = (Happened(no=line, t_us=tallest, key="action.deliver"), Happened(no=99, t_us=0, key="sensed.fell"))
    return View(t_us=0, table="salon", scene=SCENE, happened=lines, collapse=collapse)


@pytest.fixture
def worth():
    """Somebody once built 60 mm; how high is built now, a view says in its first line."""
    return WorthAClip(lambda view: (Mark("tallest", view.happened[0].t_us, 1), Mark("new", 9)), lambda: {"tallest": 60})


def test_a_collapse_is_worth_one_clip(worth):
    seen = [worth.show(one) for one in (view(1), view(2, fell=7), view(2, fell=7), view(3), view(4, fell=9))]
    assert seen == [None, "collapse", None, None, "collapse"]


def test_a_record_is_worth_one_clip_and_equalling_it_none(worth):
    assert [worth.show(view(n, mm)) for n, mm in ((1, 40), (2, 60), (3, 61), (4, 75))] == [None, None, "record", None]


def test_a_record_that_a_correction_makes_is_worth_none_not_even_with_the_next_act(worth):
    assert [worth.show(view(n, mm)) for n, mm in ((1, 40), (1, 70), (2, 70))] == [None, None, None]


def test_a_collapse_that_comes_back_after_an_undo_of_something_else_is_the_same(worth):
    assert [worth.show(one) for one in (view(1, fell=7), view(1), view(1, fell=7))] == ["collapse", None, None]


def test_a_hub_that_goes_on_with_a_game_films_nothing_of_what_was(worth):
    worth.begin(view(5, 80, fell=7))
    assert [worth.show(one) for one in (view(5, 80, fell=7), view(6, 80))] == [None, None]


def test_what_no_game_before_has_reached_is_no_record(worth):
    assert worth.show(view(1, 10)) is None
