"""The states on the contact sheet: what the hub shows, and the page that shows it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import contact_games
import msgspec
from contact_games import NAMES
from msgspec.structs import replace

from citytable.doctor.told import SENTENCES
from citytable.games.megacity.blanks import blanks
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import action_from_text
from citytable.games.megacity.pieces import HOUSE
from citytable.games.megacity.position import Options
from citytable.games.megacity.questions import Questions
from citytable.table.blank import Blank
from citytable.table.checklist import BagBack, Checklist
from citytable.table.health import CellHealth, ReaderHealth, Report
from citytable.table.scene import Line
from citytable.table.status import Disagreement, Status
from citytable.views.care import Bench, Care, Good, Newcomer, Place, Rest, Running, Step, Work
from citytable.views.collapse import Collapse
from citytable.views.overlay import Overlay, Shows
from citytable.views.signal import Curve
from citytable.views.state import View
from citytable.views.theme import Brand, Colours, Theme, css_of
from citytable.views.wording import happened

RECORDED = Path(__file__).resolve().parents[1] / "tests/views/recorded"
RESTS = {"en": "That hex touches no tile of the city.", "fr": "Cet hexagone ne touche aucune tuile de la ville."}
SPOTS = ("city/1/0", "city/2/0", "city/3/0", "city/2/-1", "city/1/1", "city/2/1")


NOTHING = Care()
SAYABLE = (
    "p2 take_contract contract=PU7",
    "p2 take_contract contract=RE4",
    "p2 take_pieces",
    "p2 end_turn",
)


@dataclass(frozen=True)
class State:
    """One state: `view` is what the hub knows, `path` with its query the page.

    `later` is shown once the page is there; `opens` are the parts that are tapped before the picture, and the last of
    them is what it shows. `care` is what may be done at the stations, for the host (`by_host`). `sayable` is what may
    be said, and `blanks` are the forms of the game.
    """

    name: str
    view: View
    path: str
    later: View | None = None
    opens: tuple[str, ...] = ()
    care: Care = NOTHING
    by_host: bool = False
    theme: Theme | None = None
    sayable: tuple[str, ...] = SAYABLE
    blanks: tuple[Blank, ...] = blanks(HOUSE)


def recorded(name: str) -> View:
    """Return a recorded view, with players who have names."""
    view: View = msgspec.json.decode((RECORDED / f"{name}.json").read_bytes(), type=View)
    assert view.scene is not None
    players = tuple(replace(one, name=name) for one, name in zip(view.scene.players, NAMES, strict=False))
    return replace(view, scene=replace(view.scene, players=players))


def _wrong(kind: str, thing: str, *spots: str, state: str = "wrong", **more: object) -> Status:
    values = {"kind": kind, "spots": spots, "thing": thing, "state": state, **more}
    return Status((msgspec.convert(values, Disagreement),))


def _theme() -> Theme:
    """A theme with everything but letters of its own."""
    colours = Colours(ground="#1c0d14", panel="#2a1420", raised="#3d2030", edge="#a0788a", quiet="#d4b8c0")
    logo = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><path d="M0 2V0h3v2z" fill="#e8b84a"/></svg>'
    css = css_of(colours, Brand("Café Méridien", "League night, round 3", 1.5), font=False)
    return Theme(css, logo, "image/svg+xml")


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


def _fallen(before: View) -> View:
    """Return the moment after the first standing building of a view fell, and why nobody knows."""
    assert before.scene is not None
    board = before.scene.board
    tile = next(one for one in board["tiles"] if one["kind"] == "platform" and one["standing"])
    tiles = [one | {"standing": False, "height_mm": None} if one is tile else one for one in board["tiles"]]
    times = tuple(range(0, 750, 12))
    grams = tuple(90.0 if t_ms < 250 else max(16.0, 90.0 - (t_ms - 250) / 3) for t_ms in times)
    fell = Collapse(
        no=7, spot=tile["spot"], cause="unknown", before=before.scene, load=Curve(tile["spot"], times, grams)
    )
    return replace(before, scene=replace(before.scene, board={**board, "tiles": tiles}), collapse=fell)


def _brought(before: View) -> View:
    """Return the moment after the delivery of a view was confirmed."""
    assert before.scene is not None
    board = before.scene.board
    delivered = {"spot": "city/1/1", "colour": "commercial", "owner": 2, "height_mm": 57}
    tile = next(one for one in board["tiles"] if one["kind"] == "platform") | delivered
    line = Line(points=5, reason="contract", words={"contract": "CO4"}, action_no=99)
    players = (replace(one, lines=(*one.lines, line)) if one.seat == 2 else one for one in before.scene.players)
    scene = replace(before.scene, players=tuple(players), board={**board, "tiles": [*board["tiles"], tile]})
    said = happened(99, before.t_us + 1, "p2 deliver contract=CO4 platform=6 at=1/1")
    return replace(before, provisional=(), scene=scene, happened=(*before.happened[:-1], said))


def _assigned(view: View, shows: Shows) -> View:
    return replace(view, overlay=Overlay(displays={"bar": shows}))


HEXES = tuple(f"city/{q}/{r}" for q in range(-3, 4) for r in range(-3, 4) if abs(q + r) <= 3)
PADS = ("seat/1/pad/0", "seat/1/pad/1", "seat/1/pad/2", "seat/1/bag")
CARE = Care(
    can=("adopt", "calibrate", "level", "examine", "update"),
    newcomers=(Newcomer("e66138528355a82f", "pico_2_w", "1.4.0"), Newcomer("0a1b2c3d4e5f6071", "pico_2_w", "1.4.0")),
    places=(Place("sector-1", "sector", ("city/1/0", "city/2/0", "city/1/1", "city/2/1", "city/1/2"), planned=True),),
    benches=(Bench("seat-1", PADS, 3, 7, 2), Bench("sector-1", HEXES, 0, len(HEXES), 0)),
    running=(Running("seat-1", "1.4.0", "9f86d081", newest=True), Running("park", "1.3.0", "", newest=False)),
)
NOT_FELT = SENTENCES.text("nothing_felt")
VERDICT = SENTENCES.text("second_good", mass_g=200.0, seen_g=200.3, limit_g=1.0)
ASKS = Work(
    "calibrate",
    "sector-1",
    state="asks",
    no=2,
    number=2,
    tasks=6,
    what="scale",
    spot="city/2/0",
    step=Step("put", "city/2/0", 500.0),
    good=(Good("scale", "city/1/0", VERDICT),),
)
NOISY = {
    "en": "cell 0 is noisy (0.3 g), but the others are not: check that its cable does not touch the plate",
    "fr": "le capteur 0 est bruité (0.3 g), mais pas les autres : vérifiez que son câble ne touche pas le plateau",
}


def _looking_after(view: View) -> tuple[State, ...]:
    """Return the forms of the stations page."""

    def form(name: str, work: Work | None = None) -> State:
        part = name if work is None else work.task
        opens = (f"[data-care={part}]",) if work is None else ()
        care = replace(CARE, work=work)
        return State(f"stations-{name}", view, "/stations", opens=opens, care=care, by_host=True)

    uneven = replace(ASKS, state="refuses", why=NOT_FELT)
    level = Work("level", "", state="done", rests=(Rest("city/1/0", False, NOISY), Rest("city/2/0", True, {})))
    return (
        form("adopt"),
        form("calibrate"),
        form("asks", ASKS),
        form("refuses", uneven),
        form("level", level),
        State("stations-enrol", view, "/stations", opens=("[data-enrol]",), care=CARE, by_host=True),
    )


def _other_games(calm: View) -> Iterator[State]:
    """Yield the states of the games that are not MegaCity."""
    for name, moment, path in contact_games.states(replace(calm, health=(), live=(), held=(), undo=None)):
        yield State(name, moment.view, path, sayable=moment.sayable, blanks=moment.blanks)


def _delivered(view: View) -> View:
    """Return a view with the form of a delivery as the hub asks for it today: measured, and its pieces counted."""
    (asked,) = view.questions
    building = "p2 deliver contract=CO4 platform=6 at=1/1 stood=yes"
    known = {"height_mm": 57, "low_mm": 54, "high_mm": 59, "pieces": 7}
    position = MegaCity(Options(players=2), HOUSE).position
    fields = Questions(HOUSE, lambda *_: None).questions(position, action_from_text(building), known)
    words = {**asked.words, "low_mm": "54", "high_mm": "59", "counted": "7"}
    return replace(view, questions=(replace(asked, words=words, fields=fields),))


def states() -> tuple[State, ...]:
    """Return all states."""
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
        State("display-moment", delivering, "/display?city=3d"),
        State("display-asked", midgame, "/display?city=flat"),
        State("display-resting", resting, "/display?city=flat"),
        State("card", final, "/card"),
        State("display-alarm", alarm, "/display?city=flat"),
        State("display-silent", silent, "/display?city=flat"),
        State("display-final", final, "/display?city=flat"),
        State("display-no-game", empty, "/display?city=flat"),
        State("display-trouble", broken, "/display?city=flat"),
        State("seat-my-turn", calm, "/seat/2"),
        State("seat-question", _delivered(midgame), "/seat/2", opens=("[data-number='steel:3']",)),
        State("seat-waiting", calm, "/seat/1"),
        State("host", calm, "/host"),
        State("host-next-game", calm, "/host", opens=("button[aria-keyshortcuts=g]",)),
        State("host-restoring", restoring, "/host"),
        State("host-clearing", clearing, "/host"),
        State("stations", _stations(midgame), "/stations"),
        State("announcer", calm, "/announcer"),
        State("overlay-delivery", delivering, "/overlay"),
        State("display-outcome", delivering, "/display?city=flat", later=_brought(delivering)),
        State("display-replay", calm, "/display?city=flat", later=_fallen(calm)),
        State("display-records", _assigned(final, "records"), "/display?city=flat&screen=bar"),
        State("display-scores", _assigned(calm, "scores"), "/display?city=flat&screen=bar"),
        State("host-displays", _assigned(calm, "scores"), "/host", opens=("[data-opens=displays]",)),
        State("display-theme", early, "/display?city=flat", theme=_theme()),
        State("overlay-theme", delivering, "/overlay", theme=_theme()),
        State("producer", calm, "/producer", by_host=True),
        *_looking_after(_stations(midgame)),
        *_other_games(calm),
    )
