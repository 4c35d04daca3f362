import { expect, test } from "vitest";
import { GAMES } from "./screens";

const files = import.meta.glob<string>("../src/**/*.{svelte,ts,json}", { query: "?raw", import: "default", eager: true });

test("every folder of games brings screens, under its own name", () => {
  const folders = Object.keys(files).flatMap((path) => /\/games\/(\w+)\//.exec(path)?.[1] ?? []);
  expect(Object.keys(GAMES).sort()).toEqual([...new Set(folders)].sort());
  expect(GAMES).toHaveProperty("megacity");
});

test("nothing outside a game's folder names a game", () => {
  for (const [path, text] of Object.entries(files))
    if (!/\/games\/\w+\//.test(path)) for (const name of Object.keys(GAMES)) expect(text.toLowerCase(), path).not.toContain(name);
});
