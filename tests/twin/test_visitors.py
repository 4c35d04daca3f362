"""People at browsers: what their frames may do to a virtual table, and what they see of it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletwin.frames import Refusal, read
from tabletwin.hands.games import by_hand
from tabletwin.sight import changed
from tabletwin.visitors import Frame, Visitors

pytestmark = pytest.mark.long(7)

ACTS = by_hand("megacity")
SPOTS = st.sampled_from(
    ["seat/1/card/0", "seat/1/pad/0", "seat/2/bag", "city/0/0", "city/1/0", "supply/platform/0", "x"]
)
NAMES = st.sampled_from(["bag", "platform/1", "contract/PU1", "park/1", "central-park", ""])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9) | SPOTS | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ("seat", "thing", "spot", "piece", "laid", "column", "platform", "contract", "announced", "at", "one_by_one")


class Hall:
    """A door without a network."""

    def __init__(self):
        self.came, self.sent = [], []

    def take(self):
        came, self.came = self.came, []
        return came

    def send(self, visitor, message):
        self.sent.append((visitor, json.loads(message)))


class Visit:
    """A game with visitors."""

    def __init__(self, game):
        self.game, self.hall = game, Hall()
        self.visitors = Visitors(game.table, game.hands, ACTS, self.hall)

    def comes(self, visitor, seat):
        self.hall.came.append(Frame(visitor, seat, None))
        self.run(0.1)

    def asks(self, visitor, seat, text, seconds=0.0):
        self.hall.came.append(Frame(visitor, seat, text if isinstance(text, str) else json.dumps(text)))
        self.run(seconds)

    def run(self, seconds):
        self.visitors.attend()
        for _ in range(int(seconds * 10)):
            self.game.step()
            self.visitors.attend()

    def answers(self, visitor):
        return [message for to, message in self.hall.sent if to == visitor and "id" in message]


@pytest.fixture
def visit(new_game):
    visit = Visit(new_game())
    visit.game.set_up()
    visit.game.world.chairs.given |= {1}
    return visit


@pytest.fixture(scope="module")
def ransacked(new_game):
    """A visit that gets worse from example to example."""
    visit = Visit(new_game())
    visit.game.set_up()
    visit.game.world.chairs.given |= {1}
    visit.comes(1, 1)
    return visit


def refused(frame):
    """The sentences with which a frame is refused, or None."""
    try:
        read(frame, 1, ACTS)
    except Refusal as refusal:
        return refusal.text
    return None


@given(frame=st.text(max_size=60) | JSON.map(json.dumps) | st.integers(1, 900).map(lambda n: "[" * n))
def test_a_frame_of_anything_is_a_request_or_a_refusal_in_every_language(frame):
    text = refused(frame)
    if text is None:
        assert read(frame, 1, ACTS).act in {"sit", *ACTS}
    else:
        assert set(text) == {"en", "fr"}
        assert all(len(sentence) < 300 for sentence in text.values())


@given(wishes=st.lists(st.tuples(st.sampled_from(sorted(ACTS)), st.dictionaries(st.sampled_from(FIELDS), JSON))))
def test_no_hostile_browser_stops_the_table(ransacked, wishes):
    ransacked.hall.sent.clear()
    for number, (act, fields) in enumerate(wishes):
        ransacked.asks(1, 1, {**fields, "id": number, "act": act}, 0.3)
    ransacked.run(0.3)  # whatever was begun runs at least once
    under_way = ransacked.visitors.under_way(1)
    assert len(ransacked.answers(1)) + under_way >= len(wishes)
    assert under_way <= 2


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        ({"id": 1, "act": "reboot", "station": "park"}, "Hands cannot do 'reboot'"),
        ({"id": 1, "act": "carry", "seat": 2, "thing": "bag", "spot": "seat/2/bag"}, "2 is another seat"),
        ({"id": 1, "act": "carry", "thing": "bag"}, "missing a required argument"),
        ({"id": True, "act": "carry"}, "is not a request"),
        ('{"id": NaN, "act": "carry"}', "is not a request"),
    ],
)
def test_a_refusal_says_what_was_seen_and_what_to_do(visit, frame, says):
    visit.comes(1, 1)
    visit.asks(1, 1, frame)
    (answer,) = visit.answers(1)
    assert says in answer["refused"]["en"]


def test_a_seat_belongs_to_its_bot_until_it_is_given_to_a_person(new_game):
    visit = Visit(new_game())
    visit.game.set_up(start=2)
    visit.comes(1, 2)
    visit.asks(1, 2, {"id": 1, "act": "sit"})
    visit.asks(1, 2, {"id": 2, "act": "carry", "seat": 2, "thing": "bag", "spot": "seat/3/bag"}, 3)
    assert visit.game.act("look_around") == {"wished": [2], "given": []}
    visit.game.act("hand_over", seat=2)
    visit.asks(1, 2, {"id": 3, "act": "carry", "seat": 2, "thing": "bag", "spot": "seat/3/bag"}, 5)
    sat, refused, carried = visit.answers(1)
    assert (sat, carried) == ({"id": 1, "result": {}}, {"id": 3, "result": {"from": "seat/2/bag", "revealed": None}})
    assert "A bot is still playing at seat 2" in refused["refused"]["en"]
    assert visit.game.believed()["seat/3/bag"] == "bag"


def test_two_browsers_see_each_others_moves(visit):
    visit.comes(1, 1)
    visit.comes(2, 1)
    before = len(visit.hall.sent)
    card = visit.game.world.top("supply/contract/public")
    visit.asks(1, 1, {"id": 1, "act": "carry", "seat": 1, "thing": card.name, "spot": "seat/1/card/1"}, 5)
    seen = [message["table"] for to, message in visit.hall.sent[before:] if to == 2]
    assert any(parts.get("spot/seat/1/card/1") == {"thing": card.name, "below": 0} for parts in seen)
    assert visit.answers(2) == []


def test_a_third_act_waits_for_a_free_hand(visit):
    visit.comes(1, 1)
    for number in range(3):
        visit.asks(1, 1, {"id": number, "act": "press_button", "seat": 1})
    (answer,) = visit.answers(1)
    assert answer["id"] == 2
    assert "Both hands of seat 1 are busy" in answer["refused"]["en"]
    visit.run(3)
    assert visit.visitors.under_way(1) == 0


def test_what_is_sent_are_the_parts_that_changed():
    assert changed({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 5}) == {"b": 5, "c": None}
