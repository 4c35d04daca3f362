"""Positions written by hand in a few words: the cards that a test does not name lie in the deck."""

import json
import random
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec.structs import replace

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.games.comeback.actions import action_from_text
from citytable.games.comeback.dealer import Dealer
from citytable.games.comeback.deck import EARLIER
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.places import Place
from citytable.games.comeback.position import Bonus, Building, Options, Position, Rulings
from citytable.games.comeback.validity import lying
from citytable.rules.errors import IllegalAction

FIRST = EARLIER[0]  # the house deck whose cards these tests name


class Table:
    """Makes positions and games of the house deck, plays lines of notation, names the rule of a refusal."""

    deck = FIRST

    def __init__(self, asking):
        self.do, self.refused, self.decisions = asking.do, asking.refused, asking.decisions

    def position(self, columns="", *, phase="rebuild", rulings=None, helpers=(), bonuses=(), **fields):
        """Columns are separated by `|`; from below, each card is `R01`, with marks behind it, or `-` for a gap.

        Marks: `*` rubble, `!` occupied, `+` guarded, `:3` counters, `^C01` built over the rubble of C01.
        """
        fields = {"disaster": "hurricane" if phase in {"rebuild", "end"} else "", "action_points": 5} | fields
        city = [
            self.building(word, Place(column, row))
            for column, cards in enumerate(columns.split("|"), start=1)
            for row, word in enumerate(cards.split(), start=4)
            if word != "-"
        ]
        used = [Bonus(card=card, completed=True, used="helper") for card in self.bonuses_of(helpers)]
        position = Position(
            options=Options(rulings=Rulings(**(rulings or {}))),
            phase=phase,
            city=tuple(sorted(city, key=lambda building: building.at)),
            bonuses=tuple(used) + tuple(bonuses),
            **fields,
        )
        there = set(lying(position))
        if "deck" not in fields:
            position = replace(position, deck=tuple(sorted(card for card in FIRST.cards if card not in there)))
        return position

    def building(self, word, at):
        card, _, under = word.partition("^")
        card, _, counters = card.partition(":")
        marks = card[3:]
        return Building(
            at=at,
            card=card[:3],
            counters=int(counters or 0),
            rubble="*" in marks,
            occupied="!" in marks,
            guarded="+" in marks,
            under=under,
        )

    def bonuses_of(self, helpers):
        """A bonus of each helper, no two of a zone."""
        zones = set()
        for helper in helpers:
            card = next(one for one in FIRST.bonuses.values() if one.helper == helper and one.zone not in zones)
            zones.add(card.zone)
            yield card.id

    def game(self, *columns, **words):
        return ComebackCity.from_position(self.position(*columns, **words), FIRST)

    def at(self, position, place):
        return next((b for b in position.city if str(b.at) == place), None)


@pytest.fixture
def table(asking):
    return Table(asking(action_from_text))


@pytest.fixture
def refusal():
    """`refusal(game, line)`: the refusal itself, with its sentences."""

    def refused(game, line):
        with pytest.raises(IllegalAction) as found:
            game.push(action_from_text(line))
        return found.value

    return refused


@pytest.fixture
def brute(load_file):
    """The independent brute force of `brute_force.py`."""
    module = load_file("comeback_brute_force", Path(__file__).with_name("brute_force.py"))
    deck = files("citytable.games.comeback").joinpath("house_deck_1.json").read_text(encoding="utf-8")
    return module.BruteForce(json.loads(deck))


@pytest.fixture
def played():
    """`played(seed, rulings)`: yields game, decision and filled-in action of a whole game, before it is pushed."""

    def play(seed, rulings=None, disasters=None):
        rng = random.Random(seed)
        game = ComebackCity(Options(rulings=Rulings(**(rulings or {}))), FIRST)
        dealer = Dealer(rng, disasters) if disasters else Dealer(rng)
        bot = Greedy() if seed % 2 else RandomBot(rng)
        while game.outcome() is None:
            decision = bot.choose(game, list(game.legal_actions))
            action = dealer.outcome(game, decision)
            yield game, action
            game.push(action)
        yield game, None

    return play
