"""`citytable venue`: a host runs an evening from a terminal."""

import sys

import pytest
from typer.testing import CliRunner

from citytable.cli import app

pytestmark = pytest.mark.long(4)

PASSWORD = "long enough for a desk"


@pytest.fixture
def venue(request):
    """Run `citytable venue ...`; return its exit code and what it printed."""

    def run(*words: str, **environment: str) -> tuple[int, str]:
        env = {"TERM": "dumb", "NO_COLOR": "1", **environment}
        done = CliRunner().invoke(app, ["venue", *words], env=env)
        return done.exit_code, done.output

    return run


@pytest.fixture
def desk(venue, address):
    """Run a command on the database, and expect it to do what it is told."""

    def run(*words: str) -> list[str]:
        code, said = venue(*words, CITYTABLE_POSTGRESQL=address)
        assert code == 0, said
        return said.splitlines()

    return run


@pytest.mark.postgresql
def test_an_evening_from_its_beginning_to_its_standings(desk):
    assert desk("begin", "friday", "--season", "autumn", "--rounds", "2", "--seed", "4") == [
        "friday has begun: 2 rounds, 2 to 4 players at a table"
    ]
    assert desk("open", "north") == ["tables: north"]
    assert desk("come", "Ada", "Ben") == ["2 players are here"]
    first, seats = desk("draw")
    assert first == "round 1 of 2"
    assert seats in {"north    1 Ada, 2 Ben", "north    1 Ben, 2 Ada"}
    desk("result", "1", "north", "9", "4", "--why", "read from the screen")
    winner = seats.split()[2].strip(",")
    assert desk("standings")[1].split() == ["1", "1.00", "1", "1", winner]
    desk("result", "1", "north", "4", "9")
    assert desk("standings")[1].split()[-1] != winner
    assert desk("round")[1].endswith("(9)")
    assert desk("season")[1].split()[:4] == ["1", "1.00", "1", "1"]
    assert desk("agree", "Ada", "Ben") == ["Ada, Ben: the name stands in the public table of the season"]
    assert desk("agree", "Ada", "--no") == ["Ada: a number stands in the public table of the season"]
    desk("come", "Cleo")
    assert desk("rename", "Cleo", "Chloe") == ["Cleo is Chloe now, on 1 evening"]
    desk("come", "Cleo")
    assert desk("merge", "Chloe", "Cleo") == ["Chloe was Cleo, on 1 evening"]
    desk("draw")
    assert desk("withdraw") == ["rounds drawn: 1"]
    gone = desk("erase", "Ada", "--yes")
    assert gone == ["Ada is forgotten, on 1 evening; backups of PostgreSQL still hold the name"]
    assert "Ada" not in " ".join(desk("standings") + desk("season") + desk("round"))
    assert "somebody 1" in " ".join(desk("standings"))
    assert desk("leave", "Cleo") == ["2 players are here"]
    assert desk("close", "north") == ["tables: none"]
    assert desk("begin", "saturday", "--season", "autumn")
    assert desk("round") == ["no round is drawn"]
    assert desk("season", "autumn", "--best", "1")[1].split()[3] == "1"


@pytest.mark.parametrize("points", ["-5", "3000"])
def test_points_that_are_a_slip_need_a_reason(venue, points):
    code, said = venue("result", "1", "north", "--", "9", points)
    assert code == 2
    assert f"hardly ends with {points} points" in said


@pytest.mark.postgresql
def test_an_evening_does_not_begin_over_a_round_that_is_played_unless_the_host_says_so(desk, venue, address):
    desk("begin", "friday")
    desk("open", "north")
    assert desk("come", " Ada ") == ["1 player is here"]
    desk("come", "Ben")
    desk("draw")
    code, said = venue("begin", "saturday", CITYTABLE_POSTGRESQL=address)
    assert code == 1
    assert said.startswith("citytable: evening 'friday' is still played at north: give these results first")
    assert desk("begin", "saturday", "--over-unfinished") == ["saturday has begun: 4 rounds, 2 to 4 players at a table"]


@pytest.mark.postgresql
def test_what_is_refused_is_one_sentence(venue, address):
    assert venue("draw", CITYTABLE_POSTGRESQL=address) == (
        1,
        "citytable: no evening has begun: citytable venue begin\n",
    )
    venue("begin", "friday", CITYTABLE_POSTGRESQL=address)
    code, said = venue("draw", CITYTABLE_POSTGRESQL=address)
    assert (code, said) == (1, "citytable: a round needs a table and 2 players or more: there are 0 and 0\n")


def test_a_table_without_the_extra_says_what_to_install(venue, monkeypatch):
    for name in [name for name in sys.modules if name.startswith(("psycopg", "citytable.venue_desk"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    code, said = venue("round")
    assert code == 1
    assert "install citytable with its extra `venue`" in said


def test_the_brokers_configurations_are_printed(venue, tmp_path):
    code, bridge = venue("bridge", "north", "--to", "venue.local:1883", CITYTABLE_VENUE_PASSWORD=PASSWORD)
    assert code == 0
    assert "addresses venue.local:1883\n" in bridge
    assert "topic citytable/1/north/venue/# out 1\n" in bridge
    password = bridge.partition("remote_password ")[2].split()[0]
    assert venue("bridge", "north", "--to", "venue")[0] == 2
    words = ("broker", "--folder", str(tmp_path), "--table", "north")
    code, broker = venue(*words, CITYTABLE_VENUE_PASSWORD=PASSWORD)
    assert code == 0
    assert f'jetstream {{ store_dir: "{tmp_path}" }}' in broker
    assert password in broker
    assert PASSWORD not in bridge
    assert "remote_username" not in venue("bridge", "north", "--to", "venue.local:1883")[1]


def test_a_venues_broker_that_anybody_could_use_is_not_configured(venue, tmp_path):
    code, said = venue("broker", "--folder", str(tmp_path), "--table", "north", CITYTABLE_VENUE_PASSWORD="")
    assert code == 2
    assert "listen" not in said
    assert "CITYTABLE_VENUE_PASSWORD is not set, so anybody in the network could report results" in " ".join(
        said.split()
    )


@pytest.mark.parametrize(
    "words", [("broker", "--folder", "x"), ("bridge", "north", "--to", "venue.local:1883"), ("producer",), ("players",)]
)
def test_a_password_that_a_program_could_guess_is_refused(venue, words):
    code, said = venue(*words, CITYTABLE_VENUE_PASSWORD="abc")
    said = " ".join(said.split())
    assert code == 2
    assert (
        "has 3 characters, so a program could guess it: choose one of at least 16 characters, such as python3" in said
    )


def test_with_a_certificate_every_port_of_a_node_speaks_tls(venue, tmp_path):
    words = ("--tls-cert", "a.crt", "--tls-key", "a.key", "--cluster", "10.0.0.1:6222", "--cluster", "10.0.0.2:6222")
    code, said = venue("broker", "--folder", str(tmp_path), *words, CITYTABLE_VENUE_PASSWORD=PASSWORD)
    assert code == 0
    assert [line.split()[0] for line in said.splitlines() if "tls {" in line] == ["tls", "mqtt", "cluster"]


def test_a_bridge_without_a_broker_of_its_own_is_refused(tmp_path):
    done = CliRunner().invoke(app, ["run", "--no-twin", "--venue-bridge", str(tmp_path / "bridge.conf")])
    assert done.exit_code == 2
    assert "--venue-bridge is for the hub's own broker" in done.output
