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

  const MOMENTS = Array.from({ length: SPAN_MS / 5 }, (_, k) => k * 5);

  test.each([TILE, { ...TILE, spot: "city/0/0" }, { ...TILE, kind: "park", monument: true }])("moves without a jump, beside what stands, and never sinks into the table", (tile) => {
    const falls = { ...cell(tile), hex: { q: Number(tile.spot[5]), r: 0 } };
    const before = blocksOf(falls);
    const count = fallen(falls, undefined) || 2;
    const top = before.length - count;
    let last = before;
    for (const at_ms of MOMENTS) {
      const blocks = falling(falls, count, LOAD, at_ms);
      const stands = Math.max(0, ...blocks.filter((block, k) => k >= top && block === before[k]).map(({ y, height }) => y + height));
      blocks.slice(top).forEach((block, k) => {
        const old = last[top + k]!;
        expect(Math.abs(block.radius - old.radius), "it does not pop to another size").toBeLessThan(4);
        expect(Math.hypot(block.x - old.x, block.y - old.y, block.z - old.z)).toBeLessThan(20);
        const low = block.y - block.radius * Math.sin(Math.min(Math.abs(block.lean ?? 0), Math.PI / 2));
        if (at_ms > SPAN_MS - 20) expect(low, "it lies on the table").toBeGreaterThan(-0.1);
        if (block !== before[top + k] && block.y < stands) expect(Math.hypot(block.x - before[top]!.x, block.z - before[top]!.z)).toBeGreaterThan(55);
      });
      last = blocks;
    }
    for (const { x, z } of last.slice(top)) expect([z > before[0]!.z, Math.abs(x - before[0]!.x) > 20]).toEqual([true, true]);
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
