import { expect, test } from "vitest";
import type { Board, Ground } from "../../../src/games/dilluvia/board";
import { lineOf, offersOf, spotsLeft } from "../../../src/games/dilluvia/choice";
import { frameOf, HIGH, rowsBelow, stretched } from "../../../src/games/dilluvia/frame";

const EMPTY: Board = { order: [1, 2], grid: [1, 13], ground: [], market: [], spaces: {}, mats: [] };
const at = (kind: Ground["kind"], ...cells: string[]): Ground => ({ kind, cells });

test.each([
  ["left2", [5, 6, 7, 8]],
  ["right1", [4, 3, 2, 1]],
  ["top3", [3, 7, 11, 15]],
  ["bottom4", [16, 12, 8, 4]],
])("a zeppelin at %s buys from the spaces in front of it, the nearest first", (berth, line) => {
  expect(lineOf(berth)).toEqual(line);
});

test("the shopper is offered what is lit: tiles at their price, and in turn 7 what is printed, by its distance", () => {
  const mats = [{ seat: 1, zeppelin: "right1" }] as Board["mats"];
  const tile = { tile: 9, kind: "five", space: 3, price: 5 };
  expect(offersOf({ ...EMPTY, mats, market: [tile] }, 1, new Set(["market/3"]))).toEqual([{ space: 3, price: 5, tile }]);
  expect(offersOf({ ...EMPTY, mats, printed: ["aeros", "cubes"] }, 1, new Set(["market/2"]))).toEqual([{ space: 2, price: 3, printed: "cubes" }]);
  expect(offersOf({ ...EMPTY, mats }, 2, new Set(["market/3"]))).toEqual([]);
});

test("an action space is full when all its printed spots are taken; some have no printed spots", () => {
  const spaces = { income: [{ player: 1 }], white: [{ player: 2 }, { aero: true }], acquire: [{ player: 1 }], garden: [] };
  expect(spotsLeft(spaces)).toEqual({ full: ["income"], free: ["white"] });
});

test("the drawing has the propellers and a ring around what was built, within the city, and is at least as wide as high", () => {
  const propellers = [at("propeller", "3/3"), at("propeller", "11/11"), at("centre", "7/7")];
  expect(frameOf({ ...EMPTY, ground: propellers })).toEqual({ left: 3, right: 11, top: 3, bottom: 11 });
  expect(frameOf({ ...EMPTY, ground: [...propellers, at("building", "2/7", "2/8")] })).toEqual({ left: 1, right: 11, top: 3, bottom: 11 });
  const high = frameOf({ ...EMPTY, ground: [...propellers, at("garden", "7/1"), at("terrain", "7/12")] });
  expect([high.top, high.bottom, high.right - high.left]).toEqual([1, 13, 12]);
  expect(frameOf({ ...EMPTY, grid: [3, 11], ground: [at("garden", "3/3")] }).left).toBe(3);
});

test("a space is as wide as the room allows, within limits", () => {
  expect([stretched(0, 0), stretched(130, 100), stretched(80, 100), stretched(300, 100)]).toEqual([HIGH, 52, HIGH, 64]);
});

test("below the city stand as many whole rows as have room, and none that would be cut", () => {
  expect(rowsBelow(0, 0, 11, 10, HIGH, 5)).toBe(0);
  expect(rowsBelow(450, 410, 11, 10, HIGH, 5)).toBe(0); // the rows fill the height
  expect([489, 490, 491].map((down) => rowsBelow(450, down, 11, 10, HIGH, 5))).toEqual([1, 2, 2]); // the columns fill the width
});
