import { expect, test } from "vitest";
import type { Board, Ground } from "../../../src/games/dilluvia/board";
import paintCity from "../../../src/games/dilluvia/card";
import { board } from "../../../src/games/dilluvia/style";
import { seatColour } from "../../../src/lib/look";
import { sampleScene } from "../../../src/overlay/samples";
import { outside, painted, textsOf } from "../../brush";

const city = (ground: Ground[], more: Partial<Board> = {}) => painted(paintCity, sampleScene("dilluvia", 1, [9], { ...board, ground, ...more }));
const building = (more: Partial<Ground> = {}): Ground => ({ kind: "building", cells: ["5/5"], owner: 2, building: "3A", ...more });

test("every owner has a number beside the colour: of ground, of buildings, of propellers", () => {
  const strokes = city([{ kind: "terrain", cells: ["4/4"], owner: 1 }, building(), { kind: "propeller", cells: ["7/7"], owner: 3, price: 4 }, { kind: "propeller", cells: ["3/7"], price: 4 }, { kind: "garden", cells: ["2/2"] }, { kind: "centre", cells: ["6/6"] }]);
  expect(textsOf(strokes).sort()).toEqual(["1", "2", "3"]);
  for (const seat of [1, 2, 3]) expect(strokes.some(({ what, colour, size }) => what === "face" && size > 0 && colour === seatColour(seat))).toBe(true);
});

test("a building of a higher number is higher, and has more floors", () => {
  const roof = (name: string) => Math.min(...city([building({ building: name })]).filter(({ what, colour }) => what === "edge" && colour === seatColour(2)).flatMap(({ at }) => at.map(([, y]) => y)));
  expect(roof("0A")).toBeGreaterThan(roof("3B"));
  expect(roof("3B")).toBeGreaterThan(roof("6A"));
  const edges = (name: string) => city([building({ building: name })]).filter(({ what }) => what === "edge").length;
  expect(edges("6A") - edges("0A")).toBe(6);
});

test.each([[[3, 11]], [[2, 12]], [[1, 13]]] as [[number, number]][])("the grid %s with the highest buildings at its corners stays on its part of the card", (grid) => {
  const [low, high] = grid;
  const corners = [[low, low], [high, low], [low, high], [high, high]].map(([x, y]) => building({ cells: [`${x}/${y}`], building: "6A" }));
  const strokes = city(corners, { grid });
  expect(outside(strokes)).toEqual([]);
  for (const { what, said, size } of strokes) if (what === "text") expect(size, said).toBeGreaterThanOrEqual(26);
});
