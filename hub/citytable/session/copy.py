"""The copy of the game on the table: an owner's, of which things are entered when they first come up.

A thing that nobody has entered has the house's values. Once it is entered the game goes on as if it had been known all
along: values are what is printed, and no act of the game.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

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
Enter: TypeAlias = Callable[[str, Mapping[str, FieldValue]], Box[Any, Any]]
"""Writes what is printed on a thing into a box file, and returns the box as the file has it; raises `OSError`."""


def values_question(box: Entering[Any], thing: str, seat: int | None) -> Question:
    """Return the question what is printed on a thing; raises `ValueError` for one that is not there."""
    form = box.form(thing)
    return Question(f"{_START}{thing}", seat, VALUES, {"thing": thing}, form.fields, "", form.texts)


def thing_asked(question: str) -> str:
    """Return the thing that the question with this id is about; empty for any other question."""
    return question.removeprefix(_START) if question.startswith(_START) else ""


class Copy:
    """`box` has the values as they are now; with `enter` it is an owner's, and is asked about.

    Whatever else writes the box's file meanwhile, the file is right.
    """

    def __init__(self, box: Box[Any, Any], enter: Enter | None = None) -> None:
        self.box = self._in_play = box
        self._enter = enter

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
        return self.box.entering if self._enter is not None and isinstance(self.box, Enters) else None

    def questions(self, position: Any) -> tuple[Question, ...]:
        """Return what is asked now: for each seat, and for the whole table, one thing at a time."""
        if self.enters is None:
            return ()
        asked = {one.seat: one.thing for one in reversed(self.enters.coming_up(position))}
        return tuple(values_question(self.enters, thing, seat) for seat, thing in asked.items())

    def labelled(self, question: Question) -> Question:
        """Return a question whose choices tell which thing they are by what is printed: nothing else is on a card."""
        if self.enters is None:
            return question
        texts = dict(self._labels(self.enters, question))
        return replace(question, texts=texts) if texts else question

    def _labels(self, box: Entering[Any], question: Question) -> Iterator[tuple[str, dict[str, str]]]:
        for choice in {choice for field in question.fields for choice in field.choices}:
            if label := box.label(choice):
                yield f"={choice}", label

    def entered(self, thing: str, values: Mapping[str, FieldValue]) -> Box[Any, Any]:
        """Write what is printed on a thing, which takes its time, and return the box; raises `ValueError`."""
        if self._enter is None:
            raise Unfitting(_SENTENCES.text("no_copy"))
        try:
            return self._enter(thing, values)
        except OSError as error:
            raise Unfitting(_SENTENCES.text("not_kept", why=error.strerror or error)) from error
