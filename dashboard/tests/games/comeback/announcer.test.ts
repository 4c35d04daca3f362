import { beforeEach, expect, test } from "vitest";
import comeback from "../../../src/games/comeback";
import announcer from "../../../src/games/comeback/announcer";
import { boardOf, type Board, type Bonus } from "../../../src/games/comeback/board";
import own from "../../../src/games/comeback/overlay";
import { board as city } from "../../../src/games/comeback/style";
import { play } from "../../../src/lib/playing.svelte";
import type { Seen } from "../../../src/lib/seen";

beforeEach(() => play(comeback));

const [flipped, built, disaster, restored] = own.samples as [Seen, Seen, Seen, Seen];
const with_ = (seen: Seen, more: Partial<Board>): Seen => ({ ...seen, scene: { ...seen.scene!, board: { ...boardOf(seen.scene!), ...more } } });
const next = (seen: Seen, language: "en" | "fr" = "en") => announcer.next(seen, language).map(({ title, detail, points }) => `${title}: ${detail}${points === null ? "" : ` +${points}`}`.replaceAll("\u00a0", " "));
const name = (seat: number): string => `P${seat}`;
const bonus = (more: Partial<Bonus>): Bonus => ({ card: "ZI4", zone: "industrial", condition: "adjacent", number: 3, helper: "planning_commission", reached: 1, completed: false, used: "", ...more });

test("the flipped card is told with what it costs, brings, and what may be done with it", () => {
  expect(next(flipped)[0]).toBe("17, Commercial: 3 stories · 4 points are printed on it · Cost: 1 wood, 2 steel · If it is not built: 1 concrete · Build or discard it");
  expect(next({ ...flipped, scene: { ...flipped.scene!, phase: "rebuild" } })[0]).toMatch(/^17, Commercial: 3 stories · Cost.* \+4$/);
  expect(next(built)).toEqual(["Flip the next card: 20 in the deck", "65 points win the game: 30 points to go"]);
  const unread = { ...boardOf(flipped.scene!).flipped!, zone: "" };
  expect(next(with_(flipped, { flipped: unread }))[0]).toBe("17: what is printed on it has not been entered yet");
});

test("the disaster is told with its goal and how far it is", () => {
  expect(next(disaster)).toEqual(["Giant bird: 31 of 40 points and 6 adjacent Industrial buildings · 9 points to go", "65 points win the game: 34 points to go"]);
  const [, met] = next(restored, "fr");
  expect(met).toBe("Oiseau géant: L'objectif est atteint");
});

test("the nearest bonus comes first, one that was used not at all", () => {
  const bonuses = [bonus({}), bonus({ card: "ZC5", zone: "commercial", condition: "stories", number: 4, reached: 3 }), bonus({ card: "ZR1", used: "point" })];
  expect(next(with_(built, { bonuses })).slice(2)).toEqual(["One Commercial building of 4 stories or more: 3 of 4 · Planning Commission", "3 Industrial buildings next to each other: 1 of 3 · Planning Commission"]);
  expect(next(with_(built, { bonuses: [bonus({ completed: true })] })).at(-1)).toContain("completed: the reward may be taken");
});

test("records are the city's, and facts what stands, what is broken, and what is left", () => {
  const seen = with_(disaster, { ...city, points: { commercial: 14, industrial: 14, government: 3 }, plant_works: false, lines: [true, false], roads: [true, true], action_points: 2 });
  expect(announcer.records(seen, "en", name)).toEqual([
    "The most stories in a building: 3 (17, 17, and 17)",
    "The highest column: 6 stories, column 2",
    "The most points on a building: 2 (17)",
    "The strongest zone: Commercial and Industrial, 14 points",
  ]);
  expect(announcer.facts(seen, "en", name)).toEqual([
    "3 buildings stand; together they have 9 stories",
    "1 building lies in rubble",
    "Out of order: Power plant and Line 2",
    "Pool: 2 wood, 2 steel, 1 concrete · 2 discards left · 20 in the deck",
    "Action points: 2",
  ]);
  expect(announcer.records(built, "en", name)).toEqual([]);
  const over = { ...seen, scene: { ...seen.scene!, ended: "lost" } };
  expect(announcer.facts(over, "fr", name).slice(0, 2)).toEqual(["La ville est perdue", "3 bâtiments debout\u00a0; ensemble, ils ont 9 étages"]);
  expect(announcer.facts(over, "fr", name)).toHaveLength(4);
});
