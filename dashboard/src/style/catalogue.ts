// Every part of the screens in every state. A part without states fails a test.

import { createRawSnippet, type Component } from "svelte";
import type { Asked, Disagreement, Field, Happened, Lesson, Player, Scene, Seen, Undo } from "../lib/seen";
import { sample, sampleScene, said, tried } from "../overlay/samples";
import type { Catalogue, State } from "./state";

/** What needs a hub behind it, and every page as a whole: the contact sheet shows those. */
export const PAGES = ["parts/Screen", "parts/Door", "parts/Display", "parts/Host", "parts/Seat", "parts/Stations", "overlay/Overlay", "overlay/OnAir"];

const PARTS = import.meta.glob<Component>(["../parts/*.svelte", "../overlay/*.svelte", "../lesson/*.svelte", "../games/*/*.svelte"], { import: "default" });
const OF_GAMES = import.meta.glob<{ states: Catalogue; board: unknown; answers?: Answers }>("../games/*/style.ts");

/** What a hub would answer, by address. */
type Answers = Record<string, unknown>;
const curve = { spot: "city/1/0", t_ms: [0, 400, 900, 1400, 2000], grams: [3, 4, 120, 118, 119] };
const ANSWERS: Answers = {
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
const RESTS = wrong("refused", { rule: "R25", state: "settling", text: { en: "-2/2 touches no tile of the city.", fr: "-2/2 ne touche aucune tuile de la ville." } });
const status = (...disagreements: Disagreement[]): Partial<Seen> => ({ status: { disagreements } });
const FIELD: Field = { name: "n", kind: "count", proposed: 3, choices: [], low: 0, high: 9, voters: null, criteria: [] };
const ask = (prompt: string, ...fields: Partial<Field>[]): Asked => ({ id: prompt, seat: 2, prompt, words: { spot: "city/1/0", seat: "2" }, fields: fields.map((one) => ({ ...FIELD, ...one })), waiting: [2], about: "" });
const COUNT = ask("pieces");
const line: Happened = { no: 4, t_us: 0, key: "sensed.fell", words: { spot: "city/1/0", lost_g: "41" }, seat: null, provisional: false };
const LESSON: Lesson = { seat: 2, topic: "take_contract", new: true, rule: { en: "A contract is a building that somebody has ordered. Its card says how many pieces it takes, how high it must be and what it is worth. You may have 3 contracts at a time.", fr: "Un contrat est une commande : la carte indique le nombre d'éléments, la hauteur à atteindre et le prestige gagné. Vous pouvez avoir 3 contrats à la fois." }, do: { en: "Take CO3, the top card of the commercial column, and lay it in one of your card slots.", fr: "Prenez CO3, la première carte de la colonne du type commercial, et posez-la sur un de vos emplacements de carte." }, report: "", spots: [] };
const undo: Undo = { seat: 1, to: 5, why: "", lines: [line, { ...line, no: 5, seat: 2, key: "action.end_turn", words: {} }], waiting: [2], agreed: [3], until_us: 0 };
const children = createRawSnippet(() => ({ render: () => "<button>OK</button>" }));
const nothing = (): void => {};
const state = (name: string, props: State["props"] = {}, more: Partial<State> = {}): State => ({ name, props, ...more });
const station = { station: "sector-3", online: true, firmware: "1.4.0", offset_us: 12, last_seen_us: 0, samples_lost: 0, events_lost: 0, faults: [], kind: "sector", hardware: "pico2w", bundle: "8f21ab30", reset: "power", report: null, said: [] };
const sayables = ["1", "2"].map((n) => ({ action: `p2 do n=${n}`, key: "action.end_turn", words: { n }, seat: 2 }));
const entry = { seq: 7, at_us: 0, cause: "sensor", action: "p2 end_turn", breaks: "", key: "action.end_turn", words: {}, seat: 2 };
const blank = (kind: string) => ({ name: "n", kind, needed: true, choices: ["steel", "glass"], most: 3 });

/** Return the states of the core's parts while this game is played. */
function core(scene: Scene): Catalogue {
  const seen = (more: Partial<Seen> = {}): Seen => sample(scene, more);
  return {
    "lesson/Guide": [state("begin", { on: false, by: "host" }), state("leave", { on: true, by: "seat 2", quiet: true })],
    "lesson/Lesson": [state("a new rule", { seat: 2, lesson: LESSON }), state("a rule that is known, and a tap", { seat: 2, lesson: { ...LESSON, new: false, report: "p2 do" } }), state("somebody else's", { seat: 1, lesson: LESSON })],
    "parts/ActionForm": [state("empty", { blanks: [{ do: "end_turn", player: true, fields: [blank("count")] }], seats: 4, start: null, label: "OK", tell: nothing }), state("a recorded action", { blanks: [{ do: "end_turn", player: true, fields: [] }], seats: 4, start: entry, label: "OK", tell: nothing })],
    "parts/AnyBoard": [state("a few places", { seen: sample({ ...scene, piles: [{ spot: "supply/1", things: ["card/3"], hidden: 12 }, { spot: "seat/1/hand", things: [], hidden: 0 }] }) })],
    "parts/Badge": [1, 2, 3, 4].map((seat) => state(`seat ${seat}`, { seat })),
    "parts/BlankInput": ["count", "mm", "yesno", "choice", "list", "pieces", "text"].map((kind) => state(kind, { field: blank(kind), value: "" })),
    "parts/CardCode": [state("a code")],
    "parts/Ceremony": [state("the first step", { scene: { ...scene, ended: "completed", winners: [2] }, own: null, show: nothing, done: nothing })],
    "parts/Clearing": [state("before", { clearing: null, by: "host" }), state("under way", { by: "host", clearing: { lying: 7, counted: 40, components: 58, unseen: ["platform/3"], silent: ["sector-3"], bag: { mass_g: 310, short_g: 12, short_pieces: 3 }, closed: false, ready: false } }), state("closed", { by: "host", clearing: { lying: 0, counted: 58, components: 58, unseen: [], silent: [], bag: null, closed: true, ready: true } })],
    "parts/Final": [state("a winner", { scene: { ...scene, ended: "completed", winners: [2] } }), state("a shared victory", { scene: { ...scene, ended: "completed", winners: [1, 2] } }), state("everybody lost", { scene: { ...scene, ended: "over", winners: [] } })],
    "parts/Icon": ["alarm", "question", "crown", "check"].map((name) => state(name, { name, size: "2em" })),
    "parts/Links": [state("links")],
    "parts/May": [state("my turn", { seen: seen(), seat: 2 }), state("somebody else's", { seen: seen(), seat: 1 })],
    "parts/Messages": [state("alarms", { seen: seen(status(wrong("missing"), wrong("mass", { grams: 12 }), wrong("station_silent", { thing: "sector-3" }))) }), state("a question", { seen: seen({ questions: [COUNT] }) })],
    "parts/Names": [state("known", { known: ["Ada", "Bo"], by: "host" })],
    "parts/NextGame": [state("a game is on", { over: false, cleared: false, by: "host" }), state("over", { over: true, cleared: true, by: "host" })],
    "parts/Notice": [state("notice", { text: "Connection lost, last update 21:14" })],
    "parts/Phones": [state("closed")],
    "parts/Points": [state("points", { player: players[1] }), state("none", { player: { ...players[3], lines: [] } })],
    "parts/Question": [state("a count", { asked: COUNT, seen: seen(), by: "seat 2" }), state("yes or no", { asked: ask("fell", { kind: "yesno", proposed: null }), seen: seen(), by: "seat 2" }), state("a choice", { asked: ask("which", { kind: "choice", choices: ["a", "b"], proposed: null }), seen: seen(), by: "seat 2" }), state("millimetres", { asked: ask("height", { kind: "mm", proposed: 61, low: 40, high: 90 }), seen: seen(), by: "seat 2" }), state("a vote", { asked: ask("judge", { kind: "yesno", voters: [1, 2], proposed: null }), seen: seen(), by: "seat 2" })],
    "parts/Record": [state("entries", { entries: [entry, { ...entry, seq: 8, cause: "player", breaks: "R25" }], seats: 4, rules: true, correct: async () => null, back: nothing }), state("empty", { entries: [], seats: 4, rules: false, correct: async () => null, back: null })],
    "parts/Say": [state("closed", { seat: 2 })],
    "parts/Scores": [state("four players", { scene }), state("the end", { scene: { ...scene, winners: [2], ended: "completed" } })],
    "parts/Sentence": [state("calm", { seen: seen({ happened: [line] }) }), state("tried", { seen: seen(tried("action.end_turn", {}, 2)) }), state("in a hand", { seen: seen(status(wrong("missing", { thing: "bag", state: "in_hand" }))) }), state("resting", { seen: seen(status(RESTS)) }), state("asked", { seen: seen({ questions: [COUNT] }) }), state("alarm", { seen: seen(status({ ...RESTS, state: "wrong" }, wrong("missing"))) })],
    "parts/Signal": [state("of an entry", { seq: 7 })],
    "parts/Station": [state("good", { health: station, host: true, zeros: [], now_us: 5e6 }), state("a fault", { health: { ...station, faults: [{ en: "The cell at city/1/0 is saturated.", fr: "La cellule de city/1/0 est saturée." }] }, host: true, zeros: [], now_us: 5e6 }), state("silent", { health: { ...station, online: false }, host: false, zeros: [], now_us: 9e8 })],
    "parts/StationLoad": [state("a load", { station: "sector-3", online: true })],
    "parts/Steps": [state("a choice", { all: sayables, few: 4, tell: nothing })],
    "parts/TakeBack": [state("closed", { undo: null, seat: 2 }), state("asked", { undo, seat: 2 })],
    "parts/Trouble": [state("a silent station", { seen: seen({ stations: [{ station: "sector-3", online: false, faults: [] }] }) }), state("all well", { seen: seen() })],
    "parts/Turn": [state("a turn", { scene }), state("brief", { scene, brief: true }), state("no game", { scene: null })],
    "parts/UnderWay": [state("unsure", { seen: seen(tried("action.end_turn", {}, 2)), seat: 2 }), state("nothing", { seen: seen(), seat: 2 })],
    "parts/UndoAsked": [state("asked", { undo, children })],
    "overlay/Line": [state("confirmed", { line }), state("tried", { line: tried("action.end_turn", {}, 2).trying[0] })],
    "overlay/Score": [state("four players", { scene })],
    "overlay/Stream": [state("closed", { hidden: ["score"], entries: [] })],
    "overlay/TestNote": [state("well", { wishes: { show: [], scale: 100, test: true, unknown: [], badScale: "" }, live: true }), state("mistyped", { wishes: { show: [], scale: 100, test: true, unknown: ["skore"], badScale: "900" }, live: false })],
    "overlay/Turn": [state("a turn", { scene }), state("the end", { scene: { ...scene, ended: "completed", winners: [2], seat: null } })],
  };
}

/** The tables that the states are made of, for games. */
export { said, sample, state, status, wrong };
