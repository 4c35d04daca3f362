import { expect, test } from "vitest";
import { byPlace } from "../src/games/dilluvia/tabletop/cells";
import { Hands } from "../src/tabletop/hands.svelte";
import { learnMoves, learnTabletop } from "../src/tabletop/words";
import { isSensed, move } from "../src/tabletop/reach";
import { LANGUAGES } from "../src/lib/words";

test("what is moved is asked of the hands: a thing to a spot or a pile, the top of a pile to a spot only", () => {
  const asked: unknown[] = [];
  const hands = new Hands(new URL("http://table/table"), 2, "en");
  hands.act = (act, fields) => asked.push([act, fields]);
  const thing = { kind: "thing", of: "tile/7", name: "" };
  const top = { kind: "pile", of: "passed", name: "" };
  move(hands, 2, thing, "seat/2/card/0");
  move(hands, 2, thing, "pile/tiles/2");
  move(hands, 2, top, "seat/2/card/0");
  move(hands, 2, top, "pile/deck");
  expect(asked).toEqual([
    ["move", { seat: 2, thing: "tile/7", spot: "seat/2/card/0" }],
    ["lay_off", { seat: 2, thing: "tile/7", pile: "tiles/2" }],
    ["turn_up", { seat: 2, pile: "passed", spot: "seat/2/card/0" }],
  ]);
});

test("the drawer of the sensors is for places with sensors", () => {
  expect(["city/1/0", "seat/1/pad/0", "supply/platform/2", "pieces", "completed", "pile/deck"].map(isSensed)).toEqual([true, true, true, false, false, false]);
});

test.each(["en", "fr"] as const)("the words of each game's table are there in %s", (language) => {
  learnTabletop(language);
  expect(LANGUAGES[language]!["top.held"]).toBeTruthy();
  for (const [game, key] of [["megacity", "move.draw"], ["comeback", "move.flip"], ["dilluvia", "move.tiles"]] as const) {
    learnMoves(game, language);
    expect(LANGUAGES[language]![key], game).toBeTruthy();
  }
});

test("a place of the board has what may be reported there", () => {
  const act = (seat: number, key: string, words: Record<string, string>) => ({ action: `p${String(seat)} ${key}`, key, words, seat });
  const terrain = act(1, "action.terrain", { at: "5/6", shape: "single" });
  const wide = act(1, "action.terrain", { at: "5/6", shape: "double" });
  const garden = act(1, "action.garden", { at: "4/6" });
  const zeppelin = act(1, "action.zeppelin", { at: "left1" });
  const told = [terrain, garden, zeppelin, wide, act(1, "action.done", {})];
  expect([...byPlace(told, "city")]).toEqual([["5/6", [terrain, wide]], ["4/6", [garden]]]);
  expect([...byPlace(told, "berth")]).toEqual([["left1", [zeppelin]]]);
});
