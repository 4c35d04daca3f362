"""Enters a whole box: lists missing things, asks for their values, finds contradictions. For pages and commands.

It saves each thing at once, so people can stop and continue later.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from citytable.box_choice import SENTENCES, BoxChoice
from citytable.box_file import BoxFile, boxes_in, entering_of, load_box
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.session.box import Box
from citytable.session.copy import thing_asked, values_question
from citytable.session.enters import Entering
from citytable.table.question import Question
from citytable.table.word import Answer, Word
from citytable.umpire.whole_game import whole
from citytable.views.box import NO_SHOWN, BoxRow, BoxShown, BoxWish

_SENTENCES = Sentences(__package__, "box_desk.json")
_FOR_THE_HOST = 0  # no seat is asked


def rows_of(file: BoxFile) -> tuple[BoxRow, ...]:
    """Return every component of a box, in the order in which it is entered: with values first, then with tags alone."""
    box = file.box()
    entering, tags = entering_of(file), _tags_by_component(box)
    having = set(file.tags.values())
    unread = entering.unread
    rows = []
    for thing in dict.fromkeys((*entering.enterable, *tags)):
        wanted = tags.get(thing, ())
        with_values = thing in entering.enterable
        rows.append(
            BoxRow(
                thing=thing,
                entered=(thing not in unread) if with_values else None,
                places=wanted,
                without_tag=tuple(one for one in wanted if one not in having),
                label=_label(entering, thing, wanted),
            )
        )
    return tuple(rows)


def _label(entering: Entering[Any], thing: str, tags: tuple[str, ...]) -> dict[str, str]:
    found = (entering.label(one) for one in (thing, *tags))
    return next((one for one in found if one is not None), {})


def _tags_by_component(box: Box[Any, Any]) -> dict[str, tuple[str, ...]]:
    component = whole(box.table()).component
    found: dict[str, tuple[str, ...]] = {}
    for thing in box.things(box.players[-1]):
        found[component(thing)] = (*found.get(component(thing), ()), thing)
    return found


def missing(file: BoxFile, *, with_tags: bool) -> Iterator[BoxRow]:
    """Yield everything still to be entered; `with_tags`: also things without a tag."""
    for row in rows_of(file):
        if row.entered is False or (with_tags and row.without_tag):
            yield row


def checked(file: BoxFile, others: dict[str, BoxFile] | None = None) -> tuple[dict[str, str], ...]:
    """Return everything missing or contradictory, each as a sentence. `others` are the other boxes by their names."""
    return tuple(_faults(file, others or {}))


def _faults(file: BoxFile, others: dict[str, BoxFile]) -> Iterator[dict[str, str]]:
    rows, entering = rows_of(file), entering_of(file)
    if unread := sum(row.entered is False for row in rows):
        yield _SENTENCES.text("unread", n=unread, all=len(entering.enterable))
    if file.tags and (bare := sum(bool(row.without_tag) for row in rows)):
        yield _SENTENCES.text("no_tag", n=bare)
    things = {tag for tags in _tags_by_component(file.box()).values() for tag in tags}
    for uid, thing in file.tags.items():
        if thing not in things:
            yield _SENTENCES.text("no_thing", uid=uid, thing=thing)
        for name, other in others.items():
            if uid in other.tags:
                yield _SENTENCES.text("two_boxes", uid=uid, box=name)
    yield from _twins(entering)


def _twins(entering: Entering[Any]) -> Iterator[dict[str, str]]:
    """Yield things of a kind with the same values: perhaps one was entered twice."""
    seen: dict[tuple[object, ...], str] = {}
    for thing in entering.enterable:
        if thing in entering.unread or not thing.startswith(("contract/", "building/", "bonus/")):
            continue
        printed = (thing.partition("/")[0], *(field.proposed for field in entering.form(thing).fields))
        if printed in seen:
            yield _SENTENCES.text("twins", one=seen[printed], other=thing)
        seen.setdefault(printed, thing)


def shown(path: Path) -> BoxShown:
    """Return a box as pages show it; raises `Misconfigured`."""
    file = load_box(path)
    others = {other.name: other for there, other in boxes_in(path.parent) if there != path}
    return BoxShown(file.name, file.game, rows_of(file), checked(file, others))


class BoxDesk:
    """The box of a running hub, for its host; `entering` holds its values as the game has them.

    With a `choice` it also lists the other boxes on the readers, and lets the table begin with one.
    """

    def __init__(
        self, path: Path | None, entering: Callable[[], Entering[Any] | None], choice: BoxChoice | None = None
    ) -> None:
        self._path = path
        self._entering = entering
        self._choice = choice

    def shown(self) -> BoxShown:
        """Return the contents of the box, and the other boxes on readers; raises `Misconfigured`."""
        found = NO_SHOWN if self._path is None else shown(self._path)
        if (choice := self._choice) is None:
            return found
        return replace(found, others=choice.others(), readers=choice.readers, choosable=not choice.fixed)

    def choose(self, wish: BoxWish) -> None:
        """Let the table restart with another box; raises `ValueError` with a sentence."""
        if self._choice is None:
            raise Unfitting(SENTENCES.text("no_choice", box=wish.name))
        self._choice.choose(wish)

    def question(self, thing: str) -> Question:
        """Return the question about the values of a thing, for the host alone; raises `ValueError`."""
        entering = self._entering()
        if entering is None:
            raise Unfitting(SENTENCES.text("no_box"))
        return values_question(entering, thing, _FOR_THE_HOST)

    def asked(self, word: Word) -> tuple[Question, ...]:
        """Return the question for an answer given unasked: the host may enter or correct anything at any time."""
        thing = thing_asked(word.question) if isinstance(word, Answer) else ""
        if not thing or self._entering() is None:
            return ()
        try:
            return (self.question(thing),)
        except ValueError:
            return ()
