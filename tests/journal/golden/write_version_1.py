"""Write the golden database of version 1 and what the program of that time knows of its games.

Run once, with the program that it is to remember, commit a335d66, checked out and set up somewhere:

    cd <checkout of a335d66> && .venv/bin/python <this file> <folder>

The virtual table plays and the session's doors hear what people say, as in that program's own system tests; nothing is
written by hand. The one exception: a byte of an entry is changed afterwards, so that the program salvages a game.
No test runs this file. What it wrote lies beside it: `version-1.sqlite3.xz` and `version-1.json`.
"""

import asyncio
import importlib.util
import json
import lzma
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from citytable.app import company, running_hub, virtual_table
from citytable.games.megacity.actions import TakeContract, TakePieces, TakePlatform
from citytable.games.megacity.game import MegaCity
from citytable.games.megacity.notation import position_to_text
from citytable.games.megacity.pieces import HOUSE, Deck, deck_from_text
from citytable.games.megacity.position import Options, Rulings
from citytable.games.megacity.table_side import MegaCityTable
from citytable.hub import replayed
from citytable.journal.entry import Amended, Inserted, ModeChosen, Ruled, Stayed, Struck, Undone, Vouched
from citytable.journal.replay import cleared_up, ending, standing
from citytable.journal.store import Store
from citytable.session.consent import LAPSES_US, Consent
from citytable.session.play import Play
from citytable.session.recall import recall
from citytable.settings import Settings
from citytable.table.hexes import Hex
from citytable.table.question import Answer, Statement
from citytable.views.clearing import ClearingWish
from citytable.views.next_game import NextGame
from citytable.views.paper import PaperWish
from citytable.views.undo import TakingBack, UndoWish, UndoWord

spec = importlib.util.spec_from_file_location("evenings", Path.cwd() / "tests" / "system" / "conftest.py")
assert spec is not None
assert spec.loader is not None
evenings = importlib.util.module_from_spec(spec)
sys.modules["evenings"] = evenings
spec.loader.exec_module(evenings)

OUT = Path(sys.argv[1])
JOURNAL = OUT / "journal.sqlite3"
DECK = OUT / "owners-deck.json"
BREATH_MS = 1500


def owners_deck() -> Deck:
    """The house deck under another name, its contracts worth other points and heights."""
    cards = [
        {**msgspec.to_builtins(card), "origin": "owner", "prestige": card.prestige + k % 2, "plus": card.plus}
        for k, card in enumerate(HOUSE.contracts.values())
    ]
    text = {
        "name": "evening deck",
        "origin": "owner",
        "contracts": cards,
        "platforms": [{"number": number, "types": list(sides)} for number, sides in HOUSE.platforms.items()],
        "pieces": msgspec.to_builtins(HOUSE.pieces),
    }
    DECK.write_text(json.dumps(text, indent=1))
    return deck_from_text(DECK.read_text(), str(DECK))


async def whole_game(settings: Settings) -> None:
    """Bots play it to its end."""
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        await company(settings, hub, twin, lambda _: None).play()
        print(hub.game_id, "played", len(hub.play.actions), hub.play.termination, flush=True)


async def damaged_game() -> None:
    """Three entries from the end a letter changes on the medium; the next start salvages what is sound."""
    settings = Settings(options=Options(players=2), seed=5, table="broken", journal_path=JOURNAL)
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        table = evenings.Evening(settings, hub, twin, MegaCity(settings.options, HOUSE))
        await table.deal()
        for _ in range(3):
            await table.do(TakePieces(player=table.game.position.player))
            await table.pass_bag()
        game_id = hub.game_id
    with closing(sqlite3.connect(JOURNAL)) as db:
        (trigger,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'entry_stays'").fetchone()
        db.execute("DROP TRIGGER entry_stays")
        where = "game_id = ? AND seq = (SELECT max(seq) FROM entry WHERE game_id = ? AND type = 'action')"
        db.execute(f"UPDATE entry SET body = replace(body, 'end_turn', 'end_turm') WHERE {where}", (game_id, game_id))
        db.execute(trigger)
        db.commit()
    with Store.open(JOURNAL) as store:
        print(*store.damage, sep="\n", flush=True)


async def spoken_evening() -> None:
    """Corrections, undos, modes, rulings, votes and clearing up at a full table for three; then the next game."""
    rulings = Rulings(must_slide_in=True, round_limit=30)
    settings = Settings(options=Options(players=3, rulings=rulings), seed=6, journal_path=JOURNAL)
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        table = evenings.Evening(settings, hub, twin, MegaCity(settings.options, HOUSE))
        await table.deal()
        dealt = str(table.game.actions[0])
        await delivery_by_silence(table)
        await ruled(table)
        await vouched(table)
        await undone(table)
        await corrected(table)
        await paper(table)
        await cleared(table)
        print(hub.game_id, "spoken", flush=True)
        names = ("Anna", "Zoé", "Li")
        wish = NextGame(after=hub.game_id, players=3, simplified=True, same_people=True, names=names, by="host")
        await hub.session.begin_next(wish)
        await twin.wait(BREATH_MS)
        await hub.session.state(Statement(t_us=hub.session.now_us(), action=dealt, by="table"))
        await twin.wait(BREATH_MS)
        print(hub.game_id, [str(one) for one in hub.play.actions], hub.session.questions(), flush=True)
        # given up while it is played: and the one that follows is given to other people
        wish = NextGame(after=hub.game_id, players=2, simplified=False, same_people=False, names=(), by="host")
        await hub.session.begin_next(wish)
        await twin.wait(BREATH_MS)
        print(hub.game_id, "begun", flush=True)


async def delivery_by_silence(table: Any) -> None:
    """Everything is answered but the votes of the others: a minute later they agree."""
    position = table.game.position
    faces = {face.up: face.platform for face in position.supply if face}
    cards = [HOUSE.contracts[column[0]] for column in position.columns]
    card = min((card for card in cards if card.type in faces), key=lambda card: (len(card.requirements), card.pieces))
    contract, platform = card.id, faces[card.type]
    seat, session = position.player, table.hub.session
    for wanted in (TakeContract(player=seat, contract=contract), TakePlatform(player=seat, platform=platform)):
        await in_turn(table, seat, wanted)
    for _ in range(-(-card.pieces // 3)):
        await in_turn(table, seat, TakePieces(player=seat))
    while table.game.position.player != seat:
        await table.pass_bag()
    at = Hex(0, 1)
    pieces, height_mm = await table.build(contract, platform)
    await table.twin.act({"act": "press_button", "seat": seat})
    await table.twin.act({"act": "measure", "seat": seat, "platform": platform})
    await table.twin.act({"act": "deliver", "seat": seat, "platform": platform, "at": list(at), "outcome": "stands"})
    await table.twin.act({"act": "finish_contract", "seat": seat, "contract": contract})
    await table.twin.wait(BREATH_MS)
    values = {**{m: getattr(pieces, m) for m in evenings.MATERIALS}, "height_mm": height_mm}
    while questions := session.questions():
        (question,) = questions
        told = {field.name: values[field.name] for field in question.fields if field.voters is None}
        if told:
            await session.answer(Answer(question=question.id, values=told, by=f"seat {question.seat or seat}"))
        else:
            await table.twin.wait(61_000)
    decision = evenings.Deliver(player=seat, contract=contract, platform=platform, at=at)
    table.game.push(replace(decision, stood=True, height_mm=height_mm, pieces=pieces, judged=True))
    await table.pass_bag()


async def in_turn(table: Any, seat: int, action: Any) -> None:
    """The seat does this in its next turn; who comes before it takes pieces."""
    while table.game.position.player != seat:
        await table.do(TakePieces(player=table.game.position.player))
        await table.pass_bag()
    await table.do(action)
    await table.pass_bag()


async def vouched(table: Any) -> None:
    """A tap on what is under way."""
    session, seat = table.hub.session, table.game.position.player
    card = table.game.position.columns[1][0]
    await table.do(TakeContract(player=seat, contract=card))
    under_way = tuple(one.action for one in table.hub.play.umpire.provisional)
    await session.vouch(Vouched(actions=under_way, by=f"seat {seat}"))
    await table.do(TakePieces(player=seat))
    await table.pass_bag()


async def undone(table: Any) -> None:
    """Wishes: one refused, one lapsed, one agreed to by both; the table stays as it is; and an undo of that."""
    session, twin = table.hub.session, table.twin
    seat = table.game.position.player
    before = (seat - 2) % 3 + 1
    last = (await session.entries())[-1].seq
    await session.undo(UndoWish(seat=before, to=last - 1, why="not yet"))
    if session.view().undo is not None:
        raise RuntimeError("nobody was to be asked about one's own end of turn")
    await session.correct(Undone(to=last, by="host", why="yes, they had passed"))
    await session.go_on(Stayed(by="host", why="the bag lies right"))
    first = (await session.entries())[2].seq
    await session.undo(UndoWish(seat=seat, to=first, why="from the beginning"))
    waiting = session.view().undo.waiting
    await session.undo(UndoWord(seat=waiting[0], agrees=True))
    await session.undo(UndoWord(seat=waiting[1], agrees=False))
    await session.undo(UndoWish(seat=seat, to=first, why="once more"))
    await twin.wait(LAPSES_US // 1000 + 1000)
    if session.view().undo is not None:
        raise RuntimeError("it should have lapsed")
    to = (await session.entries())[-2].seq
    await session.undo(UndoWish(seat=seat, to=to, why="that turn again"))
    for waits in session.view().undo.waiting:
        await session.undo(UndoWord(seat=waits, agrees=True))
    entries = (await table.hub.journal.entries(table.hub.game_id)).entries
    agreed = next(entry for entry in reversed(entries) if isinstance(entry.body, Undone))
    await session.correct(Undone(to=agreed.seq - 1, by="host", why="no, go on"))
    await session.go_on(Stayed(by="host"))


async def corrected(table: Any) -> None:
    """Amend, insert, strike, and an undo that keeps what was put right before what it takes back."""
    session = table.hub.session
    for _ in range(3):
        position = table.game.position
        if position.players[position.player - 1].pieces.total <= 12:
            await table.do(TakePieces(player=position.player))
        await table.pass_bag()
    drawn = [one for one in await session.entries() if " take_pieces" in one.body.action]
    seat = drawn[1].body.action.split()[0]
    wrong = Amended(entry=drawn[1].seq, action=f"{seat} take_pieces drawn=steel:2,glass:1", by="host", why="seen")
    await session.correct(wrong)
    extra = Inserted(before=drawn[1].seq, action=f"{seat} take_pieces drawn=steel:1", by="host", why="forgotten")
    if len([one for one in drawn if one.body.action.startswith(seat)]) > 1:
        try:
            await session.correct(extra)
        except ValueError as error:
            print("no insert:", error)
    inserted = next((one for one in await session.entries() if one.body.action == extra.action), None)
    if inserted is not None:
        await session.correct(Struck(entry=inserted.seq, by="host", why="it never was"))
    await session.correct(Amended(entry=drawn[0].seq, action=drawn[0].body.action, by="host", why="as it was"))
    last = (await session.entries())[-1]
    await session.correct(TakingBack(entry=last.seq, by="host", why="too early"))
    entries = (await table.hub.journal.entries(table.hub.game_id)).entries
    undo = next(entry for entry in reversed(entries) if isinstance(entry.body, Undone))
    print("kept", undo.body.kept, flush=True)
    await session.correct(Undone(to=undo.seq - 1, by="host", why="they had passed"))
    await session.go_on(Stayed(by="host", why="as it lies"))


async def ruled(table: Any) -> None:
    """Against a rule: let stand by the host; taken as it is in the modes advise and record."""
    session, twin = table.hub.session, table.twin
    for mode in ("enforce", "advise", "record"):
        await session.set_mode(ModeChosen(mode=mode, by="host", why="a lesson"))
        seat = table.game.position.player
        for _ in range(2):
            face = next(face for face in table.game.position.supply if face)
            await table.do(TakePlatform(player=seat, platform=face.platform))
        position = table.game.position
        third = TakeContract(player=seat, contract=next(column[0] for column in position.columns if column))
        await twin.act(*evenings.acts_of(position, third, HOUSE))
        await twin.wait(BREATH_MS)
        table.game.accept(third)
        if mode == "enforce":
            await session.let_stand(Ruled(action=str(third), by="host", why="they are children"))
        await table.pass_bag()
        print(mode, [str(one) for one in table.hub.play.actions[-2:]], flush=True)
    await session.set_mode(ModeChosen(mode="enforce", by="host"))


async def paper(table: Any) -> None:
    """The position set from paper as it stands."""
    session = table.hub.session
    await session.set_position(PaperWish(paper=session.paper(), by="host", why="the table was knocked over"))
    await session.go_on(Stayed(by="host"))


async def cleared(table: Any) -> None:
    """Begun, stopped, begun again, things counted, closed."""
    session, twin = table.hub.session, table.twin
    await session.clear_up(ClearingWish("begin", "host"))
    await twin.wait(BREATH_MS)
    await session.clear_up(ClearingWish("stop", "host"))
    await twin.wait(BREATH_MS)
    await session.clear_up(ClearingWish("begin", "host"))
    position = table.game.position
    platform = next(face.platform for face in position.supply if face)
    await twin.act(*evenings.acts_of(position, TakePlatform(player=position.player, platform=platform), HOUSE))
    await twin.wait(2 * BREATH_MS)
    await session.clear_up(ClearingWish("close", "host"))
    await twin.wait(BREATH_MS)


async def rematch() -> None:
    """A game that is given up right after the deal, and the same people play on with the same deal."""
    settings = Settings(options=Options(players=2), seed=8, table="again", journal_path=JOURNAL)
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        table = evenings.Evening(settings, hub, twin, MegaCity(settings.options, HOUSE))
        await table.deal()
        names = ("Ada", "Grace")
        await hub.session.begin_next(
            NextGame(after=hub.game_id, players=2, simplified=True, same_people=True, names=names, by="seat 1")
        )
        deal = table.game.actions[0]
        table.game = MegaCity(replace(settings.options, simplified=True), HOUSE)
        await table.say(deal)
        table.game.push(deal)
        await table.until_seat(deal.start)
        seat, faces = table.game.position.player, table.game.position.supply
        await table.do(TakePlatform(player=seat, platform=faces[0].platform))
        await table.pass_bag()
        await table.do(TakePieces(player=table.game.position.player))
        await table.pass_bag()
        print(hub.game_id, [str(one) for one in hub.play.actions], flush=True)


async def interrupted() -> None:
    """The hub stops in the middle of a turn: a question is open, acts are under way, somebody waits for a word."""
    settings = Settings(options=Options(players=2), seed=9, deck_path=DECK, table="owners", journal_path=JOURNAL)
    deck = settings.deck()
    async with running_hub(settings) as hub, virtual_table(settings, hub) as twin:
        evenings.HOUSE = deck
        table = evenings.Evening(settings, hub, twin, MegaCity(settings.options, deck))
        await table.deal()
        for _ in range(2):
            seat = table.game.position.player
            await table.do(TakePlatform(player=seat, platform=table.game.position.supply[0].platform))
            await table.do(TakePieces(player=seat))
            await table.pass_bag()
        seat = table.game.position.player
        await table.do(TakePieces(player=seat))
        to = (await hub.session.entries())[-3].seq
        await hub.session.undo(UndoWish(seat=seat, to=to, why="the wrong platform"))
        await table.do(TakeContract(player=seat, contract=table.game.position.columns[2][0]))
        print(hub.game_id, hub.session.view().undo, hub.play.umpire.provisional, flush=True)


def remembered(store: Store, game_id: str, deck: Deck) -> dict[str, Any]:
    """What a hub that comes back with this game knows, by the program that wrote it."""
    entries = store.entries(game_id).entries
    started: Any = entries[0].body
    game = replayed(entries, deck)
    play: Any = Play(MegaCityTable(deck), started.plan, game.start)
    recall(play, entries, lambda told: replayed(told, deck))
    consent = Consent()
    consent.recall(entries)
    observed, outcome, cleared = play.umpire.observed, game.outcome(), cleared_up(entries)
    return {
        "entries": len(entries),
        "entry_types": dict(sorted(Counter(entry.type for entry in entries).items())),
        "game": {
            "position": position_to_text(game.position),
            "standing": [[one.seq, getattr(one.body, "action", one.type)] for one in standing(entries)],
            "actions": [str(action) for action in game.actions],
            "outcome": None if outcome is None else msgspec.to_builtins(outcome),
            "scores": msgspec.to_builtins(game.scores()),
            "ending": ending(entries),
            "options": full(game.position.options),
        },
        "hub": {
            "position": position_to_text(play.umpire.position),
            "actions": [str(action) for action in play.actions],
            "under_way": [one.action for one in play.umpire.provisional],
            "questions": [[one.seat, one.prompt, [field.name for field in one.fields]] for one in play.questions],
            "mode": play.umpire.mode,
            "restoring": play.umpire.restoring,
            "lying": {spot: sorted(things) for spot, things in sorted(observed.lying.items()) if things},
            "piece": msgspec.to_builtins(observed.piece),
            "termination": play.termination,
            "people": started.people or game_id,
            "names": list(started.names),
            "undo": None if consent.asked is None else msgspec.to_builtins(consent.asked),
            "clearing": None if cleared is None else {"counted": sorted(cleared.counted), "closed": cleared.closed},
        },
    }


def full(options: Options) -> dict[str, Any]:
    """Every option, also those left at their default."""
    return {**msgspec.structs.asdict(options), "rulings": msgspec.structs.asdict(options.rulings)}


async def main() -> None:
    """Write the journal, then what is remembered of it."""
    owner = owners_deck()
    await damaged_game()
    await spoken_evening()
    await rematch()
    await whole_game(
        Settings(options=Options(players=2, simplified=True), seed=2, faults=True, table="faulty", journal_path=JOURNAL)
    )
    await whole_game(Settings(options=Options(players=3), seed=3, starter=True, table="starter", journal_path=JOURNAL))
    rules = Rulings(round_limit=3, few_pieces_are_a_bag_out=True, distance_along_tiles=True)
    await whole_game(
        Settings(
            options=Options(players=4, rulings=rules),
            seed=4,
            starter=True,
            table="short",
            deck_path=DECK,
            journal_path=JOURNAL,
        )
    )
    await interrupted()
    decks = {"house": HOUSE, owner.name: owner}
    with Store.open(JOURNAL) as store:
        assert store.damage == ()
        games = {row.id: remembered(store, row.id, _deck_of(store, row.id, decks)) for row in store.games()}
        latest = store.latest()
        marks = [[*key, seq] for key, seq in sorted(store.marks().items())]
    with closing(sqlite3.connect(JOURNAL)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.execute("PRAGMA journal_mode = DELETE")
        rows = db.execute("SELECT count(*) FROM entry").fetchone()[0]
    knows = {"program": "a335d66", "rows": rows, "latest": latest and latest.id, "marks": marks, "games": games}
    (OUT / "version-1.json").write_text(json.dumps(knows, indent=1, ensure_ascii=False) + "\n")
    (OUT / "version-1.sqlite3.xz").write_bytes(lzma.compress(JOURNAL.read_bytes(), preset=9 | lzma.PRESET_EXTREME))
    total: Counter[str] = Counter()
    for known in games.values():
        total.update(known["entry_types"])
    print(rows, "rows;", dict(total))


def _deck_of(store: Store, game_id: str, decks: dict[str, Deck]) -> Deck:
    started: Any = store.entries(game_id).entries[0].body
    return decks[started.deck if started.deck in decks else "house"]


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    asyncio.run(main())
