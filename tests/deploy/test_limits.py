"""One address cannot take the broker's listener for itself: the shipped rules, with nftables and mosquitto themselves.

All of it happens in a network of its own (network_namespaces(7)), where only the loopback is.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from citytable.link.broker import find_mosquitto
from citytable.link.turned_away import IDLE_MAX

CAP = 40
ALONE = ("unshare", "--net")
CROWD = '''
import contextlib, fcntl, json, socket, struct, subprocess, sys

rules, mosquitto, conf = sys.argv[1:]
with socket.socket() as any_socket:  # the loopback comes up: SIOCSIFFLAGS with IFF_UP
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 1))
for _ in range(2):  # loaded again it is the same
    subprocess.run(["nft", "-f", rules], check=True)
broker = subprocess.Popen([mosquitto, "-c", conf])

def joins(address):
    """Open a connection, log in as a station does, and return the socket if the broker lets it in."""
    one = socket.socket()
    one.bind((address, 0))
    with contextlib.suppress(OSError):
        one.connect(("127.0.0.1", 1883))
        one.sendall(bytes.fromhex("100d00044d5154540402003c000131"))
        if one.recv(4) == bytes.fromhex("20020000"):
            return one
    one.close()

def opened(address, count):
    held = []
    for _ in range(count):
        one = socket.socket()
        one.bind((address, 0))
        try:
            one.connect(("127.0.0.1", 1883))
            held.append(one)
        except ConnectionRefusedError:
            one.close()
    return held

while (first := joins("127.0.0.9")) is None:
    pass
idle = opened("127.0.0.2", 60)
said = {"idle": len(idle), "same": joins("127.0.0.2") is not None, "other": joins("127.0.0.3") is not None}
for one in idle:
    one.close()
while joins("127.0.0.2") is None:  # the counter forgets what was closed
    pass
broker.terminate()
broker.wait()
print(json.dumps(said))
'''


def cannot() -> str:
    """Return why this machine cannot try it; empty where it can."""
    if os.geteuid() != 0:
        return "only root makes a network of its own"
    if missing := [name for name in ("nft", "unshare") if shutil.which(name) is None]:
        return f"{' and '.join(missing)} missing on this machine"
    done = subprocess.run([*ALONE, "true"], capture_output=True, check=False)
    return "this machine lets nobody make a network of its own" if done.returncode else ""


@pytest.mark.broker
@pytest.mark.skipif(bool(cannot()), reason=cannot())
def test_one_address_holds_so_many_connections_and_others_come_in(root: Path, tmp_path: Path) -> None:
    conf = tmp_path / "mosquitto.conf"
    conf.write_text("listener 1883 0.0.0.0\nallow_anonymous true\nuser root\n")
    script = tmp_path / "crowd.py"
    script.write_text(CROWD)
    words = [*ALONE, sys.executable, script, root / "hub/deploy/limits.nft", str(find_mosquitto()), conf]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {"idle": CAP, "same": False, "other": True}


def test_who_comes_near_the_limit_is_named_before_it_is_reached(root: Path) -> None:
    assert (root / "hub/deploy/limits.nft").read_text().count(f"ct count over {CAP} }}") == 2
    assert IDLE_MAX < CAP
