"""The owner's copy of the game on the table, whose things are entered when they first come up.

A thing that nobody has entered has the house's values. Once it is entered, the game continues as if it had always had
the new ones: values are printed on things, and entering them is not an act of the game. If the game cannot have been
played with them, people check their input again; if they confirm it, it counts from the next game on.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from citytable.journal.entry import Entry
from citytable.journal.replay import Unreplayable, with_rule
from citytable.languages.sentences import Sentences
from citytable.rules.errors import GameError, Unfitting
from citytable.session.box import Box
from citytable.session.enters import Entering, Enters
from citytable.table.question import FieldValue, Question

VALUES = "values"
"""The prompt of questions about what is printed."""
_SENTENCES = Sentences(__package__, "copy.json")
_START = f"{VALUES} "
Check: TypeAlias = Callable[[Box[Any, Any]], None]
Enter: TypeAlias = Callable[[str, Mapping[str, FieldValue], Check], Box[Any, Any]]
"""Writes what is printed on a thing into a box file, and returns the box as the file has it.

Nothing is written where the check of that box raises, or for what cannot be (`ValueError`, `OSError`).
"""
Replays: TypeAlias = Callable[[tuple[Entry, ...], Box[Any, Any]], object]
"""Plays the entries of a game with a box; raises `Unreplayable`."""


class Owner(NamedTuple):
    """The door through which people enter the values of their own box. `printed` is the box in its file."""

    printed: Box[Any, Any]
    enter: Enter
    replays: Replays


def values_question(box: Entering[Any], thing: str, seat: int | None) -> Question:
    """Return the question about the values of a thing; raises `ValueError` for an unknown thing."""
    form = box.form(thing)
    return Question(f"{_START}{thing}", seat, VALUES, {"thing": thing}, form.fields, "", form.texts)


def thing_asked(question: str) -> str:
    """Return the thing that the question with this id is about; empty for any other question."""
    return question.removeprefix(_START) if question.startswith(_START) else ""


class Copy:
    """`box` has the values by which the game counts; with an `owner`, people are asked for missing ones.

    Other programs may write the box's file meanwhile; the file is always right.
    """

    def __init__(self, box: Box[Any, Any], owner: Owner | None = None) -> None:
        self.box = self._in_play = box
        self.printed = box if owner is None else owner.printed
        self._owner = owner
        self._doubted: tuple[str, Mapping[str, FieldValue]] | None = None

    @property
    def is_newer(self) -> bool:
        """Return whether more is entered than the game is played with."""
        return self.box is not self._in_play

    def taken(self) -> Box[Any, Any]:
        """Return the box: from now on the game is played with it."""
        self._in_play = self.box
        return self.box

    def begins_anew(self) -> None:
        """Begin another game, with everything that is entered."""
        self.box = self._in_play = self.printed

    @property
    def enters(self) -> Entering[Any] | None:
        """Return the values of the box, if people can enter them."""
        return self.printed.entering if self._owner is not None and isinstance(self.printed, Enters) else None

    def questions(self, position: Any) -> tuple[Question, ...]:
        """Return the present questions: for each seat, and for the whole table, one thing at a time."""
        if self.enters is None:
            return ()
        asked = {one.seat: one.thing for one in reversed(self.enters.coming_up(position))}
        return tuple(values_question(self.enters, thing, seat) for seat, thing in asked.items())

    def labelled(self, question: Question) -> Question:
        """Return a question whose choices show the printed values of the things, because a card shows nothing else."""
        if not isinstance(self.printed, Enters):
            return question
        texts = dict(self._labels(self.printed.entering, question))
        return replace(question, texts=texts) if texts else question

    def _labels(self, box: Entering[Any], question: Question) -> Iterator[tuple[str, dict[str, str]]]:
        for choice in {choice for field in question.fields for choice in field.choices}:
            if self._owner is None and "/" in choice:
                continue  # the screens have names for the house's things
            if label := box.label(choice):
                yield f"={choice}", label

    def entered(
        self, thing: str, values: Mapping[str, FieldValue], entries: tuple[Entry, ...], under_way: tuple[Entry, ...]
    ) -> Box[Any, Any]:
        """Write the printed values of a thing, which takes a while; return the box with which this game continues.

        `entries` are those of the game, `under_way` the actions not confirmed yet. If the game cannot have been played
        with these values, it keeps its box. Raises `Unfitting` if people sent such values for the first time, and
        `ValueError` for impossible values.
        """
        if self._owner is None:
            raise Unfitting(_SENTENCES.text("no_copy"))
        goes_on, tried = self.box, self._tried(entries, under_way)

        def check(written: Box[Any, Any]) -> None:
            nonlocal goes_on
            try:
                goes_on = self._playable(thing, values, tried, written)
            except Unreplayable as error:
                if self._doubted != (thing, values):
                    self._doubted = (thing, values)
                    refused = error.__cause__
                    why = with_rule(refused) if isinstance(refused, GameError) else error.text or error
                    raise Unfitting(_SENTENCES.text("not_so", why=why)) from error

        try:
            self.printed = self._owner.enter(thing, values, check)
        except OSError as error:
            raise Unfitting(_SENTENCES.text("not_kept", why=error.strerror or error)) from error
        return goes_on

    def _tried(self, entries: tuple[Entry, ...], under_way: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """Return the sequences of actions that other values must allow: those that the present ones allow.

        An act with an open outcome is not possible by itself yet; the actions after it may be.
        """
        if self._owner is None:
            return entries
        for one in under_way:
            with suppress(Unreplayable):
                tried = (*entries, replace(one, seq=len(entries) + 1))
                self._owner.replays(tried, self.box)
                entries = tried
        return entries

    def _playable(
        self, thing: str, values: Mapping[str, FieldValue], entries: tuple[Entry, ...], written: Box[Any, Any]
    ) -> Box[Any, Any]:
        """Return the written box; or, if some of its values wait for the next game, that of the game with this thing.

        Raises `Unreplayable` if the game was played with neither.
        """
        if self._owner is None or not isinstance(self.box, Enters):
            return written
        try:
            self._owner.replays(entries, written)
        except Unreplayable:
            if self.box.fingerprint() == self.printed.fingerprint():
                raise
            mine: Box[Any, Any] = self.box.entering.with_values(thing, values)
            self._owner.replays(entries, mine)
            return mine
        return written
