import { expect, test } from "vitest";
import own from "../src/games/megacity/ceremony";
import { boardOf } from "../src/games/megacity/board";
import { stepMs, stepsOf } from "../src/lib/ceremony";
import type { Line } from "../src/lib/seen";
import { player, seen, tile } from "./fixtures";

const line = (points: number, reason: string, action_no: number | null, contract = ""): Line => ({ points, reason, words: contract ? { contract } : {}, action_no });
const TILES = [tile("city/1/0", { owner: 1, contract: "PU1" }), tile("city/0/1", { owner: 2, contract: "IN2" }), tile("city/1/1", { owner: 2, contract: "PU1" })];

function ended() {
  const shown = seen({}, TILES).scene!;
  const one = player(1, { score: 9, lines: [line(1, "token_material", 9), line(8, "contract", 12, "PU1")] });
  const two = player(2, { score: 5, lines: [line(3, "contract", 20, "PU1"), line(2, "contract", 7, "IN2")] });
  return { ...shown, players: [one, two], winners: [1], ended: "completed" };
}

test("buildings are counted in the order of their deliveries, the winner's last, and the rest after them", () => {
  expect(stepsOf(ended(), own).map(({ seat, spot, points }) => [seat, spot, points])).toEqual([
    [2, "city/0/1", 2],
    [2, "city/1/1", 3],
    [1, "city/1/0", 8],
    [1, "", 1],
  ]);
});

test("a game without a ceremony of its own counts each player in one step", () => {
  expect(stepsOf(ended(), null).map(({ seat, points }) => [seat, points])).toEqual([
    [2, 5],
    [1, 9],
  ]);
});

test("what is not counted yet lies in the dark", () => {
  const lit = own.lit(ended(), new Set(["city/0/1"]));
  expect(boardOf(lit).tiles.map(({ dark }) => dark)).toEqual([true, false, true]);
});

test("however many buildings there are, the count is over within 45 seconds", () => {
  for (const steps of [1, 20, 36, 90]) {
    const each = Array.from({ length: steps }, (_, at) => stepMs(at, steps));
    expect(each.reduce((sum, ms) => sum + ms, Math.max(...each.slice(0, -1), 0))).toBeLessThanOrEqual(45_000);
  }
});

test("with the last step the whole city stands in the light for the four seconds of a ceremony", () => {
  for (const steps of [1, 2, 20, 90]) expect(stepMs(steps - 1, steps)).toBe(4000);
});
