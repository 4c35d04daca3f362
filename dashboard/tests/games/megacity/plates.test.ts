import { expect, test } from "vitest";
import { readable, type Label, type Outline } from "../../../src/games/megacity/plates";

const label = (spot: string, x: number, y: number, must = false): Label => ({ spot, x, y, wide: 60, high: 40, must });
const tower = (spot: string, x: number, y: number): Outline => ({ spot, x, y, wide: 60, high: 120 });

test("a label that lies over another is left out, and the first ones stay", () => {
  const shown = readable([label("a", 0, 0), label("b", 30, 0), label("c", 100, 0)], []);
  expect(shown.map(({ spot }) => spot)).toEqual(["a", "c"]);
});

test("a label that lies over another a little moves aside, no further than it takes", () => {
  const shown = readable([label("a", 0, 0), label("b", 50, 0), label("c", -40, 0)], []);
  expect(shown.map(({ spot, x }) => [spot, x])).toEqual([["a", 0], ["b", 62], ["c", -64]]);
});

test("a label that would hide a tower beside it does not move there", () => {
  expect(readable([label("a", 0, 0), label("b", 50, 0)], [tower("c", 75, 0)]).map(({ spot }) => spot)).toEqual(["a"]);
});

test("a label that hides another tower is left out, its own tower does not count", () => {
  const things = [tower("a", 0, 40), tower("b", 100, 20)];
  expect(readable([label("a", 0, 0), label("c", 90, 20)], things).map(({ spot }) => spot)).toEqual(["a"]);
});

test("labels that have to be read all stay, side by side", () => {
  const shown = readable([label("low", 5, 0), label("tallest", 0, 0, true), label("delivery", 10, 0, true)], [tower("x", 0, 0)]);
  expect(shown.map(({ spot }) => spot)).toEqual(["tallest", "delivery"]);
  const [one, other] = shown as [Label, Label];
  expect(Math.abs(one.x - other.x) >= 60 || Math.abs(one.y - other.y) >= 40).toBe(true);
});

test("a label without room above its tower stands on the front of it, and the labels above others stay", () => {
  const things = [tower("back", 0, 0), tower("near", 0, 90)];
  const front = { x: 0, y: 120, wide: 50, high: 40 };
  const shown = readable([label("back", 0, -60), { ...label("near", 0, 30), front }], things);
  expect(shown.map(({ spot, y, onFront }) => [spot, y, onFront ?? false])).toEqual([["back", -60, false], ["near", 120, true]]);
});

test("a front that a nearer tower hides has no label", () => {
  const things = [tower("back", 0, 0), tower("far", 0, 60), tower("near", 0, 120)];
  const front = { x: 0, y: 90, wide: 50, high: 40 };
  expect(readable([label("back", 0, -60), { ...label("far", 0, 0), front }], things).map(({ spot }) => spot)).toEqual(["back"]);
});
