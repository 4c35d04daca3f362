"""How many pieces a draw was that nobody reported, by its weight."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.games.megacity.actions import TakePieces, TakePlatform
from citytable.games.megacity.drawn_weight import as_weighed, chosen_share
from citytable.games.megacity.position import Pieces
from citytable.games.megacity.weights import PIECES
from citytable.table.piece_mass import PieceMass

THREE = TakePieces(player=1, drawn=Pieces(unknown=3))
PIECE_G = 2.9
HOUSE = PieceMass.of(PIECES)


@given(st.floats(0.2, 30.0), st.floats(0.2, 30.0), st.integers(0, 40))
def test_a_heavier_draw_is_less_likely_one_piece(one_g, other_g, reported):
    """A draw so heavy that an odd piece must be in it is three pieces all the same."""
    piece = replace(HOUSE, reported=(reported,))
    light_g, heavy_g = sorted((one_g, other_g))
    light, heavy = (chosen_share(grams, piece, 1) for grams in (light_g, heavy_g))
    assert 0 <= heavy <= 1
    assert heavy <= light or as_weighed(THREE, heavy_g, piece) == THREE


@given(st.floats(0.2, 30.0), st.integers(0, 40))
def test_who_reports_what_they_announce_is_believed_more_each_time(grams, reported):
    more, fewer = (replace(HOUSE, reported=(n,)) for n in (reported + 1, reported))
    assert chosen_share(grams, more, 1) <= chosen_share(grams, fewer, 1)


@given(st.floats(0.2, 30.0), st.integers(1, 40))
def test_what_one_player_reports_tells_nothing_of_another(grams, reported):
    """Two players reported all they drew, and the light draw of a third, who never did, was three pieces (A 49024)."""
    piece = HOUSE
    for _ in range(reported):
        piece = piece.with_report(2)
    assert piece.reported == (0, reported)
    assert chosen_share(grams, piece, 1) == chosen_share(grams, piece, 3) == chosen_share(grams, HOUSE, 1)
    assert chosen_share(grams, piece, 2) <= chosen_share(grams, HOUSE, 1)


@given(st.floats(0.2, 30.0), st.floats(0.5, 8.0))
def test_only_the_ratio_to_what_a_piece_weighs_counts(grams, piece_g):
    scaled = chosen_share(grams / piece_g * PIECE_G, HOUSE, 1)
    assert chosen_share(grams, PieceMass(PIECES, 1, piece_g), 1) == pytest.approx(scaled, abs=1e-9)


def test_a_light_draw_is_a_range_in_notation():
    assert str(as_weighed(THREE, 3.0, HOUSE)) == "p1 take_pieces drawn=unknown:1-3"
    assert as_weighed(THREE, 9.0, HOUSE) == THREE


@pytest.mark.parametrize(
    "action",
    [
        TakePieces(player=1, announced="steel", drawn=Pieces(steel=1)),
        TakePieces(player=1, drawn=Pieces(unknown=2)),  # the last of the bag
        TakePieces(player=1),
        TakePlatform(player=1, platform=3),
    ],
)
def test_what_is_no_draw_of_three_stays_as_it_is(action):
    assert as_weighed(action, 0.8, HOUSE) == action


def test_few_draws_that_count_as_three_were_one():
    """Draw from a lognormal distribution, which is not the one that is assumed: one draw in six is a single piece."""
    rng, variance = random.Random(4), math.log(1 + 0.62**2)
    mean = math.log(PIECE_G) - variance / 2
    sure = []
    for _ in range(4000):
        pieces = 1 if rng.random() < 1 / 6 else 3
        grams = sum(rng.lognormvariate(mean, math.sqrt(variance)) for _ in range(pieces))
        if as_weighed(THREE, grams, HOUSE) == THREE:
            sure.append(pieces)
    assert len(sure) > 2000
    assert sure.count(1) / len(sure) < 0.02
