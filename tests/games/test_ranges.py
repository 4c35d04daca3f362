"""How many pieces somebody holds may be a range: what is refused, what follows, and what a count settles.

A game of exact numbers is played twice: as it is, and with draws widened to a range that holds the truth.
"""

import random
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.games.megacity.actions import CountPieces, ReturnPieces, TakePieces
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.doubt import count_needed
from citytable.games.megacity.effects import check
from citytable.games.megacity.game import MegaCity, still_open
from citytable.games.megacity.guesses import Guess, guesses
from citytable.games.megacity.hands import NOTHING, between
from citytable.games.megacity.notation import action_from_text, position_from_text, position_to_text
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import MATERIALS, Face, Options, Park, Pieces, Player, Rulings
from citytable.games.megacity.possible import check_possible
from citytable.games.megacity.questions import Questions
from citytable.games.megacity.ranges import with_pieces
from citytable.games.megacity.scene import scene
from citytable.games.megacity.scoring import outcome, score
from citytable.games.megacity.speech import Speech
from citytable.games.megacity.table_side import MegaCityTable
from citytable.games.megacity.validity import unconserved
from citytable.rules.errors import IllegalAction, IllegalPosition, OutcomeOpen

pytestmark = pytest.mark.long(5)

GAMES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "players": st.integers(2, 4),
        "simplified": st.booleans(),
        "greedy": st.booleans(),
        "asked": st.sampled_from([0.0, 0.1, 1.0]),
        "widened": st.sampled_from([0.2, 0.7]),
    }
)
QUICK = settings(max_examples=settings().max_examples // 2)


def widened(rng, pieces):
    """A range that holds so many pieces; what is known of materials may be forgotten, that something was drawn not."""
    less, more = rng.randint(0, min(2, pieces.total - 1)), rng.randint(0, 2)
    if less == 0 and (more == 0 or rng.random() < 0.5):
        return replace(pieces, maybe=more)
    return Pieces(unknown=pieces.total - less, maybe=less + more)


def inside(exact, wide):
    """Nothing but numbers of pieces differs, and every exact one is among those that may be."""
    assert wide.bag_least <= exact.bag <= wide.bag_most
    for own, other in zip(exact.players, wide.players, strict=True):
        assert other.pieces.total <= own.pieces.total <= other.pieces.most
        assert all(getattr(other.pieces, material) <= getattr(own.pieces, material) for material in MATERIALS)
    bare = [
        replace(one, bag=0, players=tuple(replace(p, pieces=NOTHING) for p in one.players)) for one in (exact, wide)
    ]
    assert bare[0] == bare[1]


def ask(exact, wide, seat):
    """Somebody counts."""
    wide.push(CountPieces(seat=seat, count=exact.position.players[seat - 1].pieces.total))


def ends_with_the_bag(exact, wide, action):
    """The draw itself, not who holds what, would leave it open whether the simplified game is over (R51)."""
    return exact.position.options.simplified and wide.position.bag - action.drawn.total - 4 <= 0


def played(words, steps=150):
    """Play a game twice; yields (exact game, wide game, exact action, wide action) before each push."""
    rng = random.Random(words["seed"])
    exact, wide = (MegaCity(Options(players=words["players"], simplified=words["simplified"])) for _ in range(2))
    bot, dealer = Greedy() if words["greedy"] else RandomBot(rng), Dealer(rng)
    for _ in range(steps):
        decisions = list(exact.legal_actions)
        if not decisions:
            return
        decision = bot.choose(exact, decisions) if exact.position.player else decisions[0]
        action = told = dealer.outcome(exact, decision)
        draws = isinstance(action, TakePieces) and action.drawn.total
        if draws and rng.random() < words["widened"] and not ends_with_the_bag(exact, wide, action):
            told = replace(action, drawn=widened(rng, action.drawn))
        if isinstance(action, ReturnPieces) and rng.random() < words["widened"]:
            told = replace(action, returned=widened(rng, action.returned))
        yield exact, wide, action, told
        exact.push(action)
        wide.push(told)


@QUICK
@given(words=GAMES)
@example(words={"seed": 5, "players": 4, "simplified": False, "greedy": False, "asked": 0.0, "widened": 0.7})
def test_a_wide_game_refuses_no_move_of_the_exact_one_and_holds_its_position(words):
    rng = random.Random(words["seed"])
    for exact, wide, _, told in played(words, steps=400):
        inside(exact.position, wide.position)
        assert set(exact.legal_actions) <= set(wide.legal_actions)
        assert wide.position.phase == "setup" or list(unconserved(wide.position, HOUSE)) == []
        changes = words["simplified"] and isinstance(told, TakePieces)
        while (seat := count_needed(wide.position, told, HOUSE)) and (changes or rng.random() < words["asked"]):
            ask(exact, wide, seat)
            inside(exact.position, wide.position)


@QUICK
@given(words=GAMES)
def test_wide_positions_and_actions_round_trip_and_can_be_gone_on_from(words):
    for _, wide, _, told in played(words):
        assert action_from_text(str(told)) == told
        assert position_from_text(position_to_text(wide.position)) == wide.position
        assert set(MegaCity.from_position(wide.position).legal_actions) == set(wide.legal_actions)
        assert all(decision in wide.legal_actions for decision in wide.legal_actions)


@QUICK
@given(words=GAMES)
def test_pop_undoes_what_a_wide_game_pushes(words):
    for exact, wide, _, told in played(words):
        before = wide.position
        counts = [CountPieces(seat=s, count=p.pieces.total) for s, p in enumerate(exact.position.players, start=1)]
        for action in (told, *counts) if exact.position.player else (told,):
            wide.push(action)
            assert wide.pop() is action
            assert wide.position is before


def exact_positions(position):
    """Every position of exact numbers that a wide one may be."""
    ranges = [range(player.pieces.total, player.pieces.most + 1) for player in position.players]
    for counts in product(*ranges):
        one = position
        for seat, (player, count) in enumerate(zip(position.players, counts, strict=True), start=1):
            one = with_pieces(one, seat, between(player.pieces, count, count))
        if one.bag >= 0:
            yield one


def legal(position, action):
    try:
        check(position, action, HOUSE)
    except IllegalAction:
        return False
    return True


def can_be(position, action):
    if still_open(action):
        return True
    if isinstance(action, TakePieces) and action.drawn == NOTHING:
        return position.bag == 0
    try:
        check_possible(position, action, HOUSE)
    except IllegalAction:
        return False
    return True


@QUICK
@given(words=GAMES)
def test_the_rules_are_sure_or_say_whose_pieces_they_need(words):
    """Against a brute force over all numbers of pieces that may be."""
    rng = random.Random(words["seed"])
    for _, wide, _, told in played(words, steps=80):
        position = wide.position
        if position.phase == "setup" or not any(player.pieces.maybe for player in position.players):
            assert count_needed(position, told, HOUSE) is None
            continue
        exact = list(exact_positions(position))
        if len(exact) > 600:
            return
        decisions = list(wide.legal_actions)
        for action in [told, *rng.sample(decisions, min(5, len(decisions)))]:
            verdicts = {legal(one, action) for one in exact if can_be(one, action)}
            assert True in verdicts
            seat = count_needed(position, action, HOUSE)
            assert seat is not None or verdicts == {True}
            assert seat is None or position.players[seat - 1].pieces.maybe


HAND = Player(contracts=("CO5",), platforms=(Face(14, "commercial"),), pieces=Pieces(concrete=4, unknown=1, maybe=3))
DELIVER = "p1 deliver contract=CO5 platform=14 at=1/0"  # 7 pieces


def wide(table, *, hands=None, **words):
    """A game with ranges in hands; the bag follows."""
    position = table.position(hands=hands, **words)
    maybe = sum(player.pieces.maybe for player in position.players)
    return MegaCity.from_position(replace(position, bag=position.bag - maybe))


def need(game, line):
    return count_needed(game.position, action_from_text(line), game.deck)


def test_r10_a_draw_of_a_range_leaves_the_least_in_the_bag(table):
    game = table.game()
    bag = game.position.bag
    after = table.do(game, "p1 take_pieces drawn=unknown:1-3")
    assert after.players[0].pieces == Pieces(unknown=1, maybe=2)
    assert (after.bag_least, after.bag_most) == (bag - 3, bag - 1)


@pytest.mark.parametrize("drawn", ["unknown:1-2", "unknown:4-5", "steel:4,unknown:0-1"])
def test_r10_a_draw_that_is_3_for_no_number_is_refused(table, drawn):
    assert table.refused(table.game(), f"p1 take_pieces drawn={drawn}") == "R10"


def test_r10_an_announced_piece_may_be_one_of_a_range(table):
    game = table.game()
    table.do(game, "p1 take_pieces announced=steel drawn=unknown:1-2")
    assert game.position.players[0].pieces == Pieces(unknown=1, maybe=1)


@pytest.mark.parametrize(("maybe", "rule"), [(1, ""), (0, "R10")])
def test_r10_the_last_piece_of_a_material_may_be_the_one_that_may_be_there(table, maybe, rule):
    hands = {2: Player(pieces=Pieces(steel=10)), 3: Player(pieces=Pieces(maybe=maybe))}
    game = wide(table, hands=hands, box=39)  # of 50 pieces of steel
    line = "p1 take_pieces announced=steel drawn=glass:3"
    assert need(game, line) == (3 if maybe else None)
    assert (table.refused(game, line) if rule else table.do(game, line) and "") == rule


def test_a7_the_last_pieces_are_no_more_than_the_bag_may_hold(table):
    game = wide(table, bag=2, hands={2: Player(pieces=Pieces(unknown=1, maybe=2))})
    assert (game.position.bag_least, game.position.bag_most) == (0, 2)
    assert table.refused(game, "p1 take_pieces drawn=unknown:3") == "R10"
    after = table.do(game, "p1 take_pieces drawn=unknown:2")
    assert after.players[1].pieces == Pieces(unknown=1)  # what seat 1 drew seat 2 does not hold
    assert after.bag == after.bag_most == 0


def test_r44_a_bag_that_is_found_empty_tells_what_everybody_holds(table):
    game = wide(table, bag=2, hands={2: Player(pieces=Pieces(unknown=1, maybe=2))})
    assert need(game, "p1 take_pieces") is None
    assert need(game, "p1 take_pieces drawn=none") is None
    after = table.do(game, "p1 take_pieces drawn=none")
    assert after.final == "bag_out"
    assert after.players[1].pieces == Pieces(unknown=3)


def test_r44_when_the_final_turns_have_begun_a_bag_that_may_hold_some_has_to_be_sure(table):
    game = wide(
        table,
        players=2,
        bag=2,
        final="completed",
        final_turns=(2,),
        columns=((),) * 4,
        city=table.grown(12),
        hands={2: Player(pieces=Pieces(unknown=1, maybe=2))},
    )
    assert "take_pieces" in {str(action).split()[1] for action in game.legal_actions}
    assert need(game, "p1 take_pieces") == 2
    table.do(game, "table count_pieces seat=2 count=3")
    assert table.refused(game, "p1 take_pieces") == "R44"


def test_r51_a_count_that_leaves_nothing_in_the_bag_ends_the_simplified_game(table):
    game = wide(table, simplified=True, bag=2, hands={2: Player(pieces=Pieces(unknown=1, maybe=2))})
    assert table.do(game, "table count_pieces seat=2 count=3").phase == "end"
    assert game.position.final == "bag_out"


def test_r11_both_ways_to_end_a_turn_are_open_while_15_is_within_the_range(table):
    game = wide(table, hands={1: Player(pieces=Pieces(unknown=14, maybe=3))})
    assert table.decisions(game, "end_turn") == table.decisions(game, "return_pieces") == {""}
    assert need(game, "p1 end_turn") == need(game, "p1 return_pieces") == 1
    bag = game.position.bag
    ended = table.do(game, "p1 end_turn")
    assert (ended.players[0].pieces, ended.bag) == (Pieces(unknown=14, maybe=1), bag + 2)
    game.pop()
    returned = table.do(game, "p1 return_pieces returned=unknown:1-2")
    assert returned.players[0].pieces == Pieces(unknown=15)
    assert returned.bag == bag + 2


@pytest.mark.parametrize(("least", "line"), [(12, "p1 return_pieces"), (16, "p1 end_turn")])
def test_r11_a_range_on_one_side_of_15_is_sure(table, least, line):
    game = wide(table, hands={1: Player(pieces=Pieces(unknown=least, maybe=2))}, actions_used=1)
    assert table.refused(game, line) == "R11"
    assert need(game, line) is None


@pytest.mark.parametrize("returned", ["unknown:3", "unknown:3-4", "none"])
def test_r11_no_number_allows_so_many_to_be_returned(table, returned):
    game = wide(table, hands={1: Player(pieces=Pieces(unknown=14, maybe=3))})
    assert table.refused(game, f"p1 return_pieces returned={returned}") == "R11"


def test_r17_a_building_shows_that_its_pieces_were_there(table):
    game = wide(table, hands={1: HAND})
    assert need(game, DELIVER) == 1
    built = f"{DELIVER} stood=yes height=45mm pieces=concrete:3,glass:4 judged=yes"
    assert need(game, built) is None
    assert table.do(game, built).players[0].pieces == Pieces(concrete=1)


def test_r17_a_contract_that_asks_for_more_than_there_can_be_is_refused(table):
    game = wide(table, hands={1: replace(HAND, pieces=Pieces(unknown=4, maybe=2))})
    assert table.refused(game, DELIVER) == "R17"


def test_r17_what_is_built_is_counted(table):
    game = wide(table, hands={1: HAND})
    line = f"{DELIVER} stood=yes height=45mm pieces=concrete:7,unknown:0-1 judged=yes"
    assert table.refused(game, line) == "R17"
    with pytest.raises(IllegalAction, match="Give one number"):
        game.accept(action_from_text(line))


def test_r33_a_monument_may_be_the_piece_that_may_be_there(table, at):
    words = {"phase": "option", "delivered_at": at("1/0"), "city": [table.built(1, "PU1", "1/0")]}
    game = wide(table, hands={1: Player(pieces=Pieces(maybe=1))}, parks=[Park(at=at("2/0"), owner=1)], **words)
    for line in ("p1 place_monument park=2/0", "p1 place_central_park_monument"):
        assert need(game, line) == 1
        assert need(game, f"{line} piece=glass:1") is None
        assert table.do(game, f"{line} piece=glass:1").players[0].pieces == NOTHING
        game.pop()
        assert table.refused(game, f"{line} piece=unknown:0-1") == "R17"
    table.do(game, "table count_pieces seat=1 count=0")
    assert table.decisions(game, "place_monument") == set()


def test_r42_recycling_what_may_be_nothing_has_to_be_sure_only_where_it_matters(table):
    words = {"deciding": True, "final": "completed", "columns": ((),) * 4, "city": table.grown(12), "players": 2}
    hands = {1: Player(pieces=Pieces(maybe=1))}
    assert need(wide(table, hands=hands, **words), "p1 recycle") is None
    strict = wide(table, hands=hands, rulings={"recycle_with_nothing_scores": False}, **words)
    assert need(strict, "p1 recycle") == 1
    bag = strict.position.bag
    assert table.do(strict, "p1 recycle").bag == bag + 1


@pytest.mark.parametrize(
    ("count", "after", "bag"),
    [
        ("count=5", Pieces(concrete=4, unknown=1), 3),
        ("count=8", Pieces(concrete=4, unknown=4), 0),
        ("count=6 maybe=1", Pieces(concrete=4, unknown=2, maybe=1), 1),
        ("count=3", Pieces(concrete=2, unknown=1), 5),  # against what was known: some of it went
        ("count=11", Pieces(concrete=4, unknown=7), -3),
    ],
)
def test_r5_a_count_stands_and_the_bag_follows(table, count, after, bag):
    game = wide(table, hands={1: HAND})
    before = game.position
    position = table.do(game, f"table count_pieces seat=1 {count}")
    assert (position.players[0].pieces, position.bag) == (after, before.bag + bag)
    assert replace(position, players=(before.players[0], *position.players[1:]), bag=before.bag) == before


@pytest.mark.parametrize("line", ["seat=1 count=5", "seat=1 count=-1", "seat=1 count=5 maybe=-1", "seat=4 count=1"])
def test_r5_a_count_is_refused_only_where_the_pieces_are_elsewhere(table, line):
    game = wide(table, bag=3, hands={1: Player(pieces=Pieces(unknown=1, maybe=3)), 2: Player(pieces=Pieces(maybe=2))})
    assert game.position.bag_most == 3
    table.do(game, "table count_pieces seat=1 count=4")
    assert (game.position.bag, game.position.players[1].pieces) == (0, NOTHING)
    game.pop()
    with pytest.raises(IllegalAction):
        game.push(action_from_text(f"table count_pieces {line}"))
    with pytest.raises(IllegalAction):
        game.accept(action_from_text(f"table count_pieces {line}"))


def test_r5_a_count_needs_its_number(table):
    with pytest.raises(OutcomeOpen):
        table.game().push(CountPieces(seat=1))


def test_before_the_deal_nobody_holds_anything():
    with pytest.raises(IllegalAction, match="R2"):
        MegaCity(Options()).push(CountPieces(seat=1, count=0))


def test_pieces_of_a_building_are_never_a_range(table):
    building = replace(table.built(1, "CO1", "1/0"), pieces=Pieces(steel=3, maybe=1))
    position = table.position(city=[building])
    with pytest.raises(IllegalPosition, match="building on 1/0: pieces in a building are counted"):
        MegaCity.from_position(replace(position, bag=position.bag - 1))


def over(table, *hands, **words):
    position = table.position(
        players=len(hands),
        phase="end",
        deciding=True,
        final="completed",
        columns=((),) * 4,
        city=table.grown(12),
        hands={seat: Player(pieces=pieces) for seat, pieces in enumerate(hands, start=1)},
        **words,
    )
    return replace(position, bag=position.bag - sum(pieces.maybe for pieces in hands))


def test_r49_pieces_left_over_count_as_guessed_and_the_score_says_so(table):
    position = over(table, Pieces(unknown=4, maybe=2), Pieces(unknown=5, maybe=2))
    lines = [next(line for line in one.lines if line.reason == "leftover") for one in score(position, HOUSE).values()]
    assert [(line.points, line.words["pieces"]) for line in lines] == [(-2, "4-6"), (-2, "5-7")]
    found = guesses(position, HOUSE)
    assert found[0] == Guess("leftover", (2,), -3, -2)  # 4 to 6 pieces are 2 points whatever they are
    assert {guess.reason for guess in found[1:]} <= {"winners"}


def test_r49_after_the_game_a_count_settles_the_score(table):
    game = MegaCity.from_position(over(table, Pieces(unknown=5, maybe=2), NOTHING))
    game.accept(action_from_text("table count_pieces seat=1 count=7"))
    assert guesses(game.position, HOUSE) == ()
    assert game.scores()[1].lines[-1].points == -3


def test_r50_who_has_won_rests_on_a_guess_where_the_totals_may_change_places(table):
    rulings = replace(Rulings(), marker_breaks_ties=False)
    bare = over(table, NOTHING, NOTHING)
    totals = outcome(bare, HOUSE).scores
    ahead = max(totals, key=totals.get)
    lead = abs(totals[1] - totals[2])
    assert rulings == bare.options.rulings
    hands = [NOTHING, NOTHING]
    hands[ahead - 1] = Pieces(maybe=3 * lead + 3)
    last = guesses(over(table, *hands), HOUSE)[-1]
    assert last == Guess("winners", (1, 2))
    hands[ahead - 1] = NOTHING
    hands[2 - ahead] = Pieces(maybe=6)
    assert [guess.reason for guess in guesses(over(table, *hands), HOUSE)] == (
        ["leftover"] if lead else ["leftover", "winners"]
    )


def test_the_public_sees_a_range_and_what_rests_on_it(table):
    position = over(table, Pieces(unknown=4, maybe=3), NOTHING)
    board = scene(position, position, HOUSE, score(position, HOUSE), outcome(position, HOUSE)).board
    assert (board.areas[0].pieces, board.areas[0].maybe) == (4, 3)
    assert (board.bag, board.bag_maybe) == (position.bag, 3)
    assert board.guesses[0] == Guess("leftover", (1,), -3, -2)


def test_people_may_say_how_many_pieces_somebody_holds_while_nobody_knows(table):
    game, side, speech = wide(table, hands={1: HAND}), MegaCityTable(HOUSE), Speech(HOUSE)
    form = Questions(HOUSE, side.applied)
    said = [action for action in speech.sayable(game.position) if isinstance(action, CountPieces)]
    assert said == [CountPieces(seat=1)]
    assert side.supposed(game.position, said[0]) == game.position
    (asked,) = form.questions(game.position, said[0], {}, said=True)
    assert (asked.name, asked.kind, asked.proposed) == ("count", "count", 7)
    assert speech.asker(said[0]) == 1
    told = form.answered(game.position, said[0], {"count": 6})
    assert str(told) == "table count_pieces seat=1 count=6"
    assert side.decision(told) == said[0]
    after = side.applied(game.position, told)
    assert after.players[0].pieces == Pieces(concrete=4, unknown=2)
    assert [one for one in speech.sayable(after) if isinstance(one, CountPieces)] == []
