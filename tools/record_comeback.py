"""Record the whole games that `tests/games/comeback/test_playthroughs.py` replays: `python tools/record_comeback.py`.

Do it after a change of the rules that is meant, and read the difference: every changed line is a changed game. Of many
games it keeps those that show an action, a disaster or an end that no game before them has shown.
"""

import json
import random
from pathlib import Path

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.games.comeback.dealer import Dealer
from citytable.games.comeback.game import ComebackCity
from citytable.games.comeback.notation import position_to_text

FILE = Path(__file__).resolve().parents[1] / "tests/games/comeback/playthroughs.jsonl"
GAMES, SEEDS_MAX = 24, 400
EACH = 4
"""How many games show the same disaster and end before one more is left out."""


def _played(seed: int) -> ComebackCity:
    rng = random.Random(seed)
    game, dealer = ComebackCity(), Dealer(rng)
    bot = Greedy() if seed % 2 else RandomBot(rng)
    while game.outcome() is None:
        game.push(dealer.outcome(game, bot.choose(game, list(game.legal_actions))))
    return game


def _shown(game: ComebackCity) -> set[str]:
    outcome = game.outcome()
    end = f"{game.position.disaster} {outcome.termination}" if outcome else ""
    return {end, *(str(action).split(" ")[1] for action in game.actions)}


def main() -> None:
    """Write the file anew."""
    seen: dict[str, int] = {}
    lines = []
    for seed in range(SEEDS_MAX):
        game = _played(seed)
        shown = _shown(game)
        if not any(seen.get(one, 0) < (EACH if " " in one else 1) for one in shown):
            continue
        if len(lines) >= GAMES and not any(one not in seen for one in shown):
            continue
        for one in shown:
            seen[one] = seen.get(one, 0) + 1
        outcome = game.outcome()
        if outcome is None or outcome.scores is None:
            continue
        lines.append(
            {
                "name": f"{game.position.disaster}-{outcome.termination}-{seed}",
                "outcome": {"termination": outcome.termination, "points": outcome.scores[1]},
                "actions": [str(action) for action in game.actions],
                "position": json.loads(position_to_text(game.position)),
            }
        )
    text = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    FILE.write_text(text + "\n", encoding="utf-8")
    print(f"{len(lines)} games, {len(seen)} kinds of action and end")


if __name__ == "__main__":
    main()
