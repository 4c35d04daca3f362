"""The states on the contact sheet: what the hub shows, and the page that shows it."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from citytable.table.checklist import BagBack, Checklist
from citytable.table.health import CellHealth, ReaderHealth, Report
from citytable.table.status import Disagreement, Status
from citytable.views.state import View

RECORDED = Path(__file__).resolve().parents[1] / "tests/views/recorded"
NAMES = ("Ada", "Maximilienne-Aurélie", "Jean-Christophe", "Bo")
RESTS = {"en": "-2/2 touches no tile of the city.", "fr": "-2/2 ne touche aucune tuile de la ville."}
SPOTS = ("city/1/0", "city/2/0", "city/3/0", "city/2/-1", "city/1/1", "city/2/1")


@dataclass(frozen=True)
class State:
    """One state: `view` is what the hub knows, `path` with its query the page."""

    name: str
    view: View
    path: str


def recorded(name: str) -> View:
    """Return a recorded view, with players who have names."""
    view: View = msgspec.json.decode((RECORDED / f"{name}.json").read_bytes(), type=View)
    assert view.scene is not None
    players = tuple(replace(one, name=name) for one, name in zip(view.scene.players, NAMES, strict=False))
    return replace(view, scene=replace(view.scene, players=players))


def _wrong(kind: str, thing: str, *spots: str, state: str = "wrong", **more: object) -> Status:
    values = {"kind": kind, "spots": spots, "thing": thing, "state": state, **more}
    return Status((msgspec.convert(values, Disagreement),))


def _stations(view: View) -> View:
    """A table with a silent station, one that complains, and readings of all others."""
    cells = tuple(CellHealth(spot, 0, 80.0 + k, 0, 190, 44.0, k) for k, spot in enumerate(SPOTS))
    readers = tuple(ReaderHealth(spot, 99, 1) for spot in SPOTS)
    report = Report(
        at_us=0, gap_us=21_000, dropped=0, refused=0, free_bytes=131_072, cells=cells, readers=readers, rangers=()
    )
    health = [replace(one, kind="sector", hardware="pico2_w", report=report) for one in view.health]
    health[5] = replace(health[5], online=False, last_seen_us=view.t_us - 61_000_000)
    return replace(view, health=tuple(health))


def states() -> tuple[State, ...]:
    """Return the twenty states."""
    early, midgame, final = recorded("early"), recorded("midgame"), recorded("final")
    calm = replace(midgame, provisional=(), questions=(), status=Status())
    delivering = replace(midgame, questions=(), status=Status())
    resting = replace(
        calm, status=_wrong("refused", "platform/11/residential", "city/-2/2", state="settling", text=RESTS)
    )
    alarm = replace(calm, status=_wrong("refused", "platform/11/residential", "city/-2/2", text=RESTS, rule="R25"))
    silent = replace(calm, status=_wrong("station_silent", "sector-3", *SPOTS))
    restoring = replace(alarm, restoring=True)
    list_ = Checklist(
        lying=7, counted=40, components=58, unseen=("platform/3",), silent=("sector-3",), bag=BagBack(310.0, 12.0, 3)
    )
    clearing = replace(final, clearing=list_)
    empty = replace(early, scene=None, health=(), happened=())
    broken = replace(calm, troubles=("broker",))
    return (
        State("display-early", early, "/display?city=flat"),
        State("display-calm", calm, "/display?city=flat"),
        State("display-model", calm, "/display?city=3d"),
        State("display-delivery", delivering, "/display?city=flat"),
        State("display-asked", midgame, "/display?city=flat"),
        State("display-resting", resting, "/display?city=flat"),
        State("card", final, "/card"),
        State("display-alarm", alarm, "/display?city=flat"),
        State("display-silent", silent, "/display?city=flat"),
        State("display-final", final, "/display?city=flat"),
        State("display-no-game", empty, "/display?city=flat"),
        State("display-trouble", broken, "/display?city=flat"),
        State("seat-my-turn", calm, "/seat/2"),
        State("seat-question", midgame, "/seat/2"),
        State("seat-waiting", calm, "/seat/1"),
        State("host-restoring", restoring, "/host"),
        State("host-clearing", clearing, "/host"),
        State("stations", _stations(midgame), "/stations"),
        State("announcer", calm, "/announcer"),
        State("overlay-delivery", delivering, "/overlay"),
    )
