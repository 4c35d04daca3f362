"""How far a bot looks ahead before a move. Each game's box gives a budget that suits it."""

import msgspec


class Budget(msgspec.Struct, frozen=True):
    """How far a planner looks. A node is one action played on a copy of the game."""

    nodes: int = 2_000
    """The nodes of a move, at most one round of play-outs more."""
    horizon: int = 50
    """The actions of a play-out. Far ahead luck hides what the decision did; but to see an end, it must reach it."""
    width: int = 8
    """How many decisions are tried, those that the advice rates highest."""
    doubt: float = 2.0
    """How many standard errors better than the advice's own choice another must be."""
