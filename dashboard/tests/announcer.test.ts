import { beforeEach, expect, test } from "vitest";
import { after, most, places } from "../src/announcer/margins";
import { agoText, factsOf, gainText, marginText, tableRecords } from "../src/announcer/said";
import megacity from "../src/games/megacity";
import own from "../src/games/megacity/announcer";
import { play } from "../src/lib/playing.svelte";
import { player, seen, tile } from "./fixtures";

beforeEach(() => play(megacity));

const PLAYERS = [player(1, { score: 14 }), player(2, { score: 17 }), player(3, { score: null }), player(4, { score: 14 })];
const name = (seat: number): string => `P${seat}`;

test("the leader comes first, and everybody's margin is the distance to them", () => {
  expect(places(PLAYERS).map(({ player, behind }) => [player.seat, behind])).toEqual([
    [2, 0],
    [1, 3],
    [4, 3],
  ]);
});

test("a delivery is told by what it would mean", () => {
  expect(after(PLAYERS, 1, 4)).toEqual({ total: 18, lead: 1 });
  expect(after(PLAYERS, 1, 3)).toEqual({ total: 17, lead: 0 });
  expect(after(PLAYERS, 2, 2)).toEqual({ total: 19, lead: 5 });
});

test("records name the tallest building that stands, and facts what is left", () => {
  const fell = { no: 1, t_us: 0, key: "action.deliver", words: { stood: "no" }, seat: 1, provisional: false };
  const city = seen({ happened: [fell] }, [tile("city/1/0", { height_mm: 61, owner: 2, steel: 4 }), tile("city/1/1", { height_mm: 90, standing: false })]);
  expect(own.records(city, "en", name)).toEqual(["The tallest building: 61\u00a0mm, by P2", "The most pieces in one building: 4, by P2"]);
  expect(own.facts(city, "en", name)).toContain("1 building stands, 6.1 cm high");
  const minute = 60_000_000;
  expect(own.facts(seen({ t_us: 26 * minute, happened: [{ ...fell, t_us: 7 * minute }] }, []), "fr", name)).toContain("1 chute au cours des 19 dernières minutes");
  const began = { ...fell, key: "sensed.game_began", words: {}, seat: null };
  expect(own.facts(seen({ happened: [began, fell] }, []), "en", name)).toContain("1 fall in this game");
  expect(own.facts(seen({ happened: [began] }, []), "en", name).filter((fact) => /fall|building/.test(fact))).toEqual([]);
});

const scene = (more: Parameters<typeof player>[1][]) => ({ ...seen().scene!, players: more.map((one, k) => player(k + 1, one)) });

test("the greatest may be several's, and nothing is no record", () => {
  expect(most([3, 5, 5], (n) => n)).toEqual({ value: 5, of: [5, 5] });
  expect(most([0], (n) => n)).toBeNull();
  expect(most([], () => 1)).toBeNull();
});

test("a moment is told by how long ago it was, by the clock of the table", () => {
  expect([0, 29, 60, 250].map((seconds) => agoText("en", seconds * 1_000_000))).toEqual(["just now", "just now", "1 minute ago", "4 minutes ago"]);
  expect(agoText("fr", 240_000_000)).toBe("il y a 4 minutes");
});

test("in every game what happened last is a fact, and the phase, which is said to those who play, is not", () => {
  const line = { no: 1, t_us: 0, key: "action.end_turn", words: {}, seat: 2, provisional: false };
  const happened = [line, { ...line, no: 2, provisional: true, seat: 1 }, { ...line, no: 3, key: "sensed.fell" }];
  play(null);
  const told = factsOf("en", seen({ t_us: 60_000_000, happened }));
  expect(told).toEqual(["Seat 2 end turn (1 minute ago)"]);
});

test("points that came by actions have a record at once, and all others by what they are for", () => {
  const line = (points: number, action_no: number | null) => ({ points, reason: "other", words: {}, action_no });
  expect(gainText("en", scene([{ lines: [line(4, 8), line(9, null)] }, { lines: [line(6, 9)] }]))).toMatch(/^Most points at once: \+6 for Seat 2/);
  expect(gainText("en", scene([{ lines: [line(4, null)] }, { lines: [line(9, null)] }]))).toMatch(/^Most points of one kind: \+9 for Seat 2/);
  expect(gainText("en", scene([{}]))).toBe("");
});

test("a single player has no margin", () => {
  expect([marginText("en", scene([{ score: 7 }])), marginText("en", scene([{ score: 7 }, { score: 7 }]))]).toEqual(["", "Seat 1 and Seat 2 are level"]);
});

test("the records of the table say how far the leader is from the most points", () => {
  const record = { key: "points", value: 41, seat: 1, name: "Ada", day: "2026-11-20", fresh: false };
  const records = { game: "", title: "", games: 3, records: [record, { ...record, key: "falls", value: 0 }], playable: [] };
  const told = (score: number, ended = "") => tableRecords("en", records, { ...scene([{ score }, {}]), ended });
  expect(told(34)).toEqual(["Most points: 41 · Ada · Nov 20, 2026 · Seat 1 needs 8 more to beat it"]);
  expect(told(42)[0]).toContain("Seat 1 already has more");
  expect(told(34, "completed")[0]).not.toContain("needs");
  expect(tableRecords("en", null, scene([]))).toEqual([]);
});

test("nobody leads any more when the game is over", () => {
  const over = { ...scene([{ score: 7 }, { score: 5 }]), ended: "rounds" };
  expect([marginText("en", scene([{ score: 7 }, { score: 5 }])), marginText("en", over)]).toEqual(["Seat 1 leads by 2", "The margin: 2"]);
});
