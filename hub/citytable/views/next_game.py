"""The next game: what people may choose, another game than the one on the table included."""

import msgspec

from citytable.languages import Language


class RulingChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A question that groups may answer differently: `text` says what holds with true; a number says how much."""

    name: str
    text: dict[Language, str]
    value: bool | int  # in the game on the table
    usual: bool | int  # unless a group wants it otherwise


class OtherGame(msgspec.Struct, frozen=True, kw_only=True):
    """Another game that this table can begin, out of the owner's copy `box`; an empty `box` is the house's."""

    game: str
    title: str
    box: str = ""
    players: int  # unless somebody wants another number
    players_min: int
    players_max: int
    simplified: bool  # it has easier rules
    rulings: tuple[RulingChoice, ...] = ()


class Choices(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what `GET /api/game` offers the host. Players, rules and rulings are those of the game on the table.

    `title` is its name for people; `others` are the games that can begin instead.
    """

    after: str  # the game on the table: the word that begins the next one names it
    over: bool  # nobody plays it any more; else it would be given up
    players: int
    players_min: int = 2
    players_max: int  # as many as the game and the seats of the table allow
    simplified: bool | None  # None where the game has no easier rules
    names: tuple[str, ...]  # of who plays now, by seat, as far as they are known
    title: str = ""
    others: tuple[OtherGame, ...] = ()
    rulings: tuple[RulingChoice, ...] = ()
