// The states of Comeback City's parts, for the style page.

import type { Seen } from "../../lib/seen";
import { state } from "../../style/catalogue";
import type { Catalogue } from "../../style/state";
import { boardOf, type Cell } from "./board";
import own from "./overlay";

const [flipped, built, disaster, restored] = own.samples as [Seen, Seen, Seen, Seen];
const cell = (column: number, row: number, more: Partial<Cell>): Cell => ({ spot: `grid/${column}/${row}`, column, row, card: "17", name: { en: "", fr: "" }, zone: "commercial", stories: 3, points: 4, powered: true, ...more });
const cells = [cell(1, 1, {}), cell(2, 1, { zone: "residential", counters: 2 }), cell(3, 1, { rubble: true, powered: false }), cell(2, 2, { zone: "industrial", occupied: true })];
const city = (seen: Seen): Seen => ({ ...seen, scene: { ...seen.scene!, board: { ...boardOf(seen.scene!), cells, lines: [true, false], roads: [true, true] } } });

export const board = boardOf(city(built).scene!);

export const states: Catalogue = {
  "games/comeback/ActionPoints": [state("three", { scene: disaster.scene }), state("one", { scene: restored.scene })],
  "games/comeback/City": [state("four cards", { seen: city(built) }), state("the bird", { seen: city({ ...disaster, scene: { ...disaster.scene!, board: { ...boardOf(disaster.scene!), bird: cell(3, 2, {}) } } }) })],
  "games/comeback/Flipped": [state("a card", { scene: flipped.scene }), state("none", { scene: built.scene })],
  "games/comeback/Goal": [state("a disaster", { scene: disaster.scene })],
  "games/comeback/Hand": [state("building", { seen: flipped, seat: 1 })],
  "games/comeback/OverlayCard": [state("a card", { seen: flipped }), state("a goal", { seen: disaster }), state("the goal is met", { seen: restored })],
  "games/comeback/Situation": [state("building", { scene: flipped.scene }), state("a disaster", { scene: disaster.scene })],
};
