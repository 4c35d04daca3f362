"""The states of Comeback City and Dilluvia Project on the contact sheet: written games, up to a moment."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from msgspec.structs import replace

from citytable.games import box_of
from citytable.table.blank import Blank
from citytable.views.state import View
from citytable.views.wording import happened

GAMES = Path(__file__).resolve().parents[1] / "tests/games"
NAMES = ("Ada", "Maximilienne-Aurélie", "Jean-Christophe", "Bo")
SECOND_US = 1_000_000
LINES = 12  # of the ticker


def comeback(name: str) -> list[str]:
    """Return the actions of a written game of Comeback City."""
    lines = (GAMES / "comeback/playthroughs.jsonl").read_text("utf-8").splitlines()
    actions: list[str] = next(one["actions"] for one in map(json.loads, lines) if one["name"] == name)
    return actions


def dilluvia(players: int) -> list[str]:
    """Return the actions of the first written game of Dilluvia Project with so many players."""
    lines = iter((GAMES / "dilluvia/playthroughs.txt").read_text("utf-8").splitlines())
    next(line for line in lines if line == f"game {players}")
    return list(takewhile(lambda line: not line.startswith("end"), lines))


@dataclass(frozen=True)
class Moment:
    """A moment of a game: what the hub shows, what may be said, and the forms of all actions."""

    view: View
    sayable: tuple[str, ...]
    blanks: tuple[Blank, ...]

    @property
    def seat(self) -> int:
        """Return who plays."""
        assert self.view.scene is not None
        return self.view.scene.seat or 1


def moment(bare: View, game: str, actions: Sequence[str], phase: str, share: float) -> Moment:
    """Return the moment so far (0 to 1) into a phase of a written game, or into all of it.

    `bare` gives what surrounds the scene.
    """
    box, lines = box_of(game), tuple(happened(no, no * SECOND_US, text) for no, text in enumerate(actions))
    table = box.table()
    played = box.begin(box.options(max(1, len({text.split()[0] for text in actions} - {"table"}))))
    found = []
    for no, text in enumerate(actions, 1):
        played.push(box.action(text))
        scene = table.scene(played.position, played.position, (), None)
        if scene.phase == phase or not phase:
            found.append((no, played.position, scene))
    no, position, scene = found[round(share * (len(found) - 1))]
    named = tuple(replace(one, name=name) for one, name in zip(scene.players, NAMES, strict=False))
    view = replace(
        bare, t_us=no * SECOND_US, scene=replace(scene, players=named), happened=lines[max(0, no - LINES) : no]
    )
    forms = next(part for part in table.parts if hasattr(part, "blanks"))
    return Moment(view, tuple(map(str, table.decisions(position))), tuple(forms.blanks()))


def states(bare: View) -> Iterator[tuple[str, Moment, str]]:
    """Yield the name, the moment and the page of each state; `bare` is a table on which nothing is wrong."""
    meteors, four = comeback("meteors-goal-53"), dilluvia(4)
    building = moment(bare, "comeback", meteors, "build", 0.7)
    yield "comeback-build", building, "/display"
    yield "comeback-seat", building, "/seat/1"
    yield "comeback-overlay", building, "/overlay"
    yield "comeback-disaster", moment(bare, "comeback", comeback("giant_bird-goal-85"), "disaster", 0.8), "/display"
    claimed = next(no for no, text in enumerate(meteors, 1) if " claim " in text)
    yield "comeback-claimed", moment(bare, "comeback", meteors[:claimed], "", 1), "/display"
    yield "comeback-final", moment(bare, "comeback", meteors, "end", 1), "/display"
    shopping, placing = (moment(bare, "dilluvia", four, phase, 0.6) for phase in ("shopping", "workers"))
    yield "dilluvia-shopping", shopping, "/display"
    yield "dilluvia-buyer", shopping, f"/seat/{shopping.seat}"
    yield "dilluvia-overlay", shopping, "/overlay"
    yield "dilluvia-placing", placing, "/display"
    yield "dilluvia-seat", placing, f"/seat/{placing.seat}"
    yield "dilluvia-final", moment(bare, "dilluvia", four, "end", 1), "/display"
