"""The owner's copy of Comeback City: cards that come up and are entered one by one, and the costs of repairs.

A thing that nobody has entered has the house's values until then, and its name in the house deck. Meteors need no
entering before they come up: people name them by their effects.
"""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from citytable.games.comeback.deck import (
    ZONES,
    BonusCard,
    Card,
    CardEntry,
    Conditional,
    Deck,
    Fall,
    Helper,
    MeteorCard,
)
from citytable.games.comeback.position import Position
from citytable.games.comeback.printed import PRINTED, named
from citytable.languages import LANGUAGES
from citytable.languages.sentences import Sentences
from citytable.table.entering import Enterable
from citytable.table.question import Field, FieldValue
from citytable.table.values_form import ComingUp, Told, ValuesForm, values_form

_WORDS = Sentences(__package__, "entering.json")
_PARTS = ("plant", "line", "road")
_CONDITIONS = ("buildings", "adjacent", "stories", "columns", "other_task")
_WITH_ZONE = ("one_adjacent", "each_adjacent")
_OTHER_FALL = "other_fall"  # of a meteor, where other cards state points
_EFFECTS = ("none", "one_adjacent", "each_adjacent", "restaurant", "tallest", "reduction", "other")
_UNREAD: Mapping[str, FieldValue] = {
    "is_restaurant": False,
    "effect": _EFFECTS[0],
    "effect_points": 0,
    "effect_zone": ZONES[0],
    "effect_most": 1,
}
"""What a form proposes for a card that nobody has entered: most cards have no effect."""
_UNITS_MAX, _STORIES_MAX, _POINTS_MAX, _SEAT = 20, 99, 30, 1


def enterable(deck: Deck) -> tuple[str, ...]:
    """Return everything that has values of its own in a copy."""
    return (
        *(f"building/{name}" for name in deck.cards),
        *(f"bonus/{name}" for name in deck.bonuses),
        *(f"meteor/{name}" for name in deck.meteors),
        *(f"repair/{part}" for part in _PARTS),
    )


def unread_copy(deck: Deck, name: str) -> Deck:
    """Return a copy of this name, without any values."""
    buildings = tuple(replace(one, name=one.id) for one in deck.file.buildings)
    return Deck(replace(deck.file, name=name, origin="owner", buildings=buildings, unread=enterable(deck)))


def coming_up(position: Position, deck: Deck) -> tuple[ComingUp, ...]:
    """Return the things without values that are on the table, or broken."""
    return tuple(ComingUp(thing, _SEAT) for thing in _lying(position) if thing in deck.unread)


def _lying(position: Position) -> Iterator[str]:
    yield from (f"bonus/{bonus.card}" for bonus in position.bonuses)
    cards = (position.current, *position.hand, *(one.card for one in position.city), *position.passed)
    yield from (f"building/{card}" for card in (*cards, *position.discarded) if card)
    broken = {"plant": not position.plant_works, "line": position.broken_lines, "road": position.broken_roads}
    yield from (f"repair/{part}" for part in _PARTS if broken[part])


def form(deck: Deck, thing: str) -> ValuesForm:
    """Return the form of a thing, filled in with its values; raises `ValueError` for an unknown thing."""
    kind, name = _found(deck, thing)
    known = thing not in deck.unread
    fields = tuple(_FIELDS[kind](deck, name))
    if not known:
        proposed = {**_UNREAD, "effect_resource": deck.resources[0]}
        fields = tuple(replace(one, proposed=proposed.get(one.name)) for one in fields)
    title = _said(f"thing.{name}") if kind == "repair" else name
    return values_form(_said(f"thing.{kind}", name=title), fields, _Words(deck))


class _Words:
    """The sentences of forms; a number stands for a resource of the deck."""

    def __init__(self, deck: Deck) -> None:
        self._resources = deck.resources

    def __call__(self, key: str, n: str = "") -> Told:
        if key.removeprefix("choice.") in self._resources:
            return _resource(key.removeprefix("choice."))
        return _said(key, n=_resource(self._resources[int(n) - 1]) if n else "")


def _said(key: str, **words: object) -> Told:
    """Return a sentence: of this form, or as it stands on our own cards."""
    if key in _WORDS:
        return _WORDS.text(key, **words)
    choice = key.removeprefix("choice.")
    group = next(one for one in ("zone", "helper", "fall") if f"{one}.{choice}" in PRINTED)
    return PRINTED.texts[f"{group}.{choice}"]


def _resource(name: str) -> Told:
    return PRINTED.texts.get(name) or dict.fromkeys(LANGUAGES, name)


def _units(name: str, units: Mapping[str, int], deck: Deck) -> Iterator[Field]:
    for k, resource in enumerate(deck.resources, start=1):
        yield Field(f"{name}_{k}", "count", proposed=units.get(resource, 0), high=_UNITS_MAX)


def _building_fields(deck: Deck, name: str) -> Iterator[Field]:
    card = next(one for one in deck.file.buildings if one.id == name)
    rule = card.conditional
    yield Field("zone", "choice", proposed=card.zone, choices=ZONES)
    yield from _units("cost", card.cost, deck)
    yield from _units("opportunity", card.opportunity, deck)
    yield Field("stories", "count", proposed=card.stories, high=_STORIES_MAX)
    yield Field("points", "count", proposed=card.points, high=_POINTS_MAX)
    yield Field("is_restaurant", "yesno", proposed=card.restaurant)
    yield Field("effect", "choice", proposed=_effect_of(rule), choices=_EFFECTS)
    points, most = (rule.points, rule.most) if rule else (0, 1)
    zone = rule.zone if rule and rule.zone else ZONES[0]
    resource = rule.resource if rule and rule.resource else deck.resources[0]
    with_points = tuple(one for one in _EFFECTS if one not in {"none", "reduction"})
    yield Field("effect_points", "count", proposed=points, high=_POINTS_MAX, only_if=("effect", *with_points))
    yield Field("effect_zone", "choice", proposed=zone, choices=ZONES, only_if=("effect", *_WITH_ZONE))
    yield Field("effect_most", "count", proposed=most, low=1, high=_UNITS_MAX, only_if=("effect", _WITH_ZONE[1]))
    yield Field("effect_resource", "choice", proposed=resource, choices=deck.resources, only_if=("effect", "reduction"))


def _effect_of(rule: Conditional | None) -> str:
    if rule is None:
        return _EFFECTS[0]
    return "one_adjacent" if rule.kind == "adjacent" else rule.kind


def _bonus_fields(deck: Deck, name: str) -> Iterator[Field]:
    bonus = deck.bonuses[name]
    yield Field("zone", "choice", proposed=bonus.zone, choices=ZONES)
    task = "other_task" if bonus.condition == "other" else bonus.condition
    yield Field("condition", "choice", proposed=task, choices=_CONDITIONS)
    yield Field("number", "count", proposed=bonus.number, low=1, high=_STORIES_MAX)
    yield Field("helper", "choice", proposed=bonus.helper, choices=get_args(Helper))


def _meteor_fields(deck: Deck, name: str) -> Iterator[Field]:
    faces = {fall: _OTHER_FALL if fall == "other" else fall for fall in get_args(Fall)}
    yield Field("falls", "choice", proposed=faces[deck.meteors[name].effect], choices=tuple(faces.values()))


def _repair_fields(deck: Deck, name: str) -> Iterator[Field]:
    yield from _units("cost", getattr(deck.file.infrastructure, name), deck)


_FIELDS = {
    "building": _building_fields,
    "bonus": _bonus_fields,
    "meteor": _meteor_fields,
    "repair": _repair_fields,
}


def with_values(deck: Deck, thing: str, values: Mapping[str, FieldValue]) -> Deck:
    """Return the deck with the printed values of a thing; raises `ValueError` for impossible values."""
    kind, name = _found(deck, thing)
    file = replace(deck.file, unread=tuple(one for one in deck.file.unread if one != thing))
    match kind:
        case "building":
            cards = (_card(one, values, deck) if one.id == name else one for one in file.buildings)
            return Deck(replace(file, buildings=tuple(cards)))
        case "bonus":
            task = "other" if values["condition"] == "other_task" else values["condition"]
            told = {key: values[key] for key in ("zone", "number", "helper")}
            read = _read({"id": name, "condition": task, **told}, BonusCard)
            return Deck(replace(file, bonuses=tuple(read if one.id == name else one for one in file.bonuses)))
        case "meteor":
            effect = "other" if values["falls"] == _OTHER_FALL else values["falls"]
            fallen = _read({"id": name, "effect": effect}, MeteorCard)
            return Deck(replace(file, meteors=tuple(fallen if one.id == name else one for one in file.meteors)))
    costs = {name: _amount("cost", values, deck)}
    return Deck(replace(file, infrastructure=replace(file.infrastructure, **costs)))


def _card(card: CardEntry, values: Mapping[str, FieldValue], deck: Deck) -> CardEntry:
    return replace(
        card,
        zone=values["zone"],
        cost=_amount("cost", values, deck),
        opportunity=_amount("opportunity", values, deck),
        stories=int(values["stories"]),
        points=int(values["points"]),
        restaurant=bool(values["is_restaurant"]),
        conditional=_conditional(values),
    )


def _amount(name: str, values: Mapping[str, FieldValue], deck: Deck) -> dict[str, int]:
    units = {resource: int(values[f"{name}_{k}"]) for k, resource in enumerate(deck.resources, start=1)}
    return {resource: count for resource, count in units.items() if count}


def _conditional(values: Mapping[str, FieldValue]) -> Conditional | None:
    """Return the effect, without what its kind has no use for."""
    kind = str(values["effect"]).removeprefix("one_")
    if kind == "none":
        return None
    read: dict[str, Any] = {"kind": kind}
    if kind == "reduction":
        read["resource"] = values["effect_resource"]
    else:
        read["points"] = values["effect_points"]
    if kind in {"adjacent", "each_adjacent"}:
        read["zone"] = values["effect_zone"]
    if kind == "each_adjacent":
        read["most"] = values["effect_most"]
    effect: Conditional = _read(read, Conditional)
    return effect


def _read(values: Mapping[str, FieldValue], kind: Any) -> Any:
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def label(deck: Deck, thing: str) -> Told | None:
    """Return a label that distinguishes this thing from others of its kind; None if its name is enough."""
    kind, _, name = thing.partition("/") if "/" in thing else ("", "", thing)
    if card := deck.cards.get(name):
        if f"building/{name}" in deck.unread:
            return _WORDS.text("unread", name=name)
        cost = "/".join(map(str, card.cost))
        return _WORDS.text(
            "building_label",
            name=_called(card),
            zone=_said(f"choice.{card.zone}"),
            cost=cost,
            stories=card.stories,
            points=card.points,
        )
    if bonus := deck.bonuses.get(name):
        if f"bonus/{name}" in deck.unread:
            return _WORDS.text("unread", name=name)
        condition = _WORDS.text(f"short.{bonus.condition}", number=bonus.number)
        return _WORDS.text("bonus_label", name=name, zone=_said(f"choice.{bonus.zone}"), condition=condition)
    if kind in {"", "meteor"} and name in deck.meteors:
        fall = deck.meteors[name].effect
        falls = _WORDS.text("short.other") if fall == "other" else _said(f"choice.{fall}")
        return _WORDS.text("meteor_label", name=name, falls=falls)
    if kind == "repair":
        title = _WORDS.text("repair_label", name=_said(f"thing.{name}"))
        return _WORDS.text("unread", name=title) if thing in deck.unread else title
    return None


def _called(card: Card) -> Told:
    """Return a card's id and the name that is printed beside it, where it has one."""
    return {lang: card.id if text == card.id else f"{card.id} {text}" for lang, text in named(card).items()}


def _found(deck: Deck, thing: str) -> tuple[str, str]:
    """Return the kind and the name of a thing; raises `ValueError`."""
    if thing not in enterable(deck):
        raise ValueError(f"Comeback City has no {thing!r} with values of its own")
    kind, _, name = thing.partition("/")
    return kind, name


ENTERABLE = Enterable(enterable, unread_copy, coming_up, form, with_values, label)
