"""What a game brings is found in itself and in its parts; what it does not bring is as in a game without it."""

from types import SimpleNamespace

import pytest

from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.table_side import MegaCityTable
from citytable.rules.errors import IllegalPosition
from citytable.umpire import table_game
from citytable.umpire.whole_game import whole

CORE = {name for name in vars(table_game.TableGame) if not name.startswith("_")}
OPTIONAL = [
    kind
    for kind in vars(table_game).values()
    if getattr(kind, "_is_protocol", False)
    and kind.__module__ == table_game.__name__
    and kind not in (table_game.TableGame, table_game.InParts)
]
START = MegaCity(Options(players=2)).position


@pytest.mark.parametrize("protocol", OPTIONAL, ids=lambda protocol: protocol.__name__)
def test_megacity_brings_every_protocol_once(protocol):
    table = MegaCityTable(HOUSE)
    assert len([one for one in (table, *table.parts) if isinstance(one, protocol)]) == 1


@pytest.mark.parametrize("protocol", OPTIONAL, ids=lambda protocol: protocol.__name__)
def test_what_a_part_brings_is_what_the_umpire_asks(protocol):
    for table in (MegaCityTable(HOUSE), MegaCityTable(HOUSE).accepting()):
        (bringer,) = (one for one in (table, *table.parts) if isinstance(one, protocol))
        names = [name for name in vars(protocol) if not name.startswith("_")]
        assert names
        assert all(getattr(whole(table), name) == getattr(bringer, name) for name in names)


def test_a_game_of_the_core_alone_is_asked_all_the_same():
    table = MegaCityTable(HOUSE)
    plain = whole(SimpleNamespace(**{name: getattr(table, name) for name in CORE}))
    (deal,) = plain.decisions(START)
    assert list(plain.sayable(START)) == [deal]
    assert (plain.complete(START, deal, {}), plain.asker(deal)) == (deal, None)
    assert (plain.questions(START, deal, {}), plain.blanks(), plain.paper(START, {})) == ((), (), {})
    assert (plain.needs_word(deal), plain.ends_itself(deal), plain.denied({})) == (False, False, False)
    assert (plain.spots_of(deal), plain.rank(START, deal), plain.attempts(START, "bag", "")) == (frozenset(), 0, ())
    assert (plain.fallen(START, "", None), plain.accident_at(deal), plain.fall_of(deal)) == (None, None, None)
    assert (plain.accidents(START), plain.exchanges(START, deal), plain.standing(START)) == ((), (), {})
    assert (plain.all_pieces(), plain.measured_thing(deal), plain.component("platform/3/public")) == (
        0,
        "",
        "platform/3/public",
    )
    plain.check_stated(START, deal, {"platform/3/public"})
    with pytest.raises(ValueError, match="nothing is asked"):
        plain.answered(START, deal, {})
    with pytest.raises(IllegalPosition, match="no form"):
        plain.from_paper(START, {})


def test_half_a_protocol_is_refused_also_in_the_game_itself():
    table = MegaCityTable(HOUSE)
    half = SimpleNamespace(**{name: getattr(table, name) for name in CORE}, questions=None)
    with pytest.raises(TypeError, match="brings Asks without answered"):
        whole(half)
