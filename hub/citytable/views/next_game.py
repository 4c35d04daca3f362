"""The next game: the choices that people have, including other games than the one on the table."""

import msgspec

from citytable.languages import Language


class RulingChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A question that groups may answer differently: `text` is the sentence for true; a number is a limit."""

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

    after: str  # the game on the table, which the message for the next game names
    over: bool  # nobody plays it any more; otherwise it would be abandoned
    players: int
    players_min: int = 2
    players_max: int  # as many as the game and the seats of the table allow
    simplified: bool | None  # None if the game has no easier rules
    names: tuple[str, ...]  # of the present players, by seat, as far as they are known
    title: str = ""
    others: tuple[OtherGame, ...] = ()
    rulings: tuple[RulingChoice, ...] = ()
