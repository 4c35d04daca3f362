"""A decision as a sequence of choices from one fixed list of words.

The words are those of the notation: `deliver`, then `contract=CO5`, then `platform=14`, then `at=1/-1`. A word may be
chosen if some legal decision goes on with it. The decision is made as soon as only one is left; where one decision is
the beginning of another, `STOP` takes the shorter one.
"""

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

Action = TypeVar("Action")

STOP = "."


class Choices(Generic[Action]):
    """The legal decisions at a moment, each as words, and the words chosen so far."""

    def __init__(self, decisions: Iterable[tuple[Sequence[str], Action]]) -> None:
        self._left = [((*words, STOP), decision) for words, decision in decisions]
        self._at = 0

    def words(self) -> set[str]:
        """Return the words that may be chosen now."""
        return {words[self._at] for words, _ in self._left}

    def choose(self, word: str) -> Action | None:
        """Choose a word, and return the decision once it is made. Raises `KeyError` for a word that may not be."""
        left = [(words, decision) for words, decision in self._left if words[self._at] == word]
        if not left:
            raise KeyError(word)
        self._left = left
        self._at += 1
        return left[0][1] if len(left) == 1 else None
