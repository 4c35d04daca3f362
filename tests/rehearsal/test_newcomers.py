"""People who never saw the rules play at the virtual table: they do what their screen says, word by word, and no more.

The hands are those of all people here; which act comes next is read from the sentences of the guided game. A sentence
that is not in a list below, or that hands cannot do, ends the test.
"""

import re
from typing import ClassVar

import pytest
from msgspec.structs import replace

from citytable import app
from citytable.games import box_of
from citytable.games.comeback.deck import HOUSE as BUILDINGS
from citytable.games.comeback.printed import named
from citytable.games.dilluvia.printed import PRINTED
from citytable.games.dilluvia.values import HOUSE as VALUES
from citytable.games.megacity.actions import Deliver, EndTurn, ReturnPieces
from citytable.games.megacity.pieces import HOUSE as DECK
from citytable.games.megacity.where import hex_words
from citytable.rehearsal.comeback.company import ComebackCompany
from citytable.rehearsal.dilluvia.company import DilluviaCompany
from citytable.rehearsal.megacity.company import MegaCityCompany
from citytable.rehearsal.people import people_of
from citytable.settings import Settings
from citytable.table.hexes import within
from citytable.table.word import Guide
from citytable.views.viewer import Viewer, seen_by

pytestmark = [pytest.mark.broker, pytest.mark.asyncio, pytest.mark.long(32)]

LOOKS = 8
READ_MS = 500
BUILD = r"Build the (?P<type>\w+) contract of (?P<height_mm>\d+) mm on platform (?P<platform>\d+), "
SLIDE = r" .* Then slide the platform to (?P<at>the [^.]+)\. When it is there, turn the contract over\."
MEGACITY = {
    r"Take the top card of the (?P<type>\w+) column and put it in one of your card slots\.": "take_contract",
    r"Take platform (?P<platform>\d+) and put it on one of your pads with its \w+ side up\. "
    r"Then turn up the next platform of the stack in its place\.": "take_platform",
    r"Draw 3 pieces from the bag and keep them in front of you\.": "take_pieces",
    r"Say “(?P<announced>\w+)”, look into the bag and take one piece of it\.": "take_pieces",
    r"Put the bag on seat \d's cradle\. Your turn is over.*": "end_turn",
    r"Turn your platform (?P<platform>\d+) over, so that its \w+ side faces up\.": "rezone",
    r"Put the platforms of the supply under the stack and turn up three new ones\.": "refresh",
    rf"{BUILD}unless you have already built it\.{SLIDE}": "deliver",
    rf"{BUILD}if you have the pieces for it\.{SLIDE} If you do not have the pieces, draw 3 from the bag instead\.": (
        "deliver take_pieces"
    ),
    r"Count your pieces and put those above 15 back into the bag\.": "return_pieces",
    r"Put your park on (?P<at>the [^.]+)\.": "place_park",
    r"Put one of your pieces on the park on (?P<park>the [^.]+)\.": "place_monument",
    r"Put one of your pieces on Central Park\. .*": "place_central_park_monument",
}
COMEBACK = {
    r"Lay (?P<card>.+) on top of column (?P<column>\d)\.": "lay",
    r"Flip the next card of the deck\.": "flip",
    r"Build (?P<card>.+) in column (?P<column>\d), row (?P<row>\d+)\.": "build",
    r"Set (?P<card>.+) aside and wait for a better one\.": "discard",
}
WORKERS = r"Put (?P<workers>\d|the special worker) ?(?:workers?)?(?P<special>, including the special one,)? on the "
DILLUVIA = {
    r"Put your zeppelin (?P<berth>left|right|above|below) (?:of )?the market's (?:row|column) (?P<n>\d)\.": "zeppelin",
    r"Pay \d Aeros? and take the tile of market space (?P<space>\d+) into one of your slots\.": "buy",
    r"Leave it at that\. .*": "done",
    rf"{WORKERS}(?P<space>income) space and take your Aeros\.": "place",
    rf"{WORKERS}space for (?P<space>\w+) cubes and take the cubes\.": "place",
    rf"{WORKERS}(?P<space>territory|construction) space\.": "place",
    rf"{WORKERS}space for the (?P<space>order) of play\.": "place",
    rf"{WORKERS}(?P<space>garden) space\.": "place",
    r"Put your cubes on (?P<shape>[a-z ,]+) of the city, starting at column (?P<x>\d+), row (?P<y>\d+), "
    r"and pay for it\.": "terrain",
    r"Put one of your cubes on column (?P<x>\d+), row (?P<y>\d+) of the city\. It is free\.": "terrain",
    r"Take your cube off column (?P<x>\d+), row (?P<y>\d+) and lay a garden there\.": "garden",
    r"Buy the propeller in column (?P<x>\d+), row (?P<y>\d+) and put one of your cubes on it\.": "propeller",
    r"Give back a (?P<give>\w+) cube and take a (?P<get>\w+) one\.": "convert",
    r"Use the tile “(?P<kind>.+)” now\.": "use",
    r"Take (?P<count>\d) (?P<colour>\w+) cubes?\.": "take",
    r"Pay the cubes for building (?P<number>\d)(?P<version>[AB]?)(?: \(your tiles save [^)]*\))? "
    r"and lay it on your ground in column (?P<x>\d+), row (?P<y>\d+)\. "
    r"Put one of the cubes from the ground on its (?P<cube>\w+) square, and take the others back\.": "build",
}
CONSTRUIRE = r"Construisez le contrat (?P<type>\w+) de (?P<height_mm>\d+) mm sur la plateforme (?P<platform>\d+), "
GLISSER = (
    r" .* Faites ensuite glisser la plateforme jusqu'à (?P<at>l[^.]+)\. "
    r"Si le bâtiment tient debout, retournez le contrat\."
)
MEGACITY_FR = {
    r"Prenez la première carte de la colonne du type (?P<type>\w+) "
    r"et posez-la sur un de vos emplacements de carte\.": "take_contract",
    r"Prenez la plateforme (?P<platform>\d+) et posez-la sur un de vos socles, face du type .+ visible\. "
    r"Retournez ensuite à sa place la plateforme suivante de la pile\.": "take_platform",
    r"Piochez 3 éléments dans le sac et gardez-les devant vous\.": "take_pieces",
    r"Dites «\s(?P<announced>\w+)\s», regardez dans le sac et prenez-en un élément\.": "take_pieces",
    r"Posez le sac sur le support de la place \d\. Votre tour est terminé.*": "end_turn",
    r"Retournez votre plateforme (?P<platform>\d+)\s: sa face du type .+ doit être visible\.": "rezone",
    r"Mettez les plateformes de la réserve sous la pile et retournez-en trois nouvelles\.": "refresh",
    rf"{CONSTRUIRE}si ce n'est pas déjà fait\.{GLISSER}": "deliver",
    rf"{CONSTRUIRE}si vous avez les éléments qu'il faut\.{GLISSER} "
    r"S'il vous manque des éléments, piochez-en plutôt 3 dans le sac\.": "deliver take_pieces",
    r"Comptez vos éléments et remettez dans le sac ceux qui dépassent 15\.": "return_pieces",
    r"Posez votre parc sur (?P<at>l[^.]+)\.": "place_park",
    r"Posez un de vos éléments sur le parc posé sur (?P<park>l[^.]+)\.": "place_monument",
    r"Posez un de vos éléments sur le Parc Central\. .*": "place_central_park_monument",
}
COMEBACK_FR = {
    r"Posez (?P<card>.+) au sommet de la colonne (?P<column>\d)\.": "lay",
    r"Retournez la carte suivante de la pioche\.": "flip",
    r"Construisez (?P<card>.+) dans la colonne (?P<column>\d), rangée (?P<row>\d+)\.": "build",
    r"Défaussez (?P<card>.+) et attendez-en une meilleure\.": "discard",
}
OUVRIERS = (
    r"Placez (?P<workers>\d|l'ouvrier spécial)(?: ouvriers?)?(?P<special>, dont l'ouvrier spécial,)? sur la case d"
)
DILLUVIA_FR = {
    r"Placez votre zeppelin (?P<berth>à gauche de|à droite de|au-dessus de|sous) la (?:rangée|colonne) (?P<n>\d) "
    r"du marché\.": "zeppelin",
    r"Payez \d Aeros? et prenez la tuile de la case (?P<space>\d+) du marché dans un de vos emplacements\.": "buy",
    r"Arrêtez-vous là\. .*": "done",
    rf"{OUVRIERS}u (?P<space>revenu) et prenez vos Aeros\.": "place",
    rf"{OUVRIERS}es cubes de couleur (?P<space>\w+) et prenez les cubes\.": "place",
    rf"{OUVRIERS}(?:u|e) (?P<space>terrain|construction)\.": "place",
    rf"{OUVRIERS}e l'(?P<space>ordre) du tour\.": "place",
    rf"{OUVRIERS}es (?P<space>jardins)\.": "place",
    r"Posez vos cubes sur (?P<shape>.+) de la ville à partir de la colonne (?P<x>\d+), rangée (?P<y>\d+), et payez\.": (
        "terrain"
    ),
    r"Posez un de vos cubes sur la colonne (?P<x>\d+), rangée (?P<y>\d+) de la ville\. "
    r"Celui-ci est gratuit\.": "terrain",
    r"Retirez votre cube de la colonne (?P<x>\d+), rangée (?P<y>\d+) et posez-y un jardin\.": "garden",
    r"Achetez l'hélice de la colonne (?P<x>\d+), rangée (?P<y>\d+) et posez-y un de vos cubes\.": "propeller",
    r"Rendez un cube de couleur (?P<give>\w+) et prenez-en un de couleur (?P<get>\w+)\.": "convert",
    r"Utilisez maintenant la tuile «\s(?P<kind>.+)\s»\.": "use",
    r"Prenez (?P<count>\d) cubes? de couleur (?P<colour>\w+)\.": "take",
    r"Payez les cubes du bâtiment (?P<number>\d)(?P<version>[AB]?)(?: \(vos tuiles économisent\s: [^)]*\))? "
    r"et posez-le sur votre terrain, colonne (?P<x>\d+), rangée (?P<y>\d+)\. "
    r"Mettez un cube du terrain sur sa (?P<cube>\w+) case et reprenez les autres\.": "build",
}
ENGLISH = {  # of the words in a French sentence
    "acier": "steel",
    "béton": "concrete",
    "verre": "glass",
    "à gauche de": "left",
    "à droite de": "right",
    "au-dessus de": "above",
    "sous": "below",
    "blanche": "white",
    "noire": "black",
    "brune": "brown",
    "violette": "purple",
    "revenu": "income",
    "terrain": "territory",
    "ordre": "order",
    "jardins": "garden",
    "une case": "a single space",
    "deux cases côte à côte": "two spaces side by side",
    "deux cases l'une sous l'autre": "two spaces, one below the other,",
    "un carré de quatre cases": "a square of four spaces",
    "première": "first",
    "deuxième": "second",
    "l'ouvrier spécial": "the special worker",
    "industriel": "industrial",
    "résidentiel": "residential",
}
PLACES = {name: str(cell) for cell in within(3) for name in hex_words(cell).values()}
CARDS = {name: card.id for card in BUILDINGS.cards.values() for name in named(card).values()}
KINDS = {
    name: key.partition(".")[2]
    for key, texts in PRINTED.texts.items()
    if key.startswith("kind.")
    for name in texts.values()
}
NAMES = ENGLISH | PLACES | CARDS | KINDS
BERTHS = {"left": "left", "right": "right", "above": "top", "below": "bottom"}
SHAPES = {
    "a single space": "single",
    "two spaces side by side": "row",
    "two spaces, one below the other,": "column",
    "a square of four spaces": "square",
}


def is_said_of(decision, kind, words):
    """Whether a decision is of this kind and is what the words of a sentence say of it."""
    if decision.__struct_config__.tag != kind:
        return False
    return all(str(word) == str(_of(decision, name)) for name, word in _plain(kind, words).items())


def _of(decision, name):
    match name:
        case "type" | "height_mm":  # of the contract: a decision has no height yet
            return getattr(DECK.contracts[decision.contract], name)
        case "kind":
            return VALUES.tile(decision.tile).kind
    return getattr(decision if hasattr(decision, name) else decision.at, name)


def _plain(kind, words):
    """The words of a sentence in the terms of the box."""
    match kind:
        case "take_pieces":
            return {"announced": words.get("announced")}
        case "zeppelin":
            return {"at": BERTHS[words["berth"]] + words["n"]}
        case "place":
            alone = words["workers"] == "the special worker"
            workers = {"workers": "1" if alone else words["workers"], "special": alone or bool(words["special"])}
            return {"space": words["space"], **workers}
        case "build" if "version" in words:
            return {**words, "version": words["version"].lower() or "a"}
        case "terrain" if "shape" in words:
            return {**words, "shape": SHAPES[words["shape"]], "free": False}
        case "terrain":
            return {**words, "free": True}
    return words


class Reading:
    """People who know no rule. `sentences` are all they understand, in each language."""

    sentences: ClassVar = {}
    language = "en"

    async def _begin(self):
        self.taught = {}
        await self._door.say(Guide(on=True, by="host"))

    def _read(self, seat):
        """Return what the phone of a seat says to do, in the terms of the game's box."""
        lesson = seen_by(Viewer(seat=seat), self._door.session.view()).lesson
        met = self.taught.setdefault(seat, set())
        assert (lesson.seat, lesson.new) == (seat, lesson.topic not in met), lesson
        met.add(lesson.topic)
        decision = self._understood(lesson.do[self.language])
        assert bool(lesson.report) == self._takes_a_tap(decision), lesson
        return decision

    def _takes_a_tap(self, decision):
        """Whether people say it because no sensor sees it."""
        return self._is_said(decision)

    def _understood(self, said):
        readings = [
            (kinds, found) for one, kinds in self.sentences[self.language].items() if (found := re.fullmatch(one, said))
        ]
        assert readings, said
        kinds, found = readings[0]
        words = {name: NAMES.get(word, word) for name, word in found.groupdict().items()}
        legal = list(self._exact.legal_actions)
        meant = [one for kind in kinds.split() for one in legal if is_said_of(one, kind, words)]
        assert meant, (said, self._exact.position)
        return meant[0]


class MegaCityNewcomers(Reading, MegaCityCompany):
    """They stop after the turn of the first delivery."""

    sentences: ClassVar = {"en": MEGACITY, "fr": MEGACITY_FR}

    async def _play(self):
        await self._set_up()
        await self._begin()
        while not any(isinstance(one, Deliver) for one in self._exact.actions):
            await self._turn()

    async def _turn(self):
        seat, decision = self._exact.position.player, None
        while not isinstance(decision, EndTurn):
            for _ in range(LOOKS):
                await self._twin.wait(READ_MS)
                await self._attend()
            decision = self._read(seat)
            if isinstance(decision, Deliver):
                await self._deliver(decision)
            elif isinstance(decision, EndTurn):
                await self._pass_bag(seat)
            else:
                if isinstance(decision, ReturnPieces):
                    await self._make_room(seat)
                await self._do(self._detailed(decision))

    def _takes_a_tap(self, decision):
        return self._is_said(replace(decision, stood=True) if isinstance(decision, Deliver) else decision)

    def _second_hand(self, first):
        return []  # one thing after the other


class OneByOne(Reading):
    """People of a game in which one thing comes after the other. They stop after the first building."""

    async def _play(self):
        while not any(one.__struct_config__.tag == "build" for one in self._exact.actions):
            if self._seat() and not hasattr(self, "taught"):
                await self._begin()
            seat = self._seat()
            await self._do(self._choose(seat))
            for _ in range(LOOKS):
                await self._twin.wait(READ_MS)
                await self._attend()
        await self._until_shown()


class Bot:
    """Chooses what its company reads."""

    def __init__(self, company):
        self._company = company

    def choose(self, game, decisions):
        return self._company._read(self._company._seat())


class ComebackNewcomer(OneByOne, ComebackCompany):
    sentences: ClassVar = {"en": COMEBACK, "fr": COMEBACK_FR}


class DilluviaNewcomers(OneByOne, DilluviaCompany):
    sentences: ClassVar = {"en": DILLUVIA, "fr": DILLUVIA_FR}


NEWCOMERS = {"megacity": MegaCityNewcomers, "comeback": ComebackNewcomer, "dilluvia": DilluviaNewcomers}


async def first_building(game, players, seed, language):
    """Let newcomers play to the first building; return them and what the hub made of it."""
    box, made = box_of(game), []

    def company(*given):
        made.append(NEWCOMERS[game](*given))
        made[0].language = language
        made[0]._bots = (Bot(made[0]),) * players
        return made[0]

    settings = Settings(box=box, options=box.options(players), seed=seed)
    verdict = await app.rehearse(settings, people=replace(people_of(game), company=company))
    return made[0], verdict


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("game", "players", "seed", "acts"),
    [
        ("megacity", 2, 2, 40),
        ("comeback", 1, 1, 40),
        ("dilluvia", 2, 1, 50),
        pytest.param("megacity", 3, 1, 50, marks=pytest.mark.soak),
        pytest.param("megacity", 4, 3, 60, marks=pytest.mark.soak),
    ],
)
async def test_newcomers_come_to_their_first_building_by_what_their_screens_say(game, players, seed, acts, language):
    newcomers, verdict = await first_building(game, players, seed, language)
    assert verdict.passed, verdict
    assert len(newcomers.intentions) <= acts
