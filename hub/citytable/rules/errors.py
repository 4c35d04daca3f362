"""Refusals, split by whose fault they are."""

from collections.abc import Mapping


class GameError(ValueError):
    """Anything a game refuses."""


class Unreadable(GameError):
    """A notation (action or position) that cannot be read: the writer's fault. The text quotes what was read."""


class IllegalPosition(GameError):
    """A position that can be read but breaks a rule (conservation, a limit): the text names what.

    `text` says it in each language, where it is to be told to players.
    """

    def __init__(self, said: str, text: Mapping[str, str] | None = None) -> None:
        super().__init__(said)
        self.text = dict(text or {})


class IllegalAction(GameError):
    """An action the rules refuse: a player's fault, told with the rule's number and a sentence in each language."""

    def __init__(self, rule: str, text: Mapping[str, str], action: str) -> None:
        super().__init__(f"{rule}: {text['en']} ({action})")
        self.rule = rule
        self.text = dict(text)
        self.action = action


class OutcomeOpen(IllegalAction):
    """A legal decision whose outcome is not filled in yet: `missing` names the open fields."""

    def __init__(self, text: Mapping[str, str], action: str, missing: tuple[str, ...]) -> None:
        super().__init__("outcome", text, action)
        self.missing = missing
