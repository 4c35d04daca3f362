import { expect, test } from "vitest";
import type { Board } from "../../../src/games/megacity/board";
import { columnsOf } from "../../../src/games/megacity/tabletop/reach";

test("the columns lie at the virtual table as on the wall, and an empty one keeps its place", () => {
  const board = { columns: { public: [], industrial: [], commercial: [], residential: [] } } as unknown as Board;
  expect(columnsOf(board)).toEqual(["public", "industrial", "commercial", "residential"].map((type) => `supply/contract/${type}`));
  expect(columnsOf(null)).toEqual([]);
});
