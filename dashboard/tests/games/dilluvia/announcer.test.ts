import { beforeEach, expect, test } from "vitest";
import dilluvia from "../../../src/games/dilluvia";
import announcer from "../../../src/games/dilluvia/announcer";
import { boardOf, type Board, type Mat } from "../../../src/games/dilluvia/board";
import own from "../../../src/games/dilluvia/overlay";
import { play } from "../../../src/lib/playing.svelte";
import type { Seen } from "../../../src/lib/seen";

beforeEach(() => play(dilluvia));

const [shopping, placing] = own.samples as [Seen, Seen];
const on = (seen: Seen, more: Partial<Board>): Seen => ({ ...seen, scene: { ...seen.scene!, board: { ...boardOf(seen.scene!), ...more } } });
const mats = (seen: Seen, change: (mat: Mat) => Partial<Mat>): Mat[] => boardOf(seen.scene!).mats.map((mat) => ({ ...mat, ...change(mat) }));
const next = (seen: Seen) => announcer.next(seen, "en").map(({ seat, title, detail }) => `${seat} ${title}: ${detail}`);
const name = (seat: number): string => `P${seat}`;

test("who plays comes first with what is due, then who follows and still has workers", () => {
  const workers = mats(placing, ({ seat }) => ({ workers: seat === 1 ? 0 : 2, special: seat === 3 }));
  expect(next(on(placing, { mats: workers }))).toEqual([
    "4 Propellers: 1, buildings: 2: Workers left: 2 · Aeros: 18, cubes: white 2, black 1, purple 1",
    "3 Next: Workers left: 2 and the special one · Aeros: 16, cubes: white 2, black 1, purple 1",
    "2 Then: Workers left: 2 · Aeros: 14, cubes: white 2, black 1, purple 1",
  ]);
});

test("at the market nobody comes twice", () => {
  expect(announcer.next(shopping, "fr").map(({ seat, title }) => [seat, title])).toEqual([[2, "Achats au marché"], [4, "Ensuite"], [1, "Puis"], [3, "Puis"]]);
});

test("records say who is ahead in what, and by how much", () => {
  const ground: Board["ground"] = [
    { kind: "building", cells: ["1/1"], owner: 2, building: "3A" },
    { kind: "building", cells: ["1/2"], owner: 2, building: "0A" },
    { kind: "building", cells: ["1/3"], owner: 4, building: "3B" },
    { kind: "propeller", cells: ["3/3"], owner: 1 },
    { kind: "propeller", cells: ["3/7"], price: 4 },
  ];
  const seen = on(shopping, { ground, mats: mats(shopping, ({ seat }) => ({ prestige: seat === 3 ? 15 : 11 })) });
  expect(announcer.records(seen, "en", name)).toEqual(["The most prestige: 15, P3, 4 ahead", "The largest building: 3A, by P2 and P4", "The most buildings: 2, by P2", "The most propellers: 1, P1", "The most Aeros: 18, P4"]);
  expect(announcer.records(shopping, "en", name)[0]).toBe("The most prestige: 11, P1, P2, P3, and P4");
});

test("facts name what came up, what was built last, and what is left", () => {
  const line = (no: number, seat: number) => ({ no, t_us: no * 60_000_000, key: "action.build", words: { number: "3", version: "a", at: `5/${no}` }, seat, provisional: false });
  const market = [{ tile: 4, kind: "white2", space: 1 }, { tile: 5, kind: "white2", space: 2 }, { tile: 6, kind: "aeros5", space: 3 }];
  const seen = { ...on(shopping, { market, stack: 30, ground: [{ kind: "garden", cells: ["5/5"] }, { kind: "propeller", cells: ["3/7"], price: 4 }] }), t_us: 240_000_000, happened: [line(1, 1), line(2, 2), line(3, 1)] };
  expect(announcer.facts(seen, "en", name)).toEqual([
    "Turn 1 of 7",
    "Order: 2, 4, 1, 3",
    "Maximilienne-Aurélie erects building 3A: column 5, row 3 (1 minute ago)",
    "Ada erects building 3A: column 5, row 2 (2 minutes ago)",
    "On the market: 2 white cubes · 5 Aeros",
    "The city has 0 buildings; gardens: 1",
    "1 propeller is for sale",
    "Tiles in the stacks: 30",
  ]);
});
