"""Towers as they are drawn, before physics has its say."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citytable_lab.pieces import SHAPES
from citytable_lab.tower import GAP_MM, HEAVIEST_G, LIGHTEST_G, inside_hexagon, random_tower

towers = st.builds(
    lambda seed, tile_mm, count: random_tower(np.random.default_rng(seed), tile_mm, count),
    st.integers(0, 2**32),
    st.floats(80, 140),
    st.integers(1, 10),
)


def overlap(a, b, slack_mm):
    return all(a.low[axis] < b.high[axis] - slack_mm and b.low[axis] < a.high[axis] - slack_mm for axis in range(3))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_shape_is_boxes_that_touch_and_weighs_what_a_piece_weighs(shape):
    boxes = shape.boxes
    assert min(box.low for box in boxes)[0] == 0 == min(box.low[2] for box in boxes)
    for number, box in enumerate(boxes):
        assert not any(overlap(box, other, 0.0) for other in boxes[:number])
        assert len(boxes) == 1 or any(overlap(box, other, -0.01) for other in boxes if other is not box)
    assert LIGHTEST_G < shape.volume_cm3 * 1.05 < HEAVIEST_G


@given(st.sampled_from(SHAPES), st.permutations((0, 1, 2)), st.sampled_from((0, 1, 2)))
def test_turning_a_piece_keeps_what_it_is(shape, order, axis):
    turned = shape.laid(tuple(order)).flipped(axis)
    assert turned.volume_cm3 == pytest.approx(shape.volume_cm3)
    assert sorted(turned.size) == pytest.approx(sorted(shape.size))
    assert turned.flipped(axis).centre_of_mass == pytest.approx(shape.laid(tuple(order)).centre_of_mass)


@settings(max_examples=settings().max_examples // 2)
@given(towers)
def test_pieces_stand_on_something_and_in_nobody_s_way(tower):
    boxes = [(number, box) for number, piece in enumerate(tower.pieces) for box in piece.boxes]
    for number, box in boxes:
        assert not any(overlap(box, other, 0.01) for owner, other in boxes if owner < number)
    for number, piece in enumerate(tower.pieces):
        assert piece.bearers or piece.low[2] == 0
        assert all(bearer < number for bearer in piece.bearers)
        assert LIGHTEST_G <= piece.mass_g <= HEAVIEST_G


@settings(max_examples=settings().max_examples // 3)
@given(towers)
def test_what_stands_on_the_tile_stands_inside_it(tower):
    c, s = math.cos(tower.turn_rad), math.sin(tower.turn_rad)
    for piece in tower.pieces:
        for box in piece.boxes:
            if box.low[2] == 0:
                corners = [(x, y) for x in (box.low[0], box.high[0]) for y in (box.low[1], box.high[1])]
                assert all(inside_hexagon(c * x - s * y, s * x + c * y, tower.tile_mm - GAP_MM) for x, y in corners)


@settings(max_examples=settings().max_examples // 4)
@given(st.integers(0, 2**32))
def test_a_piece_left_loose_bears_nothing_and_stands_on_others(seed):
    tower = random_tower(np.random.default_rng(seed), 95.0, 6, loose=True)
    if tower.loose is not None:
        assert tower.loose == len(tower.pieces) - 1
        assert tower.loose not in tower.loaded()
        assert tower.pieces[tower.loose].bearers


def test_the_same_seed_builds_the_same_tower():
    first, second = (random_tower(np.random.default_rng(7), 95.0, 9) for _ in range(2))
    assert first == second
