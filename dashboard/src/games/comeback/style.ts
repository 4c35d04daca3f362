// The states of Comeback City's parts, for the style page.

import type { Seen } from "../../lib/seen";
import { state } from "../../style/catalogue";
import type { Catalogue } from "../../style/state";
import { boardOf, type Cell } from "./board";
import announcer from "./announcer";
import own from "./overlay";

const [flipped, built, disaster, restored] = own.samples as [Seen, Seen, Seen, Seen];
const cell = (column: number, row: number, more: Partial<Cell>): Cell => ({ spot: `grid/${column}/${row}`, column, row, card: "17", name: { en: "", fr: "" }, zone: "commercial", stories: 3, points: 4, powered: true, ...more });
const cells = [cell(1, 1, {}), cell(2, 1, { zone: "residential", counters: 2 }), cell(3, 1, { rubble: true, powered: false }), cell(2, 2, { zone: "industrial", occupied: true })];
const city = (seen: Seen): Seen => ({ ...seen, scene: { ...seen.scene!, board: { ...boardOf(seen.scene!), cells, lines: [true, false], roads: [true, true] } } });

export const board = boardOf(city(built).scene!);

const BONUSES = [{ card: "ZC5", zone: "commercial", condition: "stories", number: 4, helper: "engineering_corps", reached: 4, completed: true, used: "" }, { card: "ZI4", zone: "industrial", condition: "adjacent", number: 3, helper: "planning_commission", reached: 2, completed: false, used: "" }];
const spoken = (seen: Seen): Record<string, unknown> => ({ seen: { ...city(seen), scene: { ...seen.scene!, board: { ...boardOf(city(seen).scene!), bonuses: BONUSES } } }, own: announcer, records: null });

export const states: Catalogue = {
  "announcer/Said": [state("a card", spoken(flipped)), state("no card", spoken(built)), state("a disaster", spoken(disaster)), state("the goal is met", spoken(restored))],
  "games/comeback/ActionPoints": [state("three", { scene: disaster.scene }), state("one", { scene: restored.scene })],
  "games/comeback/Beside": [state("a card", { scene: flipped.scene, seat: 1 }), state("the bonuses", { scene: built.scene, seat: 1 }), state("a disaster", { scene: disaster.scene, seat: 1 })],
  "games/comeback/City": [state("four cards", { seen: city(built) }), state("the bird", { seen: city({ ...disaster, scene: { ...disaster.scene!, board: { ...boardOf(disaster.scene!), bird: cell(3, 2, {}) } } }) })],
  "games/comeback/Flipped": [state("a card", { scene: flipped.scene }), state("none", { scene: built.scene })],
  "games/comeback/Goal": [state("a disaster", { scene: disaster.scene })],
  "games/comeback/Hand": [state("building", { seen: flipped, seat: 1 })],
  "games/comeback/OverlayCard": [state("a card", { seen: flipped }), state("a goal", { seen: disaster }), state("the goal is met", { seen: restored })],
  "games/comeback/Situation": [state("building", { scene: flipped.scene }), state("a disaster", { scene: disaster.scene })],
};
