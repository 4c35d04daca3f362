from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from citytable.games.megacity.spots import shared_spots
from citytable.journal.entry import Entry
from citytable.journal.excerpt import BadExcerpt
from citytable.journal.replay import Unreplayable
from citytable.journal.store import JournalUnavailable
from citytable.rules.errors import IllegalAction, IllegalPosition, Unfitting, Unreadable
from citytable.table.blank import Blank
from citytable.table.health import CellZero
from citytable.table.plan import Plan, full_plan
from citytable.table.word import Amendment, NextGame, PaperPosition, Receipt, Ruling, Statement, Strike, Word
from citytable.views.answers import OtherWay
from citytable.views.gate import PEOPLE, Gate
from citytable.views.keys import Keys
from citytable.views.next_game import Choices
from citytable.views.overlay import Overlay
from citytable.views.server import Doors, Server
from citytable.views.signal import Curve, NoEntry, Signal
from citytable.views.state import View
from citytable.views.tags import TagHere
from citytable.views.theme import Theme
from citytable.views.viewer import Viewer
from citytable.views.vitals import Vitals

RECORDED = Path(__file__).parent / "recorded"
KEYS = Keys(b"secret", "salon", "game-1")
CHOICES = Choices(after="game-1", over=False, players=3, players_max=3, simplified=False, names=())
VITALS = Vitals(table="salon", idle_s=0.5, troubles=(), discarded=3, unsent=0, now_us=9_000_000, stations=())
THEME = Theme(css=":root{}", logo=b"<svg/>", logo_kind="image/svg+xml", font=b"wOF2")
COLUMNS = ("public", "industrial", "commercial", "residential")


def _recorded(name: str) -> View:
    return msgspec.json.decode((RECORDED / f"{name}.json").read_bytes(), type=View)


@pytest.fixture
def recorded() -> Callable[[str], View]:
    return _recorded


@pytest.fixture
def midgame() -> View:
    return _recorded("midgame")


@pytest.fixture
def plan() -> Plan:
    return full_plan("salon", 3, shared_spots(), ())


@dataclass
class Heard:
    """What came through the server's doors."""

    words: list[Word] = field(default_factory=list)
    standing: tuple[Entry, ...] = ()
    may_say: tuple[str, ...] = ()
    signals: dict[int, Signal] = field(default_factory=dict)
    ways: dict[int, tuple[OtherWay, ...]] = field(default_factory=dict)
    vitals: Vitals = VITALS
    kept: list[Overlay] = field(default_factory=list)
    blinking: list[str] = field(default_factory=list)

    async def say(self, word: Word) -> Receipt:
        match word:
            case Statement(action="nonsense"):
                raise Unreadable("'nonsense' is no action")
            case Statement(action=action) if "rezone" in action:
                text = {"en": "Not your platform.", "fr": "Pas votre plateforme."}
                raise IllegalAction("R12", text, action)
            case Ruling(why="the disk is full"):
                raise JournalUnavailable({"en": "the disk is full", "fr": "le disque est plein"})
            case Amendment(entry=99) | Strike(entry=99):
                raise Unreplayable("entry 5 corrects entry 99, which is not an action that stands")
            case PaperPosition(paper={}) if not word.paper:
                raise IllegalPosition("nothing is written", {"en": "Nothing is written.", "fr": "Rien n'est noté."})
            case NextGame(players=players) if players > 3:
                raise Unfitting({"en": "too few seats", "fr": "pas assez de places"})
        self.words.append(word)
        return Receipt(was=41, now=42)

    def sayable(self) -> tuple[str, ...]:
        return self.may_say

    def declined(self) -> tuple[tuple[str, IllegalAction], ...]:
        why = {"en": "You have used all your actions.", "fr": "Vous avez fait toutes vos actions."}
        return (("p2 refresh", IllegalAction("R7", why, "p2 refresh")),)

    def blanks(self) -> tuple[Blank, ...]:
        return (Blank("end_turn", player=True, fields=()),)

    def paper(self) -> dict[str, Any]:
        return {"player": 2}

    async def entries(self) -> tuple[Entry, ...]:
        return self.standing

    async def signal(self, seq: int) -> Signal:
        if seq == 99:
            raise BadExcerpt.worded("changed", what="trace 5")
        if seq not in self.signals:
            raise NoEntry(seq)
        return self.signals[seq]

    async def otherwise(self, seq: int) -> tuple[OtherWay, ...]:
        if seq not in self.ways:
            raise NoEntry(seq)
        return self.ways[seq]

    async def identify(self, station: str, trial: str) -> bool:
        self.blinking.append(f"{station} {trial}".strip())
        return station == "park"

    @property
    def senses(self) -> "Heard":
        return self

    def load(self, station: str, now_us: int) -> Signal:
        return {"park": Signal(0, now_us - 6_000_000, now_us, (), ())}[station]

    def tags(self, station: str) -> tuple[TagHere, ...]:
        return {"park": (TagHere("city/0/0", "04aa", "central-park"), TagHere("city/0/0", "04bb", None))}[station]

    def tremor(self, spots: Collection[str], now_us: int) -> Signal:
        curves = tuple(Curve(spot, (0, 1000), (63.0, 63.4)) for spot in sorted(spots))
        return Signal(0, now_us - 6_000_000, now_us, curves, ())

    def doors(self, view: View, now_us: int = 0) -> Doors:
        return Doors(
            say=self.say,
            game=lambda: self,
            declined=self.declined,
            now_us=lambda: now_us,
            health=lambda: view.health,
            zeros=lambda _today: (CellZero("city/1/0", 0, 1.5, 70, "2026-05-01", "old"),),
            turned_away=lambda: ("192.168.50.31",),
            vitals=lambda: self.vitals,
            entries=self.entries,
            record=lambda: self,
            identify=self.identify,
            choices=lambda: CHOICES,
            hands=lambda _: None,
            keep_overlay=self.kept.append,
            theme=THEME,
        )


def cookies(*viewers: Viewer) -> dict[str, str]:
    """What a browser sends that has entered as these."""
    return {"Cookie": "; ".join(f"{KEYS.cookie_name(viewer)}={KEYS.key(viewer)}" for viewer in viewers)}


@dataclass
class Clock:
    """Stands still unless it is put forward."""

    now_s: float = 0.0


@dataclass
class Site:
    """A running server, what it heard, and a client for it that has entered as the host and as every seat."""

    server: Server
    heard: Heard
    session: aiohttp.ClientSession
    port: int
    clock: Clock

    def browser(self, *viewers: Viewer) -> aiohttp.ClientSession:
        """A client that has entered as these and nobody else; to be closed."""
        return aiohttp.ClientSession(headers=cookies(*viewers))

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"


@pytest.fixture
async def site(midgame: View, tmp_path: Path) -> AsyncIterator[Site]:
    heard = Heard()
    (tmp_path / "assets").mkdir()
    for page in ("index.html", "overlay.html"):
        (tmp_path / page).write_text("<!doctype html><title>citytable</title>")
    (tmp_path / "assets" / "a.js").write_text("export {}")
    clock = Clock()
    gate = Gate(KEYS, lambda: clock.now_s, len(midgame.scene.players) if midgame.scene else 0)
    server = Server(midgame, heard.doors(midgame, now_us=77), gate, first_seq=1000, static=tmp_path)
    port = await server.start("127.0.0.1", 0)
    async with aiohttp.ClientSession(headers=cookies(*PEOPLE)) as session:
        yield Site(server, heard, session, port, clock)
    await server.stop()
