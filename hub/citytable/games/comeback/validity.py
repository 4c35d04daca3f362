"""Positions that can be: no card lost or in two places, and parts that agree with each other."""

from collections import Counter
from collections.abc import Iterator

from citytable.games.comeback.constructing import HAND, ROW, SIZE
from citytable.games.comeback.deck import Deck
from citytable.games.comeback.disasters import STEPS_MAX
from citytable.games.comeback.helping import GUARDS
from citytable.games.comeback.places import COLUMNS, FIRST_ROW, GAPS
from citytable.games.comeback.position import Bonus, Options, Position
from citytable.languages import LANGUAGES
from citytable.languages.sentences import Sentences
from citytable.rules.errors import IllegalPosition

_SENTENCES = Sentences(__package__, "validity.json")
Text = dict[str, str]


def before_the_deal(options: Options, deck: Deck) -> Position:
    """Return the position before the set-up: all cards lie in the deck."""
    return Position(options=options, deck=tuple(sorted(deck.cards)))


def check_position(position: Position, deck: Deck) -> None:
    """Raise `IllegalPosition` with everything that is wrong, one line each."""
    if wrong := wrong_with(position, deck):
        lines = {language: "\n".join(text[language] for text in wrong) for language in LANGUAGES}
        raise IllegalPosition(lines["en"], lines)


def wrong_with(position: Position, deck: Deck) -> tuple[Text, ...]:
    """Return everything that cannot be, one line each; nothing if the position can be."""
    return (
        *_cards(position, deck),
        *_city(position),
        *_parts(position),
        *_phase(position),
        *_disaster(position),
        *_bonuses(position, deck),
    )


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
        on_rubble = building.occupied or building.guarded or building.under or building.counters
        if building.counters < 0 or (building.rubble and on_rubble):
            yield _SENTENCES.text("strange_building", at=building.at)
    if (guards := sum(building.guarded for building in position.city)) > GUARDS:
        yield _SENTENCES.text("guards", seen=guards, count=GUARDS)


def _parts(position: Position) -> Iterator[Text]:
    if position.options.players != 1:
        yield _SENTENCES.text("players", seen=position.options.players)
    for numbers in (position.broken_lines, position.broken_roads):
        if list(numbers) != sorted(set(numbers)) or any(number not in GAPS for number in numbers):
            yield _SENTENCES.text("parts", seen=", ".join(map(str, numbers)))
    if len(position.rolled) not in {0, 2} or any(not 1 <= die <= 6 for die in position.rolled):
        yield _SENTENCES.text("dice", seen=", ".join(map(str, position.rolled)))
    if len(position.saved) != 4 or min((*position.saved, position.action_points, position.hunger, position.due)) < 0:
        yield _SENTENCES.text("negative")


def _phase(position: Position) -> Iterator[Text]:
    """Yield what the phase does not have: cards in the hand, too many buildings, a disaster too early (CR1, CR10)."""
    phase, hand = position.phase, len(position.hand)
    empty = not position.city and not position.gone and not hand
    laid = {"laying": ROW + HAND - hand, "build": SIZE - 1, "disaster": SIZE}
    fits = (
        (phase == "setup") == empty,
        not hand or phase in {"laying", "end"},
        phase != "laying" or 0 < hand <= HAND,
        len(position.city) <= laid.get(phase, len(position.city)),
        phase != "rebuild" or bool(position.disaster),
        not position.disaster or phase in {"disaster", "rebuild", "end"},
    )
    if not all(fits):
        yield _SENTENCES.text("phase", phase=phase)


def _disaster(position: Position) -> Iterator[Text]:
    """Yield what the disaster that was drawn does not bring (CR13-CR18)."""
    kind = position.disaster
    rolling = kind in {"earthquake", "meteors"} and position.phase in {"disaster", "end"}
    strange = {
        "resolved": position.resolved and not kind,
        "rolled": position.rolled and not rolling,
        "centre": position.centre is not None and kind != "earthquake",
        "steps": position.steps and (position.centre is None or position.steps > STEPS_MAX),
        "meteors": position.meteors and kind != "meteors",
        "bird": position.bird is not None and kind != "giant_bird",
        "hunger": position.hunger and position.bird is None,
        "due": position.due > position.hunger,
    }
    for name, wrong in strange.items():
        if wrong:
            yield _SENTENCES.text("disaster", field=name)


def _bonuses(position: Position, deck: Deck) -> Iterator[Text]:
    zones = Counter(deck.bonus_zone(bonus.card) for bonus in position.bonuses if bonus.card in deck.bonuses)
    del zones[None]
    taken = Counter(deck.bonuses[bonus.card].helper for bonus in position.bonuses if _gave_helper(bonus, deck))
    for bonus in position.bonuses:
        printed = deck.bonuses.get(bonus.card)
        early = bonus.used and not bonus.completed
        if (
            printed is None
            or zones[deck.bonus_zone(bonus.card)] > 1
            or early
            or (bonus.used == "helper" and taken[printed.helper] > 1)
        ):
            yield _SENTENCES.text("bonus", bonus=bonus.card)
    if position.crew_used and not taken["maintenance_crew"]:
        yield _SENTENCES.text("no_crew")


def _gave_helper(bonus: Bonus, deck: Deck) -> bool:
    return bonus.used == "helper" and bonus.card in deck.bonuses
