"""A game for one, or one seat of a game against bots, as an environment of Gymnasium.

To import this module makes `gymnasium.make` know each game, such as `citytable/<game>-v1`.
"""

import random
from importlib.util import find_spec
from typing import Any, Literal

import gymnasium

from citytable import games
from citytable.bots.greedy import Greedy
from citytable.environments.aec import STEPS_MAX
from citytable.environments.learning import Learning, Row


class One(gymnasium.Env[Any, Any]):
    """The learner chooses words of decisions by number; on the other seats sit bots that follow the game's advice.

    `info["action_mask"]` has a 1 for each word that may be chosen. Any other changes nothing. The reward is the share
    of the victory, at the end of the game. On which seat the learner sits is drawn at each beginning.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  Gymnasium's

    def __init__(
        self, game: str, players: int, steps_max: int = STEPS_MAX, render_mode: Literal["ansi"] | None = None
    ) -> None:
        """Begin with a game by its name; raises `citytable.games.UnknownGame`."""
        self._learning = Learning(game, players)
        self._players = players
        self._steps_max = steps_max
        self.render_mode = render_mode
        self.observation_space = self._learning.space()
        self.action_space = gymnasium.spaces.Discrete(len(self._learning.words))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Row, dict[str, Any]]:
        """Begin a game. Without a seed the random numbers continue."""
        super().reset(seed=seed, options=options)
        rng = random.Random(int(self.np_random.integers(2**31)))
        self._seat = rng.randint(1, self._players)
        self._steps = 0
        self._learning.begin(rng.getrandbits(31))
        self._until_mine()
        return self._learning.row(self._seat), self._info()

    def _until_mine(self) -> None:
        while self._learning.seat not in {0, self._seat}:
            self._learning.other(Greedy())

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._learning.mask(self._seat), "seat": self._seat}

    def step(self, action: Any) -> tuple[Row, float, bool, bool, dict[str, Any]]:
        """Choose a word, and let the others play until it is the learner's turn again."""
        self._steps += 1
        if self._learning.mask(self._seat)[int(action)]:
            self._learning.choose(int(action))
            self._until_mine()
        victories = self._learning.victories()
        reward = victories[self._seat] if victories else 0.0
        is_over = victories is not None
        cut_off = not is_over and self._steps >= self._steps_max
        return self._learning.row(self._seat), reward, is_over, cut_off, self._info()

    def render(self) -> str | None:
        """Return the table as text with `render_mode="ansi"`, otherwise nothing."""
        return self._learning.drawn() if self.render_mode == "ansi" else None


for _name in games.NAMES:
    if find_spec(f"citytable.games.{_name}.encoding"):
        _least = games.box_of(_name).players[0]
        _id = f"citytable/{_name}-v{Learning(_name, _least).version}"
        gymnasium.register(_id, entry_point=f"{__name__}:One", kwargs={"game": _name, "players": _least})
