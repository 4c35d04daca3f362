"""The ledger beside the stack says what a replay of the whole game says.

The replay here reads nothing but the notation: lines of actions, and positions as JSON before and after each.
"""

import json
import random

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
    PlaceCentralParkMonument,
    Recycle,
    TakeContract,
    TakePieces,
)
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.effects import happened
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.ledger import Ledger, Replay, Token
from citytable.games.megacity.notation import action_from_text, position_to_text
from citytable.games.megacity.paper import position_of
from citytable.games.megacity.paper_form import paper_of
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options, Pieces, Rulings
from citytable.games.megacity.scoring import score
from citytable.games.megacity.spots import CITY
from citytable.rules.errors import IllegalAction
from citytable.table.hexes import hex_from_text


class Notes:
    """Reads a whole game: positions and actions as text, the first position first."""

    def __init__(self, positions, lines):
        states = [json.loads(text) for text in positions]
        self.completed, self.monuments, self.tokens = {}, {}, {}
        for number, line in enumerate(lines, start=1):
            who, verb, *words = line.split(" ")
            told = dict(word.split("=", 1) for word in words if "=" in word and not word.startswith("("))
            before, after = states[number - 1], states[number]
            if verb == "deliver" and told.get("stood") == "yes":
                self.completed[told["contract"]] = number
            elif verb == "place_monument":
                self.monuments[hex_from_text(told["park"])] = number
            elif verb == "place_central_park_monument":
                self.monuments[hex_from_text("0/0")] = number
            if who != "table":
                self._won(int(who[1:]), verb, told, before, after, number)
        self.last = len(lines) or None

    def _won(self, seat, verb, told, before, after, number):
        won = self._count(after, seat) - self._count(before, seat)
        reasons = {
            "deliver": ["token_tallest"] * (after.get("tallest") == told.get("at"))
            + ["token_material"] * ("," not in told.get("pieces", ",") and "unknown" not in told.get("pieces", "")),
            "place_central_park_monument": ["token_central_park"],
            "recycle": ["token_recycle"],
        }
        if won:
            there = [Token(reason, number) for reason in reasons[verb]]
            assert len(there) == won, (verb, told, won)
            self.tokens[seat] = (*self.tokens.get(seat, ()), *there)

    def _count(self, state, seat):
        return state["players"][seat - 1].get("tokens", 0)

    def ledger(self):
        return Ledger(self.completed, self.monuments, self.tokens, self.last)


def accident(position, rng):
    could = [BuildingFell(at=one.at) for one in position.buildings if one.standing]
    could += [PiecesLost(at=one.at) for one in position.buildings if one.standing and one.pieces.total > 1]
    could += [MonumentFell(at=park.at) for park in position.parks if park.monument]
    return rng.choice(could) if could else None


def against_the_rules(rng, position):
    """Something that happened although it is nobody's turn for it."""
    seat = rng.randint(1, len(position.players))
    me = position.players[seat - 1]
    could = [TakePieces(player=seat, drawn=Pieces(unknown=rng.randint(1, 4))), Recycle(player=seat)]
    could += [TakeContract(player=seat, contract=rng.choice(column)) for column in position.columns if column]
    if me.pieces.total:
        could.append(PlaceCentralParkMonument(player=seat, piece=Pieces(unknown=1)))
    for name in me.contracts:
        for face in me.platforms:
            stood = Deliver(
                player=seat,
                contract=name,
                platform=face.platform,
                at=rng.choice(sorted(CITY)),
                stood=rng.random() < 0.9,
                height_mm=rng.randint(1, 150),
                pieces=Pieces(**{rng.choice(["steel", "glass"]): rng.randint(1, 3)}),
                judged=True,
            )
            could += [stood, stood]
    return rng.choice(could)


def written_down(game, rng):
    """The same city, set from paper: a game that begins in its middle."""
    position = game.position
    if position.phase in {"setup", "end"} or position.final or rng.random() > 0.02:
        return game
    try:
        paper = position_of(paper_of(position, {}), position, HOUSE, accepting=True)
    except ValueError:
        return game
    return MegaCity.from_table(paper)


def step(game, rng, bot, dealer, muddle):
    """A legal action, an accident, an action against the rules, or the last action taken back."""
    chosen = rng.random() if game.player else 1.0
    if chosen < 0.1:
        game.pop() if len(game.actions) > 1 else None
    elif chosen < 0.1 + muddle / 2:
        falls = accident(game.position, rng)
        game.accept(dealer.outcome(game, falls) if falls else against_the_rules(rng, game.position))
    elif chosen < 0.1 + muddle:
        game.accept(against_the_rules(rng, game.position))
    else:
        decisions = list(game.legal_actions)
        game.push(dealer.outcome(game, bot.choose(game, decisions) if game.player else decisions[0]))


def judge(game, positions):
    lines = [str(action) for action in game.actions]
    ledger = Notes([position_to_text(one) for one in positions], lines).ledger()
    assert game.scores() == score(game.position, HOUSE, ledger)
    assert Replay(HOUSE).ledger(game.start, game.actions) == ledger
    return ledger


@settings(max_examples=settings().max_examples // 2)
@given(
    seed=st.integers(0, 10**6),
    players=st.integers(2, 4),
    simplified=st.booleans(),
    muddle=st.sampled_from([0.0, 0.1, 0.3]),
)
def test_the_ledger_says_what_a_replay_of_the_whole_game_says(seed, players, simplified, muddle):
    rng = random.Random(seed)
    game = MegaCity(Options(players=players, simplified=simplified, rulings=Rulings(round_limit=30)))
    bot, dealer = (Greedy() if seed % 3 else RandomBot(rng)), Dealer(rng, unknown=0.2 * (seed % 2))
    positions = [game.position]
    for _ in range(140):
        again = written_down(game, rng)
        if again is not game:
            game, positions = again, [again.position]
        try:
            step(game, rng, bot, dealer, muddle)
        except IllegalAction:
            continue
        positions = [*positions[: len(game.actions)], game.position]
        if rng.random() < 0.1:
            judge(game, positions)
        if game.player == 0:
            break
    ledger = judge(game, positions)
    copied = game.copy()
    while copied.actions:
        copied.pop()
        positions.pop()
        if rng.random() < 0.1:
            judge(copied, positions)
    assert game.scores() == score(game.position, HOUSE, ledger)


def test_the_ledger_is_no_part_of_a_position(table):
    game = table.game()
    before = position_to_text(game.position)
    game.push(action_from_text("p1 take_pieces drawn=steel:3"))
    game.push(action_from_text("p1 end_turn"))
    again = MegaCity.from_position(game.position)
    assert again.position == game.position
    assert again.scores()[1].lines[-1] != game.scores()[1].lines[-1]
    assert replace(again.scores()[1].lines[-1], action_no=2) == game.scores()[1].lines[-1]
    game.pop()
    game.pop()
    assert position_to_text(game.position) == before


def test_a_replay_follows_a_game_and_begins_anew_where_something_was_put_right(monkeypatch):
    done = []

    def counted(position, action, deck):
        done.append(action)
        return happened(position, action, deck)

    monkeypatch.setattr("citytable.games.megacity.ledger.happened", counted)
    rng = random.Random(5)
    game, dealer, replay = MegaCity(Options(players=3)), Dealer(rng), Replay(HOUSE)
    for _ in range(80):
        decisions = list(game.legal_actions)
        game.push(dealer.outcome(game, Greedy().choose(game, decisions) if game.player else decisions[0]))
        assert score(game.position, HOUSE, replay.ledger(game.start, game.actions)) == game.scores()
    assert len(done) == 80, "each action is replayed once"
    for _ in range(20):
        game.pop()
    for _ in range(5):
        game.push(dealer.outcome(game, rng.choice(list(game.legal_actions))))
    assert score(game.position, HOUSE, replay.ledger(game.start, game.actions)) == game.scores()
    later = MegaCity.from_position(game.position)
    later.push(dealer.outcome(later, rng.choice(list(later.legal_actions))))
    assert score(later.position, HOUSE, replay.ledger(later.start, later.actions)) == later.scores()
