// @vitest-environment node
import { render } from "svelte/server";
import { expect, test } from "vitest";
import comeback from "../../../src/games/comeback";
import { boardOf, type Board } from "../../../src/games/comeback/board";
import own from "../../../src/games/comeback/overlay";
import Tabletop, { byHand } from "../../../src/games/comeback/tabletop/Tabletop.svelte";
import { play } from "../../../src/lib/playing.svelte";
import type { Scene } from "../../../src/lib/seen";
import { Hands } from "../../../src/tabletop/hands.svelte";

const flipped = own.samples[0]!;

/** Return the table with these things on its spots, and so many cards in its piles. */
function drawn(scene: Scene, lying: Record<string, string>, piles: Record<string, number>): string {
  Object.assign(globalThis, { location: new URL("http://table.local/table") });
  play(comeback);
  const hands = new Hands(new URL("http://table.local/table"), 1, "en");
  const spots = Object.entries(lying).map(([spot, thing]): [string, unknown] => [`spot/${spot}`, { thing, below: 0 }]);
  const counted = Object.entries(piles).map(([name, count]): [string, unknown] => [`pile/${name}`, { count, top: null }]);
  hands.parts = Object.fromEntries([...spots, ...counted]);
  return render(Tabletop, { props: { seen: { ...flipped, scene }, seat: 1, hands, language: "en" } }).body;
}

/** Report whether a disaster can be drawn in a phase, with these things on the spots of the table. */
function canStrike(phase: string, lying: Record<string, string> = {}): boolean {
  return drawn({ ...flipped.scene!, phase }, lying, {}).includes("data-strike");
}

/** Return the piles that are to be tidied, with so many cards in each. */
function untidy(board: Partial<Board>, piles: Record<string, number>): string[] {
  const body = drawn({ ...flipped.scene!, board: { ...boardOf(flipped.scene!), ...board } }, {}, piles);
  return [...body.matchAll(/data-tidy="(\w+)"/g)].map(([, name]) => name!);
}

test("cards that were passed are to be tidied once the building stands, and not while the next one is flipped", () => {
  const one = boardOf(flipped.scene!).flipped!;
  expect(untidy({ passed: 0, flipped: null }, { passed: 3, deck: 20 })).toEqual(["passed"]);
  expect(untidy({ passed: 3, flipped: one }, { passed: 4, deck: 20 })).toEqual([]); // the hub has not seen yet that the card was passed
  expect(untidy({ passed: 3, flipped: one }, { passed: 3, deck: 20 })).toEqual([]);
});

test("the discards are to be shuffled into a deck that is used up", () => {
  expect(untidy({ passed: 0 }, { deck: 0, discards: 7 })).toEqual(["discards"]);
  expect(untidy({ passed: 0 }, { deck: 1, discards: 7 })).toEqual([]);
  expect(untidy({ passed: 0 }, {})).toEqual([]); // a bot has them in its hands
});

test("a disaster can be drawn until one lies there", () => {
  expect(["build", "disaster"].map((phase) => canStrike(phase))).toEqual([true, true]);
  expect(canStrike("disaster", { "disaster/1": "disaster/hurricane" })).toBe(false);
});

test("what is done with cards is not reported", () => {
  const acts = ["flip", "build", "discard", "strike", "severity", "repair"].filter((name) => byHand({ action: "", key: `action.${name}`, words: {}, seat: 1 }));
  expect(acts).toEqual(["flip", "build", "discard", "strike"]);
});
