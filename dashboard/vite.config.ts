import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The screens are built into the hub's package, so a table needs no node.
export default defineConfig({
  plugins: [svelte()],
  build: { outDir: "../hub/citytable/views/static", emptyOutDir: true, target: "es2022" },
});
