"""The copy of the game on the table: an owner's, of which things are entered when they first come up.

A thing that nobody has entered has the house's values. Once it is entered the game goes on as if it had been known all
along: values are what is printed, and no act of the game.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from citytable.rules.errors import Unfitting
from citytable.rules.sentences import Sentences
from citytable.session.box import Box
from citytable.session.enters import Entering, Enters
from citytable.table.question import FieldValue, Question

VALUES = "values"
"""The prompt of questions about what is printed."""
_SENTENCES = Sentences(__package__, "copy.json")
_START = f"{VALUES} "


def _keeps_nothing(_box: object) -> None:
    """Keep nothing: this copy lasts as long as the hub."""


class Copy:
    """`box` has the values as they are now; `keep` writes a box with more of them, and raises `OSError`.

    `named`: it is an owner's copy with a box file. Nothing is asked about any other.
    """

    def __init__(
        self, box: Box[Any, Any], keep: Callable[[Any], None] = _keeps_nothing, *, named: bool = False
    ) -> None:
        self.box = self._in_play = box
        self._keep = keep
        self._named = named

    @property
    def is_newer(self) -> bool:
        """Return whether more is entered than the game is played with."""
        return self.box is not self._in_play

    def taken(self) -> Box[Any, Any]:
        """Return the box: from now on the game is played with it."""
        self._in_play = self.box
        return self.box

    @property
    def enters(self) -> Entering[Any] | None:
        """Return the values of the box where people can enter them."""
        return self.box.entering if self._named and isinstance(self.box, Enters) else None

    def questions(self, position: Any) -> tuple[Question, ...]:
        """Return what is asked now: for each seat, and for the whole table, one thing at a time."""
        if self.enters is None:
            return ()
        asked = {one.seat: one.thing for one in reversed(self.enters.coming_up(position))}
        return tuple(self._question(self.enters, thing, seat) for seat, thing in asked.items())

    def _question(self, box: Entering[Any], thing: str, seat: int | None) -> Question:
        form = box.form(thing)
        return Question(f"{_START}{thing}", seat, VALUES, {"thing": thing}, form.fields, "", form.texts)

    def labelled(self, question: Question) -> Question:
        """Return a question whose choices tell by their values which thing they are: nothing else is printed on it."""
        if self.enters is None:
            return question
        texts = dict(self._labels(self.enters, question))
        return replace(question, texts=texts) if texts else question

    def _labels(self, box: Entering[Any], question: Question) -> Iterator[tuple[str, dict[str, str]]]:
        for choice in {choice for field in question.fields for choice in field.choices}:
            if label := box.label(choice):
                yield f"={choice}", label

    def thing_of(self, question: str) -> str:
        """Return the thing that a question is about; empty for any other question."""
        return question.removeprefix(_START) if self.enters is not None and question.startswith(_START) else ""

    def with_values(self, thing: str, values: Mapping[str, FieldValue]) -> Box[Any, Any]:
        """Return the box with what is printed on a thing; raises `ValueError`."""
        if self.enters is None:
            raise Unfitting(_SENTENCES.text("no_copy"))
        box: Box[Any, Any] = self.enters.with_values(thing, values)
        return box

    def keep(self, box: Box[Any, Any]) -> None:
        """Write a box with more values, which takes its time; raises `Unfitting` with a sentence."""
        try:
            self._keep(box)
        except OSError as error:
            raise Unfitting(_SENTENCES.text("not_kept", why=error.strerror or error)) from error
