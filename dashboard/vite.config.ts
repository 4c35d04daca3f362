import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const OUT = "../hub/citytable/views/static";

/** Write every file that compresses well a second and a third time, compressed; the hub sends what a browser takes. */
const compressed: Plugin = {
  name: "compressed",
  closeBundle() {
    for (const name of readdirSync(OUT, { recursive: true, encoding: "utf8" })) {
      if (!/\.(js|css|html)$/.test(name)) continue;
      const bytes = readFileSync(join(OUT, name));
      writeFileSync(join(OUT, `${name}.br`), brotliCompressSync(bytes));
      writeFileSync(join(OUT, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
};

// The screens are built into the hub's package, so a table needs no node.
export default defineConfig({
  plugins: [svelte(), compressed],
  build: { outDir: OUT, emptyOutDir: true, target: "es2022" },
});
