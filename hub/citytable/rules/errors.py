"""Refusals: each class says whose fault it is."""

from collections.abc import Callable, Mapping
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")
P = TypeVar("P")


class LocalisedError(ValueError):
    """An error that people may read. `text` has it in each language; it is empty if only builders see it."""

    def __init__(self, said: str, text: Mapping[str, str] | None = None) -> None:
        super().__init__(said)
        self.text = dict(text or {})


class GameError(LocalisedError):
    """Anything a game refuses."""


class Unreadable(GameError):
    """A notation (action or position) that cannot be read: the writer's fault. The text quotes it."""


class Misspelt(LocalisedError):
    """A part of a notation that cannot be read. The reader of the whole line turns it into an `Unreadable`."""

    def __init__(self, text: Mapping[str, str]) -> None:
        super().__init__(text["en"], text)


class Unfitting(GameError):
    """A statement or a request of people that does not fit the present state."""

    def __init__(self, text: Mapping[str, str]) -> None:
        super().__init__(text["en"], text)


class IllegalPosition(GameError):
    """A position that can be read but breaks a rule (conservation, a limit): the text names what."""


class IllegalAction(GameError):
    """An action the rules refuse: a player's fault, with the rule's number and a sentence in each language."""

    def __init__(self, rule: str, text: Mapping[str, str], action: str) -> None:
        super().__init__(f"{rule}: {text['en']} ({action})", text)
        self.rule = rule
        self.action = action


class OutcomeOpen(IllegalAction):
    """A legal decision whose outcome is not filled in yet: `missing` names the open fields."""

    def __init__(self, text: Mapping[str, str], action: str, missing: tuple[str, ...]) -> None:
        super().__init__("outcome", text, action)
        self.missing = missing


def broken_rule(check: Callable[[P, A, B], object], position: P, action: A, box: B) -> str:
    """Return the number of the rule by which a check refuses an action; empty if it is legal.

    `box` holds the cards or values of the game.
    """
    try:
        check(position, action, box)
    except IllegalAction as refusal:
        return refusal.rule
    return ""
