"""The city as it stands, on paper: what is written down is the position; what cannot be is said, all at once."""

import random
from itertools import chain

import msgspec
import pytest
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.games.megacity.actions import TakeContract
from citytable.games.megacity.deal import before_the_deal
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import position_from_text, position_to_text
from citytable.games.megacity.paper import SENTENCES, position_of
from citytable.games.megacity.paper_form import paper_of
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options, Pieces
from citytable.games.megacity.validity import check_position
from citytable.games.megacity.where import hex_words
from citytable.rules.errors import IllegalPosition
from citytable.table.hexes import hex_from_text
from citytable.table.where import beginning

TURNS = 45


def played(players, seed, turns=TURNS):
    """Positions of one game before its last round, at the beginning of each turn."""
    rng = random.Random(seed)
    game, dealer, bot = MegaCity(Options(players=players)), Dealer(rng), Greedy()
    found = []
    while len(found) < turns and not game.position.final and game.outcome() is None:
        decision = bot.choose(game, list(game.legal_actions))
        turn = game.position.turn
        game.push(dealer.outcome(game, decision))
        if game.position.turn != turn and game.position.phase == "main":
            found.append(game.position)
    return found


def on_paper(position):
    """The position as far as paper tells it."""
    parks = tuple(replace(p, monument=p.monument and Pieces(unknown=1)) for p in position.parks)
    centre, *others = parks
    ordered = sorted(others, key=lambda park: park.owner)
    return replace(position, stack=(None,) * len(position.stack), returned=(), parks=(centre, *ordered))


@pytest.fixture(scope="module")
def late():
    return [one for one in played(3, 5) if len(one.buildings) > 3][-1]


@pytest.fixture
def paper(late):
    return paper_of(late, {})


@pytest.mark.seeds("players, seed", [(2, 1), (3, 2), (4, 3)], soak=30)
def test_what_is_written_down_of_a_game_is_its_position(players, seed):
    positions = played(players, seed)
    assert len(positions) > 10
    for position in positions:
        told = position_of(paper_of(position, {}), position, HOUSE)
        assert replace(told, parks=on_paper(told).parks) == on_paper(position)
        assert position_from_text(position_to_text(told)) == told


def test_a_table_that_knows_nothing_takes_it_from_paper_alone(late, paper):
    fresh = before_the_deal(late.options, HOUSE)
    told = position_of(paper, fresh, HOUSE)
    check_position(told, HOUSE)
    assert [b.at for b in told.buildings] == [b.at for b in late.buildings]
    assert told.bag == late.bag
    assert [p.completed for p in told.players] == [p.completed for p in late.players]
    assert MegaCity.from_position(told).legal_actions


def delivering(players, seed):
    """Positions of one game right after a delivery, while a park or a monument is due, and after that turn's end."""
    rng = random.Random(seed)
    game, dealer, bot = MegaCity(Options(players=players)), Dealer(rng), Greedy()
    while not game.position.final and game.outcome() is None:
        game.push(dealer.outcome(game, bot.choose(game, list(game.legal_actions))))
        if game.position.phase in {"option", "over"} and game.position.buildings and not game.position.final:
            yield game.position


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (4, 3)])
def test_what_is_due_for_a_delivery_of_this_turn_stays_due(players, seed):
    phases = set()
    for position in delivering(players, seed):
        told = position_of(paper_of(position, {}), position, HOUSE)
        assert (told.phase, told.delivered_at) == (position.phase, position.delivered_at)
        assert [b.at for b in told.buildings[-1:]] == [b.at for b in position.buildings[-1:]] or told.phase == "over"
        phases.add(told.phase)
    assert phases == {"option", "over"}


def test_what_was_delivered_before_others_or_by_others_has_nothing_due(late, paper):
    theirs = next(one for one in late.buildings if one.owner != late.player)
    with pytest.raises(IllegalPosition, match="is due only for the building that seat") as refusal:
        position_of(paper | {"due_at": str(theirs.at)}, late, HOUSE)
    assert "on ne place un parc ou un monument que" in refusal.value.text["fr"]


def test_the_form_fits_into_one_message(late, paper):
    assert len(msgspec.json.encode({"paper": paper, "by": "host", "why": "x" * 200})) < 4096


def test_tags_fill_in_what_nobody_has_told():
    fresh = before_the_deal(Options(players=2), HOUSE)
    lying = {
        "city/1/0": frozenset({"platform/6/commercial"}),
        "city/2/0": frozenset({"park/2"}),
        "seat/1/card/0": frozenset({"contract/CO5"}),
        "seat/2/pad/1": frozenset({"platform/12/residential"}),
        "seat/2/bag": frozenset({"bag", "?04ab"}),
        "supply/contract/public": frozenset({"contract/PU4"}),
        "supply/platform/0": frozenset({"platform/3/public"}),
    }
    form = paper_of(fresh, lying)
    assert form["player"] == 2
    (building,) = form["buildings"]
    assert building == {"at": "1/0", "platform": "6c", "owner": 0, "contract": "", "height_mm": None, "pieces": 0}
    assert form["parks"] == ({"at": "2/0", "owner": 2, "monument": False},)
    assert [hand["contracts"] for hand in form["players"]] == ["CO5", ""]
    assert [hand["platforms"] for hand in form["players"]] == ["", "12r"]
    assert (form["columns"][0], form["supply"]) == ("PU4", "3p")


def test_a_tag_that_says_otherwise_outranks_what_was_known(late):
    building = late.buildings[0]
    lying = {f"city/{building.at}": frozenset({"platform/24/residential"})}
    form = paper_of(late, lying)
    at = next(one for one in form["buildings"] if one["at"] == str(building.at))
    assert (at["platform"], at["contract"]) == ("24r", "")


def with_a_rule_broken(late):
    """Seat 1 has forty pieces too many, which the host let stand: the game, and the form that it fills in."""
    first = late.players[0]
    held = replace(first, pieces=Pieces(unknown=first.pieces.total + 40))
    position = replace(late, bag=late.bag - 40, players=(held, *late.players[1:]))
    return position, paper_of(position, {})


def test_a_rule_that_was_broken_with_leave_is_no_reason_not_to_write_down_how_it_stands(late):
    position, form = with_a_rule_broken(late)
    told = position_of(form, position, HOUSE)
    assert told.players == position.players
    assert MegaCity.from_table(told).legal_actions
    with pytest.raises(IllegalPosition, match="R11"):
        MegaCity.from_position(told)


def test_a_rule_that_was_broken_without_the_table_is_refused_unless_such_acts_are_taken(late):
    position, form = with_a_rule_broken(late)
    assert "(R11)" in wrong(form, late)
    assert position_of(form, late, HOUSE, accepting=True).players == position.players
    twice = form | {"supply": " ".join([form["supply"].split()[0]] * 3)}
    with pytest.raises(IllegalPosition, match="written down 3 times"):
        position_of(twice, late, HOUSE, accepting=True)


def wrong(paper, late):
    with pytest.raises(IllegalPosition) as refusal:
        position_of(paper, late, HOUSE)
    assert refusal.value.text.keys() == {"en", "fr"}
    english, french = (refusal.value.text[language].split("\n") for language in ("en", "fr"))
    assert len(english) == len(french)
    assert not set(english) & set(french)
    return " / ".join(english)


def building(paper, k=0, **changed):
    buildings = [dict(one) for one in paper["buildings"]]
    buildings[k] |= changed
    return paper | {"buildings": buildings}


def hand(paper, seat, **changed):
    players = [dict(one) for one in paper["players"]]
    players[seat - 1] |= changed
    return paper | {"players": players}


def test_everything_that_is_wrong_is_named_at_once(paper, late):
    first, second, *_ = paper["buildings"]
    assert (
        len(wrong(hand(building(paper, platform="7x"), 1, contracts="ZZ9") | {"supply": "1q"}, late).split(" / ")) == 4
    )
    told = wrong(hand(building(paper, platform=second["platform"], owner=9), 1, pieces=30), late)
    assert f"Platform {second['platform'][:-1]} is written down 2 times" in told
    assert f"{beginning(hex_words(hex_from_text(first['at'])))['en']}: write down who owns it" in told
    assert "Seat 1 has 30 pieces" in told


@pytest.mark.parametrize(
    ("key", "spoil"),
    [
        ("seats", lambda paper: paper | {"player": 4}),
        ("platform_unreadable", lambda paper: paper | {"supply": "6x"}),
        ("platform_side", lambda paper: paper | {"supply": "1c 99p"}),
        ("one_platform", lambda paper: building(paper, platform="1p 2p")),
        ("supply", lambda paper: paper | {"supply": ""}),
        ("contract_unknown", lambda paper: hand(paper, 1, contracts="ZZ9")),
        ("contract_missing", lambda paper: building(paper, contract=" ")),
        ("height_missing", lambda paper: building(paper, height_mm=None)),
        ("contract_twice", lambda paper: hand(paper, 1, contracts=paper["buildings"][0]["contract"])),
        ("contract_count", lambda paper: hand(paper, 1, contracts="")),
        ("column", lambda paper: paper | {"columns": ["CO1", *paper["columns"][1:]]}),
        ("hex_outside", lambda paper: building(paper, at="9/9")),
        ("hex_twice", lambda paper: building(paper, at=paper["buildings"][1]["at"])),
        ("wrong_type", lambda paper: building(paper, contract="L-PU" if "PU" not in str(paper) else "L-RE")),
        ("building_pieces", lambda paper: building(paper, pieces=1)),
        ("not_touching", lambda paper: paper | {"buildings": [paper["buildings"][0] | {"at": "3/0"}], "parks": []}),
        ("park_twice", lambda paper: paper | {"parks": [{"at": at, "owner": 1} for at in ("3/-3", "3/0")]}),
        ("parks_touch", lambda paper: paper | {"parks": [{"at": "1/0", "owner": 1}]}),
        ("park_alone", lambda paper: paper | {"parks": [{"at": "3/0", "owner": 1}]}),
        ("hand_contracts", lambda paper: hand(paper, 1, contracts="PU1 PU2 PU3 PU4 PU5")),
        ("hand_platforms", lambda paper: hand(paper, 1, platforms="1p 2p 3p 4p")),
        ("hand_tokens", lambda paper: hand(paper, 2, tokens=-1)),
        ("pieces", lambda paper: paper | {"box": 151}),
        ("monument_early", lambda paper: paper | {"buildings": [], "parks": [], "monument": True}),
    ],
)
def test_each_fault_has_its_sentence(paper, late, key, spoil):
    beginning = SENTENCES.texts[key]["en"].partition("{")[0] or SENTENCES.texts[key]["en"].rpartition("}")[2]
    assert beginning.strip() in wrong(spoil(paper), late)


def test_the_last_round_is_not_for_paper(late, paper):
    """Every standard contract is completed: the rules would want to know whose final turns are left."""
    left = [*chain.from_iterable(late.columns), *(name for player in late.players for name in player.contracts)]
    free = ("3/-3", "2/-3", "1/-3", "0/-3", "-1/-2", "-2/-1", "-3/0", "-3/1", "-3/2", "-3/3", "-2/3")
    types = {name: HOUSE.contracts[name].type for name in left}
    used = {one["platform"][:-1] for one in paper["buildings"]}
    more = []
    for name, at in zip(left, free, strict=False):
        number = next(n for n, sides in HOUSE.platforms.items() if types[name] in sides and str(n) not in used)
        used.add(str(number))
        more.append({"at": at, "platform": f"{number}{types[name][0]}", "owner": 1, "contract": name, "height_mm": 50})
    players = [one | {"contracts": "", "platforms": ""} for one in paper["players"]]
    spoiled = paper | {"buildings": [*paper["buildings"], *more], "players": players, "columns": [""] * 4, "supply": ""}
    assert "You cannot set the last round here" in wrong(spoiled, late)


def test_a_form_of_another_shape_is_refused(late):
    with pytest.raises(IllegalPosition, match="The form cannot be read"):
        position_of({"player": "two"}, late, HOUSE)


@pytest.mark.parametrize("left_out", ["buildings", "parks", "columns", "supply", "monument"])
def test_a_thin_form_takes_nothing_away_silently(late, paper, left_out):
    with pytest.raises(IllegalPosition) as refusal:
        position_of({key: value for key, value in paper.items() if key != left_out}, late, HOUSE)
    assert refusal.value.text == {
        "en": f"The form cannot be read: {left_out} is missing.",
        "fr": f"Le formulaire est illisible : il manque {left_out}.",
    }


@pytest.mark.parametrize("turn", [0, 10**25])
def test_a_turn_that_no_game_reaches_is_refused(late, paper, turn):
    with pytest.raises(IllegalPosition, match=r"The form cannot be read: .*turn"):
        position_of(paper | {"turn": turn}, late, HOUSE)


def test_a_misdeal_stands_on_paper_where_it_is_known_and_nowhere_else():
    rng = random.Random(1)
    game, dealer = MegaCity(Options(players=2)), Dealer(rng)
    deal = dealer.outcome(game, next(iter(game.legal_actions)))
    columns = (deal.columns[0][:-1], ("L-RE", *deal.columns[1]), *deal.columns[2:])
    game.accept(replace(deal, columns=columns, supply=deal.supply[:2]))
    game.accept(TakeContract(player=1, contract="L-PU"))
    now = game.position
    assert position_of(paper_of(now, {}), now, HOUSE).columns == now.columns
    with pytest.raises(IllegalPosition) as refusal:
        position_of(paper_of(now, {}), before_the_deal(now.options, HOUSE), HOUSE, accepting=True)
    for word in (
        "standard contracts were dealt",
        "does not belong in its column",
        "Contract L-PU: landmarks",
        "3 platforms",
    ):
        assert word in refusal.value.text["en"]
