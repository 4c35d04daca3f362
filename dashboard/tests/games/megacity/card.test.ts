import { beforeEach, expect, test } from "vitest";
import { BRASS } from "../../../src/card/model";
import megacity from "../../../src/games/megacity";
import paintCity from "../../../src/games/megacity/card";
import { icons } from "../../../src/games/megacity/icons";
import { typeColour } from "../../../src/games/megacity/types";
import { play } from "../../../src/lib/playing.svelte";
import { outside, painted, textsOf } from "../../brush";
import { seen, tile } from "../../fixtures";

beforeEach(() => play(megacity));

const city = (...tiles: ReturnType<typeof tile>[]) => painted(paintCity, seen({}, tiles).scene!);

test("an owner has their number, and a type its icon, beside the colours", () => {
  const strokes = city(tile("city/1/0", { owner: 2, height_mm: 47 }), tile("city/0/1", { owner: 1, colour: "industrial", standing: false }), tile("city/1/-1", { kind: "park", owner: 3 }));
  expect(textsOf(strokes).sort()).toEqual(["1", "2", "3", "47"]);
  const drawn = strokes.filter(({ what }) => what === "icon").map(({ said }) => said);
  for (const name of ["public", "industrial", "park"]) expect(drawn).toContain(icons[name]![0]);
  expect(outside(strokes)).toEqual([]);
});

test("the tallest building keeps the colour of its type; brass is its edge", () => {
  const towers = (tallest: boolean) => city(tile("city/1/0", { tallest, height_mm: 92 }));
  expect(towers(true).filter(({ colour }) => colour === BRASS).map(({ what }) => what)).toEqual(["edge", "edge", "edge", "edge"]);
  const own = (tallest: boolean) => towers(tallest).filter(({ colour }) => colour === typeColour("public")).length;
  expect(own(true)).toBe(own(false));
});

test("a mark lies above the tower in front of it", () => {
  const strokes = city(tile("city/0/0"), tile("city/0/1", { height_mm: 90 }));
  const last = strokes.map(({ what, said }) => what === "text" && said === "90").lastIndexOf(true);
  expect(strokes.slice(last).filter(({ what }) => what === "icon")).toHaveLength(2);
});
