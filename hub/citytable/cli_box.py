"""The commands for an owner's box: create it, enter its values and tags, check it.

They write the same file as a running hub, and continue where the hub stopped.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from msgspec.structs import replace

from citytable.box_desk import checked, missing, rows_of
from citytable.box_file import (
    BoxFile,
    boxes_in,
    change_box,
    enter_values,
    entering_of,
    foreign_tags,
    load_box,
    new_box,
    path_of,
    write_box,
)
from citytable.cli_station import HERE, Address, Directory, Reach, User, carry_out, find_table, line_to
from citytable.console import Spoken, fail, for_people, say, warn
from citytable.doctor.line import Line
from citytable.games import NAMES, UnknownGame
from citytable.languages import ENGLISH
from citytable.languages.sentences import Sentences
from citytable.link.wire_in import TagSeen
from citytable.table.plan import Misconfigured
from citytable.table.question import Field, FieldValue
from citytable.table.values_form import ValuesForm
from citytable.views.box import BoxRow

box = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Describe your own copy of a game: its cards and its tags.",
)

Name = Annotated[str, typer.Argument(help="Name of the box.")]
SKIP, STOP, BACK, AGAIN = "s", "q", "b", "?"
_SENTENCES = Sentences(__package__, "cli_box.json")
_FEW = 8  # a longer list of choices is shown once
_PATIENCE_S = 3600.0


class Stopping(Exception):
    """The user wants to continue another time."""


class Skipping(Exception):
    """The user skips this thing for now."""


class GoingBack(Exception):
    """The user wants to correct the previous answer."""


def _found(name: str) -> tuple[Path, BoxFile]:
    """Return a box; ends the command with one sentence if it is invalid."""
    try:
        path = path_of(name)
        return path, load_box(path)
    except Misconfigured as error:
        raise fail(error) from None


@box.command()
def new(name: Name, game: Annotated[str, typer.Option(help=f"Which game: {', '.join(NAMES)}.")] = NAMES[0]) -> None:
    """Create a new box, still without any cards."""
    try:
        path = path_of(name)
        if path.exists():
            raise fail(f"there is a box {name!r} already: {path}")
        write_box(path, new_box(name, game))
    except (Misconfigured, UnknownGame, OSError) as error:
        raise fail(error) from None
    say(f"made {path}; `citytable box enter {name}` goes through it")


@box.command()
def bring(file: Annotated[Path, typer.Argument(help="Box file from another computer.")]) -> None:
    """Copy a box file to where the tables of this computer look for it."""
    try:
        brought = load_box(file)
        path = path_of(brought.name)
        if path.exists() and load_box(path) != brought:
            raise fail(f"there is another box {brought.name!r} here, and two copies must not mix: see {path}")
        write_box(path, brought)
    except (Misconfigured, OSError) as error:
        raise fail(error) from None
    if brought.tags:
        say(f"{path} is here; lay a thing of it on a reader, and the host's page offers to begin with it")
    else:
        say(f"{path} is here; `citytable run --box {brought.name}` plays with it. It has no tags yet.")


@box.command("list")
def list_boxes() -> None:
    """List your boxes, each with its game and how much of it is entered."""
    for path, file in boxes_in():
        rows = [row for row in rows_of(file) if row.entered is not None]
        done = sum(bool(row.entered) for row in rows)
        tags = "1 tag" if len(file.tags) == 1 else f"{len(file.tags)} tags"
        say(f"{file.name:20} {file.game:10} {done} of {len(rows)} entered, {tags}   {path}")


@box.command()
def check(name: Name, lang: Spoken = ENGLISH) -> None:
    """List everything missing or wrong in a box; the exit code is 1 if there is anything."""
    path, file = _found(name)
    others = {other.name: other for there, other in boxes_in(path.parent) if there != path}
    found = checked(file, others)
    for sentence in found:
        say(sentence[lang])
    if found:
        raise typer.Exit(1)
    say(f"box {name} is whole")


@box.command()
def enter(
    name: Name,
    thing: Annotated[str, typer.Option(help="Enter or correct only this thing, such as building/R01.")] = "",
    plan: Annotated[
        Path | None, typer.Option(help="Plan file of a table: you can then enrol tags, too, at any of its readers.")
    ] = None,
    broker: Address = HERE,
    user: User = "",
    directory: Directory = None,
    lang: Spoken = ENGLISH,
) -> None:
    """Enter a box, thing by thing. Each is saved at once: stop when you like, and continue later."""
    path, file = _found(name)
    desk = Terminal(path, lang)
    rows = [row for row in rows_of(file) if row.thing == thing] if thing else None
    if rows == []:
        raise fail(
            f"the box {name!r} has no {thing!r}: {', '.join(row.thing for row in rows_of(file)[:3])} ... are in it"
        )
    say(for_people(_SENTENCES.text("how", back=BACK, again=AGAIN, skip=SKIP, stop=STOP)[lang]))
    try:
        write_box(path, file)  # if it cannot be saved, say so before the first question
        for row in rows or missing(file, with_tags=plan is not None):
            try:
                desk.enter(row, again=bool(thing))
            except Skipping:
                continue
            if plan is not None:
                carry_out(desk.tag(row, find_table(broker, user, directory, plan)))
    except Stopping:
        pass
    except (Misconfigured, OSError) as error:
        raise fail(error) from None
    left = sum(1 for _ in missing(load_box(path), with_tags=plan is not None))
    say(_SENTENCES.text("left" if left else "entered", n=left, name=name)[lang])


class Terminal:
    """Asks questions in a terminal and writes a box file."""

    def __init__(self, path: Path, lang: str) -> None:
        self._path = path
        self._lang = lang
        self._listed = set[tuple[str, ...]]()  # long lists of choices that were shown

    def enter(self, row: BoxRow, *, again: bool) -> None:
        """Ask for the values of a thing until they are possible."""
        if row.entered is None or (row.entered and not again):
            return
        form = entering_of(load_box(self._path)).form(row.thing)
        say("")
        say(form.texts[""][self._lang], "bold")
        while True:
            try:
                enter_values(self._path, row.thing, self._answers(form))
            except Misconfigured:
                raise
            except ValueError as error:
                warn(error, "yellow")
                continue
            return

    def _answers(self, form: ValuesForm) -> dict[str, FieldValue]:
        answers: dict[str, FieldValue] = {}  # of those that were asked, in their order
        while True:
            asked = (one for one in form.fields if one.name not in answers and one.is_asked(answers))
            field = next(asked, None)
            if field is None:
                unasked = {one.name: one.proposed for one in form.fields if one.proposed is not None}
                return {**unasked, **answers}
            try:
                answers[field.name] = self._answer(field, form.texts)
            except GoingBack:
                if answers:
                    answers.popitem()

    def _answer(self, field: Field, texts: Mapping[str, Mapping[str, str]]) -> FieldValue:
        if field.choices not in self._listed:
            self._list(field, texts)
        proposed = _typed(field)
        while True:
            asked = for_people(f"{texts[field.name][self._lang]}{' (mm)' if field.kind == 'mm' else ''}")
            said = typer.prompt(asked, default=proposed, show_default=proposed is not None).strip().lower()
            if said in _INSTEAD:
                raise _INSTEAD[said]
            if said == AGAIN:
                self._list(field, texts)
            elif (value := _value(field, said)) is not None:
                return value
            else:
                low, high = (1, len(field.choices)) if field.kind == "choice" else (field.low, field.high)
                key = "yesno" if field.kind == "yesno" else "number"
                warn(_SENTENCES.text(key, said=repr(said), low=low, high=high)[self._lang], "yellow")

    def _list(self, field: Field, texts: Mapping[str, Mapping[str, str]]) -> None:
        for k, choice in enumerate(field.choices, start=1):
            say(f"   {k:3} {texts[f'={choice}'][self._lang]}")
        if len(field.choices) > _FEW:
            self._listed.add(field.choices)

    async def tag(self, row: BoxRow, reach: Reach) -> None:
        """Wait for a tag for each place of a thing that has none."""
        for place in row.without_tag:
            say(_SENTENCES.text("lay", place=place)[self._lang])
            known = {*load_box(self._path).tags, *foreign_tags(self._path), *reach.plan.tags}
            async with line_to(reach) as line:
                uid = await _next_tag(line, known)
            change_box(self._path, partial(_with_tag, uid=uid, place=place))
            say(_SENTENCES.text("known", uid=uid, place=place)[self._lang])


_INSTEAD: Mapping[str, type[Exception]] = {SKIP: Skipping, STOP: Stopping, BACK: GoingBack}


def _with_tag(file: BoxFile, uid: str, place: str) -> BoxFile:
    return replace(file, tags={**file.tags, uid: place})


async def _next_tag(line: Line, known: set[str]) -> str:
    """Return the next unknown tag on a reader."""
    async for heard in line.hear(_PATIENCE_S):
        seen = heard.message
        if isinstance(seen, TagSeen) and seen.here and seen.uid.lower() not in known:
            return seen.uid.lower()
    raise Misconfigured("no unknown tag came to a reader for an hour: the same command goes on")


def _typed(field: Field) -> str | None:
    """Return the proposed value in the form in which the user would type it."""
    if field.proposed is None:
        return None
    if field.kind == "yesno":
        return "y" if field.proposed else "n"
    return str(field.choices.index(str(field.proposed)) + 1) if field.kind == "choice" else str(field.proposed)


def _value(field: Field, said: str) -> FieldValue | None:
    """Return the typed text as a value of a field, or None if it is invalid."""
    if field.kind == "yesno":
        return {"y": True, "o": True, "n": False}.get(said)  # o: oui
    if not said.lstrip("-").isdecimal():
        return None
    number = int(said)
    if field.kind == "choice":
        return field.choices[number - 1] if 1 <= number <= len(field.choices) else None
    return number if field.low <= number <= field.high else None


def add_to(app: typer.Typer) -> None:
    """Add these commands to `citytable`."""
    app.add_typer(box, name="box")
