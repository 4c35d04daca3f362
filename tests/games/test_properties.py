"""What holds in every game: engine and brute force agree, nothing is lost, all can be written down and taken back."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.games.megacity.actions import (
    BuildingFell,
    Deliver,
    MonumentFell,
    PiecesLost,
    Refresh,
    ReturnPieces,
    SetUp,
    TakePieces,
    TakePlatform,
)
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text, position_from_text, position_to_text
from citytable.games.megacity.position import Options, Pieces
from citytable.games.megacity.scoring import score
from citytable.rules.errors import IllegalAction, OutcomeOpen

pytestmark = pytest.mark.long(8)

GAMES = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**6),
        "players": st.integers(2, 4),
        "simplified": st.booleans(),
        "greedy": st.booleans(),
        "untold": st.sampled_from([0.0, 0.4]),
        "accidents": st.sampled_from([0.0, 0.05]),
    }
)
SLOW = settings(max_examples=settings().max_examples // 5)
QUICK = settings(max_examples=settings().max_examples // 2)


def accident(game, rng):
    """Something that can fall now, or None."""
    position = game.position
    could = [BuildingFell(at=building.at) for building in position.buildings if building.standing]
    could += [PiecesLost(at=b.at) for b in position.buildings if b.standing and b.pieces.total > 1]
    could += [MonumentFell(at=park.at) for park in position.parks if park.monument]
    return rng.choice(could) if could else None


def played(words, steps=150):
    """Plays a game; yields (game, action) before each push."""
    rng = random.Random(words["seed"])
    game = MegaCity(Options(players=words["players"], simplified=words["simplified"]))
    bot = Greedy() if words["greedy"] else RandomBot(rng)
    dealer = Dealer(rng, unknown=words["untold"])
    for _ in range(steps):
        decisions = list(game.legal_actions)
        if not decisions:
            return
        decision = bot.choose(game, decisions) if game.position.player else decisions[0]
        falling = accident(game, rng) if rng.random() < words["accidents"] else None
        action = dealer.outcome(game, falling or decision)
        yield game, action
        game.push(action)


@QUICK
@given(words=GAMES)
def test_every_legal_decision_is_accepted_and_its_line_reads_back(words):
    for game, action in played(words):
        legal = game.legal_actions
        decisions = list(legal)
        assert len(set(decisions)) == len(decisions) == legal.count()
        assert all(decision in legal for decision in decisions)
        assert action in legal
        assert action_from_text(str(action)) == action


@SLOW
@given(words=GAMES)
def test_the_brute_force_finds_the_same_decisions_and_the_same_effects(words, brute):
    rng = random.Random(words["seed"])
    for game, action in played(words):
        state = brute.load(position_to_text(game.position))
        after = brute.after(state, str(action))
        if rng.random() < 0.15:
            legal = brute.legal_lines(state)
            assert {str(decision) for decision in game.legal_actions} == legal
            for line in rng.sample(sorted(brute.universe(state)), 60):
                assert (action_from_text(line) in game.legal_actions) == (line in legal), line
        game.push(action)
        assert brute.load(position_to_text(game.position)) == after
        game.pop()


@QUICK
@given(words=GAMES)
def test_every_reached_position_is_legal_round_trips_and_can_be_gone_on_from(words):
    """Conservation of pieces, platforms, cards and parks is part of what makes a position legal."""
    for game, _ in played(words):
        position = position_from_text(position_to_text(game.position))
        assert position == game.position
        again = MegaCity.from_position(position)
        assert set(again.legal_actions) == set(game.legal_actions)


@QUICK
@given(words=GAMES)
def test_pop_undoes_push(words):
    positions = []
    game = None
    for game, action in played(words):
        positions.append(game.position)
        game.push(action)
        assert game.peek() is action
        assert game.pop() is action
        assert game.position is positions[-1]
    while game is not None and game.actions:
        game.pop()
        assert game.position is positions.pop()


@QUICK
@given(words=GAMES)
def test_a_score_is_the_sum_of_its_lines_with_and_without_the_actions(words):
    *_, (game, _) = played(words, steps=400)
    told, bare = game.scores(), score(game.position, game.deck)
    for seat, one in told.items():
        assert one.total == sum(line.points for line in one.lines) == bare[seat].total
        assert "token_before" not in {line.reason for line in one.lines}
        assert all(line.action_no is None for line in bare[seat].lines)
        for line in one.lines:
            assert 1 <= line.action_no <= len(game.actions)


def more(pieces):
    return replace(pieces, steel=pieces.steel + 1)


def spoilt(action):
    """The same decision with an outcome that cannot be."""
    match action:
        case SetUp():
            yield replace(action, supply=action.supply[:2])
            yield replace(action, drawn=tuple(more(pieces) for pieces in action.drawn))
        case TakePlatform() | Refresh():
            yield replace(action, revealed=(*action.revealed, *action.revealed[:1], *action.revealed[:1], None)[:5])
            yield replace(action, revealed=action.revealed[1:]) if action.revealed else action
        case TakePieces():
            yield replace(action, drawn=more(more(action.drawn)))
            yield replace(action, drawn=replace(action.drawn, glass=-1, steel=action.drawn.total + 1))
        case ReturnPieces():
            yield replace(action, returned=more(action.returned))
        case Deliver(stood=True):
            yield replace(action, judged=False)
            yield replace(action, height_mm=1)
            yield replace(action, pieces=Pieces(steel=1))
            yield replace(action, pieces=more(replace(action.pieces, glass=-1)))
        case BuildingFell():
            yield replace(action, to_box=action.to_box + 20)
            yield replace(action, left=-1)


@QUICK
@given(words=GAMES)
def test_an_outcome_that_cannot_be_is_refused_and_changes_nothing(words):
    for game, action in played(words):
        before = game.position
        for wrong in spoilt(action):
            if wrong == action:
                continue
            assert wrong not in game.legal_actions, str(wrong)
            with pytest.raises(IllegalAction):
                game.push(wrong)
            assert game.position is before


@QUICK
@given(words=GAMES)
def test_a_decision_with_an_open_outcome_is_legal_but_cannot_be_pushed(words):
    for game, action in played(words):
        for decision in game.legal_actions:
            if type(decision) is type(action) and decision.OUTCOME:
                with pytest.raises(OutcomeOpen) as refusal:
                    game.push(decision)
                assert refusal.value.missing == decision.OUTCOME
