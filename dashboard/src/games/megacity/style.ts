// The states of MegaCity's parts, for the style page.

import { createRawSnippet } from "svelte";
import type { Collapse, Live, Seen } from "../../lib/seen";
import { LOAD, sample, said, state } from "../../style/catalogue";
import type { Catalogue } from "../../style/state";
import { boardOf, type Board, type Card, type Tile } from "./board";
import { cells } from "./cells";
import announcer from "./announcer";
import own from "./overlay";

const [announced, dark, wide, narrow, delivered] = own.samples as [Seen, Seen, Seen, Seen, Seen];
const at = { x: 0, y: 0 };
const tile = (spot: string, colour: string, height_mm: number | null, more: Partial<Tile> = {}): Tile => ({ spot, kind: "platform", name: `platform/3/${colour}`, colour, owner: 2, height_mm, standing: true, tallest: false, monument: false, steel: 2, concrete: 3, glass: 1, ...more });
const PARK = tile("city/1/0", "park", null, { kind: "park", owner: 1 });
const TILES = [tile("city/0/0", "", null, { kind: "central_park", owner: null, monument: true }), tile("city/1/-1", "public", 62, { tallest: true }), tile("city/0/-1", "industrial", 38, { owner: 1 }), tile("city/-1/0", "residential", 0, { standing: false, owner: 3 }), PARK];
const card = (name: string, colour: string, more: Partial<Card> = {}): Card => ({ name, colour, pieces: 5, plus: false, height_mm: 40, requirements: ["no_overhang"], prestige: 3, landmark: false, ...more });
const CARDS = [card("IN2", "industrial"), card("PU4", "public", { plus: true, requirements: [] })];
export const board: Board = { ...boardOf(announced.scene!), tiles: TILES, columns: { public: [CARDS[1]!], industrial: [CARDS[0]!], commercial: [], residential: [] }, supply: ["platform/9/public", "platform/12/industrial"], landmarks: [card("LM1", "public", { landmark: true, prestige: 8, height_mm: 90 })] };
const scene = { ...announced.scene!, board };
const live: Live = { spot: "seat/1/pad/0", thing: "platform/6/commercial", mass_g: 90, moving: false, low_mm: 44, high_mm: 51, pieces: 6, pieces_unsure: true };
const seen = sample(scene, { ...said("action.end_turn", {}, 1), live: [live], lights: [{ spot: "city/1/-1", role: "delivered", seat: null }] });
const lifted = sample({ ...scene, seat: 1, board: { ...board, areas: board.areas.map((one) => (one.seat === 1 ? { ...one, open_contracts: [card("CO4", "commercial"), card("CO7", "commercial", { height_mm: 50 })] } : one)) } }, { held: [{ thing: "platform/6/commercial", seat: 1, low_mm: 44, high_mm: 51, pieces: 5, pieces_unsure: true }] });
const building = sample({ ...scene, board: { ...board, tiles: [...TILES] } }, { trying: dark.trying, live: wide.live });
const text = createRawSnippet(() => ({ render: () => "<span>6 of 7+ pieces</span>" }));
const ghost = { type: "commercial", lowMm: 54, highMm: 59, massG: 148, moving: true, seat: 1 };
const drawing = { drawing: true };

const fell: Collapse = { no: 3, spot: LOAD.spot, cause: "delivery", before: scene, load: LOAD };
const stoodAt = cells(seen).find(({ spot }) => spot === LOAD.spot)!;

export const states: Catalogue = {
  "announcer/Said": [state("two contracts", { seen, own: announcer, records: null })],
  "games/megacity/collapse/Fall": [state("the page chooses", { seen, fell, at_ms: 420 }, { needs: "browser" })],
  "games/megacity/collapse/FallFlat": [state("as it begins", { cell: stoodAt, count: 4, fell, at_ms: 200 }), state("in the air", { cell: stoodAt, count: 4, fell, at_ms: 420 })],
  "games/megacity/collapse/FallModel": [state("in the air", { city: cells(seen), count: 4, fell, at_ms: 420, slow: () => {} }, { needs: "browser" })],
  "games/megacity/ActionsLeft": [0, 1, 2].map((actions_left) => state(`${actions_left} left`, { scene: { ...scene, board: { ...board, actions_left } } })),
  "games/megacity/Area": [state("contracts", { scene, seat: 1, lights: [] })],
  "games/megacity/Check": ["yes", "no", "unsure", "people"].map((tick) => state(tick, { tick, children: text })),
  "games/megacity/ChoiceMap": [state("two hexes", { choices: ["city/1/1", "city/-1/1"], seen, pick: () => {} })],
  "games/megacity/City": [state("the page chooses", { seen }, { needs: "browser" })],
  "games/megacity/CityFlat": [state("a few buildings", { seen }), state("a delivery", { seen: building })],
  "games/megacity/CityModel": [state("a few buildings", { seen, slow: () => {}, forced: true }, { needs: "browser" })],
  "games/megacity/ContractCard": [state("a contract", { type: "public", card: CARDS[1], below: 4 }), state("an empty column", { type: "industrial", card: null, below: 0 })],
  "games/megacity/Gauge": [state("not measured", { target: 55, band: null }), state("below", { target: 55, band: { low: 40, high: 44 } }), state("perhaps", { target: 55, band: { low: 51, high: 59 } }), state("reached", { target: 55, band: { low: 57, high: 58 } })],
  "games/megacity/GhostTower": [state("a height", { ghost, at, spot: "city/1/1" }, drawing), state("a weight", { ghost: { ...ghost, lowMm: null, highMm: null }, at, spot: "city/1/1" }, drawing)],
  "games/megacity/Guesses": [state("leftovers", { scene: { ...scene, board: { ...board, guesses: [{ reason: "leftover", seats: [1], least: -3, most: -1 }, { reason: "winners", seats: [1, 2], least: 0, most: 0 }] } } }), state("none", { scene })],
  "games/megacity/Hand": [state("two contracts", { seen, seat: 1 })],
  "games/megacity/Market": [state("three columns", { scene })],
  "games/megacity/DeliveryMoment": [state("a wide band", { seen: wide })],
  "games/megacity/Moment": [state("not measured", { seen: dark }), state("a wide band", { seen: wide }), state("a narrow band", { seen: narrow }), state("carried", { seen: lifted })],
  "games/megacity/Needs": [state("one", { card: CARDS[0] }), state("none", { card: CARDS[1] })],
  "games/megacity/OverlayDelivery": [state("not measured", { seen: dark }), state("a wide band", { seen: wide }), state("a narrow band", { seen: narrow }), state("it stands", { seen: delivered })],
  "games/megacity/PaperCity": [state("two entries", { paper: PAPER(), chosen: "1/0" })],
  "games/megacity/PaperForm": [state("waiting", { by: "host", playing: true, close: () => {} })],
  "games/megacity/PaperHex": ["1/0", "0/1", "2/0", "0/0"].map((one) => state(one, { paper: PAPER(), at: one })),
  "games/megacity/ParkMark": [state("in hand", { scene, seat: 3 }), state("placed", { scene, seat: 1 })],
  "games/megacity/ParkTile": [state("a park", { tile: PARK, at }, drawing), state("Central Park", { tile: TILES[0], at }, drawing)],
  "games/megacity/Ring": ["legal", "tallest", "wrong", "waiting"].map((role) => state(role, { light: { spot: "city/1/0", role, seat: 1 }, at }, drawing)),
  "games/megacity/Tremor": [state("nobody knows a load", { spot: "city/1/0" })],
  "games/megacity/Tower": [state("standing", { tile: TILES[2], at }, drawing), state("the tallest", { tile: TILES[1], at }, drawing), state("not measured", { tile: tile("city/2/0", "public", null), at }, drawing), state("fallen", { tile: TILES[3], at }, drawing)],
};

export const answers = { "/api/paper": PAPER() };

function PAPER(): unknown {
  const hand = { pieces: 5, tokens: 1, contracts: "IN2", platforms: "6c" };
  return { player: 1, players: [hand, hand], buildings: [{ at: "1/0", platform: "3p", owner: 2, contract: "PU4", height_mm: 62, pieces: 0 }], parks: [{ at: "0/1", owner: 1, monument: true }], columns: ["4", "4", "4", "4"], supply: "9p 12i", turn: 9, actions_used: 1, box: 0, monument: false, due_at: "" };
}
