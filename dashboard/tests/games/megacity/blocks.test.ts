import { expect, test } from "vitest";
import { blocksOf, roofOf, storeysOf } from "../../../src/games/megacity/blocks";
import { cells } from "../../../src/games/megacity/cells";
import type { Tile } from "../../../src/games/megacity/board";
import { seen, tile } from "../../fixtures";

const cell = (more: Partial<Tile>, spot = "city/1/0") => cells(seen({}, [tile(spot, more)])).find((one) => one.spot === spot)!;
const top = (more: Partial<Tile>) => Math.max(...blocksOf(cell(more)).map(({ y, height }) => y + height));

test("a tower of the model is as high as it was measured, beside all others", () => {
  const [low, high, higher] = [20, 60, 100].map((height_mm) => top({ height_mm }));
  expect(high! - low!).toBeCloseTo(higher! - high!);
  expect(roofOf(cell({ height_mm: 60 }))).toBeCloseTo(high!);
});

test("as many storeys stand there as pieces are known, of their materials", () => {
  const storeys = storeysOf(tile("city/1/0", { steel: 3, concrete: 2, glass: 1 }));
  expect([...storeys].sort()).toEqual(["concrete", "concrete", "glass", "steel", "steel", "steel"]);
  expect(storeys.slice(0, 3).sort()).not.toEqual(["steel", "steel", "steel"]);
});

test("a building of unknown pieces is a plain model, and what is not confirmed looks like neither", () => {
  expect(new Set(storeysOf(tile("city/1/0")))).toEqual(new Set(["card"]));
  const live = { spot: "city/1/0", thing: "platform/6/commercial", mass_g: 20, moving: false, low_mm: 30, high_mm: 34, pieces: null, pieces_unsure: false };
  const ghost = cells(seen({ live: [live] })).find(({ spot }) => spot === "city/1/0")!;
  expect(blocksOf(ghost).filter(({ stuff }) => stuff === "ghost")).toHaveLength(2);
  expect(blocksOf(cell({})).some(({ stuff }) => stuff === "ghost")).toBe(false);
});

test("a fallen building is rubble, lower than any tower", () => {
  expect(top({ height_mm: 90, standing: false })).toBeLessThan(top({ height_mm: 25 }));
});

test("a monument stands in its park", () => {
  const park = (monument: boolean) => Math.max(...blocksOf(cell({ kind: "park", monument })).map(({ y, height }) => y + height));
  expect(park(true)).toBeGreaterThan(park(false));
});
