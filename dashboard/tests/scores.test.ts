import { expect, test } from "vitest";
import { breakdown, latest, plain, share, signed } from "../src/lib/scores";
import type { Line } from "../src/lib/seen";
import { player } from "./fixtures";

const line = (points: number, reason: string, action_no: number | null = null): Line => ({ points, reason, words: {}, action_no });

test("the leader's bar is full, and points below nothing draw no bar", () => {
  const all = [player(1, { score: 20 }), player(2, { score: 5 }), player(3, { score: -2 })];
  expect(all.map((one) => share(one, all))).toEqual([1, 0.25, 0]);
});

test("before the first point nobody's bar is broken", () => {
  const all = [player(1), player(2)];
  expect(all.map((one) => share(one, all))).toEqual([0, 0]);
});

test("the latest points are those of the latest actions; what is only counted at the end is not among them", () => {
  const lines = [line(4, "contract", 3), line(1, "token_tallest", 9), line(3, "diversity"), line(-2, "leftover", 12), line(2, "contract", 7)];
  expect(latest(lines, 2).map(({ points }) => points)).toEqual([1, 2]);
  expect(lines).toHaveLength(5);
});

test("the breakdown adds up to every player's score", () => {
  const players = [
    player(1, { score: 6, lines: [line(4, "contract", 1), line(3, "contract", 2), line(-1, "leftover")] }),
    player(2, { score: 5, lines: [line(2, "contract", 3), line(3, "tallest"), line(0, "leftover")] }),
  ];
  const rows = breakdown({ players, reasons: ["contract", "tallest", "leftover", "park_unplaced"] });
  expect(rows).toEqual([
    { reason: "contract", points: [7, 2] },
    { reason: "tallest", points: [null, 3] },
    { reason: "leftover", points: [-1, 0] },
  ]);
  players.forEach((one, k) => expect(rows.reduce((sum, row) => sum + (row.points[k] ?? 0), 0)).toBe(one.score));
});

test("reasons stand in the rulebook's order, whoever has them first; what the game does not list comes last", () => {
  const players = [player(1, { lines: [line(2, "own"), line(3, "diversity")] }), player(2, { lines: [line(3, "tallest"), line(2, "specialisation")] })];
  const rows = breakdown({ players, reasons: ["specialisation", "diversity", "tallest"] });
  expect(rows.map(({ reason }) => reason)).toEqual(["specialisation", "diversity", "tallest", "own"]);
});

test("points carry their sign, a real minus for what is lost", () => {
  expect([signed(3), signed(0), signed(-2), plain(3), plain(-2)]).toEqual(["+3", "+0", "−2", "3", "−2"]);
});
