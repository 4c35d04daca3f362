"""Games of Dilluvia Project for the tests: played by lot, or set up in a few words."""

import random
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.games.dilluvia.actions import DrawOrder, SetUp
from citytable.games.dilluvia.cells import cell_from_text
from citytable.games.dilluvia.dealer import Dealer
from citytable.games.dilluvia.game import Dilluvia, before_the_market
from citytable.games.dilluvia.notation import action_from_text
from citytable.games.dilluvia.position import Built, Cubes, Due, Held, Options, Rulings
from citytable.games.dilluvia.values import HOUSE
from citytable.rules.errors import IllegalAction


class Table:
    """Plays and sets up."""

    values = HOUSE

    def game(self, players=2, **rulings):
        return Dilluvia(before_the_market(Options(players=players, rulings=Rulings(**rulings))))

    def at(self, players=2, phase="workers", turn=1, order=None, **rulings):
        """A game in a phase of a turn, seat 1 first; everybody has 20 Aeros and 9 cubes of each colour."""
        game = self.game(players, **rulings)
        order = order or tuple(range(1, players + 1))
        game.push(SetUp(market=game.position.white[:16]))
        game.push(DrawOrder(order))
        position = replace(game.position, phase=phase, turn=turn, player=order[0])
        for seat in order:
            position = position.changed(seat, aeros=20, cubes=Cubes(9, 9, 9, 9))
        return Dilluvia(position)

    def changed(self, game, **fields):
        """The game in the same position but for these fields; `p1` and so on change a player's."""
        position = game.position
        for name, value in fields.items():
            position = (
                position.changed(int(name[1:]), **value) if name[1:].isdigit() else replace(position, **{name: value})
            )
        return Dilluvia(position)

    def holding(self, game, seat, *kinds):
        """The game with tiles of these kinds in front of a player, from the stacks."""
        position = game.position
        for kind in kinds:
            stacks = (*position.white, *position.grey)
            held = {one.tile for player in position.players for one in player.tiles}
            lying = tuple(tile for tile in position.market if tile)
            tile = next(n for n in (*stacks, *lying) if self.values.tile(n).kind == kind and n not in held)
            if tile in lying:  # another white one lies there then
                market = tuple(position.white[-1] if one == tile else one for one in position.market)
                position = replace(position, market=market, white=position.white[:-1])
            white = tuple(one for one in position.white if one != tile)
            position = replace(position, white=white, grey=tuple(one for one in position.grey if one != tile))
            position = position.changed(seat, tiles=(*position.of(seat).tiles, Held(tile)))
        return Dilluvia(position)

    def tile(self, game, seat, kind):
        """The number of a tile in front of a player."""
        return next(one.tile for one in game.position.of(seat).tiles if self.values.tile(one.tile).kind == kind)

    def ground(self, game, seat, *cells):
        """The game with cubes of a player on these spaces."""
        mine = frozenset(cell_from_text(cell) for cell in cells)
        return self.changed(game, city=game.position.city.with_terrain(seat, mine))

    def built(self, game, owner, number, at, shape="single", *, version="a", cube="first"):
        """The game with a building in the city, whose square is not on the mat."""
        one = Built(number=number, version=version, at=cell_from_text(at), shape=shape, owner=owner, cube=cube)
        city = game.position.city
        buildings = tuple(sorted((*city.buildings, one), key=lambda building: building.at))
        return self.changed(game, city=replace(city, buildings=buildings))

    def due(self, game, *dues, **fields):
        """The game with something to do next."""
        return self.changed(game, dues=tuple(Due(*due) for due in dues), **fields)

    def after(self, game, *lines):
        """The position after these lines."""
        return self.play(game.copy(), *lines).position

    def walk(self, players, seed, greedy=0.5, **rulings):
        """Yield the game before each decision, and the filled-in action that is then pushed."""
        rng = random.Random(seed)
        game, dealer = self.game(players, **rulings), Dealer(rng)
        while game.outcome() is None:
            decisions = list(game.legal_actions)
            if rng.random() < greedy:
                chosen = max(decisions, key=lambda one: (game.advice(one), rng.random()))
            else:
                chosen = rng.choice(decisions)
            action = dealer.outcome(game, chosen)
            yield game, decisions, action
            game.push(action)

    def played(self, players, seed, greedy=0.5):
        return [game for game, _, _ in self.walk(players, seed, greedy)][-1]

    def rule(self, game, line):
        """The number of the rule that refuses a line; empty if it is legal."""
        try:
            game.copy().push(action_from_text(line))
        except IllegalAction as refusal:
            return refusal.rule
        return ""

    def play(self, game, *lines):
        for line in lines:
            game.push(action_from_text(line))
        return game


@pytest.fixture(scope="session")
def table():
    return Table()


@pytest.fixture(scope="session")
def book(load_file):
    """The second reader's module."""
    return load_file("dilluvia_book", Path(__file__).with_name("book.py"))
