"""Record the whole games that `tests/games/test_playthroughs.py` replays: `python tools/record_playthroughs.py`.

Do it after a change of the rules that is meant, and read the difference: every changed line is a changed game.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from citytable.bots.greedy import Greedy
from citytable.bots.random_bot import RandomBot
from citytable.bots.self_play import Unending
from citytable.games.megacity.actions import Action, BuildingFell, MonumentFell, PiecesLost, SetUp
from citytable.games.megacity.dealer import Dealer
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import position_to_text
from citytable.games.megacity.position import Options, Position, Rulings

FOLDER = Path(__file__).resolve().parents[1] / "tests/games/playthroughs"
SEEDS_MAX = 400
TURNS_MAX = 400


class Wanted(msgspec.Struct, frozen=True):
    """A kind of game of which `count` are recorded for each number of players."""

    name: str
    ends: str
    count: int
    greedy: bool = True
    simplified: bool = False
    accidents: float = 0.0
    untold: float = 0.0
    round_limit: int = 0
    lost: int = 0  # pieces that were in the box before the first turn: a bag that runs out in time


WANTED = (
    Wanted("plain", "completed", 3),
    Wanted("untold", "completed", 1, untold=0.5),
    Wanted("falls", "completed", 2, accidents=0.05),
    Wanted("ruin", "bag_out", 1, accidents=0.05, lost=90),
    Wanted("muddle", "round_limit", 2, greedy=False, untold=0.2, round_limit=25),
    Wanted("simple", "completed", 2, simplified=True),
    Wanted("simple-muddle", "bag_out", 1, greedy=False, simplified=True, accidents=0.1, lost=60),
)


def _accident(position: Position, rng: random.Random) -> Action | None:
    could: list[Action] = [MonumentFell(at=park.at) for park in position.parks if park.monument]
    for building in position.buildings:
        if building.standing:
            could.append(BuildingFell(at=building.at))
            could += [PiecesLost(at=building.at)] if building.pieces.total > 1 else []
    return rng.choice(could) if could else None


def _played(wanted: Wanted, players: int, seed: int) -> MegaCity:
    rng = random.Random(f"{wanted.name} {players} {seed}")
    rulings = Rulings(round_limit=wanted.round_limit)
    options = Options(players=players, simplified=wanted.simplified, rulings=rulings)
    bot = Greedy() if wanted.greedy else RandomBot(rng)
    dealer = Dealer(rng, unknown=wanted.untold)
    game = _begun(options, dealer, wanted.lost)
    while game.outcome() is None:
        decision = bot.choose(game, list(game.legal_actions))
        if rng.random() < wanted.accidents:
            decision = _accident(game.position, rng) or decision
        game.push(dealer.outcome(game, decision))
        if game.position.turn > TURNS_MAX:
            raise Unending(f"{wanted.name}, seed {seed}: {TURNS_MAX} turns")
    return game


def _begun(options: Options, dealer: Dealer, lost: int) -> MegaCity:
    game = MegaCity(options)
    game.push(dealer.outcome(game, SetUp()))
    if not lost:
        return game
    dealt = game.position
    return MegaCity.from_position(msgspec.structs.replace(dealt, bag=dealt.bag - lost, box=lost))


def _games(wanted: Wanted, players: int) -> Iterator[MegaCity]:
    """The first games that end as wanted, by seed."""
    found = 0
    for seed in range(SEEDS_MAX):
        try:
            game = _played(wanted, players, seed)
        except Unending:
            continue
        result = game.outcome()
        if result is not None and result.termination == wanted.ends:
            yield game
            found += 1
            if found == wanted.count:
                return
    raise SystemExit(f"{wanted.name} for {players} players: {found} of {wanted.count} in {SEEDS_MAX} seeds")


def _lines(game: MegaCity) -> Iterator[str]:
    """The file: where it began, one action a line, how it ended."""
    yield json.dumps({"game": "megacity", "position": position_to_text(game.start)}, ensure_ascii=False)
    yield from (json.dumps({"action": str(action)}, ensure_ascii=False) for action in game.actions)
    yield json.dumps(
        {
            "position": position_to_text(game.position),
            "outcome": msgspec.to_builtins(game.outcome(), str_keys=True),
            "scores": {
                seat: [[line.points, line.reason, line.action_no] for line in score.lines]
                for seat, score in game.scores().items()
            },
        }
    )


def main() -> None:
    """Write all files, and say what each holds."""
    for old in FOLDER.glob("*.jsonl"):
        old.unlink()
    for players in (2, 3, 4):
        for wanted in WANTED:
            for number, game in enumerate(_games(wanted, players), start=1):
                path = FOLDER / f"{players}p-{wanted.name}-{number}.jsonl"
                path.write_text("\n".join(_lines(game)) + "\n", encoding="utf-8")
                print(f"{path.name}: {len(game.actions)} actions, {wanted.ends}")


if __name__ == "__main__":
    main()
