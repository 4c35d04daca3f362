"""The generic notation, with actions of no real game."""

from typing import ClassVar, TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citytable.rules.errors import Unreadable
from citytable.rules.json_notation import from_json, to_json
from citytable.rules.notation import ActionNotation, Leaf


class Card(msgspec.Struct, frozen=True):
    suit: str
    rank: int


def card_from_text(text: str) -> Card:
    suit, _, rank = text.partition("-")
    if not rank.isdecimal():
        raise ValueError(f"{text!r} is no card")
    return Card(suit, int(rank))


LEAVES = {Card: Leaf(lambda card: f"{card.suit}-{card.rank}", card_from_text)}


class Slip(msgspec.Struct, frozen=True, tag="slip", tag_field="do"):
    OUTCOME: ClassVar[tuple[str, ...]] = ()
    far_mm: int


class Play(msgspec.Struct, frozen=True, tag="play", tag_field="do"):
    OUTCOME: ClassVar[tuple[str, ...]] = ("won",)
    player: int
    cards: tuple[Card | None, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    won: bool | None = None
    slips: tuple[Slip, ...] = ()


Any_: TypeAlias = Play | Slip
NOTATION: ActionNotation[Any_] = ActionNotation((Play, Slip), LEAVES)

words = st.text(alphabet="abcXYZ059_", min_size=1, max_size=4).filter(lambda word: word != "none")
cards = st.none() | st.builds(Card, words, st.integers(0, 99))
slips = st.builds(Slip, st.integers(-999, 999))
plays = st.builds(
    Play,
    st.integers(1, 9),
    st.lists(cards, max_size=4).map(tuple),
    st.lists(st.lists(words, max_size=3).map(tuple), max_size=3).map(tuple),
    st.none() | st.booleans(),
    st.lists(slips, max_size=3).map(tuple),
)


@given(action=plays | slips)
def test_every_action_reads_back(action):
    line = NOTATION.to_text(action)
    assert "\n" not in line
    assert NOTATION.from_text(line) == action


def test_the_line_is_readable():
    action = Play(2, (Card("oak", 3), None), (("a", "b"), ()), True, (Slip(4), Slip(-5)))
    line = NOTATION.to_text(action)
    assert line == "p2 play cards=oak-3,? rows=a,b|none won=yes slips=(slip far=4mm)(slip far=-5mm)"


def test_an_empty_tuple_is_told_apart_from_a_tuple_of_one_empty_tuple():
    lines = {NOTATION.to_text(Play(1, (), rows)) for rows in ((), ((),), ((), ()))}
    assert len(lines) == 3


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("p1 play cards=oak", "in 'cards=oak': 'oak' is no card"),
        ("p1 play", "play needs cards"),
        ("p1 play cards=none extra=1", "'extra=1': write each of cards, rows, won, slips exactly once after play"),
        ("table slip far=4", "'4' is not a whole number of mm"),
    ],
)
def test_what_cannot_be_read_is_quoted(line, said):
    with pytest.raises(Unreadable) as error:
        NOTATION.from_text(line)
    assert said in str(error.value)


class Board(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    top: Card | None = None
    rows: tuple[tuple[Card | None, ...], ...] = ()
    open: bool = False


boards = st.builds(
    Board,
    name=st.text(max_size=5),
    top=cards,
    rows=st.lists(st.lists(cards, max_size=3).map(tuple), max_size=3).map(tuple),
    open=st.booleans(),
)


@given(board=boards)
def test_every_value_reads_back_from_one_line_of_json(board):
    text = to_json(board, LEAVES)
    assert "\n" not in text
    assert from_json(text, Board, LEAVES, "board") == board


def test_defaults_are_left_out_and_equal_values_give_equal_texts():
    assert to_json(Board(name="x"), LEAVES) == '{"name":"x"}'
    assert to_json(Board(name="x", rows=((Card("a", 1), None),)), LEAVES) == '{"name":"x","rows":[["a-1",null]]}'


def test_a_small_value_may_also_stand_in_its_long_form():
    assert from_json('{"name":"x","top":{"suit":"a","rank":1}}', Board, LEAVES, "board").top == Card("a", 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"name":"x","top":"a"}', "board at top: 'a': 'a' is no card"),
        ('{"name":"x","rows":[["a-1",7]]}', "board at rows[0][1]: 7"),
        ('{"name":"x","open":1}', "board at open: 1: write true or false"),
        ('{"name":null}', "board at name: None: write a text in quotes"),
        ('{"name":"x","nome":1}', "board: 'nome': unknown field: there is name, top, rows, open"),
        ("{}", "board: 'name': missing"),
        ('{"name":"x"', "board: "),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text, said):
    with pytest.raises(Unreadable) as error:
        from_json(text, Board, LEAVES, "board")
    assert said in str(error.value)
