"""Piece sizes: learned from what is set down, by all scales of a table together."""

from citytable.sensing.piece_sizes import ENOUGH, HEAVIEST_G, PieceSizes


def test_the_heaviest_piece_is_known_once_enough_were_seen():
    sizes = PieceSizes()
    for number in range(ENOUGH - 1):
        assert sizes.came(3.0 + number)
        assert sizes.heaviest_g == 0
    assert sizes.came(4.0)
    assert sizes.heaviest_g == 3.0 + ENOUGH - 2
    assert sizes.usual_g == 5.5


def test_steps_that_are_no_single_piece_teach_nothing():
    sizes = PieceSizes()
    assert not any(sizes.came(step_g) for step_g in (-5.0, 0.0, 0.3, HEAVIEST_G, 400.0))
    assert sizes.usual_g == 0


def test_a_heaviest_piece_that_was_weighed_is_not_learned():
    sizes = PieceSizes(6.0)
    sizes.came(9.0)
    assert sizes.heaviest_g == 6.0
