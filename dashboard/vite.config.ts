import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipAsync } from "@gfx/zopfli";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { words } from "./languages";
import { lean } from "./lean";

const OUT = "../hub/citytable/views/static";

/** Write the page of the overlay: the same page, on a ground that is transparent before any script runs. */
const transparent: Plugin = {
  name: "transparent",
  apply: "build",
  closeBundle() {
    const page = readFileSync(join(OUT, "index.html"), "utf8");
    const overlay = page.replace("<html", "<html data-overlay").replace(/\s*<meta name="color-scheme"[^>]*>/, "");
    writeFileSync(join(OUT, "overlay.html"), overlay);
  },
};

/** Write every file that compresses well a second time, compressed. Without HTTPS browsers take gzip only: Zopfli's is smaller. */
const compressed: Plugin = {
  name: "compressed",
  apply: "build", // a server that closes, as that of the tests, has built nothing
  async closeBundle() {
    for (const name of readdirSync(OUT, { recursive: true, encoding: "utf8" })) {
      if (!/\.(js|css|html)$/.test(name)) continue;
      writeFileSync(join(OUT, `${name}.gz`), await gzipAsync(readFileSync(join(OUT, name)), { numiterations: 5 }));
    }
  },
};

/** What every page needs at once lies in one file, with what starts the page: each file more is bytes more on a phone. */
const CORE = { name: "core", test: /src\/(main|App|games\/index|lib\/anew|parts\/(Door|Screen|Notice)\.svelte|parts\/(Icon|Plate|UndoAsked|Links|Flat)\.svelte|lib\/(answers|saying|causes|scores|pace|entering|links|feed\.svelte|send|word)\.ts)/ };

/** So does a phone, but for what is not always there: a question, a guided game, a result. */
const PHONE = { name: "phone", test: /src\/parts\/(Seat|Say|May|Messages|TakeBack)\.svelte/ };

/** A guided game is one file that is fetched when it begins. */
const LESSON = { name: "lesson", test: /src\/lesson\/[^/]+\.(svelte|ts)/ };

/** Whose turn it is and what they try stand together wherever they are shown. */
const TURN = { name: "turn", test: /src\/parts\/(Sentence|Turn)\.svelte/ };

/** The cubes of owners are in the cities of two games. */
const PIPS = { name: "pips", test: /src\/parts\/Pips\.svelte/ };

/** What all pages of a game show is one file, too. */
const GAMES = { name: (id: string): string => /games\/([^/]+)\//.exec(id)![1]!, test: /src\/games\/[^/]+\/(index|board|contracts|types|hexes|naming|icons|view\.svelte)\.ts/ };

/** And what the overlay shares with the host's page and with games. */
const OVERLAY = { name: "on-air", test: /src\/overlay\/(words|samples|wishes)\.ts/ };

// The screens are built into the hub's package, so a table needs no node.
export default defineConfig({
  plugins: [words(), lean, svelte(), transparent, compressed],
  test: { isolate: false, setupFiles: ["tests/setup.ts"], testTimeout: 60_000 },
  build: { modulePreload: { polyfill: false }, outDir: OUT, emptyOutDir: true, target: "es2022", manifest: true, assetsInlineLimit: 0, license: { fileName: "licenses.md" }, rolldownOptions: { output: { codeSplitting: { groups: [CORE, PHONE, LESSON, TURN, PIPS, GAMES, OVERLAY] } } } },
});
