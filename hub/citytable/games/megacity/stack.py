"""The stack of platforms: which tile may come up next, and what is left after it (R4, R9, R13, A2, A4).

An unseen tile may be any that lies nowhere else. Tiles that were put under the stack come up again in groups, and the
tiles of a group in any order.
"""

from typing import NamedTuple, TypeAlias

from citytable.games.megacity.actions import Refresh, TakePlatform
from citytable.games.megacity.pieces import Deck
from citytable.games.megacity.position import Face, Position
from citytable.games.megacity.refusals import refuse

SUPPLY = 3

UNKNOWN_LAST = 1000
"""More than the number of any platform."""

Faces: TypeAlias = tuple[Face | None, ...]


class Pile(NamedTuple):
    """The stack from the top, and the groups of returned tiles at its bottom."""

    stack: Faces
    returned: tuple[Faces, ...]

    @property
    def next_group(self) -> Faces | None:
        """Return the group of returned tiles that is on top; None while an unseen tile is."""
        if self.returned and len(self.stack) == sum(map(len, self.returned)):
            return self.returned[0]
        return None

    def without_top(self, face: Face | None) -> "Pile":
        """Return the pile after this face came up, from the top or, against the rules, from further down."""
        k = self._group_of(face)
        if k is None:
            return Pile(self.stack[1:], self.returned)
        group = self.returned[k]
        left: Faces = (None,) * (len(group) - 1)
        if face is not None:
            left = tuple(tile for tile in group if tile is None or tile.platform != face.platform)[: len(left)]
        returned = (*self.returned[:k], *((left,) if left else ()), *self.returned[k + 1 :])
        return Pile(self.stack[1:], returned)

    def _group_of(self, face: Face | None) -> int | None:
        """Return the number of the group a face comes out of; None for the unseen part of the stack."""
        for k, group in enumerate(self.returned):
            if face is not None and any(tile is not None and tile.platform == face.platform for tile in group):
                return k
        return 0 if self.next_group is not None else None


def pile_of(position: Position) -> Pile:
    """Return the stack as it lies."""
    return Pile(position.stack, position.returned)


def refreshed_pile(position: Position) -> Pile:
    """Return the stack after the supply went under it (R13)."""
    if not position.supply:
        return pile_of(position)
    return Pile(position.stack + (None,) * len(position.supply), (*position.returned, position.supply))


def turned_up(pile: Pile, faces: Faces) -> Pile:
    """Return the pile after these faces came up."""
    for face in faces:
        pile = pile.without_top(face)
    return pile


def in_order(faces: Faces) -> Faces:
    """Return a supply sorted by number, unknown tiles last."""
    return tuple(sorted(faces, key=lambda face: face.platform if face is not None else UNKNOWN_LAST))


def seen_platforms(position: Position) -> set[int]:
    """Return the numbers of the platforms that lie in a known place."""
    hidden = (position.stack, *position.returned)
    return platforms_in_play(position).union(face.platform for faces in hidden for face in faces if face is not None)


def platforms_in_play(position: Position) -> set[int]:
    """Return the numbers of the platforms that lie before everybody's eyes: not in the stack."""
    seen = {face.platform for player in position.players for face in player.platforms}
    seen.update(building.face.platform for building in position.buildings)
    seen.update(face.platform for face in position.supply if face is not None)
    return seen


def check_revealed(position: Position, action: TakePlatform | Refresh, pile: Pile, count: int, deck: Deck) -> None:
    """Raise `IllegalAction` unless `action.revealed` can come off this pile, in this order."""
    faces = action.revealed or ()
    if len(faces) != count:
        refuse("revealed_count", action, count=count, seen=len(faces))
    seen = seen_platforms(position)
    for face in faces:
        if face is not None:
            _check_face(position, action, pile, face, seen, deck)
            seen.add(face.platform)
        pile = pile.without_top(face)


def _check_face(
    position: Position, action: TakePlatform | Refresh, pile: Pile, face: Face, seen: set[int], deck: Deck
) -> None:
    if not deck.may_show(face.platform, face.up):
        refuse("revealed_no_tile", action, platform=face.platform, type=face.up)
    group = pile.next_group if pile.next_group is not None else pile.stack[:1]
    if None in group:
        if face.platform in seen and face not in group:
            refuse("revealed_elsewhere", action, platform=face.platform)
        return
    known = {tile.platform: tile for tile in group if tile is not None}
    if face.platform not in known:
        refuse("revealed_returned", action, expected=_one_of(known), platform=face.platform)
    if position.options.rulings.returned_tiles_keep_their_side and known[face.platform].up != face.up:
        refuse("revealed_side", action, platform=face.platform, type=known[face.platform].up)


def _one_of(known: dict[int, Face]) -> str:
    return " / ".join(str(platform) for platform in sorted(known))
