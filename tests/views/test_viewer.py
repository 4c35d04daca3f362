import msgspec
import pytest
from msgspec.structs import replace

from citytable.table.question import Field, Question
from citytable.views.state import Live, View
from citytable.views.viewer import PUBLIC, Viewer, seen_by, viewer_from_text


def test_the_public_does_not_see_what_stands_on_a_players_own_pads(midgame: View) -> None:
    assert any(spot.spot.startswith("seat/") for spot in midgame.live)
    assert all(spot.spot.startswith(("city/", "supply/")) for spot in seen_by(PUBLIC, midgame).live)


def test_a_player_sees_his_own_pads_and_nobody_elses(midgame: View) -> None:
    view = replace(midgame, live=(Live("seat/1/pad/0", mass_g=20.0), Live("seat/2/pad/0", mass_g=30.0)))
    assert [spot.spot for spot in seen_by(Viewer(2), view).live] == ["seat/2/pad/0"]


@pytest.mark.parametrize(("viewer", "may"), [(PUBLIC, False), (Viewer(1), False), (Viewer(2), True)])
def test_only_the_seat_that_is_asked_gets_the_fields_of_a_question(midgame: View, viewer: Viewer, may: bool) -> None:
    (asked,) = seen_by(viewer, midgame).questions
    assert asked.seat == 2
    assert bool(asked.fields) is may


def test_a_question_to_the_whole_table_can_be_answered_from_every_seat_but_not_from_the_audience(midgame: View) -> None:
    question: Question = replace(midgame.questions[0], seat=None)
    view = replace(midgame, questions=(question,))
    assert seen_by(Viewer(3), view).questions[0].fields == question.fields
    assert seen_by(PUBLIC, view).questions[0].fields == ()


@pytest.fixture
def voted(midgame):
    """Seat 2 fills in a height, seats 1 and 3 are asked whether it is valid."""
    fields = (Field("height_mm", "mm"), Field("judged", "yesno", voters=(1, 3)))
    return replace(midgame, questions=(replace(midgame.questions[0], fields=fields),))


@pytest.mark.parametrize(
    ("who", "asked"),
    [
        ("public", []),
        ("seat/1", ["judged"]),
        ("seat/2", ["height_mm"]),
        ("seat/3", ["judged"]),
        ("seat/4", []),
        ("host", ["height_mm", "judged"]),
    ],
)
def test_each_is_asked_what_he_knows_or_thinks(voted, who, asked):
    (question,) = seen_by(viewer_from_text(who), voted).questions
    assert [field.name for field in question.fields] == asked
    assert question.waiting == (1, 2, 3)


@pytest.mark.parametrize(("left", "waiting"), [((), ()), ((3,), (3,))])
def test_who_has_answered_is_not_waited_for(voted, left, waiting):
    question = voted.questions[0]
    rest = replace(question, fields=(replace(question.fields[1], voters=left),))
    (asked,) = seen_by(PUBLIC, replace(voted, questions=(rest,))).questions
    assert asked.waiting == waiting


def test_nothing_that_leaves_the_hub_tells_a_secret_word(midgame: View) -> None:
    sent = msgspec.json.encode(seen_by(PUBLIC, midgame)).decode()
    assert "steel" not in sent.replace("no_steel", ""), "materials in bag and hands stay in the hub"
    assert '"boot"' not in sent


@pytest.mark.parametrize("text", ["", "seat/0", "seat/5", "seat/12", "king", "Public", "seat/1\n"])
def test_an_unknown_viewer_is_refused_with_what_was_read(text: str) -> None:
    with pytest.raises(ValueError, match="is not a viewer"):
        viewer_from_text(text)


def test_the_host_may_answer_for_anybody_and_sees_no_players_pads(midgame):
    host, public = seen_by(viewer_from_text("host"), midgame), seen_by(viewer_from_text("public"), midgame)
    assert [question.fields for question in host.questions] == [question.fields for question in midgame.questions]
    assert host.live == public.live


def test_of_a_question_with_words_of_the_hub_everybody_reads_the_question_and_who_answers_the_choices(midgame):
    texts = {"": {"en": "What does it say?"}, "=none": {"en": "Nothing"}}
    asked = Question("values bonus/1", 1, "values", {}, (Field("effect", "choice", choices=("none",)),), "", texts)
    view = replace(midgame, questions=(asked,))
    assert seen_by(Viewer(seat=1), view).questions[0].texts == texts
    for other in (PUBLIC, Viewer(seat=2)):
        assert seen_by(other, view).questions[0].texts == {"": {"en": "What does it say?"}}
