"""Which other games a table can begin, and how it starts again with one: the host chooses it at their page.

The game on the table ends in the journal first. The hub's process, its port and its journal stay.
"""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from citytable.box_choice import BoxChoice
from citytable.box_file import boxes_folder, boxes_in, load_box
from citytable.chosen_game import AnyBox
from citytable.games import NAMES, box_of
from citytable.rules.errors import Unfitting
from citytable.session.agreeing import agreed, rulings_of, rulings_to_choose
from citytable.session.box import Suspends, title_of
from citytable.session.shelf import SENTENCES
from citytable.settings import Settings, Sitting
from citytable.table.word import NextGame, tidied
from citytable.views.next_game import OtherGame


def seats_for(settings: Settings, box: AnyBox) -> range:
    """Return the numbers of players for which this table can play a game; empty if it lacks seats or spots.

    A virtual table is built again for each game, and with phones alone every game has its spots.
    """
    if settings.plan_path is None:
        return box.players
    plan = settings.plan()
    if box.name != settings.box.name and not set(plan.spot_plans()).issuperset(box.shared_spots().spots):
        return range(0)
    return range(box.players.start, min(box.players.stop, plan.seats + 1))


class TableGames:
    """Of a running hub. `home` are the settings of the command line, `here` those with the game on the table."""

    def __init__(self, home: Settings, here: Settings, choice: BoxChoice) -> None:
        self._home = home
        self._here = here
        self._choice = choice

    def choices(self) -> tuple[OtherGame, ...]:
        """Return every game except the one on the table, each with the house's values and with its owner's copies."""
        return tuple(_offered(found, seats) for found, seats in self._offers())

    def leaves(self, wish: NextGame, people: str) -> Callable[[], None]:
        """Return the settings for a restart with a game; raises `Unfitting` if it cannot be played."""
        offers = {(found.box.name, _copy(found)): (found, seats) for found, seats in self._offers()}
        if (wish.game, wish.box) not in offers:
            raise Unfitting(SENTENCES.text("no_game", game=wish.game, box=wish.box))
        found, seats = offers[wish.game, wish.box]
        if wish.players not in seats:
            raise Unfitting(SENTENCES.text("seats", players=wish.players, least=seats[0], most=seats[-1]))
        usual = found.box.options(wish.players, simplified=wish.simplified)
        options = agreed(found.box, usual, wish.rulings)
        chosen = rulings_of(found.box, options) != rulings_of(found.box, usual)
        sitting = Sitting(people, tidied(wish.names[: wish.players]), by=wish.by, agreed=chosen)
        self._choice.note(wish.box)
        return partial(self._choice.decide, replace(found, options=options, sitting=sitting))

    def _offers(self) -> Iterator[tuple[Settings, range]]:
        """Yield the settings with each game and copy that is not on the table, and for how many it is."""
        for found in self._copies():
            same = (found.box.name, found.box_path) == (self._here.box.name, self._here.box_path)
            if not same and (seats := seats_for(self._here, found.box)):
                yield found, seats

    def _copies(self) -> Iterator[Settings]:
        home = self._home
        for name in dict.fromkeys((home.box.name, *NAMES)):
            yield self._as_at_home() if name == home.box.name else self._with(box_of(name))
            if not self._here.twin:
                folder = boxes_folder() if home.box_path is None else home.box_path.parent
                for path, file in boxes_in(folder):
                    if file.game == name and path != home.box_path:
                        yield self._with(file.box(), path)

    def _as_at_home(self) -> Settings:
        """Return the settings with the cards of the command line, and all that people have entered of them since."""
        path = self._home.box_path
        return self._with(self._home.box if path is None else load_box(path).box(), path)

    def _with(self, box: AnyBox, path: Path | None = None) -> Settings:
        home = self._home
        return replace(
            home,
            box=box,
            box_path=path,
            seed=self._here.seed + 1,
            hold=home.hold and isinstance(box, Suspends),
            go_on=True,
        )


def _copy(settings: Settings) -> str:
    return "" if settings.box_path is None else settings.box.deck


def _offered(found: Settings, seats: range) -> OtherGame:
    box = found.box
    players = found.options.players if found.options.players in seats else seats[-1]
    options = box.options(players)
    simplified = box.is_simplified(box.begin(options).start) is not None
    return OtherGame(
        game=box.name,
        title=title_of(box),
        box=_copy(found),
        players=players,
        players_min=seats[0],
        players_max=seats[-1],
        simplified=simplified,
        rulings=rulings_to_choose(box, options),
    )
