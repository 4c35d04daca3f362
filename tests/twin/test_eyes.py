"""Looking at the rings: what a person at the table sees of what the hub told the stations."""

import pytest

from tablewire.messages import encode

BLUE = {"spot": "city/1/0", "rgb": [0, 0, 200], "pattern": "half"}


@pytest.fixture
def station_of(new_game):
    def find(game, spot):
        return next(name for name, station in game.table.stations.items() if spot in station.rings)

    return find


def test_a_ring_shows_what_the_hub_asked_for_and_the_others_stay_dark(new_game, station_of):
    game = new_game()
    game.table.stations[station_of(game, "city/1/0")].receive("light", encode({"type": "light", "rings": [BLUE]}))
    pixels = game.act("look", spot="city/1/0")["pixels"]
    assert pixels == [[0, 0, 200]] * 6 + [[0, 0, 0]] * 6
    assert game.act("look", spot="city/-1/0")["pixels"] == [[0, 0, 0]] * 12


def test_a_ring_without_power_is_dark_and_stays_dark_until_the_hub_tells_it_again(new_game, station_of):
    game = new_game()
    name = station_of(game, "city/1/0")
    game.table.stations[name].receive("light", encode({"type": "light", "rings": [BLUE]}))
    game._cut(name)
    assert game.act("look", spot="city/1/0")["pixels"] == [[0, 0, 0]] * 12
    game._restore(name)
    game.wait(2)
    assert game.act("look", spot="city/1/0")["pixels"] == [[0, 0, 0]] * 12
    game.table.stations[name].receive("light", encode({"type": "light", "rings": [BLUE]}))
    assert game.act("look", spot="city/1/0")["pixels"][0] == [0, 0, 200]


@pytest.mark.parametrize("spot", ["city/9/9", "seat/1/card/0"])
def test_where_no_ring_is_nothing_can_be_seen(new_game, refused, spot):
    with pytest.raises(refused, match=spot):
        new_game().act("look", spot=spot)
