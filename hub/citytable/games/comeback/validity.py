"""Positions that can be: no card lost or in two places, and parts that agree with each other."""

from collections import Counter
from collections.abc import Iterator

from citytable.games.comeback.deck import Deck
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, GAPS
from citytable.games.comeback.position import Options, Position
from citytable.games.comeback.refusals import LANGUAGES
from citytable.rules.errors import IllegalPosition
from citytable.rules.sentences import Sentences

_SENTENCES = Sentences(__package__, "validity.json")
Text = dict[str, str]


def before_the_deal(options: Options, deck: Deck) -> Position:
    """Return the position before the set-up: all cards lie in the deck."""
    return Position(options=options, deck=tuple(sorted(deck.cards)))


def check_position(position: Position, deck: Deck) -> None:
    """Raise `IllegalPosition` with everything that is wrong, one line each."""
    if wrong := [*_cards(position, deck), *_city(position), *_parts(position), *_bonuses(position, deck)]:
        lines = {language: "\n".join(text[language] for text in wrong) for language in LANGUAGES}
        raise IllegalPosition(lines["en"], lines)


def lying(position: Position) -> Iterator[str]:
    """Yield every building card once for each place where it lies."""
    zones = (position.deck, position.discard_pile, position.gone, position.hand, position.passed, position.discarded)
    for zone in zones:
        yield from zone
    if position.current:
        yield position.current
    for building in position.city:
        yield building.card
        if building.under:
            yield building.under


def _cards(position: Position, deck: Deck) -> Iterator[Text]:
    there = Counter(lying(position))
    for card, count in there.items():
        if card not in deck.cards:
            yield _SENTENCES.text("unknown_card", card=card)
        elif count > 1:
            yield _SENTENCES.text("card_twice", card=card)
    if missing := [card for card in deck.cards if card not in there]:
        yield _SENTENCES.text("card_missing", cards=", ".join(missing))
    for card in position.demolished:
        if card not in position.gone:
            yield _SENTENCES.text("not_gone", card=card)


def _city(position: Position) -> Iterator[Text]:
    places = [building.at for building in position.city]
    if places != sorted(set(places)):
        yield _SENTENCES.text("unsorted")
    for building in position.city:
        if building.at.column not in COLUMNS or building.at.row < FIRST_ROW:
            yield _SENTENCES.text("off_the_city", at=building.at)
        if building.at == position.bird:
            yield _SENTENCES.text("under_the_bird", at=building.at)
        if building.counters < 0 or (building.rubble and (building.occupied or building.guarded or building.under)):
            yield _SENTENCES.text("strange_building", at=building.at)


def _parts(position: Position) -> Iterator[Text]:
    if position.options.players != 1:
        yield _SENTENCES.text("players", seen=position.options.players)
    for numbers in (position.broken_lines, position.broken_roads):
        if list(numbers) != sorted(set(numbers)) or any(number not in GAPS for number in numbers):
            yield _SENTENCES.text("parts", seen=", ".join(map(str, numbers)))
    if (position.phase == "setup") != (not position.city and not position.gone and not position.hand):
        yield _SENTENCES.text("phase", phase=position.phase)
    if position.phase == "rebuild" and not position.disaster:
        yield _SENTENCES.text("phase", phase=position.phase)
    if len(position.rolled) not in {0, 2} or any(not 1 <= die <= 6 for die in position.rolled):
        yield _SENTENCES.text("dice", seen=", ".join(map(str, position.rolled)))
    if len(position.saved) != 4 or min((*position.saved, position.action_points, position.hunger, position.due)) < 0:
        yield _SENTENCES.text("negative")


def _bonuses(position: Position, deck: Deck) -> Iterator[Text]:
    names = [bonus.card for bonus in position.bonuses]
    for name in names:
        if name not in deck.bonuses or names.count(name) > 1:
            yield _SENTENCES.text("bonus", bonus=name)
    for bonus in position.bonuses:
        if bonus.used and not bonus.completed:
            yield _SENTENCES.text("bonus", bonus=bonus.card)
