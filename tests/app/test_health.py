"""Whether a running hub is well, asked with nothing but citytable itself."""

import os
import signal

import pytest

pytestmark = [pytest.mark.broker, pytest.mark.long(6)]


def test_a_hub_says_that_it_is_well_and_what_is_wrong_when_it_is_not(started, citytable, tmp_path, until):
    running = started("run", "--no-twin", "--no-open", "--port", "0", "--journal", str(tmp_path / "salon.sqlite3"))
    at = running.says(r"display  (http://\S+)/display")[1]
    running.says("Ctrl-C ends everything")
    done = citytable("health", "--at", at, http_proxy="http://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (0, "well\n"), done.stderr
    broker = running.pid_of("mosquitto")
    os.kill(broker, signal.SIGSTOP)
    until(lambda: "not well: broker" in citytable("health", "--at", at).stderr)
    assert citytable("health", "--at", at).returncode == 1
    os.kill(broker, signal.SIGCONT)
    until(lambda: citytable("health", "--at", at).returncode == 0)
    assert running.end(signal.SIGINT) == 0


def test_where_no_hub_answers_that_is_said(citytable, free_port):
    done = citytable("health", "--at", f"http://127.0.0.1:{free_port}")
    assert done.returncode == 1
    assert f"no hub answers at http://127.0.0.1:{free_port}" in done.stderr
