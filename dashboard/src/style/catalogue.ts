// Every part of the screens in every state. A part without states fails a test.

import { createRawSnippet, type Component } from "svelte";
import type { Asked, Disagreement, Field, Happened, Lesson, Player, Scene, Seen, Undo } from "../lib/seen";
import Badge from "../parts/Badge.svelte";
import { sample, sampleScene, said, tried } from "../overlay/samples";
import type { Care, Step, Work } from "../stations/care";
import type { Catalogue, State } from "./state";

/** What needs a hub behind it, and every page as a whole: the contact sheet shows those. */
export const PAGES = ["parts/Screen", "parts/Door", "parts/Display", "parts/Host", "parts/Seat", "parts/Stations", "overlay/Overlay", "overlay/OnAir", "producer/Producer", "announcer/Announcer", "card/Card"];

const PARTS = import.meta.glob<Component>(["../{ambient,announcer,card,displays,lesson,overlay,parts,producer,replay,sound,stations}/*.svelte", "../games/*/*.svelte", "../games/*/collapse/*.svelte"], { import: "default" });
const OF_GAMES = import.meta.glob<{ states: Catalogue; board: unknown; answers?: Answers }>("../games/*/style.ts");

/** What a hub would answer, by address. */
type Answers = Record<string, unknown>;
export const LOAD = { spot: "city/1/-1", t_ms: [0, 150, 250, 300, 380, 450, 750], grams: [148, 148, 147, 90, 41, 38, 38] }; // as something falls
const curve = { spot: "city/1/0", t_ms: [0, 400, 900, 1400, 2000], grams: [3, 4, 120, 118, 119] };
const HEXES = [[0, 0], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1], [2, 0], [1, 1], [0, 2], [2, -1]].map(([q, r]) => `city/${q}/${r}`);
const PADS = ["seat/1/pad/0", "seat/1/pad/1", "seat/1/pad/2", "seat/1/bag"];
const CARE: Care = {
  can: ["adopt", "calibrate", "level", "examine", "update"],
  newcomers: [{ uid: "e66138528355a82f", hardware: "pico_2_w", firmware: "1.4.0" }, { uid: "0a1b2c3d4e5f6071", hardware: "pico_2_w", firmware: "1.4.0" }],
  places: [{ station: "sector-1", kind: "sector", spots: ["city/1/0", "city/2/0", "city/1/1"], planned: true }, { station: "seat-2", kind: "seat", spots: PADS.map((spot) => spot.replace("1", "2")), planned: false }, { station: "park", kind: "park", spots: HEXES.slice(0, 1), planned: false }],
  benches: [{ station: "seat-1", scales: PADS, cranes: 3, tasks: 7, done: 2 }, { station: "sector-1", scales: HEXES, cranes: 0, tasks: 11, done: 0 }],
  running: [{ station: "seat-1", firmware: "1.4.0", bundle: "9f86d081", newest: true }, { station: "park", firmware: "1.3.0", bundle: "", newest: false }],
  work: null,
};
const FOUND: Work["found"] = [
  { spot: "city/0/0", cell: 0, what: { en: "rate", fr: "cadence" }, seen: { en: "80.4/s of 80 nominal", fr: "80.4/s pour 80 nominales" }, check: {} },
  { spot: "city/0/0", cell: 1, what: { en: "rate", fr: "cadence" }, seen: { en: "0.0/s of 80 nominal", fr: "0.0/s pour 80 nominales" }, check: { en: "there are no conversions: check the plug of the cell's HX711, its supply, DOUT and SCK", fr: "il n'y a aucune conversion : vérifiez la fiche du HX711 de ce capteur, son alimentation, DOUT et SCK" } },
  { spot: "", cell: null, what: { en: "clock", fr: "horloge" }, seen: { en: "known to 2.0 ms, from 5 answers", fr: "connue à 2.0 ms près, d'après 5 réponses" }, check: {} },
];
const ANSWERS: Answers = {
  "/api/care": CARE,
  "/api/tags": { unknown: [{ spot: "city/1/0", uid: "04a1b2c3d4e5f6" }], things: ["platform/7/public", "bag"], fresh: 2 },
  "/api/records": { game: "", title: "A game", games: 12, records: [{ key: "points", value: 41, seat: 1, name: "", day: "2026-11-27", fresh: true }, { key: "other", value: 3, seat: 2, name: "Ada", day: "2026-11-20", fresh: false }], playable: [{ game: "a", title: "A game", players_min: 2, players_max: 4 }] },
  "/api/records/names": { offered: ["Bo"], kept: ["Ada"] },
  "/api/stations/sector-3/tags": [{ spot: "city/1/0", uid: "04a1b2c3d4e5f6", thing: "platform/7/public" }, { spot: "city/2/0", uid: "04ffeeddccbbaa", thing: null }],
  "/api/stations/sector-3/load": { seq: 0, from_us: 0, until_us: 2_000_000, curves: [curve], marks: [] },
  "/api/entries/7/trace": { seq: 7, from_us: 0, until_us: 2_000_000, curves: [curve], marks: [{ spot: "city/1/0", t_ms: 1400, fact: "mass_settled", stage: "", value: 118 }] },
};

/** Return what a hub would answer to parts of the core and of one game; an empty list where nothing is said. */
export async function answersOf(game: string): Promise<(address: string) => unknown> {
  const answers = { ...ANSWERS, ...(await OF_GAMES[`../games/${game}/style.ts`]?.())?.answers };
  return (address) => answers[address] ?? [];
}

/** Return the paths of all parts that the core and one game have. */
export function partsOf(game: string): string[] {
  const names = Object.keys(PARTS).map((path) => path.slice("../".length, -".svelte".length));
  return names.filter((name) => !PAGES.includes(name) && (!name.startsWith("games/") || name.startsWith(`games/${game}/`)));
}

/** Fetch a part. */
export async function part(name: string): Promise<Component> {
  return PARTS[`../${name}.svelte`]!();
}

/** Fetch the states of the core's parts and of one game's. */
export async function statesOf(game: string): Promise<Catalogue> {
  const own = await OF_GAMES[`../games/${game}/style.ts`]?.();
  return { ...core(sampleScene(game, 2, SCORES, own?.board ?? null, { players })), ...own?.states };
}

const SCORES = [14, 17, 9, 0];
const players: Player[] = SCORES.map((score, k) => ({ seat: k + 1, score, lines: [{ points: 4, reason: "other", words: {}, action_no: 8 }], name: ["Ada", "Maximilienne-Aurélie", "", "Jean-Christophe"][k]! }));
const wrong = (kind: string, more: Partial<Disagreement> = {}): Disagreement => ({ kind, spots: ["city/1/0"], thing: "", to: [], rule: "", action: "", text: {}, state: "wrong", grams: 0, ...more });
const RESTS = wrong("refused", { rule: "R25", state: "settling", text: { en: "That hex touches no tile of the city.", fr: "Cet hexagone ne touche aucune tuile de la ville." } });
const status = (...disagreements: Disagreement[]): Partial<Seen> => ({ status: { disagreements } });
const FIELD: Field = { name: "n", kind: "count", proposed: 3, choices: [], low: 0, high: 9, over: 0, voters: null, criteria: [] };
const ask = (prompt: string, ...fields: Partial<Field>[]): Asked => ({ id: prompt, seat: 2, prompt, words: { spot: "city/1/0", seat: "2" }, fields: fields.map((one) => ({ ...FIELD, ...one })), waiting: [2], about: "" });
const COUNT = ask("pieces");
const line: Happened = { no: 4, t_us: 0, key: "sensed.fell", words: { spot: "city/1/0", lost_g: "41" }, seat: null, provisional: false };
const LESSON: Lesson = { seat: 2, topic: "take_contract", new: true, rule: { en: "A contract is a building that somebody has ordered. Its card says how many pieces it takes, how high it must be and what it is worth. You may have 3 contracts at a time.", fr: "Un contrat est une commande : la carte indique le nombre d'éléments, la hauteur à atteindre et le prestige gagné. Vous pouvez avoir 3 contrats à la fois." }, do: { en: "Take CO3, the top card of the commercial column, and lay it in one of your card slots.", fr: "Prenez CO3, la première carte de la colonne du type commercial, et posez-la sur un de vos emplacements de carte." }, report: "", spots: [], guided: true, empty: [] };
const undo: Undo = { seat: 1, to: 5, why: "", lines: [line, { ...line, no: 5, seat: 2, key: "action.end_turn", words: {} }], waiting: [2], agreed: [3], until_us: 0 };
const children = createRawSnippet(() => ({ render: () => "<button>OK</button>" }));
const nothing = (): void => {};
const state = (name: string, props: State["props"] = {}, more: Partial<State> = {}): State => ({ name, props, ...more });
const station = { station: "sector-3", online: true, firmware: "1.4.0", offset_us: 12, last_seen_us: 0, samples_lost: 0, events_lost: 0, faults: [], kind: "sector", hardware: "pico2w", bundle: "8f21ab30", reset: "power", report: null, said: [] };
const sayables = ["1", "2"].map((n) => ({ action: `p2 do n=${n}`, key: "action.end_turn", words: { n }, seat: 2 }));
const entry = { seq: 7, at_us: 0, cause: "sensor", action: "p2 end_turn", breaks: "", key: "action.end_turn", words: {}, seat: 2 };
const blank = (kind: string) => ({ name: "n", kind, needed: true, choices: ["steel", "glass"], most: 3 });

const step = (deed: Step["deed"], spot = "city/1/0", more: Partial<Step> = {}): Step => ({ deed, spot, grams: 500, block_mm: 0, ...more });
const work = (more: Partial<Work>): State["props"] => ({ wish: nothing, hexes: HEXES, work: { task: "calibrate", about: "sector-1", name: "", state: "asks", no: 1, number: 2, tasks: 11, what: "scale", spot: "city/1/0", step: null, why: {}, good: [], left: [], rests: [], figures: [], says: {}, found: [], ...more } });
const NOT_GOOD = { en: "no cell felt the weight: check that it is on this spot, and that the plate touches nothing but its cells", fr: "aucun capteur n'a senti le poids : vérifiez qu'il est sur cet emplacement, et que le plateau ne touche que ses capteurs" };
const VERDICT = { what: "scale", spot: "city/1/0", verdict: { en: "200 g weighed 200.3 g (limit 1 g)", fr: "200 g ont pesé 200.3 g (limite 1 g)" } };
const NOISY = { spot: "city/1/0", good: false, text: { en: "cell 0 is noisy (0.3 g), but the others are not: check that its cable does not touch the plate, then run `citytable doctor sector-1`", fr: "le capteur 0 est bruité (0.3 g), mais pas les autres : vérifiez que son câble ne touche pas le plateau, puis lancez `citytable doctor sector-1`" } };
const CARING = { care: CARE, wish: nothing, blocked: false };
const CALIBRATING = { ...CARING, chosen: { station: "", spot: "", first: 500, second: 200, blocks: "20, 50, 100", anew: false } };

/** Return the states of the core's parts while this game is played. */
function core(scene: Scene): Catalogue {
  const seen = (more: Partial<Seen> = {}): Seen => sample(scene, more);
  return {
    "ambient/Ambient": [state("the records, then the rest", { scene: { ...scene, ended: "completed", winners: [2] }, own: null, invites: false, show: nothing }, { needs: "browser" }), state("before the first game", { scene: null, own: null, invites: true, show: nothing }, { needs: "browser" })],
    "ambient/RecordNames": [state("one kept and one offered", { names: "Ada|Bo" })],
    "announcer/Lines": [state("two", { title: "Facts", lines: ["One", "Two"] }), state("none", { title: "Facts", lines: [] })],
    "announcer/Said": [state("the core alone", { seen: seen(said("action.end_turn", {}, 2)), own: null, records: ANSWERS["/api/records"] })],
    "card/Picture": [state("a winner", { scene: { ...scene, ended: "completed", winners: [2] }, table: "Café Méridien", when: "28 November 2026" }, { needs: "browser" })],
    "displays/Displays": [state("closed", { shown: {} }), state("three displays", { shown: { wall: "game", bar: "scores", door: "dark" }, open: true })],
    "replay/Load": [state("at its steepest", { load: LOAD, at_ms: 300 }), state("over", { load: LOAD, at_ms: 750 })],
    "replay/Replay": [state("nothing was felt", { seen: seen(), own: { fall: Badge }, done: nothing, fell: { no: 3, spot: "city/1/-1", cause: "unknown", before: scene, load: null } }, { needs: "browser" })],
    "sound/Sound": [state("a display with sound", { seen: seen(), wish: "cues" }, { needs: "browser" })],
    "stations/Adopt": [state("two boards", CARING), state("none", { ...CARING, care: { ...CARE, newcomers: [] } }), state("no place is free", { ...CARING, care: { ...CARE, places: [] } })],
    "stations/Calibrate": [state("a seat, begun before", CALIBRATING), state("a sector", { ...CALIBRATING, care: { ...CARE, benches: CARE.benches.slice(1) } }), state("nothing to calibrate", { ...CALIBRATING, care: { ...CARE, benches: [] } })],
    "stations/Care": [state("closed")],
    "stations/Enrol": [state("closed"), state("a tag on a reader", { open: true })],
    "stations/Figures": [state("a good and a wrong one", { figures: [{ name: "rate", value: "80.2/s" }, { name: "tag reader", value: "no answer", wrong: true }] })],
    "stations/Findings": [state("one thing to check", { found: FOUND }), state("all is well", { found: FOUND.filter((one) => !one.check["en"]) })],
    "stations/Log": [state("closed", { station: "sector-3", now_us: 9_000_000 })],
    "stations/Level": [state("before", CARING), state("other work is on", { ...CARING, blocked: true })],
    "stations/OneStation": [state("to examine", { ...CARING, task: "examine" }), state("to update", { ...CARING, task: "update" }), state("none is there", { ...CARING, task: "examine", care: { ...CARE, running: [] } })],
    "stations/Panel": [state("closed", { title: "Panel", counted: 2, children }), state("open", { title: "Panel", open: true, children })],
    "stations/Where": [state("a sector", { spots: CARE.places[0]!.spots, all: HEXES })],
    "stations/Working": [
      state("a weight", work({ step: step("put") })),
      state("it weighs", work({ state: "runs", step: step("put") })),
      state("a paddle", work({ state: "runs", what: "crane", spot: PADS[0]!, step: step("lower", PADS[0], { block_mm: 50 }) })),
      state("new figures", work({ step: step("write"), tasks: 0, what: "", about: "city/1/0", figures: ["2147 → 2140.3"] })),
      state("examined", work({ task: "examine", state: "done", tasks: 0, about: "park", found: FOUND })),
      state("it gets its program", work({ task: "update", state: "runs", tasks: 0, about: "park", says: { en: "40 of 110 chunks", fr: "40 morceaux sur 110" } })),
      state("not good", work({ state: "refuses", step: step("put"), why: NOT_GOOD, good: [VERDICT] })),
      state("failed", work({ state: "failed", what: "", why: NOT_GOOD })),
      state("calibrated", work({ state: "done", good: [VERDICT, { ...VERDICT, spot: "city/2/0" }] })),
      state("left for later", work({ state: "done", left: ["city/2/0"], good: [VERDICT] })),
      state("a board restarts", work({ task: "adopt", about: "e66138528355a82f", name: "sector-1", state: "runs", what: "" })),
      state("a board has joined", work({ task: "adopt", about: "e66138528355a82f", name: "sector-1", state: "done", what: "" })),
      state("it listens", work({ task: "level", about: "", state: "runs", what: "" })),
      state("all rest", work({ task: "level", about: "", state: "done", what: "", rests: [{ ...NOISY, good: true }] })),
      state("one is noisy", work({ task: "level", about: "", state: "done", what: "", rests: [NOISY] })),
    ],
    "lesson/EmptySeats": [state("nobody", { lesson: null, seats: 3, by: "host" }), state("a bot's turn", { lesson: { ...LESSON, empty: [2], guided: false, report: "p2 do" }, seats: 3, by: "host" })],
    "lesson/Guide": [state("begin", { on: false, by: "host" }), state("leave", { on: true, by: "seat 2", quiet: true })],
    "lesson/Lesson": [state("a new rule", { seat: 2, lesson: LESSON }), state("a rule that is known, and a tap", { seat: 2, lesson: { ...LESSON, new: false, report: "p2 do" } }), state("somebody else's", { seat: 1, lesson: LESSON })],
    "parts/ActionForm": [state("empty", { blanks: [{ do: "end_turn", player: true, fields: [blank("count")] }], seats: 4, start: null, label: "OK", tell: nothing }), state("a recorded action", { blanks: [{ do: "end_turn", player: true, fields: [] }], seats: 4, start: entry, label: "OK", tell: nothing })],
    "parts/AnyBoard": [state("a few places", { seen: sample({ ...scene, piles: [{ spot: "supply/1", things: ["card/3"], hidden: 12 }, { spot: "seat/1/hand", things: [], hidden: 0 }] }) })],
    "parts/Badge": [1, 2, 3, 4].map((seat) => state(`seat ${seat}`, { seat })),
    "parts/BlankInput": ["count", "mm", "yesno", "choice", "list", "pieces", "text"].map((kind) => state(kind, { field: blank(kind), value: "" })),
    "parts/CardCode": [state("a code")],
    "parts/Ceremony": [state("the first step", { scene: { ...scene, ended: "completed", winners: [2] }, own: null, show: nothing, done: nothing })],
    "parts/Clearing": [state("before", { clearing: null, by: "host" }), state("under way", { by: "host", clearing: { lying: 7, counted: 40, components: 58, unseen: ["platform/3"], silent: ["sector-3"], bag: { mass_g: 310, short_g: 12, short_pieces: 3 }, closed: false, ready: false } }), state("closed", { by: "host", clearing: { lying: 0, counted: 58, components: 58, unseen: [], silent: [], bag: null, closed: true, ready: true } })],
    "parts/Flat": [state("a drawing", { children: createRawSnippet(() => ({ render: () => "<svg></svg>" })) })],
    "parts/Final": [state("a winner", { scene: { ...scene, ended: "completed", winners: [2] } }), state("a shared victory", { scene: { ...scene, ended: "completed", winners: [1, 2] } }), state("everybody lost", { scene: { ...scene, ended: "over", winners: [] } })],
    "parts/Pips": [1, 2, 3, 4].map((seat) => state(`seat ${seat}`, { seat, x: 0, y: 0, size: 60 }, { drawing: true })),
    "parts/Plate": [state("a text", { x: -40, y: -20, width: 80, height: 40, round: 6, colour: "var(--paper)", text: "63", size: 34 }, { drawing: true })],
    "parts/Icon": ["alarm", "question", "crown", "check"].map((name) => state(name, { name, size: "2em" })),
    "parts/Links": [state("links")],
    "parts/May": [state("my turn", { seen: seen(), seat: 2 }), state("somebody else's", { seen: seen(), seat: 1 })],
    "parts/Messages": [state("alarms", { seen: seen(status(wrong("missing"), wrong("mass", { grams: 12 }), wrong("station_silent", { thing: "sector-3" }))) }), state("a question", { seen: seen({ questions: [COUNT] }) })],
    "parts/Names": [state("known", { known: ["Ada", "Bo"], by: "host" })],
    "parts/NextGame": [state("a game is on", { over: false, cleared: false, by: "host" }), state("over", { over: true, cleared: true, by: "host" })],
    "parts/Notice": [state("notice", { text: "Connection lost, last update 21:14" })],
    "parts/Code": [state("a code", { text: "http://table.local/display" })],
    "parts/Desk": [state("all in order", { seen: seen({ questions: [], status: { disagreements: [] } }) }), state("something is wrong", { seen: seen() })],
    "parts/WhyNot": [state("closed", { moment: "now", seat: 2 })],
    "parts/Pages": [state("closed"), state("open", { open: true })],
    "parts/Phones": [state("closed")],
    "parts/Points": [state("points", { player: players[1] }), state("none", { player: { ...players[3], lines: [] } })],
    "parts/Question": [state("a count", { asked: COUNT, seen: seen(), by: "seat 2" }), state("yes or no", { asked: ask("fell", { kind: "yesno", proposed: null }), seen: seen(), by: "seat 2" }), state("a choice", { asked: ask("which", { kind: "choice", choices: ["a", "b"], proposed: null }), seen: seen(), by: "seat 2" }), state("millimetres", { asked: ask("height", { kind: "mm", proposed: 61, low: 40, high: 90 }), seen: seen(), by: "seat 2" }), state("a vote", { asked: ask("judge", { kind: "yesno", voters: [1, 2], proposed: null }), seen: seen(), by: "seat 2" })],
    "parts/Record": [state("entries", { entries: [entry, { ...entry, seq: 8, cause: "player", breaks: "R25" }], seats: 4, rules: true, correct: async () => null, back: nothing }), state("empty", { entries: [], seats: 4, rules: false, correct: async () => null, back: null })],
    "parts/Say": [state("closed", { seat: 2 })],
    "parts/Scores": [state("four players", { scene }), state("the end", { scene: { ...scene, winners: [2], ended: "completed" } })],
    "parts/Sentence": [state("calm", { seen: seen({ happened: [line] }) }), state("tried", { seen: seen(tried("action.end_turn", {}, 2)) }), state("in a hand", { seen: seen(status(wrong("missing", { thing: "bag", state: "in_hand" }))) })],
    "parts/Signal": [state("of an entry", { seq: 7 })],
    "parts/Station": [state("good", { health: station, host: true, zeros: [], now_us: 5e6 }), state("a fault", { health: { ...station, faults: [{ en: "The cell at city/1/0 is saturated.", fr: "La cellule de city/1/0 est saturée." }] }, host: true, zeros: [], now_us: 5e6 }), state("silent", { health: { ...station, online: false }, host: false, zeros: [], now_us: 9e8 })],
    "parts/StationLoad": [state("a load", { station: "sector-3", online: true })],
    "parts/Steps": [state("a choice", { all: sayables, few: 4, seen: seen(), tell: nothing })],
    "parts/TakeBack": [state("closed", { undo: null, seat: 2 }), state("asked", { undo, seat: 2 })],
    "parts/Trouble": [state("a silent station", { seen: seen({ stations: [{ station: "sector-3", online: false, faults: [] }] }) }), state("all well", { seen: seen() })],
    "parts/Turn": [state("a turn", { scene }), state("brief", { scene, brief: true }), state("no game", { scene: null })],
    "parts/UnderWay": [state("unsure", { seen: seen(tried("action.end_turn", {}, 2)), seat: 2 }), state("nothing", { seen: seen(), seat: 2 })],
    "parts/UndoAsked": [state("asked", { undo, children })],
    "parts/Wanted": ["alarm", "asked", "both", "resting"].map((name) => state(name, { wanted: { wrong: ["alarm", "both"].includes(name) ? [{ ...RESTS, state: "wrong" }, wrong("missing")] : [], asked: ["asked", "both"].includes(name) ? COUNT : undefined, resting: name === "resting" ? RESTS : undefined }, restoring: false })),
    "overlay/Line": [state("confirmed", { line }), state("tried", { line: tried("action.end_turn", {}, 2).trying[0] })],
    "overlay/Score": [state("four players", { scene })],
    "producer/Air": [state("all on air", { hidden: [], toggle: () => {} }), state("one hidden", { hidden: ["turn"], toggle: () => {} })],
    "producer/Moments": [state("one", { lines: said("action.end_turn", {}, 2).happened })],
    "producer/Preview": [state("on air", { page: new URL("http://table.local/producer") })],
    "producer/Stream": [state("closed", { hidden: ["score"], entries: [] })],
    "overlay/TestNote": [state("well", { wishes: { show: [], scale: 100, test: true, unknown: [], badScale: "" }, live: true }), state("mistyped", { wishes: { show: [], scale: 100, test: true, unknown: ["skore"], badScale: "900" }, live: false })],
    "overlay/Turn": [state("a turn", { scene }), state("the end", { scene: { ...scene, ended: "completed", winners: [2], seat: null } })],
  };
}

/** The tables that the states are made of, for games. */
export { said, sample, state, status, wrong };
