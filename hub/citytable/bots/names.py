"""The bots of this hub, by the names that commands take."""

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from citytable.bots.bot import Bot
from citytable.bots.greedy import Greedy
from citytable.bots.planner import ChanceOf, Planner
from citytable.bots.random_bot import RandomBot
from citytable.rules.budget import Budget

BotName = Literal["planner", "greedy", "random"]
BOTS: Mapping[str, Callable[[random.Random, ChanceOf, Budget], Bot]] = MappingProxyType(
    {
        "planner": Planner,
        "greedy": lambda _rng, _chance_of, _budget: Greedy(),
        "random": lambda rng, _chance_of, _budget: RandomBot(rng),
    }
)
