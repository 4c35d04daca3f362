import { expect, test } from "vitest";
import { HIGH, WIDE, across, decimal, lengthMs, markText, marksOf, pathOf, spanOf, type Curve, type Signal } from "../src/lib/signal";

const curve: Curve = { spot: "city/1/0", t_ms: [0, 1000, 2000, 6000], grams: [10, 60, 60, 10] };
const mark = { spot: "city/1/0", t_ms: 1500, fact: "fell", stage: "confirmed", value: 12.3 };
const signal: Signal = { seq: 7, from_us: 1_000_000, until_us: 9_000_000, curves: [curve], marks: [mark] };

test("times lie from the left to the right edge", () => {
  expect(lengthMs(signal)).toBe(8000);
  expect([0, 4000, 8000].map((t_ms) => across(t_ms, 8000))).toEqual([0, WIDE / 2, WIDE]);
});

test("a curve stays within its plot, and is not drawn where nothing was kept", () => {
  const path = pathOf(curve, 8000);
  expect(path.replace(/[^ML]/g, "")).toBe("MLLM");
  const heights = [...path.matchAll(/ ([\d.]+)/g)].map((found) => Number(found[1]));
  expect(Math.min(...heights)).toBeGreaterThan(0);
  expect(Math.max(...heights)).toBeLessThan(HIGH);
  expect(heights[0]).toBeGreaterThan(heights[1]!);
});

test("the noise of a load at rest is not blown up", () => {
  const { low, high } = spanOf({ spot: "", t_ms: [0, 1], grams: [20, 20.1] });
  expect(high - low).toBeCloseTo(5);
});

test("marks are those of the spot, in words, without mere motion", () => {
  const moving = { ...mark, fact: "mass_moving", stage: "", value: null };
  const marks = marksOf({ ...signal, marks: [moving, mark, { ...mark, spot: "city/0/1" }] }, "city/1/0");
  expect(marks).toEqual([mark]);
  expect(markText("en", mark)).toBe("fell: 12.3\u00a0g");
  expect(markText("fr", mark)).toBe("chute\u00a0: 12,3\u00a0g");
});

test("nothing is less than nothing by rounding", () => {
  expect([-0.04, 0.04, -0.06].map((value) => decimal("en", value))).toEqual(["0", "0", "-0.1"]);
});
