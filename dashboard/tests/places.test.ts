import { expect, test } from "vitest";
import { rooms } from "../src/lib/places";
import type { Live, Scene, Seen } from "../src/lib/seen";
import { player, seen } from "./fixtures";

const TOY: Scene = {
  game: "toy",
  turn: 1,
  seat: 1,
  phase: "main",
  players: [player(1, { score: null }), player(2, { score: null })],
  lights: [],
  heights_mm: { "city/1/0": 40 },
  piles: [
    { spot: "seat/2/card/0", things: ["card/7"], hidden: 0 },
    { spot: "supply/deck", things: ["card/3"], hidden: 9 },
  ],
  ended: "",
  winners: [],
  origin: "house",
  board: null,
};
const live = (spot: string, thing: string | null): Live => ({ spot, thing, mass_g: null, moving: false, low_mm: null, high_mm: null, pieces: null, pieces_unsure: false });
const toy = (more: Partial<Seen> = {}): Seen => seen({ scene: TOY, ...more });

test("everything that lies somewhere is drawn, between the players first and then seat by seat", () => {
  const drawn = rooms(toy());
  expect(drawn.map(({ name }) => name)).toEqual(["city", "supply", "seat/2"]);
  expect(drawn.flatMap(({ places }) => places.map(({ spot, things, hidden, heightMm }) => [spot, things, hidden, heightMm]))).toEqual([
    ["city/1/0", [], 0, 40],
    ["supply/deck", ["card/3"], 9, null],
    ["seat/2/card/0", ["card/7"], 0, null],
  ]);
});

test("what is sensed and not known to the game lies on top, as something uncertain", () => {
  const drawn = rooms(toy({ live: [live("seat/2/card/0", "card/8"), live("seat/1/card/0", "card/1"), live("seat/1/bag", null)] }));
  const places = drawn.flatMap((room) => room.places);
  expect(places.filter((place) => place.provisional).map(({ spot, things }) => [spot, things])).toEqual([
    ["seat/1/card/0", ["card/1"]],
    ["seat/2/card/0", ["card/8", "card/7"]],
  ]);
  expect(places.map(({ spot }) => spot)).not.toContain("seat/1/bag");
});

test("a place that is lit is drawn although nothing lies there", () => {
  const light = { spot: "seat/1/pad/0", role: "turn", seat: 1 };
  expect(rooms(toy({ lights: [light] })).flatMap(({ places }) => places).find(({ spot }) => spot === light.spot)?.light).toBe(light);
});

test("a table on which nothing lies has no places", () => {
  expect(rooms(seen({ scene: null }))).toEqual([]);
});
