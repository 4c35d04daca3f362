import ast
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from citytable.games.megacity.spots import CITY, shared_spots
from citytable.table import spot as spots
from citytable.table.layout import Light
from citytable.table.plan import Plan, full_plan
from citytable.table.status import Disagreement, Kind, Status
from citytable.views.lights import DARK, ROLES, Ring, commands, forget, frame, lit
from citytable.views.state import Provisional, View
from citytable.views.viewer import PUBLIC, seen_by
from tablewire.messages import MESSAGE_BYTES_MAX, PATTERNS, decode, encode
from tablewire.topics import LIGHT

FULL = full_plan("salon", 4, shared_spots(), ())
RINGS = sorted(spot for spot, sensors in FULL.spot_plans().items() if sensors.ring_leds)
LIGHTS = st.lists(
    st.builds(
        Light,
        spot=st.sampled_from(RINGS),
        role=st.sampled_from([role.role for role in ROLES.roles]),
        seat=st.none() | st.integers(1, 4),
    )
)


def shown(sent: dict[str, Ring], messages: dict[str, dict[str, object]]) -> dict[str, Ring]:
    """What the rings show after the stations got these messages."""
    after = dict(sent)
    for message in messages.values():
        for ring in message["rings"]:
            after[ring["spot"]] = Ring(rgb=tuple(ring["rgb"]), pattern=ring["pattern"])
    return after


@given(LIGHTS, LIGHTS)
def test_the_rings_show_the_new_lights_whatever_they_showed_before(before: list[Light], after: list[Light]) -> None:
    sent, now = frame(before, FULL), frame(after, FULL)
    assert shown(sent, commands(now, sent, FULL)) == now


@given(LIGHTS, LIGHTS)
def test_a_ring_that_stays_as_it_is_gets_no_command(before: list[Light], after: list[Light]) -> None:
    sent, now = frame(before, FULL), frame(after, FULL)
    named = {ring["spot"] for message in commands(now, sent, FULL).values() for ring in message["rings"]}
    assert named == {spot for spot in RINGS if sent[spot] != now[spot]}


@given(LIGHTS)
def test_every_command_is_a_light_message_of_the_wire_that_a_station_can_read(lights: list[Light]) -> None:
    for station, message in commands(frame(lights, FULL), {}, FULL).items():
        read = decode(LIGHT, encode(dict(message)))
        assert {ring["spot"] for ring in read["rings"]} <= {
            spot for spot, carrier in FULL.station_of().items() if carrier == station
        }
        assert all(ring["pattern"] in PATTERNS for ring in read["rings"])
        assert all(0 <= part <= 255 for ring in read["rings"] for part in ring["rgb"])


def test_a_sector_with_all_rings_lit_fits_into_one_message() -> None:
    lights = [Light(spot=spot, role="wrong") for spot in RINGS]
    sizes = [len(encode(dict(message))) for message in commands(frame(lights, FULL), {}, FULL).values()]
    assert max(sizes) < MESSAGE_BYTES_MAX


def test_a_station_that_started_anew_is_told_all_its_lights_again(midgame: View, plan: Plan) -> None:
    now = frame(lit(midgame), plan)
    again = commands(now, forget(now, "sector-1", plan), plan)
    lit_there = {spot for spot, ring in now.items() if ring != DARK and plan.station_of()[spot] == "sector-1"}
    assert lit_there
    assert again.keys() == {"sector-1"}
    assert {ring["spot"] for ring in again["sector-1"]["rings"]} == lit_there


def test_no_two_roles_look_alike_to_somebody_who_sees_no_colour_on_the_same_kind_of_hex() -> None:
    looks: dict[str, set[str]] = {}
    for role in ROLES.roles:
        looks.setdefault(role.pattern, set()).add(role.role)
    shared = [roles for roles in looks.values() if len(roles) > 1]
    assert sorted(map(sorted, shared)) == [
        ["legal", "turn"],  # a hex; what lies before a player
        ["legal_lift", "monument_option"],  # an empty hex; a park
        ["other", "provisional"],  # no game has both
    ]


def test_a_mistake_outshines_the_hexes_that_are_legal(midgame: View) -> None:
    mistake = Disagreement("unexpected", (spots.city(CITY[0]),), "platform/1/public", (spots.pad(1, 0),))
    view = replace(midgame, status=Status((mistake,)))
    roles = {light.spot: light.role for light in lit(view)}
    assert roles[spots.city(CITY[0])] == "wrong"
    assert roles[spots.pad(1, 0)] == "bring_here"


WHERE = spots.city(CITY[0]), spots.city(CITY[1])
THING = "platform/1/public"


@pytest.mark.parametrize(
    ("wrong", "roles"),
    [
        (Disagreement("missing", (), THING, WHERE), ("missing", "missing")),
        (Disagreement("unexpected", WHERE[:1], THING, WHERE[1:]), ("wrong", "bring_here")),
        (Disagreement("refused", WHERE[:1], THING, WHERE[1:], "R25"), ("wrong", "bring_here")),
        (Disagreement("unexpected", WHERE[:1], THING), ("wrong", None)),
        (Disagreement("unregistered", WHERE[:1], "04c0ffee"), ("wrong", None)),
        (Disagreement("mass", WHERE[:1]), ("weight", None)),
    ],
)
def test_every_difference_that_hands_can_put_right_has_a_picture_of_its_own(midgame, wrong, roles) -> None:
    view = replace(midgame, provisional=(), status=Status((wrong,)), restoring=True)
    assert tuple(shining(view).get(spot) for spot in WHERE) == roles


def shining(view: View) -> dict[str, str]:
    return {light.spot: light.role for light in lit(view)}


def test_while_the_table_is_put_back_nothing_shines_but_what_is_to_be_done(midgame: View) -> None:
    mistake = Disagreement("unexpected", WHERE[:1], THING, WHERE[1:])
    view = replace(midgame, status=Status((mistake,)), restoring=True)
    assert len(shining(replace(view, restoring=False))) > 2
    assert shining(view) == {WHERE[0]: "wrong", WHERE[1]: "bring_here"}


@given(st.lists(st.sampled_from(RINGS), min_size=1, unique=True), st.sampled_from(get_args(Kind)))
def test_screens_show_the_role_whose_look_the_ring_has(lying: list[str], kind: Kind) -> None:
    view = View(t_us=0, table="salon", status=Status(tuple(Disagreement(kind, (spot,)) for spot in lying)))
    rings, screen = frame(lit(view), FULL), seen_by(PUBLIC, view).lights
    looks = {light.spot: Ring(*ROLES.look(light.role, light.seat)) for light in screen}
    assert {spot: ring for spot, ring in rings.items() if ring != DARK} == looks


def test_what_the_umpire_only_supposes_is_lit_as_provisional(midgame: View) -> None:
    view = replace(midgame, provisional=(Provisional("p2 place_park at=-1/-1", "seen", ("city/-1/-1",)),))
    assert Light("city/-1/-1", "provisional") in lit(view)


def test_a_silent_station_is_nothing_that_players_could_move_and_lights_nothing(midgame: View) -> None:
    silent = Disagreement("station_silent", ("city/-3/0", "city/-3/1"), "sector-4")
    lit_spots = {light.spot for light in lit(replace(midgame, provisional=(), status=Status((silent,))))}
    assert "city/-3/0" not in lit_spots


def test_a_role_nobody_listed_still_lights_its_ring(plan: Plan) -> None:
    now = frame([Light("city/0/0", "never-heard-of"), Light("city/1/0", "turn", None)], plan)
    assert now["city/0/0"] == Ring(*ROLES.look("other", None))
    assert DARK not in (now["city/0/0"], now["city/1/0"])


def test_a_lit_spot_without_a_ring_does_no_harm(plan: Plan) -> None:
    assert "seat/1/card/0" not in frame([Light("seat/1/card/0", "turn", 1)], plan)


def test_every_role_that_a_game_lights_is_listed() -> None:
    folder = Path(__file__).resolve().parents[2] / "hub/citytable/games"
    named = {
        leaf.value
        for file in folder.rglob("*.py")
        for call in ast.walk(ast.parse(file.read_text()))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Light"
        for part in [*call.args[1:2], *(word.value for word in call.keywords if word.arg == "role")]
        for leaf in ast.walk(part)
        if isinstance(leaf, ast.Constant)
    }
    assert "legal" in named
    assert named <= {role.role for role in ROLES.roles}
