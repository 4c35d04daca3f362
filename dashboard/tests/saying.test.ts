import { expect, test } from "vitest";
import { chosen, kindsOf, mineToSay, nextStep, type Sayable } from "../src/lib/saying";

function sayable(action: string): Sayable {
  const [who = "", verb = "", ...rest] = action.split(" ");
  const words = Object.fromEntries(rest.map((part) => part.split("=") as [string, string]));
  return { action, key: `action.${verb}`, words, seat: who.startsWith("p") ? Number(who.slice(1)) : null };
}

const ALL = [
  "p1 refresh",
  "p1 take_pieces",
  "p1 take_pieces announced=steel",
  "p1 deliver contract=PU1 platform=3 at=1/0 stood=yes",
  "p1 deliver contract=PU1 platform=3 at=1/0 stood=no",
  "p1 deliver contract=PU1 platform=3 at=0/1 stood=yes",
  "p1 deliver contract=PU1 platform=3 at=0/1 stood=no",
  "table building_fell at=1/1",
].map(sayable);

test("a seat tells of itself and of the table, the host of everybody", () => {
  expect(mineToSay(ALL, 1)).toHaveLength(8);
  expect(mineToSay(ALL, 2).map((one) => one.action)).toEqual(["table building_fell at=1/1"]);
  expect(mineToSay(ALL, null)).toHaveLength(8);
});

test("only what differs is asked, until one sentence is left", () => {
  const verbs = nextStep(ALL)!;
  expect(verbs).toEqual({
    name: "key",
    values: ["action.refresh", "action.take_pieces", "action.deliver", "action.building_fell"],
  });
  expect(nextStep(chosen(ALL, verbs, "action.refresh"))).toBeNull();
  const deliveries = chosen(ALL, verbs, "action.deliver");
  const where = nextStep(deliveries)!;
  expect(where).toEqual({ name: "at", values: ["1/0", "0/1"] });
  const how = nextStep(chosen(deliveries, where, "0/1"))!;
  expect(how).toEqual({ name: "stood", values: ["yes", "no"] });
  const [left] = chosen(chosen(deliveries, where, "0/1"), how, "no");
  expect(left?.action).toBe("p1 deliver contract=PU1 platform=3 at=0/1 stood=no");
});

test("a word that only some have is a choice, too", () => {
  const pieces = ALL.filter((one) => one.key === "action.take_pieces");
  const step = nextStep(pieces)!;
  expect(step).toEqual({ name: "announced", values: ["", "steel"] });
  expect(chosen(pieces, step, "").map((one) => one.action)).toEqual(["p1 take_pieces"]);
});

test("nothing to say is no step", () => expect(nextStep([])).toBeNull());

test("a kind of action is its key, or a variant of it", () => {
  const fell = (key: string, words: Record<string, string>): string => (key === "action.deliver" && words["stood"] === "no" ? ".fell" : "");
  const kinds = kindsOf(ALL, fell).map(({ kind, all }) => [kind, all.length]);
  expect(kinds).toEqual([
    ["action.refresh", 1],
    ["action.take_pieces", 2],
    ["action.deliver", 2],
    ["action.deliver.fell", 2],
    ["action.building_fell", 1],
  ]);
});
