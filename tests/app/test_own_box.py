"""An owner's evening: a box that nobody has listed, on a table of phones; what comes up is entered, kept and counted.

The printed values are made up here and differ from the house deck's.
"""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.long(14)

RUN = ("run", "--phones", "--no-open", "--port", "0")
Say = dict[str, Any]


class Owner:
    """The host of a table of phones, at whose page everything is said."""

    def __init__(self, running: Any) -> None:
        self.running = running
        (self._host,) = running.hosts()

    def seen(self) -> dict[str, Any]:
        """What the host's page shows."""
        return self._host.asks("/api/view?as=host")["data"]

    def asked(self) -> dict[str, dict[str, Any]]:
        """The things of the box that are asked about now, each with its question."""
        questions = self.seen()["questions"]
        return {one["words"]["thing"]: one for one in questions if one["prompt"] == "values"}

    def does(self, *actions: str) -> None:
        """Say what was done."""
        for action in actions:
            self._host.asks("/api/say", {"type": "statement", "action": action, "by": "host"})

    def enters(self, thing: str, **values: Any) -> None:
        """Answer what a thing says; where nothing is said, with what the form proposes, or the least."""
        question = self.asked()[thing]
        filled = {field["name"]: _least(field) for field in question["fields"]} | values
        self._host.asks("/api/say", {"type": "answer", "question": question["id"], "values": filled, "by": "host"})

    def enters_the_rest(self) -> int:
        """Answer everything else that is asked with the least that can be printed; return how much it was."""
        for n in range(200):
            if not (asked := self.asked()):
                return n
            self.enters(next(iter(asked)))
        raise AssertionError(f"it asks on and on: {list(self.asked())}")

    def points(self, reason: str) -> int:
        """The points of the first seat for a reason."""
        lines = self.seen()["scene"]["players"][0]["lines"]
        return sum(line["points"] for line in lines if line["reason"] == reason)


def _least(field: dict[str, Any]) -> Any:
    if field["proposed"] is not None:
        return field["proposed"]
    if field["kind"] == "choice":
        number = int(field["name"][-1]) - 1 if field["name"].startswith("side_") else 0
        return field["choices"][number]
    return field["low"]


@pytest.fixture
def evening(started, tmp_path) -> Callable[..., Owner]:
    """`evening("--game", ...)`: the table with the box `ours`, begun or gone on with."""
    running: list[Any] = []

    def begins(*words: str) -> Owner:
        if running:
            assert running.pop().end(signal.SIGINT) == 0
        running.append(started(*RUN, "--box", "ours", *words, XDG_DATA_HOME=str(tmp_path)))
        return Owner(running[0])

    return begins


def _box(tmp_path: Path) -> dict[str, Any]:
    return json.loads((tmp_path / "citytable/boxes/ours.box.json").read_text())


COLUMNS = "PU1,PU2,PU3|IN1,IN2,IN3|CO1,CO2,CO3|RE1,RE2,RE3"
CONTRACT = {"plus": False, "requirement_1": "none"}
MEGACITY = (
    "p1 take_platform platform=1 revealed=4/public",
    "p1 end_turn",
    "p2 take_contract contract=IN1",
    "p2 take_platform platform=2 revealed=5/public",
    "p2 end_turn",
    "p1 take_pieces drawn=steel:3",
    "p1 take_pieces drawn=steel:3",
    "p1 end_turn",
    "p2 take_pieces drawn=unknown:3",
    "p2 end_turn",
)


def test_megacity_counts_contracts_that_were_entered_in_mid_game_and_knows_them_the_next_evening(evening, tmp_path):
    owner = evening("--game", "megacity", "--players", "2")
    assert "box 'ours' is new" in owner.running.said
    owner.does(f"table set_up columns={COLUMNS} supply=1/public,2/public,9/public start=1 drawn=none|unknown:1")
    owner.does("p1 take_contract contract=PU1", *MEGACITY)
    asked = owner.asked()
    assert {"contract/PU1", "contract/IN1"} <= set(asked)
    assert asked["contract/PU1"]["seat"] == 1
    owner.enters("contract/PU1", pieces=3, height_mm=12, prestige=9, **CONTRACT)
    owner.enters("contract/IN1", pieces=2, height_mm=15, prestige=1, **CONTRACT)
    owner.enters("platform/1", side_1="public", side_2="residential")
    hand = owner.seen()["scene"]["board"]["areas"][0]["open_contracts"]
    assert [(card["pieces"], card["height_mm"], card["prestige"]) for card in hand] == [(3, 12, 9)]
    owner = evening()
    assert not {"contract/PU1", "contract/IN1", "platform/1"} & set(owner.asked())
    owner.does(
        "p1 deliver contract=PU1 platform=1 at=1/0 stood=yes height=12mm pieces=steel:3 judged=yes", "p1 end_turn"
    )
    owner.does("p2 end_turn")
    assert owner.points("contract") == 9
    assert _box(tmp_path)["values"]["origin"] == "owner"


def test_comeback_city_counts_what_was_entered_and_an_effect_without_a_word_by_its_stated_points(evening, tmp_path):
    owner = evening("--game", "comeback")
    owner.does("table set_up bonuses=ZC1,ZG1 redrawn=none row=C01,C02,C03,C04,C05,C06 hand=C07,C08")
    assert list(owner.asked()) == ["bonus/ZC1"]
    owner.enters("bonus/ZC1", zone="industrial", condition="columns", number=5, helper="national_guard")
    owner.enters_the_rest()
    owner.does("p1 lay card=C07 at=1/5", "p1 lay card=C08 at=2/5", "p1 flip card=R01")
    owner.enters("building/R01", zone="government", stories=7, points=4, effect="other", effect_points=3)
    owner.does("p1 discard card=R01", "p1 flip card=R02")
    owner.enters("building/R02", zone="commercial", cost_2=2, stories=3, points=2)
    flipped = owner.seen()["scene"]["board"]["flipped"]
    assert (flipped["zone"], flipped["stories"], flipped["points"]) == ("commercial", 3, 2)
    owner = evening()
    assert owner.asked() == {}
    assert owner.seen()["scene"]["board"]["bonuses"][0]["zone"] == "industrial"
    cards = {card["id"]: card for card in _box(tmp_path)["values"]["buildings"]}
    assert cards["R01"]["conditional"] == {"kind": "other", "points": 3}
    assert cards["R02"]["cost"] == {"steel": 2}


MARKET = "5,24,3,9,4,21,20,26,13,7,27,8,1,22,23,10"


def test_dilluvia_project_counts_what_was_entered_the_board_too_and_knows_it_the_next_evening(evening, tmp_path):
    owner = evening("--game", "dilluvia", "--players", "2")
    owner.does(
        f"table set_up market={MARKET}", "table draw_order order=1,2", "p1 zeppelin at=left1", "p2 zeppelin at=top1"
    )
    owner.enters("tile/5", kind="other", population=6)
    owner.enters("tile/24", kind="aeros6", is_five=True)
    owner.enters("tile/3", kind="white2")
    tiles = {one["tile"]: one for one in owner.seen()["scene"]["board"]["market"]}
    assert (tiles[5]["kind"], tiles[24]["kind"], tiles[24]["five"], tiles[3]["kind"]) == (
        "other",
        "aeros6",
        True,
        "white2",
    )
    assert owner.enters_the_rest() == 13
    owner = evening()
    assert owner.asked() == {}
    tiles = {one["tile"]: one["kind"] for one in owner.seen()["scene"]["board"]["market"]}
    assert (tiles[5], tiles[24], tiles[3]) == ("other", "aeros6", "white2")
    assert _box(tmp_path)["values"]["tiles"][4] == {"kind": "other", "back": "white", "population": 6}
