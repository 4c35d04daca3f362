import { expect, test } from "vitest";
import file from "../../hub/citytable/views/roles.json";
import { typeColour } from "../src/games/megacity/types";
import { lookOf, seatColour } from "../src/lib/look";

test("every role looks as the hub's file says, like its LED ring", () => {
  for (const { role, rgb, pattern } of file.roles) {
    const colour = rgb === "seat" ? seatColour(2) : `rgb(${(rgb as number[]).join(" ")})`;
    expect(lookOf(role, 2)).toEqual({ colour, pattern });
  }
});

test("an unknown role and an unknown seat look like other, and are still seen", () => {
  expect(lookOf("never-heard-of", null)).toEqual(lookOf("other", null));
  expect(lookOf("turn", null)).toEqual({ colour: lookOf("other", null).colour, pattern: "solid" });
});

// Viénot, Brettel and Mollon (1999): what somebody without the red or without the green cones sees, in linear light.
const BLIND: Record<string, number[][]> = {
  protanopia: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  deuteranopia: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
};

const linear = (part: number): number => (part / 255) ** 2.2;
const rgbOf = (css: string): number[] =>
  css.startsWith("#") ? [1, 3, 5].map((at) => parseInt(css.slice(at, at + 2), 16)) : css.match(/\d+/g)!.map(Number);

function seenBy(matrix: number[][], css: string): number[] {
  const light = rgbOf(css).map(linear);
  return matrix.map((row) => 255 * Math.max(0, row.reduce((sum, share, k) => sum + share * light[k]!, 0)) ** (1 / 2.2));
}

test.each(Object.keys(BLIND))("seats and building types stay apart for people with %s", (kind) => {
  const families = [["public", "industrial", "commercial", "residential"].map(typeColour), [1, 2, 3, 4].map(seatColour)];
  for (const colours of families) {
    const view = colours.map((colour) => seenBy(BLIND[kind]!, colour));
    view.forEach((one, i) =>
      view.slice(0, i).forEach((other, j) => {
        const apart = Math.hypot(...one.map((part, k) => part - other[k]!));
        expect(apart, `${colours[i]} and ${colours[j]}`).toBeGreaterThan(40);
      }),
    );
  }
});
