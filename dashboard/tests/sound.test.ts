import { expect, test } from "vitest";
import { due, NOTES, type Due } from "../src/sound/cues";
import type { Happened, Seen } from "../src/lib/seen";
import { seen } from "./fixtures";

const MOMENTS = ["action.deliver", "action.building_fell"];
const line = (no: number, key: string, more: Partial<Happened> = {}): Happened => ({ no, t_us: no, key, words: {}, seat: 1, provisional: false, ...more });
const cues = (all: Due[]): string[] => all.map(({ cue }) => cue);
const at = (turn: number, seat: number | null, more: Partial<Seen> = {}): Seen => {
  const table = seen(more);
  return { ...table, scene: { ...table.scene!, turn, seat } };
};

test("a page that is opened sounds of nothing that was before", () => {
  expect(due(null, at(3, 1, { happened: [line(1, "action.deliver")] }), MOMENTS)).toEqual([]);
});

test("the next turn, a moment that is confirmed and the end have cues of their own, the most important last", () => {
  const before = at(3, 1, { happened: [line(4, "action.deliver", { provisional: true })] });
  expect(due(at(3, 1), before, MOMENTS), "nobody knows yet").toEqual([]);
  const after = at(4, 2, { happened: [line(4, "action.deliver"), line(5, "action.end_turn")] });
  expect(cues(due(before, after, MOMENTS))).toEqual(["turn", "moment"]);
  expect(due(before, after, MOMENTS)[1]!.line!.no).toBe(4);
  expect(due(after, after, MOMENTS)).toEqual([]);
  const over = { ...after, scene: { ...after.scene!, seat: null, ended: "completed" } };
  expect(cues(due(after, over, MOMENTS))).toEqual(["end"]);
});

test("a fall sounds when it is confirmed, and not as an act besides", () => {
  const collapse = { no: 9, spot: "city/1/0", cause: "unknown", before: at(3, 1).scene!, load: null } as const;
  const after = at(3, 1, { happened: [line(9, "action.building_fell")], collapse });
  expect(cues(due(at(3, 1), after, MOMENTS))).toEqual(["fell"]);
});

test("what the senses suspect to fall sounds of nothing, and neither does it when they are sure", () => {
  for (const provisional of [true, false]) {
    expect(due(at(3, 1), at(3, 1, { happened: [line(9, "sensed.fell", { seat: null, provisional })] }), [...MOMENTS])).toEqual([]);
  }
});

test("an alarm sounds once, however long it stays and whatever joins it", () => {
  const wrong = { kind: "missing", spots: [], thing: "bag", to: [], action: "", rule: "", text: {}, state: "wrong", grams: 0 } as Seen["status"]["disagreements"][number];
  const one = at(3, 1, { status: { disagreements: [wrong] } });
  const two = at(3, 1, { status: { disagreements: [wrong, { ...wrong, thing: "park/1" }] } });
  const calm = at(3, 1, { status: { disagreements: [{ ...wrong, state: "in_hand" }] } });
  expect([due(calm, one, MOMENTS), due(one, two, MOMENTS), due(at(3, 1), calm, MOMENTS)].map(cues)).toEqual([["alarm"], [], []]);
});

test("corrections are silent: what is taken back, amended or set by hand, and what is put back after it", () => {
  const before = at(5, 1, { happened: [line(4, "action.take_pieces"), line(5, "action.end_turn")] });
  const deliver = line(4, "action.deliver");
  expect(due(before, at(5, 2, { happened: [deliver, line(5, "action.end_turn")] }), MOMENTS), "amended").toEqual([]);
  expect(due(before, at(5, 2, { happened: [line(5, "action.end_turn")] }), MOMENTS), "an old line is forgotten").toHaveLength(1);
  expect(due(before, at(4, 2, { happened: before.happened }), MOMENTS), "taken back").toEqual([]);
  expect(due(before, at(5, 2, { happened: [...before.happened, line(6, "action.position_set"), line(7, "action.deliver")] }), MOMENTS)).toEqual([]);
  expect(due(before, at(6, 2, { happened: before.happened, restoring: true }), MOMENTS)).toEqual([]);
});

test("every cue has notes", () => {
  for (const notes of Object.values(NOTES)) expect(notes.length).toBeGreaterThan(0);
});
