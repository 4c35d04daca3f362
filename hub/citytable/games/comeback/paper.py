"""Comeback City on paper: how the city stands, line by line."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from citytable.games.comeback.actions import LEAVES
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.notation import position_to_text
from citytable.games.comeback.position import Position
from citytable.games.comeback.validity import check_position, lying
from citytable.rules.paper_lines import PaperLines, called
from citytable.table.spot import Spot

_LINES = PaperLines(Position, LEAVES, called(__package__, "paper.json"), derived=("options", "deck"))


class Paper:
    """Comeback City's `OnPaper`. The deck holds the cards that are nowhere else."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def paper(self, position: Position, _lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
        """Return the form as the position has it."""
        return {"lines": _LINES.written(position)}

    def from_paper(self, position: Position, paper: Mapping[str, Any]) -> str:
        """Return the position that is written down, in notation; raises `IllegalPosition`."""
        written: Position = _LINES.read(paper, position)
        elsewhere = set(lying(written))
        deck = tuple(sorted(card for card in self._deck.cards if card not in elsewhere))
        city = tuple(sorted(written.city, key=lambda building: building.at))
        found = replace(written, options=position.options, deck=deck, city=city)
        check_position(found, self._deck)
        return position_to_text(found)
