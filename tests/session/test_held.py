"""A building that somebody carries: everybody sees what was sensed of it, from the lift until it stands."""

import random

import pytest

from citytable.games.megacity.actions import SetUp, TakePlatform
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.session.display import Display
from citytable.session.play import Play
from citytable.table.fact import HeightMeasured, PiecesCounted, TagCame, TagLeft
from citytable.table.plan import tag_uid
from citytable.views.state import Held
from citytable.views.viewer import Viewer, seen_by

PAD, OTHER_PAD = "seat/2/pad/0", "seat/2/pad/1"


@pytest.fixture
def carrying(table, no_wire):
    """A view of a table on which player 2 took a platform, after these facts of it; `{thing}` is that platform."""
    game, dealer = MegaCity(Options(players=2), HOUSE), Dealer(random.Random(3))
    for kind in (SetUp, TakePlatform):
        decision = next(one for one in game.legal_actions if isinstance(one, kind))
        game.push(dealer.outcome(game, decision))
    taker = game.position.player
    (face,) = game.position.players[taker - 1].platforms
    thing = f"platform/{face.platform}/{face.up}"
    there = table()
    play = Play(there.play.game, there.play.plan, game.position, game.actions)

    def seen(*facts):
        for fact in facts:
            play.umpire.feed((fact(thing),))
        return Display(play, no_wire).view(9), thing

    return seen


def came(spot):
    return lambda thing: TagCame(t_us=1, spot=spot, uid=tag_uid(thing), thing=thing)


def left(spot):
    return lambda thing: TagLeft(t_us=4, spot=spot, uid=tag_uid(thing), thing=thing)


def counted(n):
    return lambda _: PiecesCounted(t_us=2, spot=PAD, n=n, unsure=True)


def measured(_):
    return HeightMeasured(t_us=3, spot=PAD, low_mm=40, high_mm=44, source="crane")


def test_a_carried_building_is_shown_as_it_was_sensed_last(carrying):
    view, thing = carrying(came(PAD), counted(6), measured, left(PAD))
    assert view.held == (Held(thing, 2, 40, 44, 6, pieces_unsure=True),)
    assert seen_by(Viewer(), view).held == view.held
    assert [live for live in seen_by(Viewer(), view).live if live.spot == PAD] == []


@pytest.mark.parametrize(
    "facts",
    [
        (came(PAD), counted(6), measured),  # it stands
        (came(PAD), left(PAD)),  # nothing was built on it
        (came(PAD), counted(6), counted(0), left(PAD)),
        (came(PAD), counted(6), left(PAD), came(OTHER_PAD)),
    ],
)
def test_nothing_else_is_shown(carrying, facts):
    assert carrying(*facts)[0].held == ()


def test_without_a_height_its_pieces_are_shown(carrying):
    view, thing = carrying(came(PAD), counted(6), left(PAD))
    assert view.held == (Held(thing, 2, None, None, 6, pieces_unsure=True),)
