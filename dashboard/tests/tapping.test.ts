import { expect, test } from "vitest";
import type { Trying } from "../src/lib/seen";
import { tappable } from "../src/lib/tapping";

function act(seat: number | null): Trying {
  return {
    key: "action.take_pieces",
    words: {},
    seat,
    stage: "sure",
    spots: [],
    action: seat === null ? "table" : `p${seat} take_pieces`,
    confidence: 0.98,
    grounds: ["weight"],
    doubts: [],
    breaks: "",
  };
}

const UNDER_WAY = [act(1), act(null), act(2), act(1)];

test("the host may say of everything that it is right", () => {
  expect(tappable(UNDER_WAY, null)).toEqual(UNDER_WAY);
});

test("a player says it of his own acts, and not of what comes after another's", () => {
  expect(tappable(UNDER_WAY, 1)).toEqual(UNDER_WAY.slice(0, 2));
  expect(tappable(UNDER_WAY, 2)).toEqual([]);
});
