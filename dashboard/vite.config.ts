import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const OUT = "../hub/citytable/views/static";

/** Write every file that compresses well a second time, compressed. Without HTTPS browsers take gzip only. */
const compressed: Plugin = {
  name: "compressed",
  closeBundle() {
    for (const name of readdirSync(OUT, { recursive: true, encoding: "utf8" })) {
      if (!/\.(js|css|html)$/.test(name)) continue;
      writeFileSync(join(OUT, `${name}.gz`), gzipSync(readFileSync(join(OUT, name)), { level: 9 }));
    }
  },
};

// The screens are built into the hub's package, so a table needs no node.
export default defineConfig({
  plugins: [svelte(), compressed],
  test: { setupFiles: ["tests/setup.ts"] },
  build: { outDir: OUT, emptyOutDir: true, target: "es2022", manifest: true, assetsInlineLimit: 0, license: { fileName: "licenses.md" } },
});
