import { beforeEach, expect, test } from "vitest";
import { after, places } from "../src/announcer/margins";
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
  expect(own.records(city, "en", name)).toEqual(["The tallest building: 61 mm, by P2", "The most pieces in one building: 4, by P2"]);
  expect(own.facts(city, "en", name)).toContain("1 building stands, 6.1 cm high");
  const at = new Date(2026, 10, 28, 21, 14).getTime() * 1000;
  expect(own.facts(seen({ happened: [{ ...fell, t_us: at }] }, []), "fr", name)).toContain("1 chute depuis 21:14");
  const began = { ...fell, key: "sensed.game_began", words: {}, seat: null };
  expect(own.facts(seen({ happened: [began, fell] }, []), "en", name)).toContain("1 fall in this game");
});
