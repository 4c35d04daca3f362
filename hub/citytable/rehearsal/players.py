"""The bots that decide at the seats of a rehearsal."""

import random
from functools import partial

from citytable.bots.bot import Bot
from citytable.bots.names import BOTS
from citytable.games import chance_of
from citytable.rules.budget import Budget
from citytable.session.bot_seat import LooksAhead
from citytable.settings import Settings


def seated(settings: Settings) -> tuple[Bot, ...]:
    """Return a bot for each seat. Its luck is its own, so that it changes nothing else that a rehearsal draws."""
    box, seats = settings.box, range(1, settings.options.players + 1)
    budget = box.budget if isinstance(box, LooksAhead) else Budget()
    lucks = (random.Random(f"{settings.seed} {settings.bot} {seat}") for seat in seats)
    return tuple(BOTS[settings.bot](luck, partial(chance_of, box.name), budget) for luck in lucks)
