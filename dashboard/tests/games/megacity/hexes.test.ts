import { expect, test } from "vitest";
import { column, storeys, UNITS_PER_MM } from "../../../src/games/megacity/column";
import { centre, CITY, corners, hexOf, RADIUS, spotOf, SQUASH } from "../../../src/games/megacity/hexes";

test("the city has 37 hexes, each once, with Central Park in the middle", () => {
  expect(CITY).toHaveLength(37);
  expect(new Set(CITY.map(spotOf)).size).toBe(37);
  expect(centre({ q: 0, r: 0 })).toEqual({ x: 0, y: 0 });
});

test("what stands in front is drawn after what stands behind it", () => {
  const rows = CITY.map((hex) => centre(hex).y);
  expect(rows).toEqual([...rows].sort((a, b) => a - b));
});

test("neighbouring hexes share exactly two corners", () => {
  const text = ({ x, y }: { x: number; y: number }): string => `${x.toFixed(6)} ${(y + 0).toFixed(6).replace("-0.000000", "0.000000")}`;
  const own = new Set(corners(centre({ q: 0, r: 0 }), RADIUS).map(text));
  for (const [q, r] of [[1, 0], [1, -1], [0, -1], [-1, 0], [-1, 1], [0, 1]] as const) {
    const theirs = corners(centre({ q, r }), RADIUS).map(text);
    expect(theirs.filter((corner) => own.has(corner)), `${q}/${r}`).toHaveLength(2);
  }
});

test("seen from above a hex is regular", () => {
  const [first, second] = corners({ x: 0, y: 0 }, 10, 1);
  expect(Math.hypot(second!.x - first!.x, second!.y - first!.y)).toBeCloseTo(10);
});

test("spots and hexes translate both ways, and other spots are no hexes", () => {
  for (const hex of CITY) expect(hexOf(spotOf(hex))).toEqual(hex);
  expect(hexOf("seat/1/pad/0")).toBeNull();
  expect(hexOf("city/1")).toBeNull();
});

test("a column is as high as it is told, and as wide at its roof as at its foot", () => {
  const block = column({ x: 5, y: 7 }, 60, 80);
  expect(block.topCentre).toEqual({ x: 5, y: -73 });
  const foot = corners({ x: 5, y: 7 }, 60);
  block.top.forEach((corner, k) => {
    expect(corner.x).toBeCloseTo(foot[k]!.x);
    expect(corner.y).toBeCloseTo(foot[k]!.y - 80);
  });
  expect(block.frontWidth).toBeCloseTo(60);
});

test("the three walls that are seen hang together", () => {
  const block = column({ x: 0, y: 0 }, 60, 30);
  expect(block.left[1]).toEqual(block.front[0]);
  expect(block.front[1]).toEqual(block.right[0]);
});

test("storeys are counted from the ground and never touch the roof", () => {
  expect(storeys({ x: 0, y: 0 }, 60, 55, 10)).toHaveLength(5);
  expect(storeys({ x: 0, y: 0 }, 60, 40, 10)).toHaveLength(3);
  const first = storeys({ x: 0, y: 0 }, 60, 55, 10)[0]!;
  expect(first[0]!.y).toBeCloseTo(-10 * UNITS_PER_MM);
  expect(SQUASH).toBeLessThan(1);
});
