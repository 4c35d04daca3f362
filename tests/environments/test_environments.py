"""The games as environments: judged by the packages' own checks, and against the rules themselves."""

import random
from importlib.util import find_spec
from itertools import count

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from msgspec.structs import replace
from pettingzoo.test import api_test, seed_test

from citytable.environments import one
from citytable.environments.aec import Several
from citytable.environments.choices import STOP, Choices
from citytable.environments.learning import Learning
from citytable.games import NAMES, box_of, chance_of
from citytable.games.dilluvia import encoding as dilluvia
from citytable.games.dilluvia.game import Dilluvia
from citytable.games.dilluvia.notation import position_from_text as dilluvia_from_text
from citytable.games.dilluvia.notation import position_to_text as dilluvia_to_text
from citytable.games.megacity.encoding import MOST, VERSION, numbers, words
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import position_from_text, position_to_text
from citytable.games.megacity.position import Options

pytestmark = pytest.mark.long(7)

ENCODED = [name for name in NAMES if find_spec(f"citytable.games.{name}.encoding")]
"""The games that are environments."""
SHARED = [name for name in ENCODED if box_of(name).players[-1] > 1]
"""Those of them that several play."""


@pytest.mark.parametrize("game", SHARED)
@pytest.mark.parametrize("players", [2, 4])
def test_pettingzoos_own_check_finds_nothing(game, players, capsys):
    api_test(Several(game, players, steps_max=150), num_cycles=200)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.parametrize("game", SHARED)
def test_one_seed_is_one_game(game):
    seed_test(lambda: Several(game, 3), num_cycles=60)


@pytest.mark.parametrize("name", ["citytable/megacity-v2", "citytable/comeback-v1", "citytable/dilluvia-v1"])
def test_gymnasiums_own_check_finds_nothing(name):
    assert gymnasium.spec(name).entry_point == f"{one.__name__}:One"
    check_env(gymnasium.make(name, steps_max=100).unwrapped)


def test_a_game_for_one_is_played_through_in_its_words():
    for seed in range(6):
        learning = Learning("comeback", 1)
        learning.begin(seed)
        space = learning.space()
        _play(learning, np.random.default_rng(seed), 1500, lambda: None)
        assert learning.row(1) in space
        assert learning.victories() in ({1: 0.0}, {1: 1.0})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_dilluvia_is_played_through_in_its_words_and_shows_what_is_public_alone(players):
    """The order of the stacks is the only thing that lies hidden: turned round, they look the same to every seat."""
    learning = Learning("dilluvia", players)
    space, seats, steps = learning.space(), range(1, players + 1), count()

    def look():
        if next(steps) % 9:
            return
        game = learning.game()
        position = dilluvia_from_text(dilluvia_to_text(game.position))
        turned = Dilluvia(replace(position, white=position.white[::-1], grey=position.grey[::-1]), game.values)
        assert all(learning.row(seat) in space for seat in seats)
        assert all(dilluvia.numbers(turned, seat) == dilluvia.numbers(game, seat) for seat in seats)

    _play(learning, np.random.default_rng(players), 2000, look)
    assert sum(learning.victories().values()) == pytest.approx(1)


def _play(learning, rng, steps, look):
    for _ in range(steps):
        if not learning.seat:
            return
        look()
        learning.choose(int(rng.choice(np.flatnonzero(learning.mask(learning.seat)))))


def test_every_legal_decision_can_be_chosen_and_nothing_else():
    """Walk down every path of choices in positions of a random game: the ends are the legal decisions, each once."""
    rng, chance = random.Random(3), chance_of("megacity", random.Random(3))
    game = MegaCity(Options(players=3))
    for _ in range(120):
        decisions = list(game.legal_actions)
        written = [(str(one).split()[1:], one) for one in decisions]
        ends, paths = [], [()]
        while paths:
            path = paths.pop()
            choices, end = Choices(written), None
            for word in path:
                end = choices.choose(word)
            if end is None:
                paths += [(*path, word) for word in choices.words()]
            else:
                ends.append(end)
        assert sorted(ends, key=str) == sorted(decisions, key=str)
        game.push(chance.outcome(game, rng.choice(decisions)))


def test_a_word_that_goes_nowhere_is_refused():
    with pytest.raises(KeyError, match="deliver"):
        Choices([(["end_turn"], 1), (["refresh"], 2)]).choose("deliver")


def test_where_one_decision_begins_another_the_shorter_one_is_chosen_by_a_stop():
    choices = Choices([(["take"], "any"), (["take", "glass"], "glass")])
    assert choices.choose("take") is None
    assert choices.words() == {STOP, "glass"}
    assert choices.choose(STOP) == "any"


def test_a_row_is_within_its_space_and_says_nothing_that_the_position_does_not():
    learning = Learning("megacity", 3)
    space = learning.space()

    def look():
        game = learning.game()
        assert all(learning.row(seat) in space for seat in (1, 2, 3))
        public = MegaCity.from_table(position_from_text(position_to_text(game.position)))
        assert all(numbers(public, seat) == numbers(game, seat) for seat in (1, 2, 3))

    _play(learning, np.random.default_rng(2), 60, look)


def test_each_seat_sees_itself_first():
    learning = Learning("megacity", 2)
    _play(learning, np.random.default_rng(2), 60, lambda: None)
    game = learning.game()
    swapped = [numbers(game, seat)[-40:] for seat in (1, 2)]
    assert swapped[0][:10] == swapped[1][10:20]
    assert swapped[0][10:20] == swapped[1][:10]
    assert swapped[0][1] == game.position.players[0].pieces.steel


def test_each_seat_of_dilluvia_sees_itself_first():
    learning = Learning("dilluvia", 2)
    _play(learning, np.random.default_rng(2), 90, lambda: None)
    game = learning.game()
    assert game.position.players[0] != game.position.players[1]
    first, second = (dilluvia.numbers(game, seat)[-100:] for seat in (1, 2))  # four areas of 25 numbers
    assert (first[:25], first[25:50]) == (second[25:50], second[:25])
    assert first[50:] == [0] * 50
    assert first[1] == game.position.players[0].aeros


def test_the_words_of_dilluvia_are_all_different_and_their_meaning_is_frozen_with_the_version():
    game = box_of("dilluvia").begin(box_of("dilluvia").options(2))
    words_of_it = dilluvia.words(game)
    assert len(set(words_of_it)) == len(words_of_it) == 391
    assert (dilluvia.VERSION, dilluvia.MOST, len(dilluvia.numbers(game, 1))) == (1, 1000, 3710)


def test_the_words_are_all_different_and_their_meaning_is_frozen_with_the_version():
    assert len(set(words(MegaCity()))) == len(words(MegaCity())) == 154
    assert (VERSION, MOST, len(numbers(MegaCity(), 1))) == (2, 1000, 1452)


def test_the_victory_is_worth_its_share_less_an_even_one():
    environment = Several("megacity", 2)
    environment.reset(seed=1)
    rng = np.random.default_rng(1)
    while not any(environment.terminations.values()):
        mask = environment.infos[environment.agent_selection]["action_mask"]
        environment.step(int(rng.choice(np.flatnonzero(mask))))
    assert sorted(environment.rewards.values()) == [-0.5, 0.5]


def test_a_table_is_drawn_as_text_only_if_wanted():
    environment = Several("megacity", 2, render_mode="ansi")
    environment.reset(seed=1)
    assert "0/0" in environment.render() or len(environment.render().splitlines()) > 5
    assert Several("megacity", 2).render() is None
