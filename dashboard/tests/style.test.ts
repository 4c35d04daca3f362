// @vitest-environment node
import { render } from "svelte/server";
import { expect, test } from "vitest";
import { NAMES } from "../src/games";
import { play } from "../src/lib/playing.svelte";
import { part, partsOf, statesOf } from "../src/style/catalogue";
import shipped from "../../hub/citytable/views/static/.vite/manifest.json?raw";
import { GAMES } from "./screens";

test.each(NAMES)("every part that %s shows has states, and no state is of a part that is gone", async (game) => {
  const states = await statesOf(game);
  const parts = partsOf(game);
  expect(parts.filter((name) => !states[name]?.length)).toEqual([]);
  expect(Object.keys(states).filter((name) => !parts.includes(name))).toEqual([]);
});

test.each(NAMES)("every state of %s can be drawn in both languages", async (game) => {
  Object.assign(globalThis, { location: new URL("http://table.local/style"), fetch: async () => Response.json([]) });
  play(GAMES[game]!);
  for (const [name, states] of Object.entries(await statesOf(game))) {
    const Part = await part(name);
    for (const one of states.filter(({ needs }) => needs !== "browser"))
      for (const language of ["en", "fr"])
        expect(() => render(Part, { props: { ...one.props, language } as never }).body, `${name}: ${one.name}`).not.toThrow();
  }
});

test("the style page is not shipped", () => {
  expect(shipped).not.toContain("src/style");
  expect(shipped).not.toContain("style.ts");
});
