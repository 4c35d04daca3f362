"""`python -m tabletwin.visited`: a virtual table as `python -m tabletwin` runs it, with a door for browsers.

It takes the same options and runs in real pace. Its first line says where the door is:
`{"ready": true, "t_us": ..., "door": 40123}`.
"""

import json
import os
import sys

from tabletwin.__main__ import ends_with_a_sentence, parser_of_options, read_options
from tabletwin.console import run_real
from tabletwin.door import KEYS_VARIABLE, Address, Door


def main(words: list[str]) -> int:
    """Run until stdin ends; return 1 if that fails, with the reason on stderr."""
    parser = parser_of_options("tabletwin.visited")
    parser.add_argument("--door-host", required=True, help="the address on which browsers find the door")
    parser.add_argument("--pages-port", type=int, required=True, help="the port of the hub's pages")
    options = read_options(parser, words)
    keys = json.loads(os.environ.get(KEYS_VARIABLE, "{}"))
    door = Door(Address(options.door_host, options.pages_port, keys))
    return ends_with_a_sentence(
        options, lambda table, network: run_real(table, options.game, network, options.speed, door)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
