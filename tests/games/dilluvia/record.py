"""Write `playthroughs.txt`: whole games, and how the second reader of the rulebook says they end.

Run `python tests/games/dilluvia/record.py`. A change of the rules must show up there as a difference.
"""

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent
SEEDS = range(100, 107)


def _module(name):
    spec = importlib.util.spec_from_file_location(f"dilluvia_{name}", HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lines():
    table, book = _module("conftest").Table(), _module("book")
    for players in (2, 3, 4):
        for seed in SEEDS:
            second = book.Book(players)
            yield f"game {players}"
            for _, _, action in table.walk(players, seed, greedy=0.9):
                second.did(str(action))
                yield str(action)
            ends = (f"{seat}:{me['population']}/{me['prestige']}" for seat, me in second.who.items())
            yield f"end {' '.join(ends)} won {','.join(map(str, second.winners()))}"


if __name__ == "__main__":
    HERE.joinpath("playthroughs.txt").write_text("\n".join(lines()) + "\n", encoding="utf-8")
    sys.stdout.write(f"{3 * len(SEEDS)} games\n")
