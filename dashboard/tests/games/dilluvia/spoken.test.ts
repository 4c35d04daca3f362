import { expect, test } from "vitest";
import dilluvia from "../../../src/games/dilluvia";
import { spokenCity } from "../../../src/games/dilluvia/spoken";
import { play } from "../../../src/lib/playing.svelte";
import { seen } from "../../fixtures";
import { sampleScene } from "../../../src/overlay/samples";

test("buildings are told with place and owner, other ground is counted", () => {
  play(dilluvia);
  const ground = [
    { kind: "building", cells: ["5/6", "6/6"], owner: 2, building: "3A" },
    { kind: "terrain", cells: ["1/1"], owner: 1 },
    { kind: "terrain", cells: ["1/2"], owner: 1 },
    { kind: "propeller", cells: ["5/5"], owner: 1 },
    { kind: "centre", cells: ["4/4"] },
  ];
  const board = { game: "dilluvia", order: [1, 2], grid: [1, 9], ground, market: [], spaces: {}, mats: [] };
  expect(spokenCity(seen({ scene: sampleScene("dilluvia", 1, [9], board) }), "en")).toBe(
    "The city has 1 building. Building 3A, column 5, row 6, seat 2. Seat 1 has 2 terrains, 1 propeller.",
  );
});
