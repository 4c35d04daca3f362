// @vitest-environment node
// After the end of a game the virtual table offers nothing to reach for: only its things lie there, to be cleared up.

import { render } from "svelte/server";
import { expect, test } from "vitest";
import type { Scene } from "../src/lib/seen";
import { play } from "../src/lib/playing.svelte";
import { sample, sampleScene } from "../src/overlay/samples";
import { Hands } from "../src/tabletop/hands.svelte";
import { learnMoves, learnTabletop } from "../src/tabletop/words";
import { GAMES } from "./screens";

const BOARDS = import.meta.glob<{ board: unknown }>("../src/games/*/style.ts");
const PILE = { count: 5, top: null };
const PIECE = { n: 4, material: "steel", shape: "block", a_mm: 20, b_mm: 20 };
const PARTS = {
  stack: 9,
  aside: 4,
  "spot/seat/1/bag": { thing: "bag", below: 0 },
  "seat/1": { pieces: [PIECE], cubes: 3, completed: [], park: true, hands: "person" },
  ...Object.fromEntries(["deck", "passed", "discards", "gone", "disasters", "tiles/1"].map((name) => [`pile/${name}`, PILE])),
};

/** Return the buttons that do something; what lies there and where it may lie have buttons, too. */
async function actsOf(game: string, more: Partial<Scene>): Promise<string[]> {
  const screens = GAMES[game]!;
  play(screens);
  learnTabletop("en");
  learnMoves(game, "en");
  const { board } = (await BOARDS[`../src/games/${game}/style.ts`]!()) as { board: unknown };
  const hands = new Hands(new URL("http://table/table/1"), 1, "en");
  hands.parts = PARTS;
  const { default: Top } = (await screens.tabletop!())!;
  const seen = sample(sampleScene(game, 1, [5, 3], board, more));
  const html = render(Top, { props: { seen, seat: 1, hands, told: { all: [] }, language: "en" } as never }).body;
  const buttons = html.match(/<button[^>]*>.*?<\/button>/gs) ?? [];
  return buttons.filter((one) => !/data-place|data-held="piece\//.test(one) && !/ disabled/.test(one));
}

test.each(["megacity", "comeback"])("%s: there are acts while it is played, and none after its end", async (game) => {
  expect((await actsOf(game, {})).length).toBeGreaterThan(2);
  expect(await actsOf(game, { ended: "completed", winners: [1], phase: "end", seat: 0 })).toEqual([]);
});

test("dilluvia: what may be done comes from the hub, which says nothing after the end", async () => {
  expect(await actsOf("dilluvia", { ended: "completed", winners: [1], phase: "end", seat: 0 })).toEqual([]);
});
