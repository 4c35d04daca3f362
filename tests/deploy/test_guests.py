"""Guests of the table's own Wi-Fi get to the table's computer and to nothing behind it.

The shipped rules are tried with nftables and the kernel's own forwarding.

All of it happens in networks of its own (network_namespaces(7)), with cables in place of radios.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ALONE = ("unshare", "--net")
PROGRAMS = ("nft", "unshare", "nsenter", "ip")
ROUTING = r"""
import json, os, re, subprocess, sys, pathlib

wifi, rules = sys.argv[1:]
HEAR = '''
import socket

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
    one.bind(("", 4000))
    print("ready", flush=True)
    while True:
        print(one.recv(99).decode(), flush=True)
'''
SAY = '''
import socket, sys

source, target, what = sys.argv[1:]
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
    one.bind((source, 0))
    one.sendto(what.encode(), (target, 4000))
'''

def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout

def another_network():
    one = subprocess.Popen(["unshare", "--net", "cat"], stdin=subprocess.PIPE)
    while os.readlink(f"/proc/{one.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
        pass
    return one

def within(one, *words):
    return ("nsenter", f"--net=/proc/{one.pid}/ns/net", *words)

def address(where, name, *texts):
    for text in texts:
        run(*where, "ip", "address", "add", text, "dev", name)
    run(*where, "ip", "link", "set", name, "up")

def hearing(*where):
    one = subprocess.Popen([*where, sys.executable, "-c", HEAR], stdout=subprocess.PIPE, text=True)
    assert one.stdout.readline() == "ready\n"
    return one

def says(where, source, target, what):
    run(*where, sys.executable, "-c", SAY, source, target, what)

def dropped():
    said = run("nft", "list", "chain", "inet", "citytable", "forward")
    return sum(map(int, re.findall(r"counter packets (\d+)", said)))

pathlib.Path("/proc/sys/net/ipv4/ip_forward").write_text("1")  # as NetworkManager does it to share
run("ip", "link", "set", "lo", "up")
guest, cafe = another_network(), another_network()
run("ip", "link", "add", wifi, "type", "veth", "peer", "name", "phone", "netns", str(guest.pid))
run("ip", "link", "add", "eth0", "type", "veth", "peer", "name", "till", "netns", str(cafe.pid))
address((), wifi, "10.42.0.1/24")
address((), "eth0", "192.168.7.1/24")
address(within(guest), "phone", "10.42.0.9/24", "192.168.7.77/32")
address(within(cafe), "till", "192.168.7.20/24")
run(*within(guest), "ip", "route", "add", "default", "via", "10.42.0.1")
run(*within(cafe), "ip", "route", "add", "default", "via", "192.168.7.1")
if rules:
    run("nft", "-f", rules)
ears = [hearing(*within(cafe)), hearing(), hearing(*within(guest))]
tried = [("10.42.0.9", "192.168.7.20", "guest")]
if wifi.startswith("wl"):
    tried += [("192.168.7.77", "192.168.7.20", "guest with an address of the cafe")]
for source, target, what in tried:
    says(within(guest), source, target, what)
says(within(cafe), "192.168.7.20", "10.42.0.9", "cafe")
while rules and dropped() < len(tried) + 1:
    pass
heard = [[], [], []]
if not rules:
    heard = [[ears[0].stdout.readline() for _ in tried], [], [ears[2].stdout.readline()]]
says(within(guest), "10.42.0.9", "10.42.0.1", "guest")
says((), "192.168.7.1", "192.168.7.20", "table")
says((), "10.42.0.1", "10.42.0.9", "table")
for n, ear in enumerate(ears):
    heard[n].append(ear.stdout.readline())
    ear.kill()
for one in (guest, cafe):
    one.kill()
print(json.dumps([[line.strip() for line in one] for one in heard]))
"""


def cannot() -> str:
    """Return why this machine cannot try it; empty where it can."""
    if os.geteuid() != 0:
        return "only root makes networks of its own"
    if missing := [name for name in PROGRAMS if shutil.which(name) is None]:
        return f"{' and '.join(missing)} missing on this machine"
    pair = ("ip", "link", "add", "one", "type", "veth", "peer", "name", "other")
    done = subprocess.run([*ALONE, *pair], capture_output=True, check=False)
    return "this machine lets nobody make a network of its own" if done.returncode else ""


def heard(tmp_path: Path, wifi: str, rules: str) -> dict[str, list[str]]:
    """What came to the café's till, the table's computer and the guest's phone."""
    script = tmp_path / "routing.py"
    script.write_text(ROUTING)
    done = subprocess.run([*ALONE, sys.executable, script, wifi, rules], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(("till", "table", "phone"), json.loads(done.stdout), strict=True))


pytestmark = pytest.mark.skipif(bool(cannot()), reason=cannot())


def test_without_the_rules_a_guest_gets_into_the_cafes_network(tmp_path: Path) -> None:
    came = heard(tmp_path, "wlan0", "")
    assert came["till"] == ["guest", "guest with an address of the cafe", "table"]
    assert came["phone"] == ["cafe", "table"]


@pytest.mark.parametrize("wifi", ["wlan0", "ap0"])
def test_a_guest_gets_to_the_table_and_nowhere_else(tmp_path: Path, root: Path, wifi: str) -> None:
    rules = tmp_path / "limits.nft"
    rules.write_text("".join((root / "hub/deploy" / name).read_text() for name in ("limits.nft", "guests.nft")))
    assert heard(tmp_path, wifi, str(rules)) == {"till": ["table"], "table": ["guest"], "phone": ["table"]}
