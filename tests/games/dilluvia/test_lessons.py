"""Lessons of Dilluvia Project: whoever moves the pieces of a bot learns all that the record will say."""

from citytable.games import box_of
from citytable.games.dilluvia.actions import Build
from citytable.games.dilluvia.cells import Cell
from citytable.games.dilluvia.position import Cubes
from citytable.games.dilluvia.teaching import Teaching
from citytable.games.dilluvia.values import HOUSE

AT = Cell(4, 5)


def said(build):
    box = box_of("dilluvia")
    return Teaching(HOUSE).step_of(box.begin(box.options(2)).position, build, sensed=False).do


def test_a_building_is_named_with_its_version_where_there_are_two():
    assert said(Build(player=1, number=3, version="b", at=AT))["en"].startswith("Pay the cubes for building 3B and lay")
    assert said(Build(player=1, number=0, at=AT))["en"].startswith("Pay the cubes for building 0 and lay")


def test_the_cubes_that_tiles_save_are_named():
    do = said(Build(player=1, number=3, at=AT, spare=Cubes(white=1, black=2)))
    assert "building 3A (your tiles save 1 white, 2 black) and lay" in do["en"]
    assert "bâtiment 3A (vos tuiles économisent : blanc 1, noir 2) et posez" in do["fr"]
