// @vitest-environment node
import { render } from "svelte/server";
import { expect, test } from "vitest";
import comeback from "../../../src/games/comeback";
import own from "../../../src/games/comeback/overlay";
import Tabletop, { byHand } from "../../../src/games/comeback/tabletop/Tabletop.svelte";
import { play } from "../../../src/lib/playing.svelte";
import type { Seen } from "../../../src/lib/seen";
import { Hands } from "../../../src/tabletop/hands.svelte";

const flipped = own.samples[0]!;

/** Report whether a disaster can be drawn in a phase, with these things on the spots of the table. */
function canStrike(phase: string, lying: Record<string, string> = {}): boolean {
  Object.assign(globalThis, { location: new URL("http://table.local/table") });
  play(comeback);
  const hands = new Hands(new URL("http://table.local/table"), 1, "en");
  hands.parts = Object.fromEntries(Object.entries(lying).map(([spot, thing]) => [`spot/${spot}`, { thing, below: 0 }]));
  const seen: Seen = { ...flipped, scene: { ...flipped.scene!, phase } };
  return render(Tabletop, { props: { seen, seat: 1, hands, language: "en" } }).body.includes("data-strike");
}

test("a disaster can be drawn until one lies there", () => {
  expect(["build", "disaster"].map((phase) => canStrike(phase))).toEqual([true, true]);
  expect(canStrike("disaster", { "disaster/1": "disaster/hurricane" })).toBe(false);
});

test("what is done with cards is not reported", () => {
  const acts = ["flip", "build", "discard", "strike", "severity", "repair"].filter((name) => byHand({ action: "", key: `action.${name}`, words: {}, seat: 1 }));
  expect(acts).toEqual(["flip", "build", "discard", "strike"]);
});
