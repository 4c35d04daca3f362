"""`python -m tabletwin`: a virtual table on a broker; docs/reference/hands.md describes how to move its hands."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path

from tabletwin.console import run_lockstep, run_real
from tabletwin.hands.games import GAMES
from tabletwin.mqtt import PASSWORD_VARIABLE, Address, MqttNetwork, NoBroker
from tabletwin.pace import HubSilent
from tabletwin.plan import Plan, UnreadablePlan, load_plan
from tabletwin.table import VirtualTable


def parser_of_options(program: str) -> argparse.ArgumentParser:
    """Return the parser of the options that every virtual table has."""
    parser = argparse.ArgumentParser(prog=program, description="A whole table made of models, on an MQTT broker.")
    parser.add_argument("--plan", type=Path, required=True, help="the table's plan file")
    parser.add_argument(
        "--game", default=GAMES[0], help=f"which hands play: {', '.join(GAMES)}; else those of every game"
    )
    parser.add_argument("--broker", required=True, metavar="HOST:PORT")
    parser.add_argument("--user", help=f"at the broker; its password in {PASSWORD_VARIABLE}")
    parser.add_argument("--seed", type=int, default=1, help="all randomness comes from it")
    parser.add_argument("--pace", choices=("lockstep", "real"), default="real")
    parser.add_argument("--speed", type=float, default=1.0, help="of virtual time in real pace")
    return parser


def read_options(parser: argparse.ArgumentParser, words: list[str]) -> argparse.Namespace:
    """Return the options; exit with a sentence when they make no sense."""
    options = parser.parse_args(words)
    host, _, port = options.broker.rpartition(":")
    if not host or not port.isdigit():
        parser.error(f"--broker {options.broker!r}: write HOST:PORT, for example 127.0.0.1:1883")
    if options.speed <= 0:
        parser.error(f"--speed {options.speed}: must be above 0")
    options.address = Address(host, int(port), options.user, os.environ.get(PASSWORD_VARIABLE))
    return options


def ends_with_a_sentence(options: argparse.Namespace, run: Callable[[VirtualTable, MqttNetwork], None]) -> int:
    """Run a virtual table; return 0, or 1 if that fails, with the reason on stderr."""
    try:
        _run(load_plan(options.plan), options, run)
    except (UnreadablePlan, NoBroker, HubSilent) as error:
        sys.stderr.write(f"tabletwin: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _run(plan: Plan, options: argparse.Namespace, run: Callable[[VirtualTable, MqttNetwork], None]) -> None:
    table = VirtualTable(plan, options.seed)
    network = MqttNetwork(options.address, plan.table)
    try:
        network.open()
        run(table, network)
    finally:
        network.close()
        table.power_off()


def main(words: list[str]) -> int:
    """Run until stdin ends; return 1 if that fails, with the reason on stderr."""
    options = read_options(parser_of_options("tabletwin"), words)

    def run(table: VirtualTable, network: MqttNetwork) -> None:
        if options.pace == "lockstep":
            run_lockstep(table, options.game, network)
        else:
            run_real(table, options.game, network, options.speed)

    return ends_with_a_sentence(options, run)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
