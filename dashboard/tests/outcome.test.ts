import { expect, test } from "vitest";
import { nextBegan } from "../src/lib/begun";
import { seen } from "./fixtures";

const act = (action: string) => ({ action, key: "action.x", words: {}, seat: 1, confidence: 1, stage: "sure", spots: [] });

test("what an act brought is over when another begins, and not when the same goes on", () => {
  const before = seen({ trying: [act("p1 end_turn")] as never });
  expect(nextBegan(before, before)).toBe(false);
  expect(nextBegan(before, seen({ trying: [] }))).toBe(false);
  expect(nextBegan(before, seen({ trying: [act("p1 place_park at=1/0")] as never }))).toBe(true);
  expect(nextBegan(before, seen({ restoring: true }))).toBe(true);
});
