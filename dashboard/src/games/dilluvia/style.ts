// The states of the Dilluvia Project's parts, for the style page.

import { createRawSnippet } from "svelte";
import type { Seen } from "../../lib/seen";
import { state } from "../../style/catalogue";
import type { Catalogue } from "../../style/state";
import { boardOf, type Board } from "./board";
import announcer from "./announcer";
import own from "./overlay";

const [shopping, placing] = own.samples as [Seen, Seen];
export const board: Board = {
  ...boardOf(shopping.scene!),
  ground: [{ kind: "terrain", cells: ["4/4", "5/4"] }, { kind: "building", cells: ["4/5"], owner: 2, building: "3A", cube: "first" }, { kind: "garden", cells: ["5/5"], owner: 1 }, { kind: "propeller", cells: ["6/5"], price: 4 }, { kind: "centre", cells: ["5/6"] }],
  market: [{ tile: 4, kind: "money", space: 1, price: 3 }, { tile: 9, kind: "five", space: 2, five: true }],
  spaces: { construction: [{ player: 2, workers: 2 }, { aero: true, limit: 3 }], income: [{}] },
};
const space = createRawSnippet((n: () => number) => ({ render: () => `<span>${n()}</span>` }));
const scene = { ...shopping.scene!, board };

const berthed = { ...board, mats: board.mats.map((mat) => ({ ...mat, zeppelin: "left1" })) };
const buying = { ...scene, board: berthed, lights: [1, 2].map((space) => ({ spot: `market/${space}`, role: "turn", seat: 2 })) };
const choosing = { ...placing.scene!, board: { ...boardOf(placing.scene!), due: "", spaces: { construction: [{ player: 2, workers: 2 }], income: [{}] } } };

export const states: Catalogue = {
  "announcer/Said": [shopping, placing].map((seen) => state(seen.scene!.phase, { seen: { ...seen, scene: { ...seen.scene!, board: { ...board, ...boardOf(seen.scene!), ground: board.ground, market: board.market } } }, own: announcer, records: null })),
  "games/dilluvia/Beside": [state("buying", { scene: buying, seat: 2 }), state("choosing a space", { scene: choosing, seat: 4 })],
  "games/dilluvia/Berths": [state("two open, one docked", { board: berthed, open: ["left2", "bottom3"], pick: () => {} })],
  "games/dilluvia/ChoiceMap": [state("spaces of the city", { seen: { ...shopping, scene }, choices: ["city/4/5", "city/3/4"], pick: () => {} }), state("berths", { seen: { ...shopping, scene: { ...scene, board: berthed } }, choices: ["berth/left2", "berth/top1", "berth/bottom4", "berth/right3"], pick: () => {} })],
  "games/dilluvia/City": [state("five things", { seen: { ...shopping, scene } })],
  "games/dilluvia/Due": [state("a construction", { scene: placing.scene }), state("buildings", { scene: { ...placing.scene!, board: { ...boardOf(placing.scene!), buildings: [{ name: "0A", cost: [1, 1, 0, 0], squares: [[0, 0, 0, 1], [0, 0, 2, 0]] }, { name: "2B", cost: [1, 1, 1, 0], squares: [[1, 2, 0, 0], [0, 0, 2, 0]] }] } } }), state("nothing", { scene: shopping.scene })],
  "games/dilluvia/Grid": [state("spaces and berths", { board: berthed, open: ["left2", "top1"], pick: () => {}, children: space })],
  "games/dilluvia/Hand": [state("seat 1", { seen: { ...shopping, scene }, seat: 1 })],
  "games/dilluvia/Market": [state("two tiles", { scene }), state("one may be tapped, in vain", { scene: { ...scene, board: { ...board, idle: ["construction"] } }, open: new Set(["construction"]) }), state("empty", { scene: shopping.scene })],
  "games/dilluvia/Mat": [1, 2].map((seat) => state(`seat ${seat}`, { scene, seat })),
  "games/dilluvia/OverlayMeans": [state("means", { seen: shopping })],
};
