import { expect, test } from "vitest";
import { asOnTheWall } from "../../../src/games/megacity/tabletop/reach";

test("the columns lie at the virtual table as on the wall, whatever came last", () => {
  const types = ["public", "industrial", "commercial", "residential"];
  const spots = ["residential", "commercial", "public"].map((type) => `supply/contract/${type}`);
  expect(asOnTheWall(spots, types)).toEqual(["supply/contract/public", "supply/contract/commercial", "supply/contract/residential"]);
  expect(asOnTheWall(spots, [])).toEqual(spots);
});
