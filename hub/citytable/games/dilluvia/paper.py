"""Dilluvia Project on paper: how the game stands, line by line."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from citytable.games.dilluvia.leaves import LEAVES
from citytable.games.dilluvia.notation import position_to_text
from citytable.games.dilluvia.position import Position
from citytable.games.dilluvia.validity import check_position
from citytable.games.dilluvia.values import Values
from citytable.languages.sentences import Sentences
from citytable.rules.errors import IllegalPosition
from citytable.rules.paper_lines import PaperLines, called
from citytable.table.spot import Spot

_ACTED = ("zeppelins", "shopping", "workers", "income")  # phases in which it is somebody's turn
_FAULTS = Sentences(__package__, "paper_faults.json")
_CALLED = called(__package__, "paper.json")
_LINES = PaperLines(Position, LEAVES, _CALLED, derived=("options", "white", "grey"), players="players")


class Paper:
    """Dilluvia Project's `OnPaper`. The stacks hold the tiles that are nowhere else."""

    def __init__(self, values: Values) -> None:
        self._values = values

    def paper(self, position: Position, _lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
        """Return the form as the position has it."""
        return {"lines": _LINES.written(position)}

    def from_paper(self, position: Position, paper: Mapping[str, Any]) -> str:
        """Return the position that is written down, in notation; raises `IllegalPosition`."""
        options = msgspec.to_builtins(position.options)
        written: Position = _LINES.read(paper, position, options=options)
        fault = "market_named" if min(written.market, default=0) < 0 else ""
        if fault or (written.phase in _ACTED and not written.player):
            text = _FAULTS.text(fault or "nobody")
            raise IllegalPosition(text["en"], text)
        held = (one.tile for player in written.players for one in player.tiles)
        elsewhere = {*written.market, *written.discarded, *written.aside, *held}
        stacks = {
            back: tuple(n for n in self._values.numbers(position.options.players, back) if n not in elsewhere)
            for back in ("white", "grey")
        }
        found = replace(written, options=position.options, **stacks)
        check_position(found, self._values)
        return position_to_text(found)
