"""How likely a scale shows what it did: held against simulated hands that follow the rates, and against plain cases."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.games.megacity.weights import PIECES
from citytable.table.piece_mass import PieceMass
from citytable.umpire.odds import RATES, Act, Weighed, likelihood

PIECE = PieceMass.of(PIECES)
DRAW = Act(heavier=False, counts={3: 1.0})
GRAMS = st.lists(st.floats(-60, 60).filter(lambda grams: abs(grams) > 0.3), max_size=5)


def mass_g(rng: random.Random) -> float:
    """Return the mass of a piece, drawn from the distribution that is assumed."""
    if rng.random() < PIECES.odd_share:
        return rng.uniform(0.0, PIECES.heaviest_g)
    return rng.gammavariate(1 / PIECES.spread**2, PIECE.mean_g * PIECES.spread**2)


def hands(rng: random.Random, draws: int) -> list[float]:
    """Return the steps of a scale from which somebody draws so often, as people do it by the rates."""
    steps: list[float] = []
    for k in range(draws):
        pieces = [mass_g(rng) for _ in range(3)]
        if k and rng.random() < RATES["in_one_go"]:
            steps[-1] -= sum(pieces)
        elif rng.random() < RATES["in_grabs"]:
            cuts = [1, 2] if rng.random() < RATES["in_grabs_again"] else [rng.choice([1, 2])]
            steps += [-sum(pieces[a:b]) for a, b in pairwise([0, *cuts, 3])]
        else:
            steps.append(-sum(pieces))
    return steps


def share_of_two(steps: list[float]) -> float:
    """Return how likely two draws are, where one is as likely beforehand."""
    one, two = (likely([DRAW] * draws, steps) for draws in (1, 2))
    return two / (one + two)


def test_what_is_said_to_be_so_likely_is_true_so_often():
    rng = random.Random(20261126)
    shares = [(share_of_two(hands(rng, draws)), draws == 2) for draws in (1, 2) * 1500]
    for low, high in ((0.0, 0.02), (0.02, 0.3), (0.3, 0.7), (0.7, 0.98), (0.98, 1.0)):
        there = [(share, true) for share, true in shares if low <= share <= high]
        said = sum(share for share, _ in there) / len(there)
        was = sum(true for _, true in there) / len(there)
        assert abs(said - was) < 0.02 + 2 / len(there) ** 0.5


def likely(acts, steps, **how):
    return likelihood(acts, Weighed(steps, **how), PIECE)


@pytest.mark.parametrize(
    ("steps", "draws"),
    [
        ([-9.0], 1),
        ([-9.0, -8.0], 2),
        ([-21.0], 2),
        ([-3.1, -5.9], 1),  # one grab of a piece, one of two
        ([-12.0, 3.1], 1),  # a piece too many that went back
        ([-9.0, 412.0, -412.1], 1),  # a glass that stood on the bag
        ([-45.4, 40.0, -10.3, -5.0, 4.9], 2),  # tipped out, and put back but for some pieces
        ([-59.4, 40.1], 2),  # tipped out, and put back but for two handfuls (A 81049)
        ([84.3, -102.0], 2),  # a glass stood on the bag while they drew twice (A 81085)
    ],
)
def test_the_likelier_number_of_draws_is_the_one_a_person_would_say(steps, draws):
    found = {n: likely([DRAW] * n, steps) for n in (1, 2, 3)}
    assert max(found, key=found.__getitem__) == draws


@given(steps=GRAMS, draws=st.integers(0, 3))
def test_nothing_is_impossible_and_nothing_is_negative(steps, draws):
    assert likely([DRAW] * draws, steps) > 0


@given(steps=GRAMS)
def test_a_count_that_is_open_is_as_likely_as_its_cases_together(steps):
    mixed = Act(heavier=False, counts={3: 0.8, 1: 0.2})
    cases = [Act(heavier=False, counts={pieces: share}) for pieces, share in mixed.counts.items()]
    parts = sum(likely([case, DRAW], steps) for case in cases)
    assert likely([mixed, DRAW], steps) == pytest.approx(parts, rel=1e-6)


def test_every_rate_is_a_share_and_says_where_it_comes_from():
    assert all(0 < rate < 1 for rate in RATES.values())


def test_what_goes_back_may_go_back_before_the_scale_rests():
    """A bag in a lap shows only the difference: two draws, and of these so much back."""
    back = Act(heavier=True, counts={2: 1.0})
    net = likely([DRAW, DRAW, back], [-12.0])
    assert net > 0.01 * likely([DRAW, DRAW], [-17.0])
    assert likely([DRAW, DRAW, replace(back, apart=True)], [-12.0]) < 0.05 * net
    assert likely([back, DRAW], [-3.0]) < 0.05 * likely([DRAW, back], [-3.0])


def test_what_was_drawn_and_went_back_before_it_was_weighed_may_show_no_step():
    back = Act(heavier=True, counts={3: 1.0})
    unfelt = likely([DRAW, back], [])
    assert unfelt == pytest.approx(RATES["unfelt"] ** 2)
    assert likely([DRAW, back], [], unweighed=True) > 1000 * unfelt
    assert likely([back, DRAW], [], unweighed=True) == pytest.approx(RATES["unfelt"] ** 2), "nothing goes back before"


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_what_was_laid_on_and_taken_away_tells_nothing_of_the_grabs_around_it(at):
    """Somebody put a glass on the bag between two grabs, and it counted as the end of one draw (A 31002)."""
    grabs = [-2.05, -1.99, -2.49]
    assert share_of_two([*grabs[:at], 135.26, -135.21, *grabs[at:]]) == pytest.approx(share_of_two(grabs), abs=0.1)


def test_a_whole_handful_does_not_go_to_and_fro_as_a_piece_too_many_does():
    """Evening 59015 of the regulars: what the next player drew was taken for pieces that were given back and taken."""
    back = Act(heavier=True, counts={1: 0.3, 2: 0.3, 3: 0.4})
    fro = likely([back], [11.4, -10.9], lost_by_nobody=False)
    assert fro < likely([back], [11.4]) / 1000


def test_a_handful_of_which_pieces_go_back_one_by_one_may_be_one_draw():
    """Two draws, and a return of four pieces, were confirmed (passers-by 1164)."""
    steps = [-24.5, 5.9, 3.7, 0.6, 2.3]
    assert likely([DRAW], steps) > likely([DRAW, DRAW, Act(heavier=True, counts={4: 1.0})], steps) / 10


def test_one_heavy_piece_among_three_is_likelier_than_that_nobody_drew():
    """Nothing was drawn, it was said of 20 g that left the bag: a piece of another game was among them (C 965)."""
    drawn, nothing = likely([DRAW], [-20.3]), likely([], [-20.3])
    assert drawn > 20 * nothing > 0
    assert likely([], [-20.3], lost_by_nobody=False) == 0.0
    assert likely([], [-80.0], lost_by_nobody=False) > 0.0, "no turn takes so much: something else lay there"


@pytest.mark.parametrize("pieces", [1, 3, 6])
def test_the_density_of_a_mass_is_one_in_all(pieces):
    step_g = 0.05
    grams = [(k + 0.5) * step_g for k in range(round(120 / step_g))]
    assert sum(PIECE.density_g(pieces, one) for one in grams) * step_g == pytest.approx(1.0, abs=0.002)
