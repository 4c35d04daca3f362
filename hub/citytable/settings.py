"""What a run of the hub is made with."""

from pathlib import Path

import msgspec

from citytable.games.megacity.pieces import HOUSE, Deck, load_deck, things
from citytable.games.megacity.position import TYPES, Options
from citytable.table.plan import Misconfigured, Plan, full_plan, load_plan


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Which game, on which table, at which pace."""

    options: Options = Options()
    seed: int = 1
    faults: bool = False
    twin: bool = True  # a virtual table, and bots who play on it
    table: str = "table"  # the virtual one's name
    plan_path: Path | None = None  # a table's own plan; None: the virtual one's, which senses everything
    deck_path: Path | None = None
    broker_address: str | None = None
    broker_port: int = 0
    journal_path: Path | None = None  # None: a temporary one
    speed: float | None = None  # virtual seconds per second; None: lock-step, as fast as it goes

    def deck(self) -> Deck:
        """The house deck, or the owner's file; raises `Misconfigured`."""
        return HOUSE if self.deck_path is None else load_deck(self.deck_path)

    def plan(self) -> Plan:
        """The table's own plan, or a full virtual table for this game; raises `Misconfigured`."""
        if self.plan_path is None:
            return full_plan(self.table, self.options.players, TYPES, things(self.deck(), self.options.players))
        plan = load_plan(self.plan_path)
        if plan.seats < self.options.players:
            raise Misconfigured(
                f"plan {self.plan_path}: this table has {plan.seats} seats, and {self.options.players} want to play: "
                "give fewer --players"
            )
        return plan
