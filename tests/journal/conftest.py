"""A small game, and drafts as the hub would write them."""

from dataclasses import dataclass, field

import pytest

from citytable.journal.entry import ActionConfirmed, Draft, GameEnded, GameStarted
from citytable.journal.store import Store
from citytable.rules.errors import IllegalAction
from citytable.rules.game import LegalActions, Outcome
from citytable.table.word import Amendment, Insertion, Strike, Undo


@dataclass
class Counting:
    """A game in which players say numbers: each must differ from the last. The position is all that was said."""

    said: list[int] = field(default_factory=list)

    @property
    def position(self) -> tuple[int, ...]:
        return tuple(self.said)

    @property
    def legal_actions(self) -> LegalActions[int]:
        return LegalActions(lambda: iter(range(10)), lambda action: action not in self.said[-1:])

    def push(self, action: int) -> None:
        if action in self.said[-1:]:
            raise IllegalAction("C1", {"en": "say another number", "fr": "dis un autre nombre"}, str(action))
        self.said.append(action)

    def accept(self, action: int) -> None:
        if action > 99:
            raise IllegalAction("C2", {"en": "nobody counts so far", "fr": "personne ne compte si loin"}, str(action))
        self.said.append(action)

    def pop(self) -> int:
        return self.said.pop()

    def outcome(self) -> Outcome | None:
        return None


class Drafts:
    """Drafts of every kind a test needs."""

    started = Draft(1_000, "system", GameStarted(game="counting", options={"players": 2}, deck="none"))
    ended = Draft(9_000, "system", GameEnded(termination="enough"))

    @staticmethod
    def action(text: str, at_us: int = 2_000) -> Draft:
        return Draft(at_us, "sensor", ActionConfirmed(action=text, by="seat 1"))

    @staticmethod
    def undo(to: int) -> Draft:
        return Draft(3_000, "referee", Undo(to=to, by="host", why="an elbow"))

    @staticmethod
    def amend(entry: int, text: str) -> Draft:
        return Draft(3_000, "referee", Amendment(entry=entry, action=text, by="host", why="misread"))

    @staticmethod
    def insert(before: int, text: str) -> Draft:
        return Draft(3_000, "referee", Insertion(before=before, action=text, by="host", why="forgotten"))

    @staticmethod
    def strike(entry: int) -> Draft:
        return Draft(3_000, "referee", Strike(entry=entry, by="host", why="it never was"))


@pytest.fixture(scope="session")
def drafts() -> type[Drafts]:
    return Drafts


@pytest.fixture(scope="session")
def counting() -> type[Counting]:
    return Counting


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def store(path):
    with Store.open(path) as opened:
        yield opened
