import { beforeEach, expect, test } from "vitest";
import comeback from "../../../src/games/comeback";
import type { Board, Cell } from "../../../src/games/comeback/board";
import paintCity from "../../../src/games/comeback/card";
import { board } from "../../../src/games/comeback/style";
import { LAMP } from "../../../src/card/model";
import { play } from "../../../src/lib/playing.svelte";
import { sampleScene } from "../../../src/overlay/samples";
import { outside, painted, textsOf } from "../../brush";

beforeEach(() => play(comeback));

const cell = (column: number, row: number, more: Partial<Cell> = {}): Cell => ({ spot: `grid/${column}/${row}`, column, row, card: "X", zone: "commercial", stories: 3, counters: 2, powered: true, ...more });
const POINTS = { residential: 11, commercial: 14, industrial: 20, government: 20 };
const city = (cells: Cell[], more: Partial<Board> = {}) => painted(paintCity, sampleScene("comeback", 1, [65], { ...board, cells, points: POINTS, lines: [true], roads: [true], ...more }), "fr");

test("each building has the letter of its zone, its counters, and a row of windows for each story", () => {
  const strokes = city([cell(1, 4), cell(1, 5, { zone: "government", stories: 1, counters: 0 })]);
  expect(textsOf(strokes).slice(0, 3)).toEqual(["C", "2", "G"]);
  expect(strokes.filter(({ colour }) => colour === LAMP)).toHaveLength(4 * (3 + 1));
  expect(textsOf(strokes)).toEqual(expect.arrayContaining(["Résidentiel 11", "Gouvernement 20", "Centrale électrique\u00a0: en service"]));
});

test("without power the windows are dark, and rubble has none", () => {
  const lit = (more: Partial<Cell>) => city([cell(1, 4, more)]).filter(({ colour }) => colour === LAMP).length;
  expect([lit({}), lit({ powered: false }), lit({ rubble: true })]).toEqual([12, 0, 0]);
  expect(textsOf(city([cell(1, 4, { rubble: true })]))).not.toContain("2");
});

test("the highest city, its bird and what struck it stay on their part of the card, large enough for a phone", () => {
  const high = [1, 2, 3, 4, 5, 6].flatMap((column) => Array.from({ length: 5 }, (_, k) => cell(column, 4 + k, { stories: 6, occupied: k === 4, guarded: k === 3 })));
  const strokes = city(high, { bird: cell(6, 9), plant_works: false, lines: [false, true, false, true, true], roads: [true, false, true, true, true] });
  expect(outside(strokes)).toEqual([]);
  for (const { what, said, size } of strokes) if (what === "text") expect(size, said).toBeGreaterThanOrEqual(32);
  expect(textsOf(strokes)).toContain("Centrale électrique\u00a0: hors service");
});

test("a card that nobody has entered, and an empty city, can be painted", () => {
  expect(textsOf(city([{ spot: "grid/1/4", column: 1, row: 4, card: "X", zone: "" }]))).toContain("?");
  expect(outside(city([], { lines: [], roads: [] }))).toEqual([]);
});
