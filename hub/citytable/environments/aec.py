"""A game for several as an environment of PettingZoo's `AECEnv`."""

from typing import Any, Literal

import gymnasium
from pettingzoo import AECEnv

from citytable.environments.learning import Learning, Row

STEPS_MAX = 20_000
"""Random players may block each other for ever; a game is cut off after so many choices."""


class Several(AECEnv):
    """Agents `seat_1`, `seat_2`, ... choose words by number, those that `infos[agent]["action_mask"]` allows.

    At the end the victory is worth 1, shared by the winners, less its even share: the rewards of a game add up to 0. A
    game that is cut off has no rewards.
    """

    def __init__(
        self, game: str, players: int, steps_max: int = STEPS_MAX, render_mode: Literal["ansi"] | None = None
    ) -> None:
        """Begin with a game by its name; raises `citytable.games.UnknownGame`."""
        super().__init__()
        self._learning = Learning(game, players)
        self._steps_max = steps_max
        self.metadata = {"name": f"citytable_{game}_v{self._learning.version}", "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(1, players + 1)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._learning.space() for agent in self.possible_agents}
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(len(self._learning.words)) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of an agent's observations, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of an agent's actions, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002  PettingZoo's
        """Begin a game. Without a seed the random numbers continue."""
        if seed is not None or not hasattr(self, "np_random"):
            self.np_random, self.np_random_seed = gymnasium.utils.seeding.np_random(seed)
        self._learning.begin(int(self.np_random.integers(2**31)))
        self._steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select()

    def _select(self) -> None:
        self.agent_selection = f"seat_{self._learning.seat}" if self._learning.seat else self.agents[0]
        masks = {agent: self._learning.mask(seat) for seat, agent in enumerate(self.possible_agents, start=1)}
        self.infos = {agent: {"action_mask": masks[agent]} for agent in self.agents}

    def observe(self, agent: str) -> Row:
        """Return an agent's view."""
        return self._learning.row(self.possible_agents.index(agent) + 1)

    def render(self) -> str | None:
        """Return the table as text with `render_mode="ansi"`, otherwise nothing."""
        return self._learning.drawn() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: no window and no file is open."""

    def step(self, action: int) -> None:
        """Choose a word; raises `KeyError` for one that the mask does not allow."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self._learning.choose(int(action))
        self._steps += 1
        victories = self._learning.victories()
        if victories is not None:
            even = 1 / len(self.agents)
            self.rewards = {f"seat_{seat}": share - even for seat, share in victories.items()}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._steps >= self._steps_max:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()
