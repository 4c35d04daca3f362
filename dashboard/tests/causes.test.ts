import { beforeEach, expect, test } from "vitest";
import megacity from "../src/games/megacity";
import { alarms, calm, toPutRight } from "../src/lib/causes";
import { play } from "../src/lib/playing.svelte";
import type { Disagreement } from "../src/lib/seen";
import { calmText, instruction, stationName } from "../src/lib/table";
import { seen } from "./fixtures";

beforeEach(() => play(megacity));

const one = (kind: string, more: Partial<Disagreement> = {}): Disagreement => ({ kind, spots: [], thing: "", to: [], rule: "", action: "", text: {}, state: "wrong", grams: 0, ...more });
const table = (...disagreements: Disagreement[]) => seen({ status: { disagreements } });
const HEXES = ["city/1/0", "city/1/-1", "city/2/-1", "city/2/0", "city/3/-1", "city/3/0"];

test("a dead station is one line, whatever its twelve sensors do not say", () => {
  const sensors = HEXES.flatMap((spot) => [one("sensor_fault", { spots: [spot], thing: "cell" }), one("sensor_fault", { spots: [spot], thing: "tag" })]);
  const silent = one("station_silent", { spots: HEXES, thing: "sector-1" });
  expect(alarms(table(...sensors, silent))).toEqual([silent]);
  expect(instruction("en", silent)).toBe("No signal from city sector 1: its station is off or out of reach");
});

test("failed sensors without a dead station are one line together, and the cause comes first", () => {
  const sensors = HEXES.map((spot) => one("sensor_fault", { spots: [spot] }));
  const [first, ...rest] = alarms(table(one("mass", { spots: ["seat/1/bag"] }), ...sensors));
  expect(rest).toHaveLength(1);
  expect(instruction("en", one("sensor_fault", { spots: ["seat/1/pad/0", "seat/1/pad/1"] }))).toBe("Sensors have failed at seat 1's pad");
  expect(instruction("en", first!)).toBe("Sensors have failed at 6 places");
  expect(instruction("fr", first!)).toBe("Capteurs en panne\u00a0: 6 emplacements");
});

test("a story that does not fit together is told by the hub alone: there is nothing to take away", () => {
  const unclear = one("unclear", { text: { en: "It does not fit together.", fr: "Cela ne va pas ensemble." } });
  expect(alarms(table(unclear))).toEqual([unclear]);
  expect(instruction("fr", unclear)).toBe("Cela ne va pas ensemble.");
});

test("what is in a hand or settling is no alarm", () => {
  const bag = one("missing", { thing: "bag", state: "in_hand" });
  const card = one("unexpected", { thing: "contract/IN1", state: "settling" });
  expect(alarms(table(bag, card))).toEqual([]);
  expect(calm(table(bag, card))).toEqual([bag]);
  expect(calmText("en", bag)).toBe("The bag is on its way");
  expect(calmText("fr", { ...bag, thing: "platform/3/public" })).toBe("En main\u00a0: la plateforme 3 (public)");
});

test("what rests where it may not stay is said calmly, before what is in a hand", () => {
  const bag = one("missing", { thing: "bag", state: "in_hand" });
  const rests = one("refused", { thing: "platform/11/residential", rule: "R25", text: { en: "That hex touches no tile of the city." }, state: "settling" });
  expect(alarms(table(bag, rests))).toEqual([]);
  expect(calm(table(bag, rests))).toEqual([rests, bag]);
  expect(calmText("en", rests)).toBe("That hex touches no tile of the city.");
});

test("a station is called by the part of the table that it serves", () => {
  expect(["park", "seat-2", "supply", "sector-6"].map((name) => stationName("en", name))).toEqual(["the centre of the city", "seat 2", "the supply", "city sector 6"]);
  expect(stationName("fr", "lamp")).toBe("lamp");
});

test("after an undo nobody is accused of what lies on the table: it is to be put back", () => {
  const refused = one("refused", { spots: ["city/1/0"], thing: "platform/3/public", to: ["seat/1/pad/0"], rule: "R7", text: { en: "It is not your turn.", fr: "" } });
  const shown = { status: { disagreements: [refused] } };
  expect(instruction("en", toPutRight(seen(shown))[0]!)).toContain("It is not your turn.");
  const told = instruction("en", toPutRight(seen({ ...shown, restoring: true }))[0]!);
  expect(told).toBe("Put platform 3 (public) back on seat 1's pad");
});
