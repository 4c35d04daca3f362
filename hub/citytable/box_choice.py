"""Chooses the box on a table: its tags identify it, and the host decides whether the table restarts with it.

The choice is saved beside the journal and applies at the next start, unless the command line names a box.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec.structs import replace

from citytable.box_file import boxes_folder, boxes_in, foreign_tags, load_box, path_of
from citytable.games import box_of
from citytable.languages.sentences import Sentences
from citytable.rules.errors import Unfitting
from citytable.session.box import GameOptions
from citytable.settings import Settings
from citytable.table.plan import Misconfigured, foreign_box
from citytable.umpire.observed import UNREGISTERED
from citytable.views.box import BoxWish, OtherBox
from citytable.views.whole_file import write_whole

SENTENCES = Sentences(__package__, "box_choice.json")
Lying = Callable[[], Mapping[str, frozenset[str]]]
"""Returns what lies on each reader: the names of things, and unknown tags behind a question mark."""


def playing_with(settings: Settings, name: str) -> Settings:
    """Return the settings with the box of this name, or with the house's values without one; raises `Misconfigured`.

    The same game keeps its players, its rules and its rulings.
    """
    path = path_of(name) if name else None
    box = box_of(settings.box.name) if path is None else load_box(path).box()
    players = min(max(settings.options.players, box.players[0]), box.players[-1])
    options = settings.options if box.name == settings.box.name else box.options(players)
    found = replace(settings, box=box, box_path=path, options=options, sitting=None)
    found.plan()  # which has too few seats for some games
    return found


def _beside(journal: Path) -> Path:
    return journal.with_name(f"{journal.stem}.box")


def as_chosen(settings: Settings, game: str) -> tuple[Settings, str]:
    """Return the settings with the box that the host chose last at this journal, and a line if there is trouble.

    One of another game than the named one, if any, is left alone.
    """
    note = None if settings.journal_path is None else _beside(settings.journal_path)
    if note is None or not note.exists():
        return settings, ""
    try:
        found = playing_with(settings, note.read_text(encoding="utf-8").strip())
    except (Misconfigured, OSError, ValueError) as error:
        return settings, f"the box that was chosen last is not played with: {error}"
    return (settings if game and found.box.name != game else found), ""


class BoxChoice:
    """The choice of a running hub. `options` returns the options of the game on the table.

    `fixed`: the command line names a box or a deck, so nobody can choose another one.
    """

    def __init__(self, settings: Settings, lying: Lying, *, fixed: bool, options: Callable[[], GameOptions]) -> None:
        self._settings = settings
        self._options = options
        self._lying = lying
        self._loop = asyncio.get_running_loop()
        self._made: asyncio.Future[Settings] = self._loop.create_future()
        self.fixed = fixed
        self.readers = settings.plan_path is not None

    @property
    def is_made(self) -> bool:
        """Return whether the hub is about to begin with another box."""
        return self._made.done() and not self._made.cancelled()

    async def made(self) -> Settings:
        """Wait until the host has chosen another box or game, and return the settings with it."""
        return await self._made

    def others(self) -> tuple[OtherBox, ...]:
        """Return the other boxes with things on readers, the box with the most things first."""
        if not self.readers:
            return ()
        own = self._settings.box_path
        tags = foreign_tags(own)  # a box may have been brought since the start
        names = (name for there in self._lying().values() for name in there)
        things = (tags.get(name[1:].lower(), "") if name.startswith(UNREGISTERED) else name for name in names)
        here = Counter(box for box, _ in map(foreign_box, things) if box)
        games = {file.name: file.game for _, file in boxes_in(boxes_folder() if own is None else own.parent)}
        return tuple(OtherBox(name, games[name], count) for name, count in here.most_common() if name in games)

    def choose(self, wish: BoxWish) -> None:
        """Save the box and let the hub begin with it; raises `Unfitting`, `Misconfigured`."""
        if self.fixed:
            raise Unfitting(SENTENCES.text("fixed"))
        found = playing_with(replace(self._settings, options=self._options()), wish.name)
        self.note(wish.name)
        self._loop.call_soon_threadsafe(self.decide, found)

    def note(self, name: str) -> None:
        """Save the box for the next start, if the host may choose it; raises `Unfitting`."""
        journal = self._settings.journal_path
        if journal is None or self.fixed:
            return
        try:
            write_whole(_beside(journal), name + "\n")
        except OSError as error:
            raise Unfitting(SENTENCES.text("not_kept", why=error.strerror)) from error

    def decide(self, found: Settings) -> None:
        """Let the hub restart with these settings, unless it is about to restart with others."""
        if not self._made.done():
            self._made.set_result(found)
