"""Which tower a step belongs to: counts go with a platform from scale to scale."""

import pytest

from citytable.sensing.tower_counts import TowerCounts
from citytable.table.fact import MassSettled, PiecesCounted, TagCame, TagLeft

PAD, HEX = "seat/1/pad/0", "city/1/0"
BARE_G = 35.0


class Table:
    """What scales and readers tell while somebody builds."""

    def __init__(self):
        self.counts = TowerCounts()
        self.told = []
        self.loads_g = {}

    def came(self, spot=PAD, uid="04"):
        self._tell(TagCame(t_us=0, spot=spot, uid=uid, thing="platform/1/public"))

    def left(self, spot=PAD, uid="04"):
        self._tell(TagLeft(t_us=0, spot=spot, uid=uid, thing="platform/1/public"))

    def rests(self, grams, spot=PAD):
        step_g = grams - self.loads_g.get(spot, 0.0)
        self.loads_g[spot] = grams
        self._tell(MassSettled(t_us=0, spot=spot, mass_g=grams, step_g=step_g, error_g=0.1))

    def put(self, *grams):
        for one in grams:
            self.rests(self.loads_g[PAD] + one)

    def _tell(self, fact):
        self.told += self.counts.mind(fact)

    @property
    def n(self):
        return self.told[-1].n if self.told else None


@pytest.fixture
def table():
    """A bare platform on a pad."""
    table = Table()
    table.came()
    table.rests(BARE_G)
    assert table.told == []
    return table


def test_pieces_are_counted_as_they_are_put_on_and_taken_off(table):
    table.put(9.0, 8.0, 12.0, -8.0)
    assert [one.n for one in table.told] == [1, 2, 3, 2]
    assert all(isinstance(one, PiecesCounted) and one.spot == PAD for one in table.told)


def test_lifting_a_tower_and_putting_it_back_counts_nothing(table):
    table.put(9.0, 8.0)
    table.left()
    table.rests(0.0)
    table.came()
    table.rests(BARE_G + 17.2)
    assert table.n == 2
    table.put(10.0)
    assert table.n == 3


def test_a_load_that_goes_before_its_tag_is_a_lift_too(table):
    table.put(9.0, 8.0)
    table.rests(0.0)
    table.left()
    table.came(HEX)
    table.rests(BARE_G + 16.9, HEX)
    assert [one.n for one in table.told] == [1, 2]


def test_what_is_lost_on_the_way_is_counted_off_on_the_next_scale(table):
    table.put(9.0, 12.0)
    table.left()
    table.rests(0.0)
    table.came(HEX)
    table.rests(BARE_G + 12.1, HEX)
    assert (table.n, table.told[-1].spot) == (1, HEX)


def test_a_platform_that_weighs_what_it_did_bare_is_bare(table):
    table.put(9.0, 12.0)
    table.left()
    table.rests(0.0)
    table.came()
    table.rests(BARE_G + 0.2)
    table.put(7.5)
    assert table.n == 1


def test_of_two_tags_on_a_scale_nobody_knows_which_tower_grew(table):
    table.came(uid="05")
    table.put(9.0)
    assert table.told == []


def test_an_empty_scale_counts_nothing():
    table = Table()
    table.rests(9.0)
    assert table.told == []


def test_pieces_are_counted_on_from_what_people_say(table):
    table.put(9.0, 8.0)
    table.counts.said("04", 5)
    table.put(12.0)
    assert table.n == 6
    table.counts.said("no such tag", 3)
