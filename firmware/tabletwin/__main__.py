"""`python -m tabletwin`: a virtual table on a broker; docs/reference/hands.md describes how to move its hands."""

import argparse
import os
import sys
from pathlib import Path

from tabletwin.console import run_lockstep, run_real
from tabletwin.hands.games import GAMES
from tabletwin.mqtt import PASSWORD_VARIABLE, Address, MqttNetwork, NoBroker
from tabletwin.pace import HubSilent
from tabletwin.plan import Plan, UnreadablePlan, load_plan
from tabletwin.table import VirtualTable


def _options(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tabletwin", description="A whole table made of models, on an MQTT broker.")
    parser.add_argument("--plan", type=Path, required=True, help="the table's plan file")
    parser.add_argument(
        "--game", default=GAMES[0], help=f"which hands play: {', '.join(GAMES)}; else those of every game"
    )
    parser.add_argument("--broker", required=True, metavar="HOST:PORT")
    parser.add_argument("--user", help=f"at the broker; its password in {PASSWORD_VARIABLE}")
    parser.add_argument("--seed", type=int, default=1, help="all randomness comes from it")
    parser.add_argument("--pace", choices=("lockstep", "real"), default="real")
    parser.add_argument("--speed", type=float, default=1.0, help="of virtual time in real pace")
    options = parser.parse_args(words)
    host, _, port = options.broker.rpartition(":")
    if not host or not port.isdigit():
        parser.error(f"--broker {options.broker!r}: write HOST:PORT, for example 127.0.0.1:1883")
    if options.speed <= 0:
        parser.error(f"--speed {options.speed}: must be above 0")
    options.address = Address(host, int(port), options.user, os.environ.get(PASSWORD_VARIABLE))
    return options


def main(words: list[str]) -> int:
    """Run until stdin ends; return 1 if that fails, with the reason on stderr."""
    options = _options(words)
    try:
        plan = load_plan(options.plan)
        _run(plan, options)
    except (UnreadablePlan, NoBroker, HubSilent) as error:
        sys.stderr.write(f"tabletwin: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _run(plan: Plan, options: argparse.Namespace) -> None:
    table = VirtualTable(plan, options.seed)
    network = MqttNetwork(options.address, plan.table)
    try:
        network.open()
        if options.pace == "lockstep":
            run_lockstep(table, options.game, network)
        else:
            run_real(table, options.game, network, options.speed)
    finally:
        network.close()
        table.power_off()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
