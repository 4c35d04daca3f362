"""MegaCity on paper: the city as it stands, and a form for every action."""

from collections.abc import Mapping
from typing import Any

from citytable.games.megacity.blanks import blanks
from citytable.games.megacity.notation import position_to_text
from citytable.games.megacity.paper import position_of
from citytable.games.megacity.paper_form import paper_of
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Position
from citytable.table.blank import Blank
from citytable.table.spot import Spot


class Paperwork:
    """MegaCity brings `OnPaper` and `InForms`."""

    def __init__(self, deck: Deck, *, accepting: bool) -> None:
        self._deck = deck
        self._accepting = accepting

    def paper(self, position: Position, lying: Mapping[Spot, frozenset[str]]) -> dict[str, Any]:
        """Return the form for the city as it stands."""
        return paper_of(position, lying)

    def from_paper(self, position: Position, paper: Mapping[str, Any]) -> str:
        """Return the city as it is written down."""
        return position_to_text(position_of(paper, position, self._deck, accepting=self._accepting))

    def blanks(self) -> tuple[Blank, ...]:
        """Return a form for every action except the deal."""
        return blanks(self._deck)
