import { describe, expect, test } from "vitest";
import { blocksOf } from "../../../src/games/megacity/blocks";
import { fallen, falling } from "../../../src/games/megacity/collapse/fall";
import type { Tile } from "../../../src/games/megacity/board";
import type { Cell } from "../../../src/games/megacity/cells";
import { interrupted, LEAD_MS, leftAt, SPAN_MS } from "../../../src/replay/replay";
import type { Collapse, Seen } from "../../../src/lib/seen";

const TILE: Tile = { spot: "city/1/0", kind: "platform", name: "p", colour: "public", owner: 1, height_mm: 46, standing: true, tallest: false, monument: false, steel: 2, concrete: 4, glass: 1 };
const cell = (tile: Tile): Cell => ({ hex: { q: 1, r: 0 }, spot: tile.spot, light: null, tile, ghost: null });
const LOAD = { spot: "city/1/0", t_ms: [0, 100, 200, 300, 400, 500], grams: [90, 90, 90, 50, 16, 16] };

describe("what falls", () => {
  test("is all of a building that no longer stands, and the share that is gone of one that does", () => {
    const above = blocksOf(cell(TILE)).length - 2;
    expect(fallen(cell(TILE), { ...TILE, standing: false })).toBe(above);
    expect(fallen(cell(TILE), undefined)).toBe(above);
    expect(fallen(cell(TILE), { ...TILE, concrete: 1 })).toBe(Math.round((above * 3) / 7));
  });

  test("is a monument, and not its park", () => {
    const park = { ...TILE, kind: "park", monument: true };
    expect(fallen(cell(park), { ...park, monument: false })).toBe(2);
  });

  test("stands until the load goes, leaves from the top, and lies at the end", () => {
    const before = blocksOf(cell(TILE));
    const count = fallen(cell(TILE), undefined);
    expect(falling(cell(TILE), count, LOAD, 200)).toEqual(before);
    const during = falling(cell(TILE), count, LOAD, 320).map((block, k) => block.y !== before[k]!.y);
    expect(during.at(-1)).toBe(true);
    expect(during.slice(0, 3)).toEqual([false, false, false]);
    const after = falling(cell(TILE), count, LOAD, SPAN_MS);
    expect(Math.max(...after.slice(2).map(({ y }) => y))).toBeLessThan(30);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  });
});

describe("a replay", () => {
  test("follows the load, and falls at its usual time where nothing was felt", () => {
    expect(leftAt(LOAD, 0.5)).toBe(300);
    expect(leftAt(LOAD, 1)).toBe(400);
    expect(leftAt(null, 0)).toBe(LEAD_MS);
  });

  test("ends when something else is confirmed, corrected or begun", () => {
    const fell = { no: 7 } as Collapse;
    const seen = { collapse: fell, restoring: false, clearing: null, status: { disagreements: [] }, trying: [{ action: "p1 end_turn" }] } as unknown as Seen;
    expect(interrupted(fell, seen, seen)).toBe(false);
    expect(interrupted(fell, seen, { ...seen, trying: [] })).toBe(false);
    expect(interrupted(fell, seen, { ...seen, trying: [{ action: "p2 refresh" }] } as unknown as Seen)).toBe(true);
    expect(interrupted(fell, seen, { ...seen, collapse: null })).toBe(true);
    expect(interrupted(fell, seen, { ...seen, restoring: true })).toBe(true);
    expect(interrupted(fell, seen, { ...seen, status: { disagreements: [{ state: "wrong" }] } } as unknown as Seen)).toBe(true);
  });
});
